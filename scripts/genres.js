// Leaves one genre of GUM out at a time: trains english-pos and english-chunk without it as models.js does, and scores them on it, beside the
// bundled models. Results are kept in docs/results/genres.jsonl, or a file that is named; it goes on where it was stopped, and leaves results
// of other settings alone.
import { Pipeline, saveModel, scoreModel, Tagger } from '../dist/index.js';
import { loadModelFile } from '../dist/node/index.js';
import { asTokenised, corpusOf, GENRES } from './english-data.js';
import {
  addResult,
  englishCorpora,
  genreResults,
  POS_COLUMNS,
  RESULTS,
  trainEnglish,
} from './english-models.js';

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

const bundled = {
  posModel: await loadModelFile('english-pos'),
  chunkModel: await loadModelFile('english-chunk'),
};
// Genres that no model is trained on are scored by one model, that of all the others.
const clean = Object.keys(GENRES).filter((genre) => GENRES[genre]);
const others = Object.keys(GENRES).filter((genre) => !GENRES[genre]);
for (const without of [undefined, ...clean]) {
  const done = genreResults(path);
  const scored = without === undefined ? [...others, 'conll2000'] : [without];
  if (scored.every((genre) => genre in done)) continue;
  const models = await trainEnglish(corpora, {
    without,
    log: (text) => console.error(`without ${without ?? 'none'}: ${text}`),
  });
  const bytes = Object.values(models).map((model) => saveModel(model).length);
  console.error(`sizes: ${bytes.join(' + ')} bytes`);
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
  const own = results[genre];
  const now = scores(bundled, genre);
  return {
    genre,
    'pos bundled': now.pos,
    'pos left out': own.pos,
    'F bundled': now.f1,
    'F left out': own.f1,
    'raw F bundled': now.tokenised.f1,
    'raw F left out': own.tokenised.f1,
  };
});
const mean = (column) => rows.reduce((sum, row) => sum + row[column], 0) / rows.length;
const columns = Object.keys(rows[0]).slice(1);
rows.push({ genre: 'mean', ...Object.fromEntries(columns.map((column) => [column, mean(column)])) });
console.table(
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, Number.isFinite(value) ? percent(value) : value]),
    ),
  ),
);
const [before, after] = [mean('F bundled'), mean('F left out')];
console.log(`error gone: ${((100 * (after - before)) / (100 - before)).toFixed(1)} %`);
console.log('CoNLL-2000 test:', JSON.stringify(results.conll2000));
