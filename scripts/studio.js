// The page of the studio: its scripts bundled, its other files beside them.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

const source = fileURLToPath(new URL('../studio', import.meta.url));
/** Files that are copied as they are. */
/** Scripts that the page or a worker begins with. */
const ENTRIES = {
  main: 'main.tsx',
  worker: 'engine/worker.ts',
  suggester: 'engine/suggester.ts',
  trainer: 'engine/trainer.ts',
};
const COPIED = ['index.html', 'icon.svg'];

/** Bundles the page into a folder. */
export function bundleStudio(target) {
  mkdirSync(target, { recursive: true });
  const { outputFiles } = buildSync({
    absWorkingDir: source,
    entryPoints: ENTRIES,
    bundle: true,
    // Views, the labeller and the trainer are read when they are needed.
    splitting: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    tsconfig: join(source, 'tsconfig.json'),
    outdir: target,
    chunkNames: 'part-[hash]',
    write: false,
    logLevel: 'warning',
  });
  for (const { path, contents } of outputFiles) writeFileSync(join(target, basename(path)), contents);
  const { outputFiles: styles } = buildSync({
    absWorkingDir: source,
    entryPoints: ['style.css'],
    minify: true,
    target: 'chrome123',
    write: false,
  });
  writeFileSync(join(target, 'style.css'), styles[0].contents);
  for (const name of COPIED) copyFileSync(join(source, name), join(target, name));
}

/** Bytes, packed, that a page loads with an entry or a part of it: the modules that it imports at once, by their sources. */
export function packedSize(...sources) {
  const { metafile, outputFiles } = buildSync({
    absWorkingDir: source,
    entryPoints: ENTRIES,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    tsconfig: join(source, 'tsconfig.json'),
    outdir: '.',
    write: false,
    metafile: true,
  });
  const needed = new Set();
  const add = (name) => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const { path, kind } of metafile.outputs[name].imports) if (kind === 'import-statement') add(path);
  };
  for (const [name, { entryPoint }] of Object.entries(metafile.outputs))
    if (sources.includes(entryPoint)) add(name);
  const files = outputFiles.filter(({ path }) => needed.has(basename(path)));
  return files.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
}
