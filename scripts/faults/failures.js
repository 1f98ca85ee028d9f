// Commands that the machine fails: each ends with one error that says why, and leaves the files that were there as they were.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, expectOneError, run } from './program.js';

const OLD = 'what was there before\n';
const NO_SPACE = /: cannot be written: no space is left\n$/;
const READ_ONLY = /: cannot be (?:written|made): (?:permission denied|the file system is read-only)\n$/;

/** Commands that write files, each into a folder. */
const WRITERS = [
  {
    file: 'model',
    args: (inputs, path) => ['train', '--task', 'chunking', '--train', inputs.training, '--model', path],
  },
  {
    file: 'labelled',
    args: (inputs, path) => ['label', '--model', inputs.model, inputs.large, '--output', path],
  },
  {
    file: 'converted',
    args: (inputs, path) => ['convert', '--from', 'iob2', '--to', 'iobes', inputs.large, '--output', path],
  },
  {
    file: 'report.html',
    args: ({ model, training }, path) => [
      'evaluate',
      '--model',
      model,
      training,
      '--calibration',
      '--report',
      path,
    ],
  },
  {
    file: 'trace.jsonl',
    fresh: true,
    args: ({ training }, path) => [
      ...['tune', '--task', 'chunking', '--train', training, '--grid', 'cut-off=1,2', '--trace', path],
    ],
  },
  {
    file: 'results',
    fresh: true,
    args: ({ experiment }, path) => ['experiment', experiment, '--output', path],
  },
];

/** Kinds of failures; `run` returns why it was skipped, if it was. */
export const FAILURES = [
  {
    name: 'disk full',
    run: (inputs, folder) =>
      inMount(folder, 'size=16k', async () => {
        // A page is left, which old files may lie in.
        for (const writer of WRITERS) await expectRefusal(writer, inputs, folder, { full: true }, NO_SPACE);
      }),
  },
  {
    name: 'file size limit',
    async run(inputs, folder) {
      mkdirSync(folder);
      const shell = 'ulimit -f 1; exec "$@"';
      for (const writer of WRITERS.filter(({ fresh }) => !fresh)) {
        await expectRefusal(
          writer,
          inputs,
          folder,
          { shell },
          /: cannot be written: the file is too large\n$/,
        );
      }
    },
  },
  {
    name: 'read-only folder',
    run: (inputs, folder) =>
      inReadOnly(folder, async () => {
        for (const writer of WRITERS) await expectRefusal(writer, inputs, folder, {}, READ_ONLY);
      }),
  },
  {
    name: 'state on a full disk',
    run: (inputs, folder) =>
      inMount(folder, 'size=4m', async () => {
        // The model has room, which the larger states of its training have not.
        const path = join(folder, 'model');
        const args = trainTo(
          inputs,
          path,
          '--resume',
          '--learner',
          'crf',
          '--iterations',
          '20',
          '--tolerance',
          '0',
        );
        await run(args);
        const whole = readFileSync(path);
        rmSync(path);
        fill(folder, Math.ceil(whole.length / 1024) + 8);
        const { code, stderr } = await run(args);
        expect(temporariesIn(folder).length === 0, 'a temporary file is left');
        expect(/no space is left\n/.test(stderr), () => `standard error: ${stderr}`);
        if (code !== 0) {
          // The last state that had room is there, and training goes on from it once there is room.
          expect(existsSync(join(folder, 'model.state-0')), () => `neither model nor state: ${stderr}`);
          rmSync(join(folder, 'filling'));
          await run(args);
        }
        expect(readFileSync(path).equals(whole), 'the model is another than that of training with room');
      }),
  },
  {
    name: 'reader gone',
    async run(inputs, folder) {
      mkdirSync(folder);
      const { model, large, training } = inputs;
      // One that has seen enough is no failure.
      const shell = 'set -o pipefail; "$@" | head -n 1';
      for (const args of [
        ['label', '--model', model, large],
        ['convert', '--from', 'iob2', '--to', 'iobes', large],
        ['evaluate', '--model', model, training],
      ]) {
        const { code, stderr } = await run(args, { shell });
        expect(code === 0 && stderr === '', () => `${args[0]}: exit code ${code}, ${JSON.stringify(stderr)}`);
      }
      // But a file that was asked for is not there then.
      const path = join(folder, 'model');
      writeFileSync(path, OLD);
      const args = trainTo(inputs, path, '--json', '--epochs', '100', '--epsilon', '1e-9');
      expectOneError(
        await run(args, { shell }),
        /standard output: cannot be written: nobody reads it any more/,
      );
      expectOld(path);
    },
  },
  {
    name: 'two with one output',
    async run(inputs, folder) {
      mkdirSync(folder);
      for (const how of [[], ['--resume', '--learner', 'crf', '--iterations', '20', '--tolerance', '0']]) {
        const [path, alone] = ['model', 'alone'].map((name) => join(folder, name));
        await run(trainTo(inputs, alone, ...how));
        const both = await Promise.all([1, 2].map(() => run(trainTo(inputs, path, ...how))));
        for (const { code, stderr } of both) expect(code === 0, () => `exit code ${code}: ${stderr}`);
        expect(readFileSync(path).equals(readFileSync(alone)), 'the model is another than that of one alone');
      }
      const left = readdirSync(folder).sort().join();
      expect(left === 'alone,model', () => `left behind: ${left}`);
    },
  },
  {
    name: 'input that grows',
    run: (inputs, folder) => whileReading(inputs, folder, (path) => appendFileSync(path, 'a DT B-NP\n\n')),
  },
  {
    name: 'input that shrinks',
    // A line that is cut is refused for itself.
    run: (inputs, folder) =>
      whileReading(inputs, folder, (path) => truncateSync(path, statSync(path).size - 50), [1, 2]),
  },
  {
    name: 'heap limit',
    async run(inputs, folder) {
      mkdirSync(folder);
      const document = join(folder, 'large.jsonl');
      writeFileSync(document, `${JSON.stringify({ text: 'The dog barks. '.repeat(2_000_000) })}\n`);
      const output = join(folder, 'labelled');
      writeFileSync(output, OLD);
      for (const to of [[], ['--output', output]]) {
        const args = ['label', '--model', inputs.model, document, ...to];
        const result = await run(args, { node: ['--max-old-space-size=100'] });
        expectOneError(result, /expected more memory than Node gives to objects/);
      }
      expectOld(output);
      // What lies in arrays is not bound by it.
      const labelled = await run(['label', '--model', inputs.model, inputs.large], {
        node: ['--max-old-space-size=100'],
      });
      expect(labelled.code === 0, () => `exit code ${labelled.code}: ${labelled.stderr.slice(0, 500)}`);
    },
  },
  {
    name: 'limit of memory',
    async run(inputs, folder) {
      mkdirSync(folder);
      let refused = 0;
      for (const megabytes of [1500, 2500, 4000, 8000]) {
        for (const { file, args, fresh } of WRITERS.slice(0, 3)) {
          const path = join(folder, file);
          if (!fresh) writeFileSync(path, OLD);
          const result = await run(args(inputs, path), { shell: `ulimit -v ${megabytes}000; exec "$@"` });
          if (result.code === 0) continue;
          refused++;
          // Where there is not even room for Node, that says so itself, and as it likes.
          const byNode = /Fatal process OOM|bad_alloc|out of memory/i.test(result.stderr);
          if (!byNode) expectOneError(result, /memory/);
          expectOld(path);
        }
      }
      expect(refused < 12, 'nothing runs in 8 GB of addresses');
    },
  },
];

