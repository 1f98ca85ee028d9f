// Runs benchmarks one after another, each in a process of its own: `npm run bench`, or `npm run bench -- label-speed`.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const all = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.js'))
  .map((file) => file.slice(0, -'.bench.js'.length));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`unknown benchmark ${unknown.join(', ')}; there are ${all.join(', ')}`);
  process.exit(2);
}
console.log(`Node ${process.version}, ${availableParallelism()} × ${cpus()[0].model}`);
for (const name of wanted.length > 0 ? wanted : all) {
  console.log(`\n# ${name}`);
  const { status } = spawnSync(process.execPath, [`${folder}${name}.bench.js`], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
