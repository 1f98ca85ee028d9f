import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendTexts } from '../../src/kernels/append-tags.js';
import type { KernelName } from '../../src/kernels/kernels.js';
import { placeCopies } from './place.js';

const NAMES: KernelName[] = ['plain', 'simd'];

describe.each(NAMES)('appendTexts: %s', (name) => {
  it('writes a text behind each line, and what stands around lines as it is', () => {
    const word = fc.constantFrom(
      'a',
      'é',
      'word and',
      'x\ty',
      'fifteen letters',
      'sixteen letters.',
      'z'.repeat(40),
      '\t',
    );
    const token = fc.record({
      gap: fc.constantFrom('', '', '\n', ' \t\n', '-DOCSTART-\t-X-\n\n'),
      line: word,
      ending: fc.constantFrom('\n', '\r\n'),
      text: fc.nat(3),
    });
    const pool = ['O', 'B-NP', '', 'a label of more than sixteen bytes'];
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 12 }),
        fc.boolean(),
        fc.constantFrom('', 'before '),
        (tokens, endless, before) => {
          let input = before;
          let expected = '';
          const bounds: number[] = [];
          tokens.forEach(({ gap, line, ending, text }, t) => {
            const end = endless && t === tokens.length - 1 ? '' : ending;
            const length = Buffer.byteLength(input + gap);
            bounds.push(length, length + Buffer.byteLength(line));
            input += gap + line + end;
            expected += `${gap}${line}${line.includes('\t') ? '\t' : ' '}${pool[text]}${end || '\n'}`;
          });
          if (!endless) {
            input += '\n';
            expected += '\n';
          }
          const bytes = Buffer.from(input);
          const starts = [0];
          for (const text of pool) starts.push(starts[starts.length - 1] + text.length);
          const inMemory = Buffer.concat([bytes, new Uint8Array(64)]);
          const { arrays, bind } = placeCopies(
            {
              bytes: new Uint8Array(inMemory),
              table: {
                bytes: new Uint8Array(Buffer.from(pool.join('') + '.'.repeat(64))),
                starts: Uint32Array.from(starts),
              },
              lines: Uint32Array.from(bounds),
              texts: Uint32Array.from(tokens, ({ text }) => text),
              out: new Uint8Array(Buffer.byteLength(expected) + 16),
            },
            name,
          );
          const kernels = bind({ appendTexts });
          const length = kernels.appendTexts({
            ...arrays,
            start: before.length,
            end: bytes.length,
            tokens: tokens.length,
          });
          const { out } = arrays;
          expect(Buffer.from(out.subarray(0, length)).toString()).toBe(expected);
        },
      ),
      { numRuns: 500 },
    );
  });
});
