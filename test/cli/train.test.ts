import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { fitTemperature } from '../../src/evaluate/fit-temperature.js';
import { historyOrder, templateName } from '../../src/features/template.js';
import { loadModelFile, readColumnsFile } from '../../src/node/corpora.js';
import { corpus, corpusText } from './corpus.js';
import { type Run, run, Workspace } from './program.js';

const workspace = new Workspace();
const data = workspace.write('data.txt', corpusText(corpus(60)));
const dev = workspace.write('dev.txt', corpusText(corpus(20, 2)));

function train(name: string, ...args: string[]): Promise<Run> {
  return run(['train', '--task', 'chunking', '--train', data, '--model', workspace.path(name), ...args]);
}

const load = (name: string) => loadModelFile(workspace.path(name));
const configurationOf = async (name: string) => (await load(name)).configuration;

describe('spanwright train', () => {
  let first: Run;
  beforeAll(async () => {
    first = await train('first', '--seed', '7');
  });

  it('writes the model, says what it did, and leaves nothing else behind', async () => {
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^trained on 60 sentences \([\d,]+ tokens\) in [\d.]+ s: svm, ova, hybrid; ioe2 backward/,
    );
    expect(first.stdout).toContain(`wrote ${workspace.path('first')} (`);
    expect(workspace.files().filter((name) => name.includes('first'))).toEqual(['first']);
  });

  it('warns of held-out sentences that were trained on, and of types with a single example', async () => {
    const once = workspace.write('once.txt', `${corpusText(corpus(60))}lonely NN B-ONCE\n\n`);
    const shared = workspace.write(
      'shared.txt',
      `${corpusText(corpus(60).slice(0, 2))}lonely NN B-ONCE\n\nnew NN B-NP\n\n`,
    );
    const model = workspace.path('warned');
    const how = ['--task', 'chunking', '--epochs', '1', '--model', model];
    const { code, stderr } = await run(['train', ...how, '--train', once, '--dev', shared]);
    expect(code).toBe(0);
    expect(stderr).toContain(
      `warning: 3 of the 4 sentences of ${shared} are in ${once} too: scores on them say little about new text\n`,
    );
    expect(stderr).toContain(`warning: ${once}: 1 type with a single example: ONCE\n`);

    const outside = workspace.write('outside.txt', 'a NN O\nb NN O\n\n');
    const single = await run(['train', ...how, '--train', outside]);
    expect(single.code).toBe(0);
    expect(single.stdout).toContain('1 label, 1 problem, ');
    expect(single.stderr).toContain(`warning: ${outside}: O is the only label, `);
  });

  it('goes on from a model with --init, and refuses one made otherwise', async () => {
    const more = workspace.write('more.txt', corpusText(corpus(30, 3)));
    const init = workspace.path('first');
    const how = ['--task', 'chunking', '--train', more, '--model', workspace.path('second'), '--init', init];
    expect(await run(['train', ...how, '--seed', '7'])).toMatchObject({ code: 0 });
    const [old, grown] = await Promise.all([load('first'), load('second')]);
    expect(grown.tagSet.tags).toEqual(old.tagSet.tags);
    expect(grown.training.sentences).toBe(30);
    const inspected = await run(['inspect', '--model', workspace.path('second')]);
    expect(inspected.stdout).toMatch(
      new RegExp(`^init +went on from a model trained on .*, sha256 ${old.training.sha256}$`, 'm'),
    );
    const other = await train('third', '--init', init, '--templates', 'small');
    expect(other).toMatchObject({ code: 2 });
    expect(other.stderr).toContain('--init: expected --templates as the model has it');
    const missing = await train('third', '--init', workspace.path('nowhere'));
    expect(missing.stderr).toContain('nowhere: cannot be read: there is no such file');
  });

  it('calibrates a model that goes on from another as what it is', async () => {
    // What is to be told from so little is often wrong.
    const weak = ['--templates', workspace.write('weak', 'pos[-1]\n'), '--cut-off', '1'];
    expect(await train('weak-first', ...weak)).toMatchObject({ code: 0 });
    const more = workspace.write('few.txt', corpusText(corpus(30, 3)));
    const init = workspace.path('weak-first');
    const how = ['--task', 'chunking', '--train', more, ...weak, '--init', init, '--calibrate'];
    expect(await run(['train', ...how, '--model', workspace.path('calibrated')])).toMatchObject({ code: 0 });
    const { temperature } = await load('calibrated');
    const configuration = await configurationOf('weak-first');
    const read = await readColumnsFile(more, configuration);
    expect(temperature).toBe(await fitTemperature(read, configuration, { init: await loadModelFile(init) }));
    expect(temperature).not.toBe(await fitTemperature(read, configuration));
  });

  it('trains learners of all labels at once, and reports their iterations', async () => {
    const { code, stdout } = await train('crf', '--learner', 'crf', '--iterations', '4', '--json');
    expect(code).toBe(0);
    const reports = stdout.split('\n').filter((line) => line.includes('"iteration"'));
    expect(reports.map((line) => JSON.parse(line))).toMatchObject(
      Array.from({ length: 9 }, (_, i) => ({ iteration: i + 1, iterations: 9 })),
    );
    expect(JSON.parse(reports[8]).measures).toEqual({
      objective: expect.any(Number),
      gradient: expect.any(Number),
    });
    expect(await configurationOf('crf')).toMatchObject({ learner: 'crf', decoder: 'viterbi' });
    const { stdout: shown } = await run(['inspect', '--model', workspace.path('crf')]);
    expect(shown).toMatch(/^strategy {4}none: all labels at once$/m);
  });

  it('refuses a strategy or a decoder that does not go with the learner', async () => {
    const strategy = await train('none', '--learner', 'crf', '--strategy', 'ova');
    expect(strategy).toMatchObject({ code: 2 });
    expect(strategy.stderr).toContain('--strategy ova does not go with --learner crf');
    const decoder = await train('none', '--learner', 'perceptron', '--decoder', 'beam');
    expect(decoder.stderr).toContain(
      '--decoder beam does not go with --learner perceptron: expected viterbi',
    );
  });

  it('writes the same bytes on any number of threads, and others for another seed', async () => {
    await Promise.all([
      train('threads-1', '--seed', '7', '--threads', '1'),
      train('threads-2', '--seed', '7', '--threads', '2'),
      train('seed-8', '--seed', '8'),
    ]);
    const bytes = readFileSync(workspace.path('first'));
    expect(readFileSync(workspace.path('threads-1')).equals(bytes)).toBe(true);
    expect(readFileSync(workspace.path('threads-2')).equals(bytes)).toBe(true);
    expect(readFileSync(workspace.path('seed-8')).equals(bytes)).toBe(false);
  });

  it('refuses what needs more memory than there may be, before it starts', async () => {
    const data = workspace.write('larger.txt', corpusText(corpus(2000)));
    const model = workspace.path('too-large');
    const args = ['--task', 'chunking', '--train', data, '--model', model, '--max-memory', '1'];
    const { code, stdout, stderr } = await run(['train', ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^spanwright: training needs about \d+ MB beside its data, .*: found 1 MB; expected fewer/,
    );
    expect(workspace.files().filter((name) => name.includes('too-large'))).toEqual([]);
  });

  it('replaces a model that is there only when it is done', async () => {
    const path = workspace.write('kept', 'an old model');
    const { code } = await train('kept', '--C', '-1');
    expect(code).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe('an old model');
    const bad = workspace.write('bad.txt', 'the DT X-NP\n');
    expect((await run(['train', '--task', 'chunking', '--train', bad, '--model', path])).code).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe('an old model');
    await train('kept', '--seed', '7');
    expect(readFileSync(path).equals(readFileSync(workspace.path('first')))).toBe(true);
    expect(workspace.files().filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('learns possible classes of words, which the model keeps', async () => {
    const options = ['--templates', '001', '--mask', '3', '--classes', 'full', '--word-cut-off', '2'];
    await train('classes', ...options);
    const model = await load('classes');
    expect(model.configuration).toMatchObject({ mask: 3, classes: 'full', wordCutOff: 2 });
    expect(model.knowledge.classes?.of('word', 'old')).toBe('I-NP');
    expect(model.knowledge.classes?.of('word', 'unheard-of')).toBe('');
    const { stdout } = await run(['evaluate', '--model', workspace.path('classes'), dev, '--json']);
    expect(JSON.parse(stdout).f1).toBeGreaterThan(90);
  });

  it('--json writes an object a line, the last with the result', async () => {
    const { code, stdout, stderr } = await train('json', '--json', '--dev', dev, '--epochs', '4');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const last = lines.pop();
    expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(['features', 'epoch']));
    expect(lines.filter(({ kind }) => kind === 'epoch')[0]).toMatchObject({ block: 0, epoch: 1, epochs: 4 });
    expect(last).toMatchObject({ kind: 'trained', model: workspace.path('json') });
    expect(last.bytes).toBe(readFileSync(workspace.path('json')).length);
    expect(last.dev.f1).toBeGreaterThan(90);
  });

  it('--dev scores the model, and the model remembers', async () => {
    const { stdout } = await train('with-dev', '--dev', dev);
    expect(stdout).toMatch(/\nprocessed \d+ tokens with \d+ phrases; found: \d+ phrases; correct: \d+\.\n/);
    const evaluated = await run(['evaluate', '--model', workspace.path('with-dev'), dev, '--json']);
    const { accuracy, precision, recall, f1 } = JSON.parse(evaluated.stdout);
    expect((await load('with-dev')).dev).toEqual({ accuracy, precision, recall, f1 });
  });

  it('--config gives options, and the command line has the last word', async () => {
    const config = workspace.write(
      'config.json',
      JSON.stringify({ task: 'chunking', train: data, seed: 3, C: 0.5, decoder: 'greedy', order: 1 }),
    );
    const { code } = await run([
      'train',
      '--config',
      config,
      '--model',
      workspace.path('configured'),
      '--C',
      '0.25',
    ]);
    expect(code).toBe(0);
    expect(await configurationOf('configured')).toMatchObject({
      seed: 3,
      decoder: 'greedy',
      options: { C: 0.25, order: 1 },
    });
  });

  it('warns of columns that --columns leaves out', async () => {
    const file = workspace.write('wide.txt', 'the DT B-NP x O\ndog NN I-NP x O\n');
    const args = ['train', '--task', 'chunking', '--train', file, '--model', workspace.path('wide')];
    const warning = (await run([...args, '--columns', 'word,pos,chunk'])).stderr;
    expect(warning).toContain(
      `warning: ${file}: columns 4 and 5 of 5 are not read: columns are word,pos,chunk, and chunk holds the labels\n`,
    );
    expect((await run([...args, '--columns', 'word,pos,chunk,_,ne'])).stderr).not.toContain('not read');
    expect((await run(args)).stderr).toContain(warning);
  });

  it.each(['bilou', 'bmes', 'bmewo', 'bieo'])(
    'reads tags of %s without a warning, and labels in them',
    async (scheme) => {
      const { stdout: given } = await run(['convert', '--from', 'iob2', '--to', scheme, data]);
      const spelled = workspace.write(`${scheme}.txt`, given);
      const model = workspace.path(scheme);
      const { stderr } = await run(['train', '--task', 'chunking', '--train', spelled, '--model', model]);
      expect(stderr).toBe('');
      const labelled = (await run(['label', '--model', model, spelled])).stdout;
      expect(labelled).toBe(given.replace(/^(.*) (\S+)$/gm, '$1 $2 $2'));
      const scores = await run(['evaluate', '-'], labelled);
      expect(scores.stdout).toContain('accuracy: 100.00%');
      expect(scores.stdout).toContain('FB1: 100.00');
    },
  );

  it('says so where it reads words alone, and where nothing is left to read', async () => {
    const file = workspace.write('names.txt', corpusText(corpus(20), [0, 2]));
    const to = ['--model', workspace.path('names')];
    const args = ['train', '--task', 'chunking', '--columns', 'word,ne', '--train', file, ...to];
    const words = await run(args);
    expect(words).toMatchObject({
      code: 0,
      stderr:
        'warning: --columns word,ne: no column is named pos, so features are those of words alone: --templates words\n',
    });
    expect(await run([...args, '--templates', 'words'])).toMatchObject({ code: 0, stderr: '' });
    const empty = await run([...args, '--templates', 'words', '--cut-off', '9999']);
    expect(empty.stderr).toBe(
      `warning: ${file}: no feature is frequent enough for cut-off 9999: the model labels all tokens alike\n`,
    );
  });

  it.each([
    [
      'an unknown key',
      '{\n  "seed": 1,\n  "sede": 2\n}',
      /config-bad\.json:3: unknown option "sede"; did you mean seed\?$/m,
    ],
    [
      'a bad value',
      '{\n  "seed": 1,\n\n  "epochs": "many"\n}',
      /config-bad\.json:4: --epochs: expected an integer ≥ 1, found "many"/,
    ],
    [
      'no JSON',
      'seed = 1',
      /config-bad\.json:1: expected JSON: found a word that is no value; text stands in double quotes$/m,
    ],
    ['no object', '[1, 2]', /config-bad\.json:1: expected an object of options/],
  ])('--config with %s is refused', async (_, text, message) => {
    const config = workspace.write('config-bad.json', text);
    const { code, stdout, stderr } = await train('refused', '--config', config);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(existsSync(workspace.path('refused'))).toBe(false);
  });

  it('--preset sets many options at once; one that does not exist lists those that do', async () => {
    await train('fast', '--preset', 'fast');
    expect(await configurationOf('fast')).toMatchObject({ decoder: 'greedy', cutOff: 3 });
    const { code, stderr } = await train('slow', '--preset', 'slow');
    expect(code).toBe(2);
    expect(stderr).toBe(
      'spanwright: --preset: expected default, paper-001, paper-004, chunk-level, token-level, accurate or fast, found "slow"\n',
    );
  });

  it('--templates reads files in the own and in CRF++ syntax, to the same model', async () => {
    const own = workspace.write('templates.own', '# words\nword[0]\nword[-1] word[0]\npos[1]\nlabel[-1]\n');
    const crfpp = workspace.write('templates.crfpp', 'U00:%x[0,0]\nU01:%x[-1,0]/%x[0,0]\nU02:%x[1,1]\nB\n');
    await Promise.all([train('own', '--templates', own), train('crfpp', '--templates', crfpp)]);
    const lines = async (name: string) => (await load(name)).features.templates.templates.map(templateName);
    expect(await lines('own')).toEqual(['word[0]', 'word[-1] word[0]', 'pos[1]', 'label[-1]', 'bias']);
    expect(await lines('crfpp')).toEqual(await lines('own'));
    expect((await load('crfpp')).weights).toEqual((await load('own')).weights);
    // The file's name, but not its path.
    expect((await configurationOf('own')).templates.name).toBe('templates.own');
  });

  it('--templates names file and line of what it cannot read', async () => {
    const bad = workspace.write('templates.bad', 'word[0]\n\nlemma[0]\n');
    const { code, stderr } = await train('bad-templates', '--templates', bad);
    expect(code).toBe(2);
    expect(stderr).toMatch(/templates\.bad:3: .*lemma/);
    const missing = await train('bad-templates', '--templates', 'no-such');
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(
      /--templates: expected .*004.* or a file; no-such: cannot be read: there is no such file/,
    );
  });

  it.each([
    ['--decoder greedy --order 0', { decoder: 'greedy', options: { order: 0 } }],
    ['--decoder viterbi', { decoder: 'viterbi', options: { order: 1 } }],
    ['--decoder viterbi --order 2', { decoder: 'viterbi', options: { order: 2 } }],
    ['--decoder beam --beam 5 --order 1', { decoder: 'beam', options: { beam: 5, order: 1 } }],
    ['--scheme iobes --direction forward', { scheme: 'iobes', direction: 'forward', decoder: 'hybrid' }],
    ['--columns token,tag,gold --templates TEMPLATES', { columns: ['token', 'tag', 'gold'] }],
  ])('%s', async (args, expected) => {
    const templates = workspace.write('templates.renamed', 'token[0]\ntag[0]\n');
    const name = args.replace(/\W+/g, '-');
    const { code, stderr } = await train(name, ...args.replace('TEMPLATES', templates).split(' '));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await configurationOf(name)).toMatchObject(expected);
  });

  it('reads lower orders without the templates that look further back', async () => {
    await Promise.all([
      train('order-0', '--decoder', 'viterbi', '--order', '0'),
      train('order-2', '--decoder', 'viterbi', '--order', '2'),
    ]);
    const orders = async (name: string) => (await load(name)).features.templates.templates.map(historyOrder);
    expect(new Set(await orders('order-0'))).toEqual(new Set([0]));
    expect(new Set(await orders('order-2'))).toEqual(new Set([0, 1, 2]));
  });

  it('takes extra columns and I after nothing, with a counted warning for the latter', async () => {
    const text = corpusText(corpus(30), [0, 1, 2, 0]).replace(/B-NP(?= \w+\n\n?)/, 'I-NP');
    const odd = workspace.write('odd.txt', text);
    const args = ['train', '--task', 'chunking', '--train', odd, '--model', workspace.path('odd')];
    const { code, stderr } = await run(args);
    expect(code).toBe(0);
    expect(stderr).toBe(
      `warning: ${odd}: column 4 of 4 is not read: columns are word,pos,chunk, and chunk holds the labels\nwarning: ${odd}: 1 tag not as iob2 has it, read as conlleval does\n`,
    );
  });
});

describe('where a model cannot be written', () => {
  it.each([
    ['a folder that does not exist', 'nowhere/model', 'its folder does not exist'],
    ['a folder', 'folder', 'it is a folder'],
    ['a path through a file', 'data.txt/model', 'a part of its path is not a folder'],
  ])('%s', async (_, name, reason) => {
    mkdirSync(workspace.path('folder'), { recursive: true });
    const before = workspace.files();
    const { code, stdout, stderr } = await train(name);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(`spanwright: ${workspace.path(name)}: cannot be written: ${reason}\n`);
    expect(workspace.files()).toEqual(before);
  });

  it.skipIf(process.getuid?.() === 0)('a folder without permission (not for root)', async () => {
    mkdirSync(workspace.path('locked'), { mode: 0o500 });
    const { code, stderr } = await train('locked/model');
    expect(code).toBe(1);
    expect(stderr).toContain('cannot be written: permission denied');
  });
});
