import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

/** The program as a user has it; `npm test` builds it before. */
export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** How a program ended and what it wrote. */
export interface Run {
  /** Exit code; null after a signal. */
  readonly code: number | null;
  /** Standard output. */
  readonly stdout: string;
  /** Standard error. */
  readonly stderr: string;
}

/** Runs `spanwright`, with `input` on standard input. */
export function run(args: readonly string[], input: string | Uint8Array = ''): Promise<Run> {
  return start(process.execPath, [MAIN, ...args], input);
}

/** Runs a shell command in which `"$0"` stands for Node, `"$1"` for the program and `"$2"` … for `args`. */
export function runShell(command: string, args: readonly string[] = []): Promise<Run> {
  return start('bash', ['-c', command, process.execPath, MAIN, ...args], '');
}

function start(program: string, args: readonly string[], input: string | Uint8Array): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args);
    const stdout: Uint8Array[] = [];
    const stderr: Uint8Array[] = [];
    child.stdout.on('data', (chunk) => stdout.push(chunk));
    child.stderr.on('data', (chunk) => stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
    // A program that stops early leaves its input unread.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** A folder for a test file's own files, removed at its end. */
export class Workspace {
  /** Path of the folder. */
  readonly folder = mkdtempSync(join(tmpdir(), 'spanwright-test-'));

  constructor() {
    afterAll(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** Path of a file in the folder. */
  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes a file; returns its path. */
  write(name: string, content: string | Uint8Array): string {
    writeFileSync(this.path(name), content);
    return this.path(name);
  }

  /** Names of all files, hidden ones too. */
  files(): string[] {
    return readdirSync(this.folder).sort();
  }

  /** Trains a model on a file of {@link corpusText}; returns its path. */
  async train(name: string, text: string, ...args: string[]): Promise<string> {
    const data = this.write(`${name}.train`, text);
    const model = this.path(name);
    const { code, stderr } = await run([
      'train',
      '--task',
      'chunking',
      '--train',
      data,
      '--model',
      model,
      ...args,
    ]);
    if (code !== 0) throw new Error(`training failed: ${stderr}`);
    return model;
  }
}
