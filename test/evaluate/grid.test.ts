import { describe, expect, it } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import type { OptionDeclaration } from '../../src/base/options.js';
import { gridPoints, parseGrid, pointText } from '../../src/evaluate/grid.js';

const DECLARATIONS: readonly OptionDeclaration[] = [
  { name: 'C', kind: 'number', above: 0, help: '' },
  { name: 'cut-off', kind: 'integer', min: 1, help: '' },
  { name: 'direction', kind: 'choice', choices: ['forward', 'backward'], help: '' },
];
const parse = (text: string) => parseGrid(text, DECLARATIONS);

describe('parseGrid', () => {
  it('reads options with their values, in their own types', () => {
    expect(parse(' C=0.05,1e-1  direction=backward cut-off=1,2 ')).toEqual([
      { name: 'C', values: [0.05, 0.1] },
      { name: 'direction', values: ['backward'] },
      { name: 'cut-off', values: [1, 2] },
    ]);
  });

  it.each([
    ['', '--grid: expected options and values such as C=0.05,0.1 cut-off=1,2'],
    ['c=1', '--grid: expected C, cut-off or direction, found "c"'],
    ['C', '--grid: expected values such as C=1,2, found "C"'],
    ['C=1,', '--grid: expected values such as C=1,2, found "C=1,"'],
    ['C=1,x', '--C: expected a number > 0, found "x"'],
    ['cut-off=0', '--cut-off: expected an integer ≥ 1, found "0"'],
    ['C=1 C=2', '--grid: expected each option once, found C twice'],
  ])('refuses %j', (text, message) => {
    expect(() => parse(text)).toThrow(OptionError);
    expect(() => parse(text)).toThrow(message);
  });
});

describe('gridPoints', () => {
  const axes = parse('C=1,2,3 cut-off=1,2');

  it('gives every combination, the last option changing fastest', () => {
    expect(gridPoints(axes).map(pointText)).toEqual([
      'C=1 cut-off=1',
      'C=1 cut-off=2',
      'C=2 cut-off=1',
      'C=2 cut-off=2',
      'C=3 cut-off=1',
      'C=3 cut-off=2',
    ]);
  });

  it('draws from more combinations than could be made', () => {
    const values = Array.from({ length: 10 }, (_, v) => v);
    const wide = Array.from({ length: 30 }, (_, a) => ({ name: `option-${a}`, values }));
    const points = gridPoints(wide, { count: 50, seed: 1 });
    const texts = points.map((point) => wide.map(({ name }) => point[name]).join(''));
    expect(new Set(texts).size).toBe(50);
    expect(texts).toEqual([...texts].sort());
    // Every option takes each of its values.
    for (const { name } of wide) expect(new Set(points.map((point) => point[name])).size).toBeGreaterThan(5);
  });

  it('draws each combination as often as any other', () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 600; seed++) {
      for (const point of gridPoints(axes, { count: 2, seed })) {
        counts.set(pointText(point), (counts.get(pointText(point)) ?? 0) + 1);
      }
    }
    // 200 each; five standard deviations.
    for (const point of gridPoints(axes)) {
      expect(Math.abs((counts.get(pointText(point)) ?? 0) - 200)).toBeLessThan(5 * Math.sqrt(200));
    }
  });

  it('draws some of them without repetition, by the seed', () => {
    const draw = (seed: number) => gridPoints(axes, { count: 3, seed }).map(pointText);
    const all = gridPoints(axes).map(pointText);
    for (let seed = 0; seed < 20; seed++) {
      const places = draw(seed).map((text) => all.indexOf(text));
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
      expect(places).toHaveLength(3);
      expect(draw(seed)).toEqual(draw(seed));
    }
    expect(new Set(Array.from({ length: 20 }, (_, seed) => draw(seed).join())).size).toBeGreaterThan(3);
    expect(gridPoints(axes, { count: 99, seed: 1 })).toHaveLength(6);
  });
});
