import { describe, expect, it } from 'vitest';
import { listNames, OptionError } from '../../src/base/errors.js';
import { TEMPLATE_SETS } from '../../src/features/template-sets.js';
import { parseTemplates } from '../../src/features/template-syntax.js';
import { type ConfigureOptions, configure } from '../../src/tasks/configure.js';
import { CONFIGURATION_OPTIONS } from '../../src/tasks/parts.js';
import { TASKS } from '../../src/tasks/tasks.js';

const chunking = (given: Omit<ConfigureOptions, 'task'> = {}) => configure({ task: 'chunking', ...given });

describe('configure', () => {
  it('resolves everything from the task alone', () => {
    const { templates, ...rest } = chunking();
    expect(rest).toEqual({
      task: 'chunking',
      columns: ['word', 'pos', 'chunk'],
      tokens: 'words',
      scheme: 'ioe2',
      direction: 'backward',
      cutOff: 2,
      learner: 'svm',
      strategy: 'ova',
      decoder: 'hybrid',
      precision: 'float32',
      seed: 1,
      options: { C: 0.1, loss: 'l2', epochs: 10, epsilon: 0.01 },
    });
    expect(templates).toEqual(TEMPLATE_SETS['004'].set);
  });

  it('takes presets, and what is given before them', () => {
    expect(chunking({ preset: 'paper-004' })).toMatchObject({ cutOff: 1, options: { C: 1.25, epochs: 200 } });
    expect(chunking({ preset: 'fast' })).toMatchObject({ decoder: 'greedy', options: { order: 2 } });
    const given = chunking({
      preset: 'paper-004',
      columns: ['token', '_', 'word', 'pos', 'tag'],
      options: {
        C: '2',
        scheme: 'iobes',
        direction: 'forward',
        'cut-off': '4',
        seed: 4294967295,
        templates: 'small',
      },
    });
    expect(given).toMatchObject({
      columns: ['token', '_', 'word', 'pos', 'tag'],
      scheme: 'iobes',
      direction: 'forward',
      cutOff: 4,
      seed: 4294967295,
      templates: { name: 'small' },
      options: { C: 2, epochs: 200 },
    });
  });

  it('follows the decoder given with that decoder’s own options', () => {
    expect(chunking({ options: { decoder: 'beam' } }).options).toMatchObject({ beam: 50, order: 2 });
    expect(chunking({ options: { decoder: 'viterbi', order: 0 } }).options).toMatchObject({ order: 0 });
    expect(chunking({ preset: 'fast', options: { decoder: 'hybrid' } }).options).not.toHaveProperty('order');
  });

  it('takes templates of one’s own before those by name, and checks them', () => {
    const templates = parseTemplates('pos[0]', 'own', ['pos']);
    const found = chunking({ templates, options: { templates: 'small' } });
    expect(found.templates).toEqual(templates);
    const broken = {
      name: 'x',
      templates: [{ nodes: [{ kind: 'token', view: 'pos', offset: 99 } as const] }],
    };
    expect(() => chunking({ templates: broken })).toThrow('expected an offset from -8 to 8, found pos[99]');
  });

  it('reads words alone where columns have no parts of speech and no templates are asked for', () => {
    const columns = ['word', 'ne'];
    for (const preset of ['default', 'fast', 'paper-001']) {
      expect(chunking({ columns, preset }).templates.name).toBe('words');
    }
    expect(chunking({ columns: ['word', 'pos', '_', 'ne'] }).templates.name).toBe('004');
    expect(chunking({ columns, options: { templates: 'pos' } }).templates.name).toBe('pos');
    expect(configure({ task: 'pos' }).templates.name).toBe('pos');
    expect(() => chunking({ columns, options: { templates: '004' } })).toThrow('--templates: expected views');
    // Their templates are their own.
    expect(() => chunking({ columns, options: { learner: 'hmm' } })).toThrow('--templates: expected views');
    expect(() => chunking({ columns, preset: 'chunk-level' })).toThrow('--templates: expected views');
  });

  it('has possible classes where templates read them', () => {
    const options = { templates: '001' };
    expect(chunking({ options }).classes).toBe('jackknifed');
    expect(chunking({ options: { ...options, classes: 'full', mask: 5 } })).toMatchObject({
      classes: 'full',
      mask: 5,
    });
    expect(chunking({ options: { 'word-cut-off': 2 } }).wordCutOff).toBe(2);
  });

  it.each<[Omit<ConfigureOptions, 'task'>, string, string]>([
    [
      { preset: 'slow' },
      'preset',
      '--preset: expected default, paper-001, paper-004, chunk-level, token-level, accurate or fast, found "slow"',
    ],
    [
      { options: { scheme: 'biox' } },
      'scheme',
      '--scheme: expected iob2, ioe2, iobes, iob1, ioe1, bilou, bmes, bmewo, bieo, b-bies, e-bies, bi-bies, io or token, found "biox"',
    ],
    [{ options: { direction: 'up' } }, 'direction', '--direction: expected forward or backward, found "up"'],
    [
      { options: { templates: 'tiny' } },
      'templates',
      '--templates: expected 001, 004, small, wide, chunk-level, token-level, pos, words, entities, hmm, characters, adjacent-characters, lexicon, whole-words, accessor-variety or 004-characters, found "tiny"',
    ],
    [
      { options: { classes: 'full' } },
      'classes',
      '--classes: expected templates that read possible classes, such as word.classes[0] or the set 001, found none',
    ],
    [
      { options: { templates: '001', classes: 'full' } },
      'classes',
      '--classes full: expected --mask of 2 parts or more',
    ],
    [{ options: { 'cut-off': 0 } }, 'cut-off', '--cut-off: expected an integer ≥ 1, found 0'],
    [{ options: { seed: -1 } }, 'seed', '--seed: expected an integer ≥ 0 and ≤ 4294967295, found -1'],
    [
      { options: { decoder: 'astar' } },
      'decoder',
      '--decoder: expected greedy, beam, viterbi, hybrid or semi-markov, found "astar"',
    ],
    [{ options: { beam: 5 } }, 'beam', '--beam belongs to decoder beam; this configuration has learner svm'],
    [
      { options: { temperature: 5 } },
      'temperature',
      'unknown option "temperature"; expected learner, strategy, decoder, scheme, tokenizer, direction',
    ],
    [
      { columns: ['chunk'] },
      'columns',
      '--columns: expected at least one input column, then the label column',
    ],
    [{ columns: ['_', 'chunk'] }, 'columns', '--columns: expected at least one input column'],
    [{ columns: ['word', 'pos', '_'] }, 'columns', '--columns: expected at least one input column'],
    [
      { columns: ['word', 'word', 'chunk'] },
      'columns',
      '--columns: expected each name once, found "word" twice',
    ],
    [
      { columns: ['wo rd', 'pos', 'chunk'] },
      'columns',
      '--columns: expected names such as word,pos,chunk, found "wo rd"',
    ],
    [
      { columns: ['word', 'chunk'], options: { templates: '004' } },
      'templates',
      '--templates: expected views of the column word, capitals, casing',
    ],
    [
      { templates: parseTemplates('chunk[-1]', 'own', ['word', 'pos', 'chunk']) },
      'templates',
      'or longer-majority, found "chunk"',
    ],
    [
      { columns: ['word', 'pos', '_', 'chunk'], templates: parseTemplates('_[0]', 'own', ['_']) },
      'templates',
      'or longer-majority, found "_"',
    ],
  ])('refuses %j', (given, option, message) => {
    expect(() => chunking(given)).toThrow(OptionError);
    expect(() => chunking(given)).toThrow(expect.objectContaining({ option }));
    expect(() => chunking(given)).toThrow(message);
  });

  it('lists the tasks for an unknown one', () => {
    expect(() => configure({ task: 'parsing' })).toThrow(
      `--task: expected ${listNames(Object.keys(TASKS))}, found "parsing"`,
    );
  });
});

describe.each(Object.entries(TASKS))('the task %s', (name, task) => {
  it('is filed under its name and has presets', () => {
    expect(task.name).toBe(name);
    expect(Object.keys(task.presets)).not.toEqual([]);
  });

  it.each(Object.keys(task.presets))('resolves with preset %s, leaving nothing open', (preset) => {
    const configuration = configure({ task: name, preset });
    expect(configuration.columns).toEqual(task.columns);
    for (const value of Object.values(configuration)) expect(value).toBeDefined();
    const { options } = task.presets[preset];
    const common = CONFIGURATION_OPTIONS.map((declaration) => declaration.name);
    for (const [option, value] of Object.entries(options)) {
      if (!common.includes(option)) expect(configuration.options[option]).toBe(value);
    }
  });
});
