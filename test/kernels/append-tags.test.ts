import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKernels, type KernelName } from '../../src/kernels/kernels.js';

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
          const texts = Buffer.from(pool.join(''));
          const room = expected.length * 2 + 64;
          const numbers = bounds.length + tokens.length + pool.length + 1;
          const kernels = createKernels(6, bytes.length + texts.length + 128 + room + 4 * numbers, name);
          const inMemory = kernels.uint8(bytes.length + 64);
          inMemory.set(bytes);
          const table = { bytes: kernels.uint8(texts.length + 64), starts: kernels.uint32(pool.length + 1) };
          table.bytes.set(texts);
          pool.forEach((text, i) => {
            table.starts[i + 1] = table.starts[i] + text.length;
          });
          const lines = kernels.uint32(bounds.length);
          lines.set(bounds);
          const which = kernels.uint32(tokens.length);
          which.set(tokens.map(({ text }) => text));
          const out = kernels.uint8(room);
          const length = kernels.appendTexts(
            inMemory,
            before.length,
            bytes.length,
            lines,
            tokens.length,
            which,
            table,
            out,
          );
          expect(Buffer.from(out.subarray(0, length)).toString()).toBe(expected);
        },
      ),
      { numRuns: 500 },
    );
  });
});
