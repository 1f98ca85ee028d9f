// How many annotated tokens each order of sentences needs: CoNLL-2003 as a pool whose labels are bought, batches of 15 %, the models
// that the studio trains. F on a held-out part at 2,000, 4,000 and 8,000 tokens, and the tokens that F 70 takes.
// POOL and SEED in the environment choose a smaller pool and another order.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configure, corpusOf, scoreModel, Tagger, train } from '../dist/index.js';
import { chooseSentence } from '../dist/project/choose-sentence.js';

const data =
  process.env.SPANWRIGHT_DATA ?? join(fileURLToPath(new URL('..', import.meta.url)), '../shared/data');
const files = ['eng.train', 'eng.testb'].map((name) => join(data, 'conll2003', name));
if (!files.every(existsSync)) {
  console.log(`skipped: no CoNLL-2003 in ${data} (set SPANWRIGHT_DATA)`);
  process.exit(0);
}
const MOST_TOKENS = 9000;
const START = 100;
const GROWTH = 0.15;
const WANTED_F = 70;
const SIZES = [2000, 4000, 8000];
const seed = Number(process.env.SEED ?? 1);
const most = Number(process.env.POOL ?? 14_041);

const [pool, test] = files.map(read);
const sentences = pool.slice(0, most);
console.log(`${sentences.length} sentences in the pool, seed ${seed}`);
for (const strategy of ['random', 'unsure', 'mixed']) await simulate(strategy);

/** Buys labels in an order until there are enough, and says what F they give. */
async function simulate(strategy) {
  const bought = [];
  const open = new Set(sentences.keys());
  let scores;
  let tokens = 0;
  const points = [];
  while (tokens < MOST_TOKENS) {
    const wanted = bought.length === 0 ? START : Math.ceil(bought.length * GROWTH);
    for (let i = 0; i < wanted; i++) {
      const state = { strategy, seed, annotated: bought.length, open: [...open], before: -1, scores };
      const { sentence } = chooseSentence(state);
      open.delete(sentence);
      bought.push(sentence);
      tokens += sentences[sentence].tokens.length;
    }
    const configuration = configure({
      task: 'chunking',
      columns: ['word', 'label'],
      options: {
        templates: 'words',
        scheme: 'iob2',
        direction: 'forward',
        decoder: 'hybrid',
        'cut-off': bought.length < 400 ? 1 : 2,
      },
    });
    const known = bought.map((s) => sentences[s]);
    const tagger = new Tagger(await train(corpusOf(known, configuration), configuration));
    points.push([tokens, scoreModel(tagger, corpusOf(test, configuration)).f1]);
    scores = new Float32Array(sentences.length).fill(Number.NaN);
    const left = [...open];
    tagger.decodeSentences(
      left.map((s) => ({ word: sentences[s].tokens })),
      (i) => {
        const confidences = tagger.confidences();
        let sum = 0;
        for (const confidence of confidences) sum += Math.log(Math.max(confidence, 1e-9));
        scores[left[i]] = sum / confidences.length;
      },
    );
  }
  const at = (size) => interpolated(points, size, 0, 1).toFixed(1);
  const needed = Math.round(interpolated(points, WANTED_F, 1, 0));
  console.log(
    `${strategy.padEnd(8)} F at ${SIZES.map((size) => `${size} tokens ${at(size)}`).join(', ')}; F ${WANTED_F} takes ${needed || 'more'} tokens`,
  );
}

/** The value of one coordinate where the other first reaches a wanted one. */
function interpolated(points, wanted, given, asked) {
  const next = points.findIndex((point) => point[given] >= wanted);
  if (next < 0) return Number.NaN;
  if (next === 0) return points[0][asked];
  const [a, b] = [points[next - 1], points[next]];
  return a[asked] + ((wanted - a[given]) / (b[given] - a[given])) * (b[asked] - a[asked]);
}

function read(path) {
  const blocks = readFileSync(path, 'utf8').trim().split(/\n\n+/);
  return blocks
    .filter((block) => !block.startsWith('-DOCSTART-'))
    .map((block) => {
      const rows = block.split('\n').map((line) => line.split(' '));
      return { tokens: rows.map(([word]) => word), tags: rows.map((row) => row[row.length - 1]) };
    });
}
