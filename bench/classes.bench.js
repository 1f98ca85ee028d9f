// How cost grows with the number of classes: words and parts of speech of UD Chinese GSD at once, where all but the most frequent
// parts of speech are made one, so that the data stay the same and the labels become fewer. One thread, three epochs; processor
// seconds and peak memory of the whole process, and F of words with their part of speech on the test
// file, whose parts of speech are made one in the same way.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chineseGsd, scratchFolder, spanwright, writePlot } from './support.js';

const files = chineseGsd();
if (!existsSync(files.train)) {
  console.log(`skipped: no UD Chinese GSD at ${files.train}`);
  process.exit(0);
}
const folder = scratchFolder();
/** [sentences][words] of word and part of speech (XPOS). */
const [training, test] = [files.train, files.test].map((file) =>
  readFileSync(file, 'utf8')
    .trim()
    .split(/\n\n+/)
    .map((sentence) =>
      sentence
        .split('\n')
        .map((line) => line.split('\t'))
        .filter(([id]) => /^\d+$/.test(id))
        .map((cells) => [cells[1], cells[4]]),
    ),
);
const counts = new Map();
for (const [, pos] of training.flat()) counts.set(pos, (counts.get(pos) ?? 0) + 1);
const frequent = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([pos]) => pos);
console.log(`${frequent.length} parts of speech`);

const strategies = ['ova', 'c-ova', 'hc-ova'];
const seconds = Object.fromEntries(strategies.map((name) => [name, []]));
for (const kept of [4, 9, 19, frequent.length]) {
  const names = new Map(frequent.map((pos, i) => [pos, i < kept ? pos.replace('/', 'SLASH') : 'OTHER']));
  const [train, gold] = [training, test].map((sentences, i) => {
    const path = join(folder, `${i}.txt`);
    const tag = ([word, pos]) => `${word}/${names.get(pos) ?? 'OTHER'}`;
    writeFileSync(path, sentences.map((words) => `${words.map(tag).join(' ')}\n`).join(''));
    return path;
  });
  for (const strategy of strategies) {
    const model = join(folder, 'model.safetensors');
    const options = ['--task', 'joint-pos', '--train', train, '--model', model, '--strategy', strategy];
    const { cpuSeconds, megabytes } = spanwright(['train', ...options, '--epochs', '3', '--threads', '1']);
    const { labels, problems } = JSON.parse(spanwright(['inspect', '--model', model, '--json']).output);
    const scores = JSON.parse(spanwright(['evaluate', '--model', model, gold, '--json']).output);
    seconds[strategy].push({ x: labels, y: cpuSeconds });
    console.log(
      `${kept} parts of speech and the rest, ${labels} labels, ${strategy}: ${problems} problems, ${cpuSeconds.toFixed(1)} processor s, ` +
        `${megabytes.toFixed(0)} MB, F ${scores.tagged.f1.toFixed(2)}`,
    );
  }
}
writePlot('classes', {
  kind: 'lines',
  title: 'Training by number of labels (UD Chinese GSD, words and parts of speech)',
  x: 'labels',
  y: 'processor seconds',
  series: strategies.map((name) => ({ name, points: seconds[name] })),
});
