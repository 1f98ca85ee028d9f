// Scores english-pos and english-chunk, made as models.js makes them, on genres of GUM that they were not trained on; for genres that models.js
// trains on, models are made without that genre and another. Results are kept in docs/results/genres.jsonl, or a
// file that is named; it goes on where it was stopped, and leaves results of other settings alone.
import { Pipeline, scoreModel, Tagger } from '../dist/index.js';
import { asTokenised, corpusOf, GENRES } from './english-data.js';
import {
  addResult,
  englishCorpora,
  genreResults,
  POS_COLUMNS,
  RESULTS,
  trainEnglish,
} from './english-models.js';

/** Genres that are trained on, two and two. */
const PAIRS = [
  ['academic', 'conversation'],
  ['court', 'vlog'],
  ['interview', 'textbook'],
  ['news', 'speech'],
];

const [path = RESULTS] = process.argv.slice(2);
const corpora = englishCorpora();

const score = ({ posModel, chunkModel }, sentences) => ({
  pos: scoreModel(new Tagger(posModel), corpusOf(sentences, 'scored', POS_COLUMNS)).accuracy,
  f1: scoreModel(new Pipeline([posModel, chunkModel]), corpusOf(sentences, 'scored')).f1,
});
const scores = (models, genre) => ({
  ...score(models, corpora.genres[genre]),
  tokenised: score(models, corpora.genres[genre].map(asTokenised)),
});

// Genres that no model is trained on are scored by models of all the others; of these two are left out at a time, which are unlike.
const others = Object.keys(GENRES).filter((genre) => !GENRES[genre]);
for (const without of [[], ...PAIRS]) {
  const scored = without.length === 0 ? [...others, 'conll2000'] : without;
  const done = genreResults(path);
  if (scored.every((genre) => genre in done)) continue;
  const log = (text) => console.error(`without ${without.join(' and ') || 'none'}: ${text}`);
  const models = await trainEnglish(corpora, { without, log });
  for (const genre of scored) {
    addResult(path, {
      genre,
      own: genre === 'conll2000' ? score(models, corpora.test) : scores(models, genre),
    });
  }
}

const results = genreResults(path);
const percent = (value) => Number(value.toFixed(2));
const rows = Object.keys(GENRES).map((genre) => {
  const { pos, f1, tokenised } = results[genre];
  return { genre, pos, F: f1, 'pos as tokenised': tokenised.pos, 'F as tokenised': tokenised.f1 };
});
const columns = Object.keys(rows[0]).slice(1);
const mean = (column) => rows.reduce((sum, row) => sum + row[column], 0) / rows.length;
rows.push({ genre: 'mean', ...Object.fromEntries(columns.map((column) => [column, mean(column)])) });
console.table(
  rows.map(({ genre, ...own }) => ({
    genre,
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, percent(value)])),
  })),
);
console.log('CoNLL-2000 test:', JSON.stringify(results.conll2000));
