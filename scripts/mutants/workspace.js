// A copy of the repository in which one source file at a time is mutated and tested.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { buildSync } from 'esbuild';
import { bundleProgram } from '../bundle.js';

/** Parts of the repository that no test reads, or that are linked. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'scratch', 'coverage']);
/** Test files that a mutant meets before all others. */
const FIRST = 6;
/** Seconds of processor time after which a process counts as endless. */
const PROCESSOR_LIMIT = 120;
/** Folders whose code tests run as the built program. */
const PROGRAM = /^src\/(cli|node|jobs)\//;
const KERNEL = /^src\/kernels\/assembly\//;

/** A copy of the repository at `root`, in the folder `path`. */
export class Workspace {
  /**
   * @param workers processes that tests run in at a time.
   * @param sound whether a test file passes without a mutant, as far as that is known; workspaces share it.
   */
  constructor(root, path, workers, sound) {
    this.path = path;
    this.workers = workers;
    this.sound = sound;
    for (const name of readdirSync(root)) {
      if (LEFT_OUT.has(name) || name.startsWith('.dist-')) continue;
      cpSync(join(root, name), join(path, name), { recursive: true, verbatimSymlinks: true });
    }
    symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
    this.importers = importersOf(path);
    this.commands = commandsOf(path);
  }

  /**
   * Tests a mutated file, and puts the original back.
   *
   * @returns what noticed the mutant; undefined where nothing did.
   */
  async test(file, mutated) {
    const original = readFileSync(join(this.path, file), 'utf8');
    const change = { file, original, mutated };
    try {
      if (!(await this.write(file, mutated))) return 'the compiler';
      for (const args of this.stages(file)) {
        const by = await this.noticed(args, change);
        if (by !== undefined) return by;
      }
      return undefined;
    } finally {
      await this.write(file, original);
    }
  }

  /** What vitest is called with, one after the other: first those tests that say most, then all that concern the file. */
  stages(file) {
    if (KERNEL.test(file))
      return [
        ['run', 'test/kernels/'],
        ['related', 'src/kernels/simd-binary.ts'],
      ];
    const first = this.firstTests(file);
    const program = this.programTests(file);
    return [
      ['run', ...first],
      ['related', file],
      ['run', ...program],
    ].filter((stage) => stage.length > 1);
  }

  /** Test files that import the file themselves, those that import least first; else those of the folder's name. */
  firstTests(file) {
    const direct = [...(this.importers.get(file) ?? [])].sort((a, b) => a.imports - b.imports);
    if (direct.length > 0) return direct.slice(0, FIRST).map(({ test }) => test);
    const own = PROGRAM.test(file)
      ? `test/cli/${basename(file, '.ts')}.test.ts`
      : `test/${file.split('/')[1]}/`;
    return existsSync(join(this.path, own)) ? [own] : [];
  }

  /** Tests of the built program that concern the file: all, or those of the commands that import it themselves. */
  programTests(file) {
    return PROGRAM.test(file) ? ['test/cli/', 'test/node/'] : (this.commands.get(file) ?? []);
  }

  /** Runs tests on a change; the file whose test failed, if it passes without the change. */
  async noticed(args, { file, original, mutated }) {
    for (;;) {
      const failed = await this.vitest(args);
      if (failed === undefined) return undefined;
      if (failed === '') return 'endless tests';
      if (!this.sound.has(failed)) {
        await this.write(file, original);
        this.sound.set(failed, (await this.vitest(['run', failed])) === undefined);
        await this.write(file, mutated);
        if (!this.sound.get(failed)) console.log(`${failed} fails without a mutant too and is left out`);
      }
      if (this.sound.get(failed)) return failed;
    }
  }

  /** Runs tests up to the first failure. Returns the file that failed, '' where none ended badly but the run did. */
  async vitest([command, ...files]) {
    const report = join(this.path, 'vitest.json');
    rmSync(report, { force: true });
    const output = ['--reporter=json', `--outputFile=${report}`];
    const options = ['--run', '--bail=1', '--no-cache', '--passWithNoTests', `--maxWorkers=${this.workers}`];
    const unsound = [...this.sound].filter(([, passes]) => !passes).map(([name]) => `--exclude=${name}`);
    const vitest = join('node_modules', 'vitest', 'vitest.mjs');
    if (await this.node([vitest, command, ...files, ...options, ...unsound, ...output])) return undefined;
    if (!existsSync(report)) return '';
    const failed = JSON.parse(readFileSync(report, 'utf8')).testResults.find(
      ({ status }) => status === 'failed',
    );
    return failed === undefined ? '' : relative(this.path, failed.name);
  }

  /** Writes a source file, and makes what tests run besides sources: kernels, the program. Whether that succeeds. */
  async write(file, text) {
    writeFileSync(join(this.path, file), text);
    if (KERNEL.test(file)) return this.node(['scripts/kernels.js']);
    if (this.programTests(file).length === 0) return true;
    const from = join(this.path, 'src');
    try {
      const own = {
        absWorkingDir: from,
        entryPoints: [relative('src', file)],
        outbase: '.',
        outdir: '../dist',
      };
      buildSync({ ...own, format: 'esm', target: 'node20', logLevel: 'silent' });
      bundleProgram(from, 'ts', join(this.path, 'dist/cli'));
      return true;
    } catch {
      return false;
    }
  }

  /** Runs Node; false where it or a process that it starts ends badly or takes too long. */
  node(args) {
    return new Promise((resolve) => {
      const limited = ['-c', `ulimit -t ${PROCESSOR_LIMIT}; exec "$@"`, 'sh', process.execPath, ...args];
      // A group of its own, so that nothing is left running.
      const child = spawn('sh', limited, { cwd: this.path, stdio: 'ignore', detached: true });
      const end = () => {
        try {
          process.kill(-child.pid, 'SIGKILL');
        } catch {
          // All have ended by themselves.
        }
      };
      process.once('exit', end);
      child.on('close', (code) => {
        process.off('exit', end);
        end();
        resolve(code === 0);
      });
    });
  }
}

/** For each source file the tests of the commands that import it. */
function commandsOf(path) {
  const commands = new Map();
  const folder = 'src/cli/commands';
  for (const name of readdirSync(join(path, folder))) {
    const test = `test/cli/${basename(name, '.ts')}.test.ts`;
    if (!existsSync(join(path, test))) continue;
    for (const [, from] of readFileSync(join(path, folder, name), 'utf8').matchAll(/from '(\.[^']+)\.js'/g)) {
      const file = `${normalize(join(folder, from))}.ts`;
      if (!PROGRAM.test(file)) commands.set(file, [...(commands.get(file) ?? []), test]);
    }
  }
  return commands;
}

/** For each source file the tests that import it, with the number of source files that these import. */
function importersOf(path) {
  const importers = new Map();
  for (const name of readdirSync(join(path, 'test'), { recursive: true })) {
    if (!name.endsWith('.test.ts')) continue;
    const test = join('test', name);
    const text = readFileSync(join(path, test), 'utf8');
    const imported = [...text.matchAll(/from '([./]+\/src\/[^']+)\.js'/g)].map(
      ([, from]) => `${normalize(join(dirname(test), from))}.ts`,
    );
    for (const file of imported) {
      importers.set(file, [...(importers.get(file) ?? []), { test, imports: imported.length }]);
    }
  }
  return importers;
}
