// How time and memory grow with the data: features and training, and labelling, on 25, 50, 100 and 400 % of CoNLL-2000
// (400 %: four copies in which every word has a mark of its own copy, so that vocabulary grows too). The exponent is the
// slope of log time against log tokens; 1 is linear.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conll2000, exponent, scratchFolder, spanwright, writePlot } from './support.js';

const files = conll2000();
const folder = scratchFolder();
const sentences = readFileSync(files.train, 'utf8').trim().split(/\n\n+/);
const marked = (copy) =>
  sentences.map((sentence) => (copy === 0 ? sentence : sentence.replace(/^(\S+)/gm, `$1${'abc'[copy - 1]}`)));
const sizes = [
  ['25 %', sentences.filter((_, i) => i % 4 === 0)],
  ['50 %', sentences.filter((_, i) => i % 2 === 0)],
  ['100 %', sentences],
  ['400 %', [0, 1, 2, 3].flatMap(marked)],
];
const points = { training: [], labelling: [] };
for (const [name, chosen] of sizes) {
  const file = join(folder, 'part.txt');
  writeFileSync(file, `${chosen.join('\n\n')}\n\n`);
  const tokens = chosen.reduce((sum, sentence) => sum + sentence.split('\n').length, 0);
  const model = join(folder, 'part.safetensors');
  const training = spanwright(['train', '--task', 'chunking', '--train', file, '--model', model]);
  const labelling = spanwright(['label', file, '--model', model, '--output', join(folder, 'out.txt')]);
  points.training.push([tokens, training.seconds]);
  points.labelling.push([tokens, labelling.seconds]);
  console.log(
    `${name}, ${tokens.toLocaleString('en-US')} tokens: training ${training.seconds.toFixed(1)} s, ` +
      `${training.megabytes.toFixed(0)} MB; labelling (${'hybrid'}) ${labelling.seconds.toFixed(1)} s, ` +
      `${labelling.megabytes.toFixed(0)} MB`,
  );
}
for (const [name, values] of Object.entries(points)) {
  console.log(`${name}: time grows with the ${exponent(values).toFixed(2)}th power of the tokens`);
}
writePlot('growth', {
  kind: 'lines',
  title: 'Time by size of the data',
  x: 'tokens',
  y: 'seconds',
  series: Object.entries(points).map(([name, values]) => ({
    name,
    points: values.map(([x, y]) => ({ x, y })),
  })),
});
