import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.js';
import { Alphabet } from '../../src/data/alphabet.js';

const word = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'ab', 'é', '\u0000', '𠮷', '👍🏽'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const command = fc.record({
  kind: fc.constantFrom('add', 'addBytes', 'find', 'freeze'),
  text: word,
  padding: fc.nat({ max: 3 }),
});

describe('Alphabet', () => {
  it('behaves as a Map from strings to ids', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
        const alphabet = new Alphabet();
        const model = new Map<string, number>();
        let frozen = false;
        commands.forEach(({ kind, text, padding }, i) => {
          if (kind === 'freeze') {
            // Late, so that most runs fill the alphabet first.
            if (i < 100) return;
            frozen = true;
            alphabet.freeze();
            return;
          }
          if (kind !== 'find' && !model.has(text) && !frozen) model.set(text, model.size);
          const expected = model.get(text) ?? -1;
          if (kind === 'add') expect(alphabet.add(text)).toBe(expected);
          else if (kind === 'find') expect(alphabet.find(text)).toBe(expected);
          else {
            const bytes = encodeUtf8('#'.repeat(padding) + text + '#'.repeat(padding));
            expect(alphabet.addBytes(bytes, padding, bytes.length - padding)).toBe(expected);
          }
        });
        expect(alphabet.size).toBe(model.size);
        expect(alphabet.toArray()).toEqual([...model.keys()]);
      }),
    );
  });

  it('grows in every part, and keeps its ids', () => {
    const alphabet = new Alphabet();
    const text = (i: number) => `${'wort'.repeat(i % 9)}${i}`;
    for (let i = 0; i < 20_000; i++) expect(alphabet.add(text(i))).toBe(i);
    for (let i = 0; i < 20_000; i++) {
      if (alphabet.find(text(i)) !== i || alphabet.string(i) !== text(i)) expect.fail(`lost ${text(i)}`);
    }
    expect(alphabet.add('x'.repeat(5000))).toBe(20_000);
    expect(alphabet.string(20_000)).toBe('x'.repeat(5000));
    expect(alphabet.find('unknown')).toBe(-1);
    expect(alphabet.size).toBe(20_001);
  });

  it('counts lone surrogates as U+FFFD', () => {
    const alphabet = new Alphabet();
    expect(alphabet.add('\ud800')).toBe(0);
    expect(alphabet.find('\ufffd')).toBe(0);
    expect(alphabet.string(0)).toBe('\ufffd');
  });

  it('survives packing: same strings, same ids, frozen', () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 100 }), (words) => {
        const alphabet = new Alphabet();
        for (const text of words) alphabet.add(text);
        const { pool, offsets } = alphabet.pack();
        expect(offsets).toHaveLength(words.length + 1);
        expect(pool).toEqual(encodeUtf8(words.join('')));
        const copy = Alphabet.unpack({ pool, offsets });
        expect(copy.toArray()).toEqual(words);
        words.forEach((text, id) => {
          expect(copy.find(text)).toBe(id);
        });
        expect(copy.add('certainly new')).toBe(-1);
        expect(copy.size).toBe(words.length);
        expect(copy.pack()).toEqual({ pool, offsets });
      }),
    );
  });

  it.each([
    [[0, 2, 1, 3], 'string 1 ends before it starts'],
    [[0, 4294967295, 3], 'string 1 ends before it starts'],
    [[1, 3], 'expected strings from 0 to 3, found 1 to 3'],
    [[0, 2], 'expected strings from 0 to 3, found 0 to 2'],
    [[], 'expected where strings start and end, found nothing'],
    [[0, 1, 2, 3], 'expected 3 different strings, found 2'],
  ])('is not rebuilt from offsets %j', (offsets, message) => {
    const pool = Uint8Array.of(97, 98, 97);
    expect(() => Alphabet.unpack({ pool, offsets: Uint32Array.from(offsets) })).toThrow(message);
  });
});
