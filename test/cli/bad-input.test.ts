import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { readSafetensors, writeSafetensors } from '../../src/model/safetensors.js';
import { corpus, corpusText } from './corpus.js';
import { run, Workspace } from './program.js';

const workspace = new Workspace();
const data = workspace.write('data.txt', corpusText(corpus(30)));

let model: string;
beforeAll(async () => {
  model = await workspace.train('model', corpusText(corpus(30)));
});

/** The call is refused with exit code 2, nothing on standard output and one line on standard error. */
async function expectRefused(
  args: readonly string[],
  message: string | RegExp,
  input: string | Uint8Array = '',
) {
  const { code, stdout, stderr } = await run(args, input);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^spanwright: [^\n]*\n$/);
  expect(stderr.slice('spanwright: '.length).trimEnd()).toMatch(message);
}

const trainArgs = (file: string) => [
  'train',
  '--task',
  'chunking',
  '--train',
  file,
  '--model',
  workspace.path('never'),
];

describe.concurrent('data that cannot be read', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['too few columns', 'the DT B-NP\ndog NN I-NP\n\nsees VBZ\n', ':4: expected at least 3 columns, found 2'],
    [
      'an unknown tag prefix',
      'the DT B-NP\ndog NN X-NP\n',
      ':2: expected a tag in column chunk: O, or B, I, E, S, L, U, M, W, B2, B3, BI, IE followed by - and a type; found "X-NP"',
    ],
    ['an empty file', '', ': expected sentences, found none: the input is empty'],
    [
      'a file of blank lines',
      '\n\n-DOCSTART- -X- O\n\n',
      ': expected sentences, found none: the input is empty',
    ],
    [
      'invalid UTF-8',
      Buffer.from('the DT B-NP\nna\xefve NN I-NP\n', 'latin1'),
      ':2 (byte 14): expected UTF-8 text, found the invalid byte 0xef; is it in another encoding, such as --encoding windows-1252?',
    ],
    [
      'a NUL byte',
      'the DT B-NP\n\nd\0og NN I-NP\n',
      ':3 (byte 14): expected text, found a NUL byte; is this a binary file, or UTF-16 (--encoding utf-16le)?',
    ],
  ])('%s', async (name, content, problem) => {
    const path = workspace.write(`${name}.txt`, content);
    await expectRefused(trainArgs(path), new RegExp(`^${literally(path + problem)}$`));
    // As held-out data too.
    await expectRefused([...trainArgs(data), '--dev', path], path);
  });

  it.each<[string, string | Uint8Array, string]>([
    ['too few columns', 'the\n', '<stdin>:1: expected at least 2 columns, found 1'],
    [
      'invalid UTF-8',
      Buffer.from('a\x80 DT\n', 'latin1'),
      '<stdin>:1 (byte 1): expected UTF-8 text, found the invalid byte 0x80',
    ],
    ['a NUL byte', 'the DT\na\0 DT\n', '<stdin>:2 (byte 8): expected text, found a NUL byte'],
    [
      'a cut-off character at the end',
      Buffer.from([0x61, 0x20, 0x44, 0xc3]),
      '<stdin>:1 (byte 3): expected UTF-8',
    ],
  ])('%s, while labelling', async (_, input, problem) => {
    await expectRefused(['label', '--model', model], problem, input);
  });

  it('a missing file', async () => {
    const missing = workspace.path('missing');
    const problem = new RegExp(`^${literally(missing)}: cannot be read: there is no such file$`);
    await expectRefused(trainArgs(missing), problem);
    await expectRefused([...trainArgs(data), '--dev', missing], problem);
    await expectRefused(['label', '--model', missing], problem);
    await expectRefused(['label', '--model', model, missing], problem);
    await expectRefused(['evaluate', missing], problem);
  });

  it('a folder in place of a file', async () => {
    await expectRefused(trainArgs(workspace.folder), `${workspace.folder}: cannot be read: it is a folder`);
    await expectRefused(
      ['evaluate', workspace.folder],
      `${workspace.folder}: cannot be read: it is a folder`,
    );
  });
});

describe.concurrent('a model that cannot be used', () => {
  let copies = 0;
  const refused = async (bytes: Uint8Array, problem: string) => {
    const path = workspace.write(`bad-model-${copies++}`, bytes);
    await expectRefused(['label', '--model', path], new RegExp(`^${literally(path)}: .*${problem}`));
  };

  it.each([0.2, 0.5, 0.99])('truncated to %d of its length', async (share) => {
    const bytes = readFileSync(model);
    await refused(bytes.subarray(0, Math.floor(bytes.length * share)), 'truncated');
  });

  it.each([0, 4, 9, 400, -400, -1])('with one flipped bit at byte %i', async (at) => {
    const bytes = readFileSync(model);
    bytes[at < 0 ? bytes.length + at : at] ^= 4;
    await refused(bytes, '(damaged|truncated)');
  });

  it('with bytes added', async () => {
    await refused(Buffer.concat([readFileSync(model), Buffer.from('more')]), 'damaged');
  });

  it('of another version', async () => {
    const { tensors, metadata } = readSafetensors(readFileSync(model), model);
    const { checksum: _, ...rest } = metadata;
    const version = String(Number(metadata.formatVersion) + 1);
    await refused(
      writeSafetensors(tensors, { ...rest, formatVersion: version }),
      `of another version: expected format version ${metadata.formatVersion}, found ${version}`,
    );
  });

  it('that is no model at all', async () => {
    await refused(Buffer.from('the DT B-NP\ndog NN I-NP\n'), 'not a model file');
    await refused(Buffer.alloc(0), 'not a model file');
  });
});

