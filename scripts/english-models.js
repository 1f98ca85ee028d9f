// How english-pos and english-chunk are trained: on CoNLL-2000 and the genres of GUM that may be bundled, with copies of some sentences
// written otherwise. Shared by models.js, which makes them, and genres.js, which leaves genres out.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conll2000, dataFolder } from '../bench/support.js';
import { configure, fitTemperature, readTemplates, replaceColumn, Tagger, train } from '../dist/index.js';
import {
  asTokenised,
  columnSentences,
  corpusOf,
  GENRES,
  genreSentences,
  variantsOf,
  withMendedTags,
} from './english-data.js';
import { everydaySentences } from './everyday-sentences.js';

/** Columns of the tagger. */
export const POS_COLUMNS = ['word', 'pos'];
/** Columns of the chunker. */
export const CHUNK_COLUMNS = ['word', 'pos', 'chunk'];

/** Templates of the tagger: as the set `pos`, but words and affixes in small letters, so that capitals weigh by their shape alone. */
const POS_TEMPLATES = [
  ...[-2, -1, 0, 1, 2].map((at) => `word.lower[${at}]`),
  'word.lower[-1] word.lower[0]',
  'word.lower[0] word.lower[1]',
  'word.lower[-1] word.lower[1]',
  ...[-1, 0, 1].map((at) => `word[${at}]`),
  ...[1, 2, 3, 4].map((length) => `word.lower.prefix${length}[0]`),
  ...[1, 2, 3, 4, 5].map((length) => `word.lower.suffix${length}[0]`),
  ...[2, 3].flatMap((length) => [-1, 1].map((at) => `word.lower.suffix${length}[${at}]`)),
  ...[-1, 0, 1].map((at) => `word.shape[${at}]`),
  'word.shape[-1] word.shape[0]',
  'word.shape[0] word.shape[1]',
  'word.type[0]',
  'label[-1]',
  'label[-2]',
  'label[-1] label[-2]',
  'label[-1] word.lower[0]',
  'label[-1] word.lower[1]',
];

/** Templates of the chunker: those of the set `004`, words and affixes in small letters, and the word with its part of speech. */
const CHUNK_TEMPLATES = [
  ...lines('word.lower', [[-2], [-1], [0], [1], [2], [-2, -1], [-1, 0], [0, 1], [1, 2], [-1, 1]]),
  ...lines('pos', [[-2], [-1], [0], [1], [2], [-2, -1], [-1, 0], [0, 1], [1, 2], [-1, 1]]),
  ...lines('pos', [
    [-2, -1, 0],
    [-1, 0, 1],
    [0, 1, 2],
    [-3, -2, -1],
    [1, 2, 3],
  ]),
  ...[-2, -1, 0, 1].map((at) => `word.lower[${at}] pos[${at + 1}]`),
  'word.lower[0] pos[0]',
  ...[2, 3, 4].flatMap((length) => [`word.lower.prefix${length}[0]`, `word.lower.suffix${length}[0]`]),
  'word.type[0]',
  'label[-1]',
  'label[-2]',
  'label[-1] label[-2]',
];

/** A template a list of offsets: the view at all of them. */
function lines(view, windows) {
  return windows.map((offsets) => offsets.map((at) => `${view}[${at}]`).join(' '));
}

/** Everything that decides what the models are, given the data. */
export const SETTINGS = {
  folds: 4,
  seed: 1,
  pos: { 'cut-off': 4, precision: 'int8', decoder: 'greedy' },
  posTemplates: POS_TEMPLATES.join('\n'),
  chunk: { 'cut-off': 5, precision: 'int8' },
  chunkTemplates: CHUNK_TEMPLATES.join('\n'),
  /** Shares of sentences that are copied, written otherwise. */
  variants: {
    lower: 0.03,
    upper: 0.03,
    title: 0.02,
    'small-start': 0.04,
    unpunctuated: 0.03,
    typos: 0.02,
    hashtags: 0.02,
  },
};

/** The corpora; ends the program with a reason where one is not there. */
export function englishCorpora() {
  const files = conll2000();
  const trees = join(dataFolder, 'gum/const');
  if (!existsSync(trees)) {
    console.log(`skipped: no GUM in ${dataFolder} (set SPANWRIGHT_DATA)`);
    process.exit(0);
  }
  return {
    files,
    train: columnSentences(files.train),
    test: columnSentences(files.test),
    genres: Object.fromEntries(Object.keys(GENRES).map((genre) => [genre, genreSentences(trees, genre)])),
  };
}

