import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A project of few lines that the real scripts build: its command line prints what it is asked for. */
const SOURCES: Record<string, string> = {
  'index.ts': "export const answer: string = 'first';\n",
  'unused.ts': 'export const nothing = 0;\n',
  'cli/main.ts':
    "import { answer } from '../index.js';\nimport { argv } from 'process';\nconsole.log(answer, ...argv.slice(2));\n",
  'cli/node.d.ts':
    "declare module 'process' {\n  const argv: string[];\n}\ndeclare const console: { log(...values: string[]): void };\n",
  'cli/command-thread.ts': 'export {};\n',
  'cli/experiment-part.ts': 'export {};\n',
  'node/block-worker.ts': 'export {};\n',
  'node/fold-worker.ts': 'export {};\n',
  'node/label-worker.ts': 'export {};\n',
  'kernels/assembly/index.ts': 'export function twice(x: i32): i32 {\n  return x + x;\n}\n',
};

/** A page as small. */
const PAGE: Record<string, string> = {
  'index.html': '<script type="module" src="main.js"></script>\n',
  'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"><title>Icon</title></svg>\n',
  'style.css': 'body { margin: 0 }\n',
  'main.tsx': "console.log('page');\n",
  'engine/worker.ts': "console.log('worker');\n",
  'engine/suggester.ts': "console.log('suggester');\n",
  'engine/trainer.ts': "console.log('trainer');\n",
  'tsconfig.json': '{}\n',
};

describe('the build', () => {
  let folder: string;
  const write = (name: string, text: string, part = 'src') => {
    const path = join(folder, part, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const build = (...options: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/build.js', ...options], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(readdirSync(folder).filter((name) => name.startsWith('.dist-'))).toEqual([]);
    return { status, output: stdout + stderr };
  };
  const built = (name: string) => readFileSync(join(folder, 'dist', name), 'utf8');

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'spanwright-build-'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
    for (const [name, text] of Object.entries(PAGE)) write(name, text, 'studio');
    for (const name of [
      'package.json',
      'package-lock.json',
      'tsconfig.base.json',
      'THIRD-PARTY-NOTICES.md',
    ]) {
      cpSync(join(root, name), join(folder, name));
    }
    // Node's own types would take longer than all the rest.
    const compilerOptions = { rootDir: 'src', lib: ['ES5'], target: 'ES2022', skipLibCheck: true };
    writeFileSync(
      join(folder, 'tsconfig.build.json'),
      JSON.stringify({
        extends: './tsconfig.base.json',
        compilerOptions,
        include: ['src'],
        exclude: ['src/kernels/assembly'],
      }),
    );
    for (const [name, text] of Object.entries(SOURCES)) write(name, text);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('says nothing, and leaves nothing of the build before', () => {
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist/old.js'), '');
    expect(build()).toEqual({ status: 0, output: '' });
    expect(existsSync(join(folder, 'dist/old.js'))).toBe(false);
    expect(built('index.js')).toContain('first');
    expect(built('schemas/experiment.schema.json')).toBe('first info --schema experiment\n');
    expect(statSync(join(folder, 'dist')).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, 'dist/cli/main.js')).mode & 0o111).toBe(0o111);
  });

  it('with --if-changed builds only what changed', () => {
    const { ino } = statSync(join(folder, 'dist'));
    expect(build('--if-changed').status).toBe(0);
    expect(statSync(join(folder, 'dist')).ino).toBe(ino);
    write('index.ts', SOURCES['index.ts'].replace('first', 'second'));
    rmSync(join(folder, 'src/unused.ts'));
    expect(build('--if-changed').status).toBe(0);
    expect(built('index.js')).toContain('second');
    expect(existsSync(join(folder, 'dist/unused.js'))).toBe(false);
  });

  it('keeps what was built before where a compiler fails', () => {
    const { ino } = statSync(join(folder, 'dist'));
    write('index.ts', 'export const answer: string = 3;\n');
    const { status, output } = build('--if-changed');
    expect(status).toBe(1);
    expect(output).toMatch(/src\/index\.ts.*error TS2322/);
    expect(statSync(join(folder, 'dist')).ino).toBe(ino);
    expect(built('index.js')).toContain('second');
  });
});
