import { describe, expect, it } from 'vitest';
import { readColumns } from '../../src/data/corpus.js';
import { extract } from '../../src/features/extractor.js';
import { PossibleClasses } from '../../src/features/possible-classes.js';
import { parseTemplates } from '../../src/features/template-syntax.js';
import { featureTexts } from './small-corpora.js';

const COLUMNS = ['word', 'pos'];
// Three sentences, each a part of the data; "saw" is B in one and O in another, "Dog" occurs in one only.
const corpus = readColumns('the DT O\nsaw NN B\n\nsaw VB O\nthe DT O\n\nDog NN B\nthe DT O\n', {
  columns: [...COLUMNS, 'chunk'],
});
const tags = { tags: ['O', 'B'], direction: 'forward' } as const;
const labels = Uint16Array.of(0, 1, 0, 0, 1, 0);
const parts = Uint16Array.of(0, 1, 2);
const templates = parseTemplates('word.classes[0]\nword.lower.classes[-1]', 'own', COLUMNS);
const learn = () => PossibleClasses.learn(corpus, templates, tags, labels, parts);

describe('PossibleClasses', () => {
  it('knows the labels that the data give each value', () => {
    const classes = learn();
    expect(classes.of('word', 'saw')).toBe('O|B');
    expect(classes.of('word', 'Dog')).toBe('B');
    expect(classes.of('word', 'dog')).toBe('');
    expect(classes.of('word.lower', 'dog')).toBe('B');
    expect(classes.of('word.lower', 'Dog')).toBe('');
  });

  it('hides from a part what no other part has', () => {
    const classes = learn();
    expect([0, 1, 2].map((part) => classes.of('word', 'saw', part))).toEqual(['O', 'B', 'O|B']);
    expect([0, 1, 2].map((part) => classes.of('word', 'the', part))).toEqual(['O', 'O', 'O']);
    expect([0, 1, 2].map((part) => classes.of('word', 'Dog', part))).toEqual(['B', 'B', '']);
  });

  it('reads labels in reading order', () => {
    const turned = { ...tags, direction: 'backward' } as const;
    const classes = PossibleClasses.learn(corpus, templates, turned, labels, parts);
    expect(classes.of('word', 'Dog')).toBe('O');
    expect(classes.of('word', 'the')).toBe('O|B');
  });

  it('comes back from plain arrays without what was hidden from whom', () => {
    const copy = PossibleClasses.unpack(tags.tags, learn().pack());
    for (const word of ['the', 'saw', 'Dog', 'cat'])
      expect(copy.of('word', word)).toBe(learn().of('word', word));
    expect(copy.of('word', 'Dog', 2)).toBe('B');
    expect(copy.pack()).toEqual(learn().pack());
    const [[view, packed]] = learn().pack();
    const short = new Map([[view, { ...packed, labels: packed.labels.subarray(1) }]]);
    expect(() => PossibleClasses.unpack(tags.tags, short)).toThrow(/expected 3 × 1 bytes, found 2/);
  });
});

describe('possible classes in rows', () => {
  const options = { templates, direction: 'forward', labels: 2, cutOff: 1, classes: learn() } as const;
  const read = (hiddenFrom: Int16Array) => {
    const { index, dataset } = extract(corpus, labels, { ...options, hiddenFrom });
    const { offsets, indices } = dataset.rows;
    const texts = featureTexts(index);
    return Array.from(labels, (_, n) => {
      const row = [...indices.subarray(offsets[n], offsets[n + 1])];
      const own = row.map((feature) => texts[feature]).find((text) => text.startsWith('word.classes[0]'));
      return own?.replace('word.classes[0]=', '');
    });
  };

  it('are all that the data say, or what the other parts say', () => {
    expect(read(Int16Array.of(-1, -1, -1))).toEqual(['O', 'O|B', 'O|B', 'O', 'B', 'O']);
    expect(read(Int16Array.of(0, 1, 2))).toEqual(['O', 'O', 'B', 'O', '', 'O']);
  });

  it('leave rare words out, but not what is derived of them', () => {
    const own = parseTemplates('word[0]\nword[0] pos[0]\nword.lower[0]', 'own', COLUMNS);
    const { index } = extract(corpus, labels, { ...options, templates: own, wordCutOff: 2 });
    expect(
      featureTexts(index)
        .filter((text) => text !== '')
        .sort(),
    ).toEqual(
      [
        'word[0]=the',
        'word[0]=saw',
        'word[0]=the pos[0]=DT',
        'word[0]=saw pos[0]=NN',
        'word[0]=saw pos[0]=VB',
      ]
        .concat(['word.lower[0]=the', 'word.lower[0]=saw', 'word.lower[0]=dog'])
        .sort(),
    );
  });
});