describe.concurrent('a wrong call', () => {
  const withModel = () => ['label', '--model', model];

  it.each([
    [
      'an unknown option',
      ['--decode', 'greedy'],
      /^unknown option --decode; did you mean --decoder\? spanwright train --help lists those there are$/,
    ],
    ['an option with one dash', ['-epoch', '3'], /^unknown option -epoch; did you mean --epochs\?/],
    ['an unknown short option', ['-x'], /^unknown option -x; spanwright train --help lists those there are$/],
    [
      'an unknown decoder',
      ['--decoder', 'best'],
      '--decoder: expected greedy, beam, viterbi, hybrid or semi-markov, found "best"',
    ],
    ['an unknown learner', ['--learner', 'tree'], '--learner: expected svm, '],
    ['an unknown strategy', ['--strategy', 'all'], '--strategy: expected ova, '],
    ['an unknown scheme', ['--scheme', 'biox'], /^--scheme: expected (?=.*iob1).*, found "biox"$/],
    ['an unknown direction', ['--direction', 'up'], '--direction: expected forward or backward, found "up"'],
    ['a number that is none', ['--epochs', 'ten'], '--epochs: expected an integer ≥ 1, found "ten"'],
    ['a number out of range', ['--C', '0'], '--C: expected a number > 0, found "0"'],
    ['a fraction', ['--threads', '1.5'], /^--threads: expected an integer ≥ 1 and ≤ 64, found "1.5"$/],
    ['an option without its value', ['--seed'], /^--seed: expected an integer.*, found nothing$/],
    ['an option given twice', ['--seed', '1', '--seed', '2'], '--seed is given twice'],
    ['memory that cannot do', ['--fit-memory', '0'], '--fit-memory: expected an integer ≥ 1, found "0"'],
    [
      'memory bounded for a learner of all labels',
      ['--learner', 'perceptron', '--fit-memory', '9'],
      /^--fit-memory goes with learners of binary problems/,
    ],
    [
      'possible classes that nothing reads',
      ['--classes', 'full'],
      /^--classes: expected templates that read /,
    ],
    [
      'possible classes of words themselves',
      ['--templates', '001', '--classes', 'full'],
      /^--classes full: expected --mask of 2 parts or more/,
    ],
    [
      'an option of another decoder',
      ['--decoder', 'hybrid', '--beam', '5'],
      /^--beam belongs to decoder beam; /,
    ],
    [
      'an option of another decoder than the default',
      ['--order', '1'],
      /^--order belongs to (?=.*greedy)(?=.*viterbi)/,
    ],
    [
      'a column named twice',
      ['--columns', 'word,word,chunk'],
      '--columns: expected each name once, found "word" twice',
    ],
    ['templates of a column that is not there', ['--columns', 'word,chunk', '--templates', '004'], /pos/],
    [
      'a surplus argument',
      ['extra.txt'],
      /^unexpected argument "extra\.txt"; usage: spanwright train \[options\]$/,
    ],
  ])('%s', async (_, args, message) => {
    await expectRefused([...trainArgs(data), ...args], message);
  });

  it('a missing required option', async () => {
    await expectRefused(
      ['train', '--train', data, '--model', workspace.path('never')],
      '--task NAME is required',
    );
    await expectRefused(
      ['train', '--task', 'chunking', '--model', workspace.path('never')],
      '--train FILE is required',
    );
    await expectRefused(['train', '--task', 'chunking', '--train', data], '--model OUT is required');
    await expectRefused(['label', data], '--model FILE is required');
    await expectRefused(['inspect'], '--model FILE is required');
  });

  it('a decoder that reads further back than the model was trained for, and options of none', async () => {
    await expectRefused([...withModel(), '--beam', '5'], /beam/);
    await expectRefused(
      [...withModel(), '--format', 'xml'],
      '--format: expected columns, brackets, json, jsonl, spans-jsonl, conllu, segmented, tagged, parquet or pretty, found "xml"',
    );
    await expectRefused(
      [...withModel(), '--on-error', 'ignore'],
      '--on-error: expected stop, skip or keep, found "ignore"',
    );
    await expectRefused(['evaluate', data, data], /^unexpected argument/);
  });

  it('an output that cannot be written', async () => {
    const nowhere = workspace.path('nowhere/out');
    const problem = `${nowhere}: cannot be written: its folder does not exist`;
    await expectRefused([...withModel(), '--output', nowhere, data], problem);
    await expectRefused(['convert', '--from', 'iob2', '--to', 'ioe2', '--output', nowhere, data], problem);
    await expectRefused(
      [...withModel(), '--output', workspace.folder, data],
      'cannot be written: it is a folder',
    );
  });
});

// Runs last, since the suites above are concurrent and this one is not.
it('leaves nothing half-written behind', () => {
  expect(workspace.files()).toContain('data.txt');
  expect(workspace.files().filter((name) => /never|\.tmp$/.test(name))).toEqual([]);
});

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
