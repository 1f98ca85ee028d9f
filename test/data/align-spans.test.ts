import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignSpans, refuseMissed } from '../../src/data/formats/align-spans.js';
import { splitText } from '../../src/text/text-scanner.js';
import { type TextSentence, tokenText } from '../../src/text/text-sentence.js';

const PLACE = { source: 'f', line: 2 };
const JOINS = { joins: true };
const align = (text: string, spans: readonly (readonly [number, number])[]) => {
  const aligned = alignSpans(
    text,
    splitText(text),
    spans.map(([start, end]) => ({ start, end, type: 'T' })),
    JOINS,
  );
  refuseMissed(aligned, PLACE);
  return aligned.map(({ sentence, spans: found }) => ({
    words: sentence.words.join(' '),
    spans: found.map(({ start, end }) => [start, end]),
  }));
};

const TEXT = 'I took aspirin. It helped  me.';

describe('alignSpans', () => {
  it('finds the tokens, sentence by sentence', () => {
    expect(
      align(TEXT, [
        [2, 14],
        [16, 18],
        [19, 29],
      ]),
    ).toEqual([
      { words: 'I took aspirin .', spans: [[1, 3]] },
      {
        words: 'It helped me .',
        spans: [
          [0, 1],
          [1, 3],
        ],
      },
    ]);
    expect(align(TEXT, [])).toHaveLength(2);
    expect(align('', [])).toEqual([]);
  });

  it('leaves white space at the edges of spans out', () => {
    expect(
      align(TEXT, [
        [1, 7],
        [15, 19],
      ]),
    ).toEqual([
      { words: 'I took aspirin .', spans: [[1, 2]] },
      { words: 'It helped me .', spans: [[0, 1]] },
    ]);
  });

  it('joins sentences that a span goes across, offsets and all', () => {
    const text = 'A b. C d. E f. G 🦊.';
    const [first, second, third] = alignSpans(
      text,
      splitText(text),
      [{ start: 7, end: 13, type: 'T' }],
      JOINS,
    );
    expect(first.sentence.words).toEqual(['A', 'b', '.']);
    expect(second.sentence).toMatchObject({
      text: 'C d. E f.',
      start: 5,
      words: ['C', 'd', '.', 'E', 'f', '.'],
    });
    expect([...second.sentence.tokens]).toEqual([0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 8, 9]);
    expect(second.spans).toEqual([{ start: 1, end: 5, type: 'T' }]);
    expect(third.sentence.words).toEqual(['G', '🦊', '.']);
    const whole = alignSpans(text, splitText(text), [{ start: 0, end: text.length, type: 'T' }], JOINS);
    expect(whole).toHaveLength(1);
    expect(whole[0].spans).toEqual([{ start: 0, end: 12, type: 'T' }]);
  });

  it('leaves characters between tokens out at both edges', () => {
    const text = 'a-b -- c';
    const tokens = Uint32Array.of(0, 1, 2, 3, 7, 8);
    const sentence = { text, start: 0, startCodePoint: 0, tokens, words: ['a', 'b', 'c'] };
    const spans = [
      { start: 0, end: 2, type: 'T' },
      { start: 2, end: 6, type: 'U' },
      { start: 6, end: 8, type: 'V' },
    ];
    expect(alignSpans(text, [sentence], spans, JOINS)[0].spans).toEqual([
      { start: 0, end: 1, type: 'T' },
      { start: 1, end: 2, type: 'U' },
      { start: 2, end: 3, type: 'V' },
    ]);
  });

  it('does not join sentences for what a span has after the last token', () => {
    // A zero-width space is no token, and String.trim leaves it.
    const text = 'He sat.\u200b It ran.';
    expect(align(text, [[3, 8]])).toEqual([
      { words: 'He sat .', spans: [[1, 3]] },
      { words: 'It ran .', spans: [] },
    ]);
  });

  it('finds the tokens that spans were made from, and joins no more than they go across', () => {
    const word = fc.constantFrom('a', 'dog', '🦊', '犬x');
    const gap = fc.constantFrom(' ', '  ', '\n');
    const layout = fc.array(fc.tuple(word, gap, fc.boolean(), fc.constantFrom('out', 'first', 'inside')), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(layout, (parts) => {
        let text = '';
        const bounds: [number, number][] = parts.map(([form, space]) => {
          const start = text.length;
          text += form + space;
          return [start, start + form.length];
        });
        const sentences: TextSentence[] = [];
        for (let first = 0, t = 1; t <= parts.length; t++) {
          if (t < parts.length && !parts[t][2]) continue;
          const [start] = bounds[first];
          const own = bounds.slice(first, t);
          const end = own[own.length - 1][1];
          const tokens = Uint32Array.from(own.flat().map((offset) => offset - start));
          const words = own.map(([from, to]) => text.slice(from, to));
          sentences.push({ text: text.slice(start, end), start, startCodePoint: 0, tokens, words });
          first = t;
        }
        const wanted: { start: number; end: number; type: string }[] = [];
        parts.forEach(([, , , mark], t) => {
          const last = wanted.at(-1);
          if (mark === 'inside' && last?.end === t) last.end = t + 1;
          else if (mark !== 'out') wanted.push({ start: t, end: t + 1, type: `T${t}` });
        });
        const spans = wanted.map(({ start, end, type }) => ({
          start: bounds[start][0],
          end: bounds[end - 1][1],
          type,
        }));
        let before = 0;
        const found = alignSpans(text, sentences, spans, JOINS).flatMap((aligned) => {
          const { sentence, spans: own } = aligned;
          expect(sentence.words).toEqual(parts.slice(before, before + sentence.words.length).map(([w]) => w));
          expect(sentence.words.map((_, t) => tokenText(sentence, t))).toEqual(sentence.words);
          const shifted = own.map(({ start, end, type }) => ({
            start: start + before,
            end: end + before,
            type,
          }));
          before += sentence.words.length;
          // Each boundary between sentences is kept unless a span goes across it.
          const isKept = before === parts.length || !wanted.some((w) => w.start < before && w.end > before);
          expect(isKept).toBe(true);
          return shifted;
        });
        expect(before).toBe(parts.length);
        expect(found).toEqual(wanted);
        const boundaries = parts.flatMap(([, , starts], t) => (t > 0 && starts ? [t] : []));
        const crossed = boundaries.filter((t) => wanted.some((w) => w.start < t && w.end > t));
        expect(alignSpans(text, sentences, spans, JOINS)).toHaveLength(sentences.length - crossed.length);
      }),
    );
  });

  it('keeps sentences as they are without joining, and says of every span that does not fit why', () => {
    const offset = fc.nat({ max: TEXT.length });
    fc.assert(
      fc.property(fc.uniqueArray(offset, { maxLength: 6 }), (offsets) => {
        const bounds = offsets.sort((a, b) => a - b);
        const spans = bounds.flatMap((start, i) =>
          i % 2 === 0 && i + 1 < bounds.length ? [{ start, end: bounds[i + 1], type: `T${i}` }] : [],
        );
        const aligned = alignSpans(TEXT, splitText(TEXT), spans, { joins: false });
        expect(aligned.map(({ sentence }) => sentence)).toEqual(splitText(TEXT));
        const types = aligned.flatMap((own) => [...own.spans, ...own.missed].map(({ type }) => type));
        expect(types.sort()).toEqual(spans.map(({ type }) => type).sort());
        for (const { sentence, spans: found } of aligned) {
          for (const { start, end, type } of found) {
            const span = spans.find((other) => other.type === type);
            const from = sentence.start + sentence.tokens[2 * start];
            const to = sentence.start + sentence.tokens[2 * end - 1];
            expect(TEXT.slice(span?.start, span?.end).trim()).toBe(TEXT.slice(from, to));
          }
        }
      }),
    );
    const across = alignSpans(TEXT, splitText(TEXT), [{ start: 7, end: 18, type: 'T' }], { joins: false });
    expect(across[0].missed).toEqual([
      { type: 'T', reason: 'span 7–18 "aspirin. It" (T) goes across the end of a sentence' },
    ]);
  });

  it.each([
    [[[9, 14]], 'span 9–14 "pirin" (T) starts inside the token "aspirin" at 7–14'],
    [[[2, 10]], 'span 2–10 "took asp" (T) ends inside the token "aspirin" at 7–14'],
    [[[6, 10]], 'span 6–10 " asp" (T) ends inside the token "aspirin" at 7–14'],
    [[[25, 26]], 'span 25–26 " " (T) covers no token'],
    [[[15, 16]], 'span 15–16 " " (T) covers no token'],
    [
      [
        [8, 10],
        [17, 18],
        [20, 21],
      ],
      'at 7–14; 2 more spans of this line',
    ],
    [
      [
        [8, 10],
        [17, 18],
      ],
      'at 7–14; 1 more span of this line',
    ],
  ])('refuses %j', (spans, message) => {
    expect(() => align(TEXT, spans as [number, number][])).toThrow(
      'f:2: expected spans that start and end where tokens do: ',
    );
    expect(() => align(TEXT, spans as [number, number][])).toThrow(message);
  });
});
