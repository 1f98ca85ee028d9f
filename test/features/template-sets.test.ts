import { describe, expect, it } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import { readableColumns } from '../../src/features/derived-columns.js';
import { historyOrder, templateName } from '../../src/features/template.js';
import { TEMPLATE_SETS, templateSetByName } from '../../src/features/template-sets.js';
import { formatTemplates, parseTemplates } from '../../src/features/template-syntax.js';

const HISTORY_AND_BIAS = 'label[-1]\nlabel[-2]\nlabel[-1] label[-2]\nbias\n';
const lines = (name: string) => new Set(formatTemplates(templateSetByName(name)).trimEnd().split('\n'));
const without = (a: Set<string>, b: Set<string>) => [...a].filter((line) => !b.has(line)).sort();

/** The sets as their papers list them, written out. */
const PAPER_004 = `word[-2]
word[-1]
word[0]
word[1]
word[2]
word[-2] word[-1]
word[-1] word[0]
word[0] word[1]
word[1] word[2]
word[-1] word[1]
pos[-2]
pos[-1]
pos[0]
pos[1]
pos[2]
pos[-2] pos[-1]
pos[-1] pos[0]
pos[0] pos[1]
pos[1] pos[2]
pos[-1] pos[1]
pos[-2] pos[-1] pos[0]
pos[-1] pos[0] pos[1]
pos[0] pos[1] pos[2]
pos[-3] pos[-2] pos[-1]
pos[1] pos[2] pos[3]
word[-1] pos[0]
word[-2] pos[-1]
word[0] pos[1]
word[1] pos[2]
word.prefix2[0]
word.prefix3[0]
word.prefix4[0]
word.suffix2[0]
word.suffix3[0]
word.suffix4[0]
word.type[0]
${HISTORY_AND_BIAS}`;

const SMALL = `word[-2]
word[-1]
word[0]
word[1]
word[2]
word[-1] word[0]
word[0] word[1]
pos[-2]
pos[-1]
pos[0]
pos[1]
pos[2]
pos[-2] pos[-1]
pos[-1] pos[0]
pos[0] pos[1]
pos[1] pos[2]
pos[-2] pos[-1] pos[0]
pos[-1] pos[0] pos[1]
pos[0] pos[1] pos[2]
${HISTORY_AND_BIAS}`;

describe('TEMPLATE_SETS', () => {
  it('004 is the set of the paper', () => {
    expect(formatTemplates(templateSetByName('004'))).toBe(PAPER_004);
  });

  it('small is the usual 19 templates and history', () => {
    expect(formatTemplates(templateSetByName('small'))).toBe(SMALL);
    expect(templateSetByName('small').templates.filter((t) => historyOrder(t) === 0)).toHaveLength(19 + 1);
  });

  it('wide is 004 and more', () => {
    expect(without(lines('004'), lines('wide'))).toEqual([]);
    expect(without(lines('wide'), lines('004'))).toEqual(
      [
        'word[-1] pos[-1]',
        'word[0] pos[0]',
        'word[1] pos[1]',
        'pos[-2] pos[-1] pos[0] pos[1]',
        'pos[-1] pos[0] pos[1] pos[2]',
        'pos[-2] pos[-1] pos[0] pos[1] pos[2]',
        'word.suffix2[-1]',
        'word.suffix2[1]',
        'word.suffix3[-1]',
        'word.suffix3[1]',
        'word.type[-1]',
        'word.type[1]',
        'word.lower[-1]',
        'word.lower[0]',
        'word.lower[1]',
        'label[-1] pos[0]',
        'label[-1] word[0]',
        'label[-1] pos[-1] pos[0]',
        'label[-1] pos[0] pos[1]',
      ].sort(),
    );
  });

  it('has sets named after their keys, with help, over word and pos and what is derived only', () => {
    const inputs = ['word', 'pos'];
    const columns = [
      ...readableColumns(inputs, 'characters'),
      ...readableColumns(inputs, 'words', ['*']).slice(2),
    ];
    for (const [name, { help, set }] of Object.entries(TEMPLATE_SETS)) {
      expect(set.name).toBe(name);
      expect(help).not.toBe('');
      expect(parseTemplates(formatTemplates(set), name, columns)).toEqual(set);
      expect(set.templates.filter((t) => templateName(t) === 'bias')).toHaveLength(1);
    }
  });

  it('refuses other names with the list of valid ones', () => {
    expect(() => templateSetByName('big')).toThrow(OptionError);
    expect(() => templateSetByName('big')).toThrow(
      /--templates: expected 001, 004, small, wide, chunk-level, token-level, pos, words, entities, hmm, characters, adjacent-characters, lexicon, whole-words, accessor-variety or 004-characters, found "big"/,
    );
    expect(() => templateSetByName('toString')).toThrow(OptionError);
  });
});
