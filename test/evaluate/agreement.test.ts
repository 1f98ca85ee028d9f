import { describe, expect, it } from 'vitest';
import {
  bootstrapInterval,
  cohensKappa,
  gwetsAc1,
  krippendorffsAlpha,
  spanAgreement,
} from '../../src/evaluate/agreement.js';

/** Two lists of labels from a table of how often each pair occurs. */
function pairs(table: readonly (readonly number[])[]): [string[], string[]] {
  const lists: [string[], string[]] = [[], []];
  table.forEach((row, a) => {
    row.forEach((count, b) => {
      for (let i = 0; i < count; i++) {
        lists[0].push(String(a));
        lists[1].push(String(b));
      }
    });
  });
  return lists;
}

describe('agreement', () => {
  it('is Cohen’s κ of worked examples', () => {
    // Two readers of 50 grant proposals: observed 0.7, by chance 0.5.
    expect(
      cohensKappa(
        ...pairs([
          [20, 5],
          [10, 15],
        ]),
      ),
    ).toBeCloseTo(0.4, 10);
    // The same observed agreement with other margins: 0.1304 and 0.2593.
    expect(
      cohensKappa(
        ...pairs([
          [45, 15],
          [25, 15],
        ]),
      ),
    ).toBeCloseTo(0.1304, 4);
    expect(
      cohensKappa(
        ...pairs([
          [25, 35],
          [5, 35],
        ]),
      ),
    ).toBeCloseTo(0.2593, 4);
    expect(cohensKappa(['a', 'a'], ['a', 'a'])).toBe(1);
    expect(cohensKappa([], [])).toBeNaN();
  });

  it('is Krippendorff’s α of his worked examples', () => {
    // "Computing Krippendorff's Alpha-Reliability" (2011), B: two observers, ten units.
    const a = ['a', 'a', 'b', 'b', 'd', 'c', 'c', 'c', 'e', 'd', 'd', 'a'];
    const b = ['b', 'a', 'b', 'b', 'b', 'c', 'c', 'c', 'e', 'd', 'd', 'd'];
    expect(krippendorffsAlpha([a, b])).toBeCloseTo(0.692, 3);
    // C: four observers, twelve units, some missing.
    const rows = [
      '1 2 3 3 2 1 4 1 2 * * *',
      '1 2 3 3 2 2 4 1 2 5 * 3',
      '* 3 3 3 2 3 4 2 2 5 1 *',
      '1 2 3 3 2 4 4 1 2 5 1 *',
    ];
    const ratings = rows.map((row) => row.split(' ').map((cell) => (cell === '*' ? undefined : cell)));
    expect(krippendorffsAlpha(ratings)).toBeCloseTo(0.743, 3);
    expect(krippendorffsAlpha([['x'], ['x']])).toBe(1);
    expect(krippendorffsAlpha([['x'], [undefined]])).toBeNaN();
  });

  it('is Gwet’s AC1 of the worked example in which κ fails', () => {
    // 125 subjects, two raters: 118 positive for both, 5 and 2 discordant, none negative for both.
    const ratings = pairs([
      [118, 5],
      [2, 0],
    ]);
    expect(gwetsAc1(ratings)).toBeCloseTo(0.9408, 4);
    expect(cohensKappa(...ratings)).toBeCloseTo(-0.0234, 4);
    expect(gwetsAc1([['x'], ['x']])).toBe(1);
  });

  it('of spans is F, exact, overlapping and by position, and κ of types', () => {
    const first = [
      [
        { start: 0, end: 2, type: 'A' },
        { start: 3, end: 4, type: 'B' },
      ],
      [{ start: 0, end: 1, type: 'A' }],
      [],
    ];
    const second = [
      [
        { start: 0, end: 2, type: 'B' },
        { start: 3, end: 5, type: 'B' },
      ],
      [{ start: 0, end: 1, type: 'A' }],
      [],
    ];
    const { exact, overlapping, positions, types } = spanAgreement(first, second);
    expect(exact).toBeCloseTo(100 / 3, 10);
    expect(overlapping).toBeCloseTo(200 / 3, 10);
    expect(positions).toBeCloseTo(200 / 3, 10);
    expect(types).toBeCloseTo(cohensKappa(['A', 'A'], ['B', 'A']), 10);
    expect(spanAgreement(first, second).exact).toBe(spanAgreement(second, first).exact);
  });

  it('has an interval of documents drawn again', () => {
    const values = Array.from({ length: 50 }, (_, i) => i % 2);
    const mean = (sample: readonly number[]) => sample.reduce((sum, d) => sum + values[d], 0) / sample.length;
    const { low, high } = bootstrapInterval(50, mean);
    // 0.5 ± 1.96 · 0.5 / √50.
    expect(low).toBeCloseTo(0.36, 1);
    expect(high).toBeCloseTo(0.64, 1);
    expect(bootstrapInterval(50, mean)).toEqual({ low, high });
  });
});
