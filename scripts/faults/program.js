// The program as a user runs it, with what the system says of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { MAIN } from '../fuzz/dist.js';

/** Something that must not happen. */
export class Fault extends Error {
  name = 'Fault';
}

/** Fails unless a condition holds. */
export function expect(holds, problem) {
  if (!holds) throw new Fault(typeof problem === 'function' ? problem() : problem);
}

/** A command that takes longer hangs. */
const PATIENCE = 180_000;

/**
 * Runs `spanwright`.
 *
 * @param how `shell`: a command in which "$@" stands for the program and its arguments; `node`: options of Node;
 *   `killAfter`: milliseconds until a kill -9; `input`: file for standard input; `started`: told the process.
 */
export async function run(args, { shell, node = [], killAfter, started = () => undefined } = {}) {
  const command = [process.execPath, ...node, MAIN, ...args];
  const [program, ...rest] = shell === undefined ? command : ['bash', '-c', shell, 'bash', ...command];
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  const from = performance.now();
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      texts[name] += text;
    });
  }
  let children = [];
  let hangs = false;
  const patience = setTimeout(() => {
    hangs = true;
    child.kill('SIGKILL');
  }, PATIENCE);
  const kill =
    killAfter === undefined
      ? undefined
      : setTimeout(() => {
          children = childrenOf(child.pid);
          child.kill('SIGKILL');
        }, killAfter);
  started(child);
  const [code, signal] = await once(child, 'close');
  clearTimeout(patience);
  clearTimeout(kill);
  expect(!hangs, () => `no end after ${PATIENCE / 1000} s: ${args.join(' ')}`);
  return { code, signal, ...texts, children, time: performance.now() - from };
}

/** Numbers of the processes that a process has started; none where the system has no /proc. */
function childrenOf(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Whether a process is there. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** One error of ours, on one line, with the exit code of failures of the machine. */
export function expectOneError({ code, signal, stderr }, message) {
  const shown = () => `exit code ${code ?? signal}, standard error ${JSON.stringify(stderr.slice(0, 600))}`;
  expect(code === 1, () => `expected exit code 1, found ${shown()}`);
  expect(/^spanwright: .+\n$/.test(stderr), () => `expected one line that says why, found ${shown()}`);
  expect(message.test(stderr), () => `expected ${message}, found ${shown()}`);
}
