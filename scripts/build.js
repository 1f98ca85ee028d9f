// The build: compiles src/ from nothing and puts the result in place of dist/, which stays as it was until then and where
// the build fails. With --if-changed it does nothing where dist/ was built from these sources.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle.js';
import { bundleStudio } from './studio.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
/** Digest of the sources that dist/ was built from. */
const DIGEST = 'sources.sha256';

const digest = sourcesDigest();
if (process.argv.includes('--if-changed') && digest === builtDigest()) process.exit(0);
// An interrupted compiler ends and makes the build fail, which then clears up.
process.on('SIGINT', () => {});
const built = mkdtempSync(join(root, '.dist-'));
try {
  // Folders made by mkdtemp are for their owner alone.
  chmodSync(built, 0o755);
  build(built);
  // What is bundled asks that its notices go with it.
  for (const part of ['cli', 'studio']) {
    copyFileSync(join(root, 'THIRD-PARTY-NOTICES.md'), join(built, part, 'THIRD-PARTY-NOTICES.md'));
  }
  writeFileSync(join(built, DIGEST), digest);
  replaceFolder(built, dist);
} catch (error) {
  // A compiler that failed has said why.
  if (error.status === undefined) console.error(error);
  process.exitCode = 1;
} finally {
  rmSync(built, { recursive: true, force: true });
}

function build(folder) {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  run('scripts/kernels.js');
  run(tsc, '-p', 'tsconfig.build.json', '--outDir', folder);
  bundleProgram(folder, 'js', join(folder, 'cli'));
  // The server is in the bundle, with what it is made of.
  rmSync(join(folder, 'serve'), { recursive: true, force: true });
  bundleStudio(join(folder, 'studio'));
  const main = join(folder, 'cli/main.js');
  mkdirSync(join(folder, 'schemas'));
  for (const name of ['configuration', 'experiment']) {
    const schema = execFileSync(process.execPath, [main, 'info', '--schema', name]);
    writeFileSync(join(folder, `schemas/${name}.schema.json`), schema);
  }
}

function run(...args) {
  execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
}

/** Puts `folder` in place of `target`, whoever else does so at the same time. */
function replaceFolder(folder, target) {
  const old = `${folder}-old`;
  for (;;) {
    const existed = rename(target, old, 'ENOENT');
    try {
      if (rename(folder, target, 'ENOTEMPTY', 'EEXIST')) break;
      // Another build put its own there in between.
    } catch (error) {
      if (existed) renameSync(old, target);
      throw error;
    }
    rmSync(old, { recursive: true, force: true });
  }
  rmSync(old, { recursive: true, force: true });
}

/** Renames a folder; false where that fails for one of these reasons. */
function rename(from, to, ...reasons) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (reasons.includes(error.code)) return false;
    throw error;
  }
}

/** Digest of everything that the build reads: sources, settings and the versions of the tools. */
function sourcesDigest() {
  const hash = createHash('sha256');
  const folders = ['src', 'studio'].map((name) => join(root, name));
  const files = folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.startsWith('simd-binary.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  const settings = ['package.json', 'package-lock.json', 'tsconfig.base.json', 'tsconfig.build.json'];
  const scripts = ['scripts/build.js', 'scripts/bundle.js', 'scripts/kernels.js', 'scripts/studio.js'];
  for (const path of [...files, ...[...settings, ...scripts].map((name) => join(root, name))].sort()) {
    const contents = readFileSync(path);
    hash.update(`${path.slice(root.length)} ${contents.length}\n`).update(contents);
  }
  return `${hash.digest('hex')}\n`;
}

function builtDigest() {
  try {
    return readFileSync(join(dist, DIGEST), 'utf8');
  } catch {
    return undefined;
  }
}
