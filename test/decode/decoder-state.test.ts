import { describe, expect, it } from 'vitest';
import type { LabelDecoder } from '../../src/decode/decoder.js';
import { DECODERS } from '../../src/decode/decoders.js';
import { Legality } from '../../src/decode/legality.js';
import { Scorer } from '../../src/decode/scorer.js';
import { type SchemeName, schemeTable } from '../../src/tags/scheme.js';

/** Labels sentences of these lengths one after another with one scorer; gives what the last one got. */
function lastOf(
  lengths: readonly number[],
  name: string,
  scheme: SchemeName,
  tags: string[],
  kernels: 'plain' | 'simd',
) {
  const labels = tags.length;
  const first = Float32Array.from({ length: (labels + 1) * 8 }, (_, i) => Math.sin(i));
  const scorer = new Scorer({ labels, lanes: 8, link: 'log-sigmoid', first, kernels });
  const legality = new Legality(schemeTable(scheme, tags, 'forward'), labels);
  const decode = (DECODERS[name] as LabelDecoder).create({}, labels);
  let out = new Uint16Array(0);
  for (const length of lengths) {
    scorer.reset(length);
    for (let i = 0; i < 8 * length; i++) scorer.fixed[i] = Math.cos(1.7 * i + length);
    out = new Uint16Array(length);
    decode(scorer, legality, length, out);
  }
  return [...out];
}

describe.each(['greedy', 'hybrid', 'viterbi'])('%s', (name) => {
  it.each(['plain', 'simd'] as const)('does not depend on sentences before: %s', (kernels) => {
    for (const [scheme, tags] of [
      ['iobes', ['O', 'B-X', 'I-X', 'E-X', 'S-X']],
      ['bi-bies', ['B', 'BI', 'I', 'IE', 'E', 'S']],
    ] as const) {
      for (let before = 1; before < 6; before++)
        for (let length = 1; length < 9; length++)
          expect(
            lastOf([before, length], name, scheme, [...tags], kernels),
            `${scheme} ${before} ${length}`,
          ).toEqual(lastOf([length], name, scheme, [...tags], kernels));
    }
  });
});
