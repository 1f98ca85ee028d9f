import { expect, it } from 'vitest';
import { learnConsistency } from '../../src/tags/consistency.js';
import { convertTags, decodeTags, schemeTable } from '../../src/tags/scheme.js';
import { TagSet } from '../../src/tags/tag-set.js';
import { conll2000, describeWithData } from '../corpora.js';
import { DIRECTIONS, readTags, SCHEME_NAMES } from './sequences.js';

it('pools what it sees over types', () => {
  const tags = ['O', 'B-X', 'I-X', 'B-Y', 'I-Y'];
  // B-X I-X shows that B may be followed by I of its type; I then ends a chunk, before Y.
  const table = learnConsistency(tags, [[1, 2, 3, 0]]);
  const allows = (a: number, b: number) => table[a * 6 + b] === 1;
  expect(allows(3, 4)).toBe(true); // B-Y I-Y
  expect(allows(4, 1)).toBe(true); // I-Y B-X
  expect(allows(2, 5)).toBe(true); // I-X end
  expect(allows(3, 2)).toBe(false); // B-Y I-X: no I was seen to start a chunk
  expect(allows(2, 2)).toBe(false); // I-X I-X was not seen in any type
  expect(allows(0, 4)).toBe(false); // O I-Y
  expect(allows(5, 2)).toBe(false); // start I-X
  expect(allows(5, 1)).toBe(true); // start B-X
});

it('does not take a step within a chunk for one between chunks', () => {
  // IOE2: I-X E-X. That I precedes E of its own type does not let I end a chunk.
  const table = learnConsistency(['I-X', 'E-X', 'E-Y'], [[0, 1, 2]]);
  expect(table[0 * 4 + 1]).toBe(1);
  expect(table[0 * 4 + 2]).toBe(0);
  expect(table[0 * 4 + 3]).toBe(0);
});

describeWithData('learned from CoNLL-2000', () => {
  const train = conll2000 ? readTags(conll2000.train) : [];
  const test = conll2000 ? readTags(conll2000.test) : [];
  const sentencesOf = (sequences: readonly string[][]) =>
    sequences.map((tags) => ({ spans: decodeTags(tags), length: tags.length }));
  const cases = SCHEME_NAMES.flatMap((scheme) => DIRECTIONS.map((direction) => ({ scheme, direction })));

  it.each(cases)('$scheme $direction: forbids no gold step, admits no ill-formed one', (pair) => {
    const { scheme, direction } = pair;
    const set = TagSet.learn(scheme, direction, sentencesOf(train));
    expect(set.legality).toBe('learned');
    const own = schemeTable(scheme, set.tags, direction);
    expect(own.every((legal, i) => legal === 1 || set.allowed[i] === 0)).toBe(true);

    const end = set.tags.length;
    const index = new Map(set.tags.map((tag, label) => [tag, label]));
    for (const tags of [...train, ...test]) {
      const labels = convertTags(tags, scheme).map((tag) => index.get(tag));
      if (direction === 'backward') labels.reverse();
      const path = [end, ...labels, end];
      for (let i = 1; i < path.length; i++) {
        const a = path[i - 1];
        const b = path[i];
        // Tags that the training data do not have cannot be predicted, whatever the matrix.
        if (a === undefined || b === undefined) continue;
        if (set.allowed[a * (end + 1) + b] === 0) expect.fail(`forbids a step of ${tags.join(' ')}`);
      }
    }
  });
});
