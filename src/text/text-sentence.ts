import { checkArgument } from '../base/arguments.js';

/** A sentence of a text: its tokens, and where they stand. */
export interface TextSentence {
  /** The characters from the first token's start to the last token's end, as they are in the text. */
  readonly text: string;
  /** Where {@link text} starts in the whole text, in UTF-16 units. */
  readonly start: number;
  /** The same in code points. */
  readonly startCodePoint: number;
  /** [T × 2] start and end of each token, in UTF-16 units from the start of {@link text}. */
  readonly tokens: Uint32Array;
  /** [T] the words that models read: the tokens, quotes and brackets and the like as the Penn Treebank writes them. */
  readonly words: readonly string[];
}

/** A sentence's token, as it is in the text. */
export function tokenText(sentence: TextSentence, token: number): string {
  checkArgument('sentence', sentence, 'sentence');
  return sentence.text.slice(sentence.tokens[2 * token], sentence.tokens[2 * token + 1]);
}

/** A sentence given as words only: its text has them one blank apart. */
export function joinWords(words: readonly string[]): TextSentence {
  const tokens = new Uint32Array(2 * words.length);
  let end = -1;
  words.forEach((word, t) => {
    tokens[2 * t] = end + 1;
    tokens[2 * t + 1] = end = end + 1 + word.length;
  });
  return { text: words.join(' '), start: 0, startCodePoint: 0, tokens, words };
}
