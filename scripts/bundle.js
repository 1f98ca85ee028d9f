// The command line and its threads, a file each: reading a hundred small modules would take longer than labelling a page of text.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const ENTRIES = [
  'cli/main',
  'cli/command-thread',
  'cli/experiment-part',
  'node/block-worker',
  'node/fold-worker',
  'node/label-worker',
];

/** Bundles the modules below `folder`, which have this extension, into `target`, and leaves nothing else there; the program is executable. */
export function bundleProgram(folder, extension, target) {
  const { outputFiles } = buildSync({
    absWorkingDir: folder,
    entryPoints: ENTRIES.map((entry) => `${entry}.${extension}`),
    mainFields: ['module', 'main'],
    bundle: true,
    // Code that a command does not need is not read.
    splitting: true,
    // Half the bytes to parse at every start; names stay.
    minifyWhitespace: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outdir: target,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    write: false,
    // Those who have a queue install them.
    external: ['bullmq', 'ioredis'],
    logLevel: 'silent',
  });
  rmSync(target, { recursive: true });
  mkdirSync(target);
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  chmodSync(join(target, 'main.js'), 0o755);
}
