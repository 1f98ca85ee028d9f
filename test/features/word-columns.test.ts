import { describe, expect, it } from 'vitest';
import { columnStrings, readColumns, selectSentences } from '../../src/data/corpus.js';
import { documentStarts, withDocuments } from '../../src/data/documents.js';
import { WORD_COLUMNS, withWordColumns } from '../../src/features/words/word-columns.js';

/** Cells of derived columns of sentences, one document unless they are parted by -DOCSTART-. */
function derive(text: string, names: readonly string[]) {
  const rows = text.split(' / ').map((line) =>
    line
      .split(' ')
      .map((word) => (word === '-DOCSTART-' ? word : `${word} O`))
      .join('\n'),
  );
  const corpus = readColumns(rows.join('\n\n'), { columns: ['word', 'entity'] });
  const derived = withWordColumns(corpus, names, 50);
  return names.map((name) =>
    Array.from({ length: corpus.starts.length - 1 }, (_, s) =>
      columnStrings(derived, derived.columns.indexOf(name), s),
    ),
  );
}

describe('columns derived of words', () => {
  it('casing tells how the other occurrences in the document are written', () => {
    const [casing] = derive('Apple sells apple juice / He saw Apple / the Apple', ['casing']);
    expect(casing).toEqual([
      ['mixed-first', 'alone', 'capitalised', 'alone'],
      ['alone-first', 'alone', 'mixed'],
      ['alone-first', 'mixed'],
    ]);
  });

  it('truecase is the form most frequent where casing is free, and capitals those of a whole sentence', () => {
    const [truecase, capitals] = derive('THE IBM PROFIT / The profit of IBM / near the rise', [
      'truecase',
      'capitals',
    ]);
    expect(truecase).toEqual([
      ['the', 'IBM', 'profit'],
      ['the', 'profit', 'of', 'IBM'],
      ['near', 'the', 'rise'],
    ]);
    expect(capitals.map(([first]) => first)).toEqual(['yes', 'no', 'no']);
  });

  it('mention is the place in the longest other run of capitalised words', () => {
    const names = ['mention', 'mention-first', 'mention-last', 'before-mention', 'after-mention', 'acronym'];
    const [mention, first, last, before, after, acronym] = derive(
      'Later Reggie Blinker of World Trade Organization spoke / and Blinker left the WTO',
      names,
    );
    expect(mention[1]).toEqual(['-', 'E3', '-', '-', '-']);
    expect(first[1][1]).toBe('Later');
    expect(last[1][1]).toBe('Blinker');
    expect([before[1][1], after[1][1], after[0][2]]).toEqual(['Reggie', 'of', 'left']);
    expect(acronym[1]).toEqual(['no', 'no', 'no', 'no', 'yes']);
    expect(mention[0][2]).toBe('U1');
  });

  it('reads no further than the document', () => {
    const [casing] = derive('Apple sells / -DOCSTART- / Apple juice', ['casing']);
    expect(casing).toEqual([
      ['alone-first', 'alone'],
      ['alone-first', 'alone'],
    ]);
  });

  it('majorities are those of other occurrences, of the same entity and of longer ones', () => {
    const text = 'Reggie O\nBlinker O\nspoke O\n\nBlinker O\nleft O\n\nBlinker O\nran O\n';
    const corpus = readColumns(text, { columns: ['word', 'entity'] });
    const names = ['stage', 'majority', 'entity-majority', 'longer-majority'];
    const spans = [
      [{ start: 0, end: 2, type: 'PER' }],
      [{ start: 0, end: 1, type: 'ORG' }],
      [{ start: 0, end: 1, type: 'ORG' }],
    ];
    const derived = withWordColumns(corpus, names, 50, { types: ['ORG', 'PER'], spans });
    const [stage, majority, entity, longer] = names.map((name) =>
      [0, 1].map((s) => columnStrings(derived, derived.columns.indexOf(name), s)),
    );
    expect(stage).toEqual([
      ['B-PER', 'I-PER', 'O'],
      ['B-ORG', 'O'],
    ]);
    // One of the other two occurrences is a person, the other an organisation, which comes first by name.
    expect(majority).toEqual([
      ['-', 'ORG', '-'],
      ['ORG', '-'],
    ]);
    expect(entity).toEqual([
      ['-', '-', '-'],
      ['ORG', '-'],
    ]);
    expect(longer).toEqual([
      ['-', '-', '-'],
      ['PER', '-'],
    ]);
  });

  it('has a name for each column', () => {
    expect(new Set(WORD_COLUMNS).size).toBe(WORD_COLUMNS.length);
  });
});

describe('documents of a corpus', () => {
  const text = `${'a O\n\n'.repeat(5)}-DOCSTART- O\n\n${'b O\n\n'.repeat(3)}###MEDLINE:1\n\nc O\n`;
  const corpus = readColumns(text, { columns: ['word', 'entity'] });

  it('start where the input says so, and every so many sentences before it does', () => {
    expect([...documentStarts(corpus, 2)]).toEqual([0, 2, 4, 5, 8, 9]);
  });

  it('are kept by parts of a corpus', () => {
    const part = selectSentences(withDocuments(corpus, 2), [0, 1, 4, 6, 7]);
    expect([...documentStarts(part, 100)]).toEqual([0, 2, 3, 5]);
  });
});