function trainTo({ training }, path, ...how) {
  return ['train', '--task', 'chunking', '--train', training, '--model', path, ...how];
}

/** A command ends with one error, and what was there is what is there. */
async function expectRefusal({ file, args, fresh }, inputs, folder, { full, shell }, message) {
  const path = join(folder, file);
  const canWrite = message !== READ_ONLY;
  if (!fresh && canWrite) writeFileSync(path, OLD);
  if (full) fill(folder);
  try {
    expectOneError(await run(args(inputs, path), { shell }), message);
  } catch (error) {
    error.message = `${file}: ${error.message}`;
    throw error;
  }
  if (!fresh && existsSync(path)) expectOld(path);
  expect(temporariesIn(folder).length === 0, `${file}: a temporary file is left`);
  if (!canWrite) return;
  rmSync(join(folder, 'filling'), { force: true });
  rmSync(path, { recursive: true, force: true });
}

function expectOld(path) {
  expect(readFileSync(path, 'utf8') === OLD, () => `${basename(path)} is not what it was`);
}

function temporariesIn(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.tmp'));
}

/** Writes to a folder until its disk is full, but for some kB. */
function fill(folder, left = 0) {
  const path = join(folder, 'filling');
  try {
    for (;;) appendFileSync(path, Buffer.alloc(1024));
  } catch {
    if (left > 0) truncateSync(path, Math.max(0, statSync(path).size - 1024 * left));
  }
}

/** A folder that is a small disk of its own. */
export async function inMount(folder, size, work) {
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return 'only root can make a small disk';
  }
  try {
    await work();
  } finally {
    execFileSync('umount', ['-l', folder]);
  }
}

/** A folder that cannot be written; root may write where the mode forbids it. */
async function inReadOnly(folder, work) {
  if (process.getuid?.() === 0) {
    return inMount(folder, 'size=64k,ro', work);
  }
  mkdirSync(folder);
  chmodSync(folder, 0o555);
  try {
    await work();
  } finally {
    chmodSync(folder, 0o755);
  }
}

/** Changes an input again and again while commands read it. */
async function whileReading({ model, large }, folder, change, codes = [1]) {
  mkdirSync(folder);
  const path = join(folder, 'input.txt');
  const output = join(folder, 'output');
  for (const args of [
    ['label', '--model', model, path, '--output', output],
    ['convert', '--from', 'iob2', '--to', 'iobes', path, '--output', output],
    ['evaluate', '--model', model, path],
    ['train', '--task', 'chunking', '--train', path, '--model', output],
  ]) {
    copyFileSync(large, path);
    writeFileSync(output, OLD);
    let timer;
    const result = await run(args, {
      started: () => {
        timer = setInterval(() => change(path), 1);
      },
    });
    clearInterval(timer);
    if (codes.includes(result.code)) result.code = 1;
    expectOneError(result, /: cannot be read: it changes while it is read|input\.txt:\d+: expected/);
    expectOld(output);
  }
  expect(temporariesIn(folder).length === 0, 'a temporary file is left');
}
