// How training on Chinese grows with the text: 25, 50 and 100 % of PKU, and PKU with SXU. Processor seconds; 1 is linear.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chinese, exponent, scratchFolder, spanwright } from './support.js';

const files = chinese();
const folder = scratchFolder();
const linesOf = (path) => readFileSync(path, 'utf8').trimEnd().split('\n');
const pku = linesOf(files.pku);
const sizes = [
  ['25 % of PKU', pku.filter((_, i) => i % 4 === 0)],
  ['50 % of PKU', pku.filter((_, i) => i % 2 === 0)],
  ['PKU', pku],
  ['PKU and SXU', [...pku, ...linesOf(files.sxu)]],
];
for (const preset of ['fast', 'accurate']) {
  const points = [];
  for (const [name, lines] of sizes) {
    const file = join(folder, 'part.txt');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const characters = lines.reduce((sum, line) => sum + [...line.replace(/\s/gu, '')].length, 0);
    const task = ['train', '--task', 'segmentation', '--preset', preset];
    const { cpuSeconds, megabytes } = spanwright([
      ...task,
      ...['--train', file, '--model', join(folder, 'part.safetensors')],
    ]);
    points.push([characters, cpuSeconds]);
    console.log(
      `${preset}, ${name}, ${characters.toLocaleString('en-US')} characters: ${cpuSeconds.toFixed(1)} s of the ` +
        `processor, ${megabytes.toFixed(0)} MB`,
    );
  }
  console.log(`${preset}: time grows with the ${exponent(points).toFixed(2)}th power of the characters`);
}
