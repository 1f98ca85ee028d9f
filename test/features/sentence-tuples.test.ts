import { describe, expect, it } from 'vitest';
import { FIRST_VALUE, layOut, PADDING } from '../../src/features/layout.js';
import { SentenceTuples } from '../../src/features/sentence-tuples.js';
import { parseTemplates } from '../../src/features/template-syntax.js';
import { TupleTable } from '../../src/features/tuple-table.js';

describe('SentenceTuples.view', () => {
  it('reads values where they are: only as many as templates look for stand before and after the tokens', () => {
    const { templates } = parseTemplates('word[1] word[2] word[3]', 'x', ['word']);
    const all = layOut(templates, 'forward', 2);
    const conjunctions = all.conjunctions.filter(({ views }) => views.length === 3);
    const layout = { ...all, conjunctions };
    const { reach } = layout;
    const tokens = 4096 - 2 * reach;
    const stride = tokens + 2 * reach;
    // View 0 at token t is at `PADDING + t` of what is viewed.
    const values = new Uint32Array(PADDING + stride);
    for (let t = -reach; t < tokens + reach; t++)
      values[PADDING + reach + t] = FIRST_VALUE + ((t + reach) % 5);
    const tuples = new SentenceTuples(layout);
    tuples.view(values.subarray(reach), stride, tokens);
    const table = new TupleTable(3);
    tuples.compute([0], [table], true);
    const found = Array.from({ length: tokens + 1 }, (_, t) => tuples.tuples[PADDING + t]);
    // The triple after token t repeats every five tokens; beyond those that fit there is none.
    for (let t = 0; t <= tokens; t++) {
      expect(found[t]).toBe(t < tokens + reach - 2 ? found[t % 5] : -1);
    }
    expect(new Set(found).size).toBe(5);
    expect(tuples.tuples[PADDING + tokens + reach - 1]).toBe(-1);
  });
});
