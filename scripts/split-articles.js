// Splits the January 1998 People's Daily (word/TAG, an article's number before every paragraph) by article: a tenth of the
// articles, shuffled by seed, for testing, the rest for training.
//
//     node scripts/split-articles.js 199801.txt train.txt test.txt [--seed 1]
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Random } from '../dist/base/random.js';

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
if (positionals.length !== 3) {
  console.error('usage: node scripts/split-articles.js FILE TRAIN TEST [--seed N]');
  process.exit(2);
}
const [input, trainFile, testFile] = positionals;
/** Lines by article; a line without a number goes with those before it. */
const articles = [];
let last = '';
for (const [i, line] of readFileSync(input, 'utf8').split(/\r?\n/).entries()) {
  if (line.trim() === '') continue;
  const article = /^(\d{8}-\d{2}-\d{3})-\d{3}\/m/.exec(line)?.[1] ?? last;
  if (article === '') {
    console.error(`${input}:${i + 1}: expected an article's number such as 19980101-01-001-001/m`);
    process.exit(2);
  }
  if (article !== last) articles.push([]);
  articles[articles.length - 1].push(line);
  last = article;
}
const order = Uint32Array.from(articles.keys());
new Random(Number(values.seed)).shuffle(order);
const tested = new Set(order.subarray(0, Math.floor(articles.length / 10)));
for (const [file, isTest] of [
  [trainFile, false],
  [testFile, true],
]) {
  const own = articles.filter((_, a) => tested.has(a) === isTest);
  const text = `${own.flat().join('\n')}\n`;
  writeFileSync(file, text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  console.log(`${file}: ${own.length} articles, ${own.flat().length} paragraphs, SHA-256 ${sha256}`);
}
