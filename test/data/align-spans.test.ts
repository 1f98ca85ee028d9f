import { describe, expect, it } from 'vitest';
import { alignSpans } from '../../src/data/formats/align-spans.js';
import { splitText } from '../../src/text/text-scanner.js';

const PLACE = { source: 'f', line: 2 };
const align = (text: string, spans: readonly (readonly [number, number])[]) =>
  alignSpans(
    text,
    splitText(text),
    spans.map(([start, end]) => ({ start, end, type: 'T' })),
    PLACE,
  ).map(({ sentence, spans: found }) => ({
    words: sentence.words.join(' '),
    spans: found.map(({ start, end }) => [start, end]),
  }));

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
      align(
        TEXT,
        [
          [1, 7],
          [15, 19],
          [25, 27],
        ].slice(0, 2) as [number, number][],
      ),
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
      PLACE,
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
    const whole = alignSpans(text, splitText(text), [{ start: 0, end: text.length, type: 'T' }], PLACE);
    expect(whole).toHaveLength(1);
    expect(whole[0].spans).toEqual([{ start: 0, end: 12, type: 'T' }]);
  });

  it.each([
    [[[9, 14]], 'span 9–14 "pirin" (T) starts inside the token "aspirin" at 7–14'],
    [[[2, 10]], 'span 2–10 "took asp" (T) ends inside the token "aspirin" at 7–14'],
    [[[25, 26]], 'covers no token'],
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
