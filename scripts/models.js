// Makes the bundled models and their cards: models/english-pos and models/english-chunk, from CoNLL-2000.
// Needs the corpus: ../shared/data/conll2000, or SPANWRIGHT_DATA. The same corpus gives the same bytes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conll2000 } from '../bench/support.js';
import {
  accuracyTable,
  configure,
  conllevalTable,
  crossLabel,
  Pipeline,
  replaceColumn,
  saveModel,
  scoreModel,
  Tagger,
  train,
} from '../dist/index.js';
import { blockRunner, readColumnsFile } from '../dist/node/index.js';
import { cards } from './model-cards.js';

const FOLDS = 10;
const folder = new URL('../models/', import.meta.url).pathname;
const files = conll2000();
const how = { runBlocks: blockRunner(2) };

const read = (path, columns) => readColumnsFile(path, { columns });
const posColumns = ['word', 'pos'];
const chunkColumns = ['word', 'pos', 'chunk'];

const posConfiguration = configure({ task: 'pos', options: { precision: 'int8', decoder: 'greedy' } });
const posTraining = await read(files.train, posColumns);
const posTest = await read(files.test, posColumns);
console.log('training english-pos …');
const posModel = await train(posTraining, posConfiguration, how);

// The chunker learns from parts of speech as the tagger gives them to sentences that it has not seen.
const ownPos = await crossLabel(posTraining, posConfiguration, {
  folds: FOLDS,
  seed: 1,
  train: how,
  onFold: (fold) => console.log(`labelling the training data: fold ${fold + 1} of ${FOLDS}`),
});
console.log('training english-chunk …');
const chunkTraining = replaceColumn(await read(files.train, chunkColumns), 'pos', ownPos);
const chunkTest = await read(files.test, chunkColumns);
const chunkConfiguration = configure({ task: 'chunking', options: { precision: 'int8' } });
const chunkModel = { ...(await train(chunkTraining, chunkConfiguration, how)), posModel: 'english-pos' };

const posScores = scoreModel(new Tagger(posModel), posTest);
const givenScores = scoreModel(new Tagger(chunkModel), chunkTest);
const ownScores = scoreModel(new Pipeline([posModel, chunkModel]), chunkTest);
console.log(`english-pos on test.txt: ${accuracyTable(posScores).split('\n')[0]}`);
console.log(`english-chunk on test.txt with the parts of speech given:\n${conllevalTable(givenScores)}`);
console.log(`english-chunk on test.txt with those of english-pos:\n${conllevalTable(ownScores)}`);

mkdirSync(folder, { recursive: true });
let total = 0;
for (const [name, model] of [
  ['english-pos', posModel],
  ['english-chunk', chunkModel],
]) {
  const bytes = saveModel(model);
  total += bytes.length;
  writeFileSync(join(folder, `${name}.safetensors`), bytes);
  console.log(`models/${name}.safetensors: ${bytes.length} bytes`);
}
const texts = cards({ posModel, chunkModel, posScores, givenScores, ownScores, folds: FOLDS });
for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
console.log(`together ${(total / 1e6).toFixed(2)} MB`);
