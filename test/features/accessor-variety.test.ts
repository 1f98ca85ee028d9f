import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACCESSOR_VARIETY_COLUMNS, VarietyCounter } from '../../src/features/accessor-variety.js';
import { DerivedColumns } from '../../src/features/derived-columns.js';

function measure(lines: readonly string[]) {
  const counter = new VarietyCounter();
  for (const line of lines) counter.add(line);
  return counter.measure();
}

/** [columns][T] cells of a sentence. */
function cellsOf(lines: readonly string[], sentence: string): string[][] {
  const names = ACCESSOR_VARIETY_COLUMNS.columns;
  const derived = new DerivedColumns(names, { words: [], variety: measure(lines) });
  const characters = Uint32Array.from([...sentence], (character) => derived.characters.find(character));
  derived.fill(characters, characters.length);
  return names.map((_, c) => Array.from(derived.cells[c], (number) => derived.strings[c][number]));
}

/** ⌊log₂ AV⌋ by looking at every place. */
function varietyOf(ngram: string, lines: readonly string[]): number {
  const neighbours = [new Set<string>(), new Set<string>()];
  for (const [l, line] of lines.entries()) {
    for (let at = line.indexOf(ngram); at >= 0; at = line.indexOf(ngram, at + 1)) {
      [line[at - 1], line[at + ngram.length]].forEach((neighbour, side) => {
        const isEnd = neighbour === undefined || neighbour === '。';
        neighbours[side].add(isEnd ? `end ${l} ${at}` : neighbour);
      });
    }
  }
  return Math.floor(Math.log2(Math.min(...neighbours.map(({ size }) => size))));
}

describe('accessor variety', () => {
  it('counts different neighbours, and every end as another one', () => {
    // 门把 has 。 and 这 before it, and 手 and the end after it.
    const lines = ['门把手。', '这门把。', '门把手'];
    const [pairs, triples] = cellsOf(lines, '门把手');
    expect(pairs).toEqual(['1b', '1e', '0']);
    expect(triples).toEqual(['1b', '1i', '1e']);
  });

  it('reads full-width forms as ASCII', () => {
    expect(cellsOf(['１９', '19'], '１9')[0]).toEqual(['1b', '1e']);
  });

  it('says what looking at every place says', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '。'), maxLength: 14 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), text, (lines, sentence) => {
        const expected = ACCESSOR_VARIETY_COLUMNS.columns.map((_, c) => {
          const cells: [value: number, cell: string][] = [...sentence].map(() => [0, '0']);
          const n = c + 2;
          for (let start = 0; start + n <= sentence.length; start++) {
            const ngram = sentence.slice(start, start + n);
            if (ngram.includes('。')) continue;
            const value = varietyOf(ngram, lines);
            for (let t = start; t < start + n; t++) {
              const place = t === start ? 'b' : t === start + n - 1 ? 'e' : 'i';
              if (value > cells[t][0]) cells[t] = [value, `${value}${place}`];
            }
          }
          return cells.map(([, cell]) => cell);
        });
        expect(cellsOf(lines, sentence)).toEqual(expected);
      }),
    );
  });
});
