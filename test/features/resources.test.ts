import { describe, expect, it } from 'vitest';
import { columnStrings, readColumns } from '../../src/data/corpus.js';
import { findCluster, parseClusters } from '../../src/features/clusters.js';
import { checkLists, makeGazetteer } from '../../src/features/words/lists.js';
import { withWordColumns } from '../../src/features/words/word-columns.js';

const file = (text: string, name = 'x') => ({ name, source: `${name}.txt`, text });

describe('clusters of words', () => {
  it('are bit paths and words, as Brown clusters come', () => {
    const family = parseClusters(file('0010\tBonn\t12\n0111\tdog\t3\n0111\tddd0\t1\n'));
    expect(findCluster(family, 'Bonn')).toBe('0010');
    expect(findCluster(family, 'BONN')).toBe('0010');
    expect(findCluster(family, 'Dog')).toBe('0111');
    expect(findCluster(family, 'DDD7')).toBe('0111');
    expect(findCluster(family, 'cat')).toBeUndefined();
  });

  it('are words and numbers too, which become paths of as many bits', () => {
    const family = parseClusters(file('Bonn 5\ndog 12 0.3\n'));
    expect(['Bonn', 'dog'].map((word) => findCluster(family, word))).toEqual(['0101', '1100']);
  });

  it.each([
    ['001\tdog\nno clusters\n', 'x.txt:2: expected a cluster (bits or a number) and a word, parted by a tab'],
    ['001\n', 'x.txt:1: expected a cluster'],
    ['\n', 'x.txt: expected clusters of words, found none'],
  ])('refuses %j', (text, message) => {
    expect(() => parseClusters(file(text))).toThrow(message);
  });
});

describe('lists of names', () => {
  const files = [
    file('New York\nNew York Times\nMay\nYork', 'place'),
    file('Peter Blackburn\nAnn Blackburn\nMay\nbreast cancer', 'other'),
  ];
  const gazetteer = makeGazetteer(files, (lower) => lower === 'may');
  const match = (text: string) => {
    const corpus = readColumns(text.replaceAll(' ', ' O\n').concat(' O\n'), { columns: ['word', 'entity'] });
    const derived = withWordColumns(corpus, ['list-place', 'list-other'], 50, undefined, gazetteer);
    return [1, 2].map((column) => columnStrings(derived, column, 0).join(' '));
  };

  it('match the longest entry of each list, whatever the case, but for small letters', () => {
    expect(match('in the NEW YORK Times')).toEqual(['- - B I L', '- - - - -']);
    expect(match('a new york , May')).toEqual(['- - - - -', '- - - - -']);
    expect(match('York or Breast cancer or breast cancer')).toEqual(['U - - - - - -', '- - B L - B L']);
  });

  it('know the first and last words of their entries', () => {
    expect(match('Peter left Blackburn')).toEqual(['- - -', 'first - last']);
    expect(match('New Times')).toEqual(['first last', '- -']);
  });

  it('have names that templates can read', () => {
    expect(() => checkLists(['a', 'b c'])).toThrow('--gazetteer: expected at most 16 lists');
    expect(() => checkLists(['a', 'a'])).toThrow('found "a"');
  });
});
