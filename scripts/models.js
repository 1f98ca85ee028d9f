// Makes the bundled models and their cards: models/english-pos and models/english-chunk, from CoNLL-2000, and
// models/chinese-gsd from UD Chinese GSD. Needs the corpora: ../shared/data/conll2000 and ud_chinese_gsd, or in
// SPANWRIGHT_DATA. The same corpora give the same bytes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chineseGsd, conll2000 } from '../bench/support.js';
import {
  accuracyTable,
  configure,
  conllevalTable,
  crossLabel,
  fitTemperature,
  measureCalibration,
  Pipeline,
  replaceColumn,
  saveModel,
  scoreModel,
  scoreWords,
  Tagger,
  train,
  UnitCorpusBuilder,
  wordTable,
} from '../dist/index.js';
import { blockRunner, readColumnsFile } from '../dist/node/index.js';
import { cards, chineseCard } from './model-cards.js';

const FOLDS = 10;
const folder = new URL('../models/', import.meta.url).pathname;
const files = conll2000();
const how = { runBlocks: blockRunner(2) };

const read = (path, columns) => readColumnsFile(path, { columns });
/** A model whose confidences tell how often it is right. */
const trained = async (corpus, configuration) => ({
  ...(await train(corpus, configuration, how)),
  temperature: await fitTemperature(corpus, configuration, how),
});
const posColumns = ['word', 'pos'];
const chunkColumns = ['word', 'pos', 'chunk'];

const posConfiguration = configure({ task: 'pos', options: { precision: 'int8', decoder: 'greedy' } });
const posTraining = await read(files.train, posColumns);
const posTest = await read(files.test, posColumns);
console.log('training english-pos …');
const posModel = await trained(posTraining, posConfiguration);

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
const chunkModel = { ...(await trained(chunkTraining, chunkConfiguration)), posModel: 'english-pos' };

const posScores = scoreModel(new Tagger(posModel), posTest);
const givenScores = scoreModel(new Tagger(chunkModel), chunkTest);
const ownScores = scoreModel(new Pipeline([posModel, chunkModel]), chunkTest);
console.log(`english-pos on test.txt: ${accuracyTable(posScores).split('\n')[0]}`);
console.log(`english-chunk on test.txt with the parts of speech given:\n${conllevalTable(givenScores)}`);
console.log(`english-chunk on test.txt with those of english-pos:\n${conllevalTable(ownScores)}`);

const gsd = chineseGsd();
const wordConfiguration = configure({ task: 'segmentation', preset: 'accurate' });
const readConllu = (path) => {
  const builder = new UnitCorpusBuilder('conllu', { ...wordConfiguration, source: path });
  builder.push(readFileSync(path));
  return builder.finish();
};
console.log('training chinese-gsd …');
const wordModel = await trained(readConllu(gsd.train), wordConfiguration);
const wordTest = readConllu(gsd.test);
const wordScores = scoreWords(new Tagger(wordModel), wordTest);
console.log(`chinese-gsd on zh-ud-test.conllu:\n${wordTable(wordScores)}`);

mkdirSync(folder, { recursive: true });
let total = 0;
for (const [name, model] of [
  ['english-pos', posModel],
  ['english-chunk', chunkModel],
  ['chinese-gsd', wordModel],
]) {
  const bytes = saveModel(model);
  total += bytes.length;
  writeFileSync(join(folder, `${name}.safetensors`), bytes);
  console.log(`models/${name}.safetensors: ${bytes.length} bytes`);
}
const reliability = {
  pos: measureCalibration(new Tagger(posModel), posTest),
  chunk: measureCalibration(new Pipeline([posModel, chunkModel]), chunkTest),
  word: measureCalibration(new Tagger(wordModel), wordTest),
};
for (const [name, { tokens }] of Object.entries(reliability)) {
  console.log(`${name}: expected calibration error ${(100 * tokens.expectedError).toFixed(2)} %`);
}
const texts = {
  ...cards({ posModel, chunkModel, posScores, givenScores, ownScores, folds: FOLDS, reliability }),
  'chinese-gsd.md': chineseCard({ wordModel, wordScores, reliability: reliability.word }),
};
for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
console.log(`together ${(total / 1e6).toFixed(2)} MB`);
