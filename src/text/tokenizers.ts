import { countPairs } from './code-points.js';
import { type SentenceOptions, splitText } from './text-scanner.js';
import type { TextSentence } from './text-sentence.js';
import { TOKENIZER_HELP, type TokenizerName } from './tokenizer-names.js';

/** A way to cut text into sentences of tokens. */
export interface Tokenizer {
  /** One line of help. */
  readonly help: string;
  /**
   * Cuts a text; every character but white space and control characters is in one token.
   *
   * @param options of sentences of English; others are lines.
   */
  split(text: string, options?: SentenceOptions): TextSentence[];
  /** Tokens of a sentence found by English rules, where it is only these that differ. */
  readonly tokens?: RegExp;
}

export type { TokenizerName };

/** Runs of letters, runs of digits, and each other sign by itself. */
const LETTERS = /[\p{L}\p{M}]+|\p{N}+|[^\s\p{C}]/gu;
/** Characters as a reader sees them: letters with their marks, flags and joined emoji. */
const CHARACTERS =
  /(?:\p{RI}\p{RI}|\p{Emoji}(?:\p{EMod}|\ufe0f)?(?:\u200d\p{Emoji}(?:\p{EMod}|\ufe0f)?)+|[^\s\p{C}])(?:\p{M}|\ufe0f|\u200d)*/gu;
const BLANKS = /\S+/gu;
/** Sentences of texts without English rules: lines, cut behind full stops, question and exclamation marks and what closes. */
const WIDE_SENTENCES = /[^\n\r。！？]*[。！？]+[”’」』）》"')]*|[^\n\r]+/gu;
const LINES = /[^\n\r]+/gu;

/** The tokenizers. */
export const TOKENIZERS: Readonly<Record<TokenizerName, Tokenizer>> = {
  english: { help: TOKENIZER_HELP.english, split: splitText },
  letters: {
    help: TOKENIZER_HELP.letters,
    split: (text, options) => splitText(text, options).map((sentence) => retokenised(sentence, LETTERS)),
    tokens: LETTERS,
  },
  characters: {
    help: TOKENIZER_HELP.characters,
    split: (text) => cut(text, WIDE_SENTENCES, (part) => matches(part, CHARACTERS)),
  },
  blanks: {
    help: TOKENIZER_HELP.blanks,
    split: (text) => cut(text, LINES, (part) => matches(part, BLANKS)),
  },
  unicode: {
    help: TOKENIZER_HELP.unicode,
    split: splitByUnicode,
  },
};

/** A sentence with the tokens that a pattern finds in its text. */
export function retokenised(sentence: TextSentence, pattern: RegExp): TextSentence {
  const found = matches(sentence.text, pattern);
  return { ...sentence, tokens: Uint32Array.from(found.flat()), words: wordsOf(sentence.text, found) };
}

type Bounds = readonly [start: number, end: number];

function matches(text: string, pattern: RegExp): Bounds[] {
  return Array.from(text.matchAll(pattern), ({ 0: found, index }) => [index, index + found.length]);
}

function wordsOf(text: string, tokens: readonly Bounds[]): string[] {
  return tokens.map(([start, end]) => text.slice(start, end));
}

function splitByUnicode(text: string): TextSentence[] {
  const words = new Intl.Segmenter(undefined, { granularity: 'word' });
  const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
  const parts = Array.from(
    sentences.segment(text),
    ({ segment, index }): Bounds => [index, index + segment.length],
  );
  return sentencesOf(text, parts, (part) =>
    Array.from(words.segment(part), ({ segment, index }): Bounds => [index, index + segment.length]).filter(
      ([start, end]) => /[^\s\p{C}]/u.test(part.slice(start, end)),
    ),
  );
}

function cut(text: string, sentences: RegExp, tokensOf: (part: string) => Bounds[]): TextSentence[] {
  return sentencesOf(text, matches(text, sentences), tokensOf);
}

/** Sentences of the parts of a text that have tokens. */
function sentencesOf(
  text: string,
  parts: readonly Bounds[],
  tokensOf: (part: string) => Bounds[],
): TextSentence[] {
  let pairs = 0;
  let counted = 0;
  return parts.flatMap(([from, to]) => {
    const found = tokensOf(text.slice(from, to));
    if (found.length === 0) return [];
    const [[first]] = found;
    const start = from + first;
    pairs += countPairs(text, counted, start);
    counted = start;
    const own = text.slice(start, from + found[found.length - 1][1]);
    const tokens = found.map(([a, b]): Bounds => [a - first, b - first]);
    return [
      {
        text: own,
        start,
        startCodePoint: start - pairs,
        tokens: Uint32Array.from(tokens.flat()),
        words: wordsOf(own, tokens),
      },
    ];
  });
}
