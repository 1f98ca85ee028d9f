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

// With --sizes: how large what a page loads is, packed.
if (process.argv.includes('--sizes')) {
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
  for (const { path, contents } of outputFiles) {
    const name = Object.keys(metafile.outputs).find((own) => path.endsWith(own)) ?? path;
    const inputs = Object.entries(metafile.outputs[name]?.inputs ?? {});
    inputs.sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput);
    const largest = inputs.slice(0, 3).map(([file]) => file);
    console.log(
      `${basename(path).padEnd(24)} ${String(gzipSync(contents).length).padStart(7)} ${largest.join(', ')}`,
    );
  }
}
