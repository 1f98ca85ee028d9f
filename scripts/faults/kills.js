// Commands that are killed and run again.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, isAlive, run } from './program.js';

const OLD = 'what was there before\n';

const training =
  (...how) =>
  ({ training: file }, folder) => [
    'train',
    '--task',
    'chunking',
    '--train',
    file,
    '--model',
    join(folder, 'model'),
    ...how,
  ];

const trainTo = (name, ...how) => ({ name, outputs: ['model'], args: training(...how) });

/**
 * Commands. `outputs` are files that must be the old or the new ones, whole, whenever it is killed; `results` picks what is the
 * same however often it was stopped, where a file tells times too.
 */
export const KILLED = [
  trainTo('train'),
  trainTo('train svm --resume', '--resume', '--epochs', '100', '--epsilon', '1e-9', '--threads', '2'),
  trainTo('train crf --resume', '--resume', '--learner', 'crf', '--iterations', '40', '--tolerance', '0'),
  trainTo('train mira --resume', '--resume', '--preset', 'chunk-level', '--epochs', '8'),
  trainTo(
    'train perceptron --resume',
    '--resume',
    '--learner',
    'perceptron',
    '--epochs',
    '20',
    '--calibrate',
  ),
  {
    name: 'tune',
    outputs: ['best.json'],
    kept: ['trace.jsonl'],
    args: ({ training: file }, folder) => [
      'tune',
      '--task',
      'chunking',
      '--train',
      file,
      '--grid',
      'C=0.05,0.1 cut-off=1,2',
      '--trace',
      join(folder, 'trace.jsonl'),
      '--output',
      join(folder, 'best.json'),
    ],
  },
  {
    name: 'experiment',
    outputs: ['results.json', 'results.md', 'results.html'],
    kept: ['parts.jsonl', 'predictions'],
    args: ({ experiment }, folder) => ['experiment', experiment, '--output', folder],
    results: { 'results.json': scoresOf, 'results.md': withoutNumbers, 'results.html': withoutNumbers },
  },
  {
    name: 'label',
    outputs: ['labelled.txt'],
    args: ({ model, large }, folder) => [
      'label',
      '--model',
      model,
      large,
      '--output',
      join(folder, 'labelled.txt'),
    ],
  },
];

/** What of an experiment's results does not depend on the clock. */
function scoresOf(text) {
  const clock = /Seconds|Megabytes|Bytes/;
  return JSON.stringify(JSON.parse(text), (name, value) => (clock.test(name) ? undefined : value));
}

/** A report of times, as far as it stays the same. */
function withoutNumbers(text) {
  return text.replace(/[\d.,]+/g, '#');
}

/** Kills a command and runs it again, and compares what comes of it with a run that was left alone. */
export class Killer {
  constructor(command, inputs, folder) {
    Object.assign(this, { command, inputs, folder });
    this.whole = join(folder, 'whole');
  }

  /** The run that is left alone. */
  async runWhole() {
    mkdirSync(this.whole, { recursive: true });
    const result = await this.run(this.whole);
    expect(result.code === 0, () => `${this.command.name} fails by itself: ${result.stderr}`);
    this.time = result.time;
    this.files = readdirSync(this.whole).sort();
  }

  /** @throws Fault where something is lost. */
  async kill(random) {
    const folder = join(this.folder, 'killed');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const name of this.command.outputs) writeFileSync(join(folder, name), OLD);
    let kills = 0;
    // Two times of three once, else what goes on is killed too.
    const most = random.below(3) === 0 ? 2 : 1;
    for (let i = 0; i < most; i++) {
      const result = await this.run(folder, (random.next() / 2 ** 32) * this.time);
      if (result.signal === 'SIGKILL') kills++;
      else expect(result.code === 0, () => `exit code ${result.code}: ${result.stderr}`);
      for (const name of this.command.outputs) this.expectWhole(folder, name);
      await this.expectGone(result.children);
    }
    const { code, stderr } = await this.run(folder);
    expect(code === 0 && stderr === '', () => `run again: exit code ${code}, ${JSON.stringify(stderr)}`);
    for (const name of this.command.outputs) {
      const [again, whole] = [folder, this.whole].map((where) => this.resultOf(where, name));
      expect(again === whole, () => `${name} is another than without a kill`);
    }
    const left = readdirSync(folder).sort();
    expect(left.join() === this.files.join(), () => `expected ${this.files.join()}, found ${left.join()}`);
    for (const name of this.command.kept ?? []) {
      const hidden = this.hiddenIn(join(folder, name));
      expect(hidden.length === 0, () => `left behind: ${hidden.join()}`);
    }
    return { kills };
  }

  run(folder, killAfter) {
    return run(this.command.args(this.inputs, folder), { killAfter });
  }

  hiddenIn(path) {
    return path.endsWith('predictions') ? readdirSync(path).filter((name) => name.startsWith('.')) : [];
  }

  resultOf(folder, name) {
    const text = readFileSync(join(folder, name), 'latin1');
    return this.command.results?.[name]?.(text) ?? text;
  }

  /** A file is the old one or a new one, not half of it. */
  expectWhole(folder, name) {
    expect(existsSync(join(folder, name)), () => `${name} is gone`);
    const text = readFileSync(join(folder, name), 'latin1');
    if (text === OLD) return;
    expect(
      this.resultOf(folder, name) === this.resultOf(this.whole, name),
      () => `${name} is neither old nor whole`,
    );
  }

  /** Processes that a killed one had started end by themselves. */
  async expectGone(children) {
    for (const pid of children) {
      for (let tries = 0; isAlive(pid); tries++) {
        expect(tries < 200, () => `process ${pid} of a killed command is there after 4 s`);
        await sleep(20);
      }
    }
  }
}
