import { describe, expect, it } from 'vitest';

const { mutationsOf } = (await import(
  new URL('../../scripts/mutants/mutations.js', import.meta.url).href
)) as {
  mutationsOf(
    path: string,
    source: string,
  ): { readonly kind: string; readonly start: number; readonly end: number; readonly text: string }[];
};

/** The mutants of a source, as whole texts. */
const mutants = (source: string) =>
  mutationsOf('a.ts', source).map(
    ({ start, end, text }) => source.slice(0, start) + text + source.slice(end),
  );

describe('mutationsOf', () => {
  it('changes operators, constants, conditions and indices', () => {
    expect(mutants('const a = b + 2;')).toEqual(['const a = b - 2;', 'const a = b + 3;', 'const a = b + 1;']);
    expect(mutants('const a = b && c;')).toEqual(['const a = b || c;']);
    expect(mutants('const a = b < c;')).toEqual(['const a = b <= c;', 'const a = b > c;']);
    expect(mutants('const a = b ? c : d;')).toEqual([
      'const a = !(b) ? c : d;',
      'const a = true ? c : d;',
      'const a = false ? c : d;',
    ]);
    expect(mutants('const a = b[i];')).toEqual(['const a = b[i + 1];']);
    expect(mutants('const a = b.length;')).toEqual(['const a = (b.length - 1);']);
    expect(mutants('const a = true;')).toEqual(['const a = false;']);
  });

  it('drops statements', () => {
    expect(mutants('f(a);')).toEqual([';']);
    expect(mutants('for (;;) break;')).toEqual(['for (;;) ;']);
    expect(mutants('class A extends B { constructor() { super(); } }')).toEqual([]);
  });

  it('leaves types, texts, comments and imports alone', () => {
    const source = [
      "import { a } from 'b';",
      'type A = 1 | true;',
      'interface B { c: 3 }',
      '/* 4 + 5 */ const d: 6 | undefined = e;',
      "const f = 'g' + h + `i`;",
      "export { j } from 'k';",
    ];
    expect(mutants(source.join('\n'))).toEqual([]);
  });

  it('makes programs that can be read', async () => {
    const { transform } = await import('esbuild');
    const source =
      'export function f(a: number[], n = 2) { let i = 0; while (i < n) { a[i]++; i += 1; } return !a.length; }';
    const all = mutants(source);
    expect(all.length).toBeGreaterThan(8);
    expect(new Set(all).size).toBe(all.length);
    for (const mutant of all) {
      expect(mutant).not.toBe(source);
      await transform(mutant, { loader: 'ts' });
    }
  });
});
