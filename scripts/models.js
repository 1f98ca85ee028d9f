// Makes the bundled models and their cards: models/english-pos and models/english-chunk, from CoNLL-2000 and GUM, and
// models/chinese-gsd from UD Chinese GSD (with --english not; with --cards the cards of
// the English models alone, once genres.js has measured them). Needs the corpora: ../shared/data/conll2000, gum and ud_chinese_gsd, or in
// SPANWRIGHT_DATA. The same corpora give the same bytes. Scores by genre in the cards are those that genres.js measured.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chineseGsd } from '../bench/support.js';
import {
  accuracyTable,
  configure,
  conllevalTable,
  fitTemperature,
  measureCalibration,
  measureRobustness,
  Pipeline,
  saveModel,
  scoreModel,
  scoreWords,
  Tagger,
  train,
  UnitCorpusBuilder,
  wordTable,
} from '../dist/index.js';
import { blockRunner, loadModelFile } from '../dist/node/index.js';
import { corpusOf } from './english-data.js';
import { englishCorpora, genreResults, POS_COLUMNS, trainEnglish } from './english-models.js';
import { cards, chineseCard } from './model-cards.js';

const folder = new URL('../models/', import.meta.url).pathname;
const how = { runBlocks: blockRunner(2) };
const isCards = process.argv.includes('--cards');
const isEnglish = isCards || process.argv.includes('--english');
/** A model whose confidences tell how often it is right. */
const trained = async (corpus, configuration) => ({
  ...(await train(corpus, configuration, how)),
  temperature: await fitTemperature(corpus, configuration, how),
});

const english = englishCorpora();
const { posModel, chunkModel: chunker } = isCards
  ? { posModel: await loadModelFile('english-pos'), chunkModel: await loadModelFile('english-chunk') }
  : await trainEnglish(english, { how, calibrates: true, log: console.log });
const chunkModel = { ...chunker, posModel: 'english-pos' };
const posTest = corpusOf(english.test, english.files.test, POS_COLUMNS);
const chunkTest = corpusOf(english.test, english.files.test);
const posScores = scoreModel(new Tagger(posModel), posTest);
const givenScores = scoreModel(new Tagger(chunkModel), chunkTest);
const ownScores = scoreModel(new Pipeline([posModel, chunkModel]), chunkTest);
console.log(`english-pos on test.txt: ${accuracyTable(posScores).split('\n')[0]}`);
console.log(`english-chunk on test.txt with the parts of speech given:\n${conllevalTable(givenScores)}`);
console.log(`english-chunk on test.txt with those of english-pos:\n${conllevalTable(ownScores)}`);

/** The Chinese model, with how well it does. */
async function chinese() {
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
  return { wordModel, wordScores, reliability: measureCalibration(new Tagger(wordModel), wordTest) };
}

const words = isEnglish ? undefined : await chinese();

mkdirSync(folder, { recursive: true });
let total = 0;
const made = isCards
  ? []
  : [
      ['english-pos', posModel],
      ['english-chunk', chunkModel],
      ...(words ? [['chinese-gsd', words.wordModel]] : []),
    ];
for (const [name, model] of made) {
  const bytes = saveModel(model);
  total += bytes.length;
  writeFileSync(join(folder, `${name}.safetensors`), bytes);
  console.log(`models/${name}.safetensors: ${bytes.length} bytes`);
}
const reliability = {
  pos: measureCalibration(new Tagger(posModel), posTest),
  chunk: measureCalibration(new Pipeline([posModel, chunkModel]), chunkTest),
  ...(words && { word: words.reliability }),
};
for (const [name, { tokens }] of Object.entries(reliability)) {
  console.log(`${name}: expected calibration error ${(100 * tokens.expectedError).toFixed(2)} %`);
}
const robustness = {
  pos: measureRobustness(new Tagger(posModel), posTest, posScores.accuracy),
  chunk: measureRobustness(new Pipeline([posModel, chunkModel]), chunkTest, ownScores.f1),
};
const genres = genreResults();
const texts = {
  ...cards({ posModel, chunkModel, posScores, givenScores, ownScores, reliability, robustness, genres }),
  ...(words && { 'chinese-gsd.md': chineseCard(words) }),
};
for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
if (!isCards) console.log(`together ${(total / 1e6).toFixed(2)} MB`);
