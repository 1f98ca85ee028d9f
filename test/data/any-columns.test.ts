import { describe, expect, it } from 'vitest';
import { checkColumnNames, columnStrings, readColumns } from '../../src/data/corpus.js';

describe('columns word,...,entity', () => {
  const columns = ['word', '...', 'entity'];

  it('reads the first and the last cell of a line, however many stand between', () => {
    const corpus = readColumns('EU NNP I-NP I-ORG\nrejects VBZ I-VP O\n', { columns });
    expect(corpus.columns).toEqual(['word', 'entity']);
    expect(columnStrings(corpus, 0, 0)).toEqual(['EU', 'rejects']);
    expect(columnStrings(corpus, 1, 0)).toEqual(['I-ORG', 'O']);
    expect(columnStrings(readColumns('Bonn\tB-LOC\n', { columns }), 1, 0)).toEqual(['B-LOC']);
  });

  it('stands for columns once', () => {
    expect(() => checkColumnNames(['word', '...', 'pos', '...', 'entity'])).toThrow(
      '--columns: expected names',
    );
  });
});