export const posConfiguration = configure({
  task: 'pos',
  options: SETTINGS.pos,
  templates: readTemplates(SETTINGS.posTemplates, 'english-pos', POS_COLUMNS),
});
export const chunkConfiguration = configure({
  task: 'chunking',
  options: SETTINGS.chunk,
  templates: readTemplates(SETTINGS.chunkTemplates, 'english-chunk', CHUNK_COLUMNS),
});

/** Sentences to train on; those that are copies of one another have one number. @param without genres that are left out. */
export function trainingSentences({ train: conll, genres }, without = []) {
  const clean = Object.keys(GENRES).filter((genre) => GENRES[genre] && !without.includes(genre));
  const originals = [
    ...conll.map(withMendedTags),
    ...everydaySentences(),
    ...clean.flatMap((genre) => genres[genre]),
  ].map((sentence, number) => ({ ...sentence, number }));
  const tokenised = originals.slice(conll.length).flatMap((sentence) => {
    const other = { ...asTokenised(sentence), number: sentence.number };
    return other.words.join(' ') === sentence.words.join(' ') ? [] : [other];
  });
  const written = [...originals, ...tokenised];
  return [...written, ...variantsOf(written, SETTINGS.variants, SETTINGS.seed)];
}

/** Where genres.js keeps what it measured. */
export const RESULTS = new URL('../docs/results/genres.jsonl', import.meta.url).pathname;

const settingsKey = createHash('sha256').update(JSON.stringify(SETTINGS)).digest('hex').slice(0, 16);

/** Adds a score of these settings to a file of results. */
export function addResult(path, entry) {
  appendFileSync(path, `${JSON.stringify({ settings: settingsKey, ...entry })}\n`);
}

/** Scores of these settings by genre, as far as they were measured; a last line that was cut off is left out. */
export function genreResults(path = RESULTS) {
  if (!existsSync(path)) return {};
  const entries = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line))
    .filter(({ settings }) => settings === settingsKey);
  return Object.fromEntries(entries.map(({ genre, own }) => [genre, own]));
}

/** Trains the two. @param calibrates whether their confidences are fitted, which takes one more training each. */
export async function trainEnglish(
  corpora,
  { without, how = {}, calibrates = false, log = () => undefined } = {},
) {
  const sentences = trainingSentences(corpora, without);
  const { folds } = SETTINGS;
  log(`training english-pos on ${sentences.length} sentences`);
  const posModel = await train(corpusOf(sentences, 'english', POS_COLUMNS), posConfiguration, how);
  // The chunker learns from parts of speech as the tagger gives them to sentences of which it has seen no copy.
  const ownPos = [];
  for (let fold = 0; fold < folds; fold++) {
    log(`labelling the training data: fold ${fold + 1} of ${folds}`);
    const training = sentences.filter(({ number }) => number % folds !== fold);
    const tagger = new Tagger(await train(corpusOf(training, 'english', POS_COLUMNS), posConfiguration, how));
    for (const [s, { words, number }] of sentences.entries()) {
      if (number % folds === fold) ownPos[s] = tagger.label({ word: words }).tags;
    }
  }
  log('training english-chunk');
  const chunkCorpus = replaceColumn(corpusOf(sentences, 'english'), 'pos', ownPos);
  const chunkModel = await train(chunkCorpus, chunkConfiguration, how);
  if (!calibrates) return { posModel, chunkModel };
  log('fitting confidences');
  // Sentences without copies, so that none that is held out has one among those trained on.
  const firsts = [...new Map(sentences.map(({ number }, s) => [number, s]).reverse()).values()].reverse();
  const originals = firsts.map((s) => sentences[s]);
  const withOwnPos = firsts.map((s) => ({ ...sentences[s], pos: ownPos[s] }));
  return {
    posModel: {
      ...posModel,
      temperature: await fitTemperature(corpusOf(originals, 'english', POS_COLUMNS), posConfiguration, how),
    },
    chunkModel: {
      ...chunkModel,
      temperature: await fitTemperature(corpusOf(withOwnPos, 'english'), chunkConfiguration, how),
    },
  };
}
