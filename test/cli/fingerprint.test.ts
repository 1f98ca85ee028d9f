import { describe, expect, it } from 'vitest';
import type { OptionValues } from '../../src/base/options.js';
import { fingerprint, readingOf } from '../../src/cli/fingerprint.js';
import { StateFiles } from '../../src/cli/state-files.js';
import { INPUT_OPTIONS, resolveConfiguration } from '../../src/cli/training-options.js';
import { readColumnsFile } from '../../src/node/corpora.js';
import { corpus, corpusText } from './corpus.js';
import { Workspace } from './program.js';

const workspace = new Workspace();
const data = workspace.write('data.txt', corpusText(corpus(5)));
const posModel = workspace.write('pos.model', 'one');

/** Another value than the default of each option that says how data are read. */
const OTHERS: Readonly<Record<string, string>> = {
  columns: 'pos,word,chunk',
  'input-format': 'jsonl',
  encoding: 'big5',
  separator: 'tab',
  comments: '%',
  header: '2',
  offsets: 'code-points',
  phrases: 'basenp',
  'pos-model': posModel,
  'on-error': 'skip',
};

const readingWith = async (options: OptionValues, path = data) =>
  JSON.stringify(await readingOf(path, options, await resolveConfiguration('chunking', options)));

describe('readingOf', () => {
  it.each(INPUT_OPTIONS.map(({ name }) => name))('differs with --%s', async (name) => {
    expect(await readingWith({ [name]: OTHERS[name] })).not.toBe(await readingWith({}));
  });

  it('is the same where an option is given as its default is', async () => {
    for (const { name, default: value } of INPUT_OPTIONS) {
      if (value === undefined) continue;
      expect(await readingWith({ [name]: value })).toBe(await readingWith({}));
    }
    expect(await readingWith({ 'input-format': 'columns' })).toBe(await readingWith({}));
  });

  it('differs with the format that a file’s name says', async () => {
    expect(await readingWith({}, 'data.jsonl')).not.toBe(await readingWith({}, 'data.conllu'));
  });

  it('has the bytes of the model that fills in columns, wherever it is', async () => {
    const one = await readingWith({ 'pos-model': posModel });
    const elsewhere = workspace.write('elsewhere.model', 'one');
    expect(await readingWith({ 'pos-model': elsewhere })).toBe(one);
    workspace.write('pos.model', 'two');
    expect(await readingWith({ 'pos-model': posModel })).not.toBe(one);
  });
});

describe('fingerprint', () => {
  it('differs with what a file of templates holds', async () => {
    const key = async (text: string) => {
      const templates = workspace.write('templates', text);
      const configuration = await resolveConfiguration('chunking', { templates });
      return fingerprint({ data: ['a'], reading: [], configuration, how: {} });
    };
    const one = await key('word[0]\n');
    expect(await key('pos[0]\n')).not.toBe(one);
    expect(await key('word[0]\n')).toBe(one);
  });
});

describe('StateFiles', () => {
  it('tells trainings apart by all that their state depends on', async () => {
    const configuration = await resolveConfiguration('chunking', {});
    const read = await readColumnsFile(data, configuration);
    const of = async (options: Record<string, string | number>, rawText?: string) =>
      (await StateFiles.of(workspace.path('model'), configuration, read, options, rawText)).file(0).of;
    const init = workspace.write('init.model', 'one');
    const states = [
      await of({}),
      await of({}, 'a'),
      await of({}, 'b'),
      await of({ 'fit-memory': 10 }),
      await of({ 'fit-memory': 11 }),
      await of({ init }),
      await of({ 'pos-model': posModel }),
      await of({ separator: 'tab' }),
    ];
    workspace.write('init.model', 'two');
    workspace.write('pos.model', 'three');
    states.push(await of({ init }), await of({ 'pos-model': posModel }));
    expect(new Set(states).size).toBe(states.length);
    expect(await of({ threads: 2, 'max-memory': 5 })).toBe(states[0]);
  });
});
