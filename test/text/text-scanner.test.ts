import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitText, TextScanner } from '../../src/text/text-scanner.js';
import { type TextSentence, tokenText } from '../../src/text/text-sentence.js';

/** Pieces that meet in unusual ways, besides any UTF-16 units at all. */
const pieces = fc.constantFrom(
  ...[
    'Mr',
    'U.S',
    'the',
    'The',
    'I',
    'a',
    '.',
    '...',
    '…',
    '"',
    "'",
    '’',
    '“',
    '”',
    '(',
    ')',
    '-',
    '--',
    '—',
    ',',
  ],
  ...[
    "n't",
    "'s",
    '$',
    '5',
    '%',
    '/',
    '\\',
    '*',
    '@',
    '#',
    'www.',
    'http://',
    ':',
    '&',
    '+',
    '\u00ad',
    '\u200d',
  ],
  ...[' ', ' ', ' ', '\n', '\n\n', '\r\n', '\r', '\u00a0', '\u200b', '\ufeff', '\u0085', '\u0000', '\u2029'],
  ...[
    '😀',
    '👩',
    '🏽',
    '\ufe0f',
    '\u20e3',
    '🇩',
    '\ud83d',
    '\ude00',
    '\u0301',
    '漢',
    'é',
    '[',
    ']',
    '?',
    '!',
    '`',
  ],
);
const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
const anyText = fc
  .array(fc.oneof({ weight: 5, arbitrary: pieces }, { weight: 1, arbitrary: unit }), { maxLength: 60 })
  .map((parts) => parts.join(''));

function takeAll(scanner: TextScanner): TextSentence[] {
  const sentences: TextSentence[] = [];
  for (let sentence = scanner.next(); sentence; sentence = scanner.next()) sentences.push(sentence);
  return sentences;
}

function splitInPieces(text: string, ends: readonly number[], takeBetween: boolean): TextSentence[] {
  const scanner = new TextScanner();
  const sentences: TextSentence[] = [];
  let start = 0;
  for (const end of [...ends].sort((a, b) => a - b)) {
    scanner.push(text.slice(start, end));
    start = end;
    if (takeBetween) sentences.push(...takeAll(scanner));
  }
  scanner.push(text.slice(start));
  scanner.end();
  return [...sentences, ...takeAll(scanner)];
}

/** White space and control characters, said independently of the scanner. */
const BLANK = /[\s\u200b\p{Cc}]/u;
const BLANKS = /[\s\u200b\p{Cc}]+/gu;

describe('any text', () => {
  test('no character but white space is lost, added or moved', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const sentences = splitText(text);
        const tokens = sentences.flatMap((sentence) => sentence.words.map((_, t) => tokenText(sentence, t)));
        expect(tokens.join('')).toBe(text.replace(BLANKS, ''));
        for (const token of tokens) expect(BLANK.test(token) || token === '').toBe(false);
        for (const sentence of sentences) expect(sentence.words.every((word) => word !== '')).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('offsets are those of the whole text, in UTF-16 units and in code points', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let before = 0;
        for (const sentence of splitText(text)) {
          const { tokens, start } = sentence;
          expect(start).toBeGreaterThanOrEqual(before);
          expect(text.slice(start, start + sentence.text.length)).toBe(sentence.text);
          expect(sentence.startCodePoint).toBe([...text.slice(0, start)].length);
          expect(tokens.length).toBe(2 * sentence.words.length);
          expect(tokens[0]).toBe(0);
          expect(tokens[tokens.length - 1]).toBe(sentence.text.length);
          for (let i = 1; i < tokens.length; i++) {
            // Tokens have characters; between them there may be none.
            expect(tokens[i] - tokens[i - 1]).toBeGreaterThanOrEqual(i % 2);
          }
          before = start + sentence.text.length;
        }
      }),
      { numRuns: 300 },
    );
  });

  test('how it is cut into pieces makes no difference', () => {
    const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 12 });
    fc.assert(
      fc.property(anyText, cuts, fc.boolean(), (text, ends, takeBetween) => {
        const inside = ends.filter((end) => end <= text.length);
        expect(splitInPieces(text, inside, takeBetween)).toEqual(splitText(text));
      }),
      { numRuns: 300 },
    );
  });

  test('one character at a time is no different either', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const everywhere = Array.from({ length: text.length }, (_, i) => i);
        expect(splitInPieces(text, everywhere, true)).toEqual(splitText(text));
      }),
      { numRuns: 300 },
    );
  });
});

