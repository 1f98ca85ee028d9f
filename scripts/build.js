// The build: compile src/ to dist/ from nothing, and make the command line executable. The command line and its threads
// are bundled, a file each: reading a hundred small modules would take longer than labelling a page of text.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = fileURLToPath(new URL('../dist', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
rmSync(dist, { recursive: true, force: true });
try {
  execFileSync(process.execPath, ['scripts/kernels.js'], { cwd: root, stdio: 'inherit' });
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
} catch {
  process.exit(1);
}
const { outputFiles } = buildSync({
  absWorkingDir: dist,
  entryPoints: [
    'cli/main.js',
    'cli/command-thread.js',
    'cli/experiment-part.js',
    'node/block-worker.js',
    'node/fold-worker.js',
    'node/label-worker.js',
  ],
  mainFields: ['module', 'main'],
  bundle: true,
  // What a command does not need is not read.
  splitting: true,
  // Half the bytes to parse at every start; names stay.
  minifyWhitespace: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  outdir: 'cli',
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  write: false,
});
rmSync(`${dist}/cli`, { recursive: true });
mkdirSync(`${dist}/cli`);
for (const { path, contents } of outputFiles) writeFileSync(path, contents);
chmodSync(`${dist}/cli/main.js`, 0o755);
mkdirSync(`${dist}/schemas`);
for (const name of ['configuration', 'experiment']) {
  const schema = execFileSync(process.execPath, [`${dist}/cli/main.js`, 'info', '--schema', name]);
  writeFileSync(`${dist}/schemas/${name}.schema.json`, schema);
}
