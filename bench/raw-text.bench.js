// Raw English text through tokenizer, part-of-speech tagger and chunker with the bundled models, file to file, one
// thread; and how long the first label takes. The text is CoNLL-2000's words put together again (train and test).
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { conll2000, scratchFolder, showSpread, spanwright } from './support.js';

const RUNS = 5;
const model = fileURLToPath(new URL('../models/english-chunk.safetensors', import.meta.url));
const folder = scratchFolder();
const files = conll2000();

const plain = { '-LRB-': '(', '-RRB-': ')', '-LCB-': '{', '-RCB-': '}', '``': '"', "''": '"', '`': "'" };
const joinsLeft = /^(?:[,.;:?!%]|''|'|-R[RC]B-|\.\.\.|n't|'(?:s|re|ve|ll|m|d))$/i;
const joinsRight = /^(?:[$#]|C\$|US\$|``|`|-L[RC]B-)$/;
let tokens = 0;
const sentences = [files.train, files.test].flatMap((file) =>
  readFileSync(file, 'utf8')
    .trim()
    .split(/\n\n+/)
    .map((block) => {
      const words = block.split('\n').map((line) => line.split(' ')[0]);
      tokens += words.length;
      return words
        .map((word, t) => {
          const joins = t === 0 || joinsLeft.test(word) || joinsRight.test(words[t - 1]);
          return (joins ? '' : ' ') + (plain[word] ?? word).replace(/\\([/*])/g, '$1');
        })
        .join('');
    }),
);
const once = join(folder, 'once.txt');
const fourTimes = join(folder, 'four-times.txt');
const one = join(folder, 'one.txt');
writeFileSync(once, `${sentences.join('\n')}\n`);
writeFileSync(fourTimes, `${Array(4).fill(sentences.join('\n')).join('\n')}\n`);
writeFileSync(one, 'The quick brown fox jumped over the lazy dog.\n');

const label = (file, decoder) => {
  const options = ['--text', '--model', model, '--output', join(folder, 'out'), '--decoder', decoder];
  return spanwright(['label', file, ...options]);
};
const bare = Array.from({ length: RUNS }, () => {
  const started = performance.now();
  execFileSync(process.execPath, ['-e', '0']);
  return (performance.now() - started) / 1000;
});
console.log(`node -e 0: ${showSpread(bare, 3, 's')}`);
for (const decoder of ['hybrid', 'greedy']) {
  const first = Array.from({ length: RUNS }, () => label(one, decoder));
  const startup = first.map(({ seconds }) => seconds);
  console.log(
    `${decoder}: one sentence ${showSpread(startup, 3, 's')}, beyond Node's own start ` +
      `${showSpread(
        startup.map((seconds) => seconds - Math.min(...bare)),
        3,
        's',
      )}`,
  );
  for (const [file, count] of [
    [once, tokens],
    [fourTimes, 4 * tokens],
  ]) {
    const runs = Array.from({ length: RUNS }, () => label(file, decoder));
    const rate = (spent) =>
      showSpread(
        runs.map(({ seconds }) => count / (seconds - spent)),
        0,
        'tokens/s',
      );
    const memory = showSpread(
      runs.map(({ megabytes }) => megabytes),
      0,
      'MB',
    );
    console.log(
      `  ${count} tokens: whole process ${rate(0)}; steady ${rate(Math.min(...startup))}; peak ${memory}`,
    );
  }
}