describe('streaming', () => {
  test('gives a sentence once the next one has begun, and the last one at the end', () => {
    const scanner = new TextScanner();
    scanner.push('It rained. I');
    expect(scanner.next()).toBeUndefined();
    scanner.push('t po');
    expect(scanner.next()?.text).toBe('It rained.');
    expect(scanner.next()).toBeUndefined();
    scanner.push('ured.');
    expect(scanner.next()).toBeUndefined();
    scanner.end();
    expect(scanner.next()).toMatchObject({ text: 'It poured.', start: 11, startCodePoint: 11 });
    expect(scanner.next()).toBeUndefined();
  });

  test('gives a sentence at a blank line without waiting for what follows', () => {
    const scanner = new TextScanner();
    scanner.push('A heading\n');
    expect(scanner.next()).toBeUndefined();
    scanner.push('\n');
    expect(scanner.next()?.text).toBe('A heading');
  });

  test('CR and LF in two pieces are one line end', () => {
    const scanner = new TextScanner();
    scanner.push('one\r');
    expect(scanner.next()).toBeUndefined();
    scanner.push('\ntwo');
    scanner.end();
    expect(takeAll(scanner).map((sentence) => sentence.text)).toEqual(['one\r\ntwo']);
  });

  test('counts code points over all sentences before', () => {
    const [, second, third] = splitText('😀 one 😀. Two 😀\ud83d. Three.');
    expect([second.start, second.startCodePoint]).toEqual([11, 9]);
    expect([third.start, third.startCodePoint]).toEqual([20, 17]);
  });
});

describe('long text', () => {
  const shapes = (sentences: readonly TextSentence[]) => sentences.map((sentence) => sentence.words.length);

  test('a sentence is cut after 1,000 tokens', () => {
    expect(shapes(splitText('word '.repeat(2500)))).toEqual([1000, 1000, 500]);
    expect(shapes(splitText('word '.repeat(1000)))).toEqual([1000]);
    expect(shapes(splitText('!'.repeat(2001)))).toEqual([1000, 1000, 1]);
    expect(shapes(splitText(`${'word '.repeat(998)}end!!! Next.`))).toEqual([1000, 2, 2]);
  });

  // Each would take minutes, or more stack than there is, if the work were not linear in the input.
  const SIZE = 10_000_000;
  test.each([
    ['letters', 'a', 1],
    ['contractions', "n't", 1],
    ['letters and points', 'a.', 1],
    ['letters of another script', '漢', 1],
    ['joiners', '👩\u200d', 334],
    ['words', 'word ', 2000],
    ['closing brackets apart', '?) ', 6667],
  ])('10 million units of %s', (_, text, sentences) => {
    const scanner = new TextScanner();
    const whole = text.repeat(SIZE / text.length);
    let count = 0;
    for (let i = 0; i < whole.length; i += 65_536) {
      scanner.push(whole.slice(i, i + 65_536));
      while (scanner.next()) count++;
    }
    scanner.end();
    while (scanner.next()) count++;
    expect(count).toBe(sentences);
  });

  test.each([
    ['an address', `http://${'a'.repeat(SIZE)}`, 1],
    ['an address that ends in marks', `http://a${')'.repeat(SIZE / 5)}`, 2001],
    ['an unfinished mail address', `${'%'.repeat(64)}@${'b'.repeat(SIZE)}`, 1],
    ['a long word before points', `${'a'.repeat(SIZE / 2)}${'.b'.repeat(SIZE / 4)}`, 1],
    ['brackets', ')'.repeat(SIZE / 4), 2500],
    ['open quotes', '("))))'.repeat(SIZE / 30), 2000],
  ])('%s of millions of units', (_, text, sentences) => {
    expect(splitText(text)).toHaveLength(sentences);
  });
});
