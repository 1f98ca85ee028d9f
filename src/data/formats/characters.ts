/**
 * Sentences whose tokens are characters (code points) and whose chunks are words: raw text, segmented text (words parted
 * by blanks), and word/TAG text. A line is a unit.
 */
import { InputError, type InputPlace, quote } from '../../base/errors.js';
import type { TextSentence } from '../../text/text-sentence.js';
import { TOKENIZERS, type TokenizerName } from '../../text/tokenizers.js';
import type { Span } from '../span.js';
import type { InputPosition } from './columns.js';
import type { InputSentence } from './input-unit.js';
import type { InputLine } from './line-reader.js';
import { type LineContent, LineUnitReader } from './line-unit-reader.js';

/** A word and its part of speech, empty where it has none. */
export interface TaggedWord {
  /** Its characters. */
  readonly word: string;
  /** Its part of speech. */
  readonly tag: string;
}

/** Makes the sentences of a line. */
export type LineParser = (text: string, place: InputPlace, start: TextStart) => readonly InputSentence[];

/** Where a line starts in the input. */
interface TextStart {
  /** In UTF-16 units. */
  readonly start: number;
  /** In code points. */
  readonly startCodePoint: number;
}

/** Reads lines of characters. */
export class CharacterReader extends LineUnitReader {
  private readonly parse: LineParser;
  private start: number;
  private startCodePoint: number;

  constructor(source: string, parse: LineParser, from?: InputPosition) {
    super(source, from);
    this.parse = parse;
    this.start = from?.start ?? 0;
    this.startCodePoint = from?.startCodePoint ?? 0;
  }

  protected read({ text, ending }: InputLine, place: InputPlace): LineContent {
    const { start, startCodePoint } = this;
    this.start += text.length + ending.length;
    this.startCodePoint += [...text].length + ending.length;
    return { sentences: this.parse(text, place, { start, startCodePoint }), text };
  }
}

/** Raw text: blanks part sentences, and with them words, since no word spans them. */
export const parseRawLine: LineParser = (text, place, start) =>
  splitCharacters(text, start).map((sentence) => ({
    sentence,
    columns: { word: sentence.words },
    lines: linesOf(sentence, place),
  }));

/** Raw text in lines, cut by a tokenizer. */
export function lineTokenizer(name: TokenizerName): LineParser {
  const { split } = TOKENIZERS[name];
  return (text, place, { start, startCodePoint }) =>
    split(text).map((own) => {
      const sentence = {
        ...own,
        start: start + own.start,
        startCodePoint: startCodePoint + own.startCodePoint,
      };
      return { sentence, columns: { word: sentence.words }, lines: linesOf(sentence, place) };
    });
}

/** The stretches of a text without blanks, as sentences of characters. */
export function splitCharacters(
  text: string,
  { start, startCodePoint }: TextStart = { start: 0, startCodePoint: 0 },
): TextSentence[] {
  let points = startCodePoint;
  let counted = 0;
  return [...text.matchAll(/\S+/gu)].map((match) => {
    points += [...text.slice(counted, match.index)].length;
    counted = match.index;
    return characters(match[0], start + match.index, points);
  });
}

/** A token of word/TAG text: the word is the first group, its tag the second. */
const TAGGED_TOKEN = /^\[?(.+)\/([^/[\]]+)(?:\][^/[\]]*)?$/u;

/** Number of an article, the first token of its lines. */
const ARTICLE_NUMBER = /^\d{8}-\d{2}-\d{3}-\d{3}\/m$/;

/** Whether {@link taggedLineParser} reads a word and its tag as they are. */
export function isTaggedWord(word: string, tag: string, isFirst: boolean): boolean {
  const token = `${word}/${tag}`;
  const parts = TAGGED_TOKEN.exec(token);
  return (
    parts?.[1] === word && parts[2] === tag && !/\s/u.test(token) && !(isFirst && ARTICLE_NUMBER.test(token))
  );
}

/** Segmented text: blanks part the words of a sentence. A line of word/TAG text is refused. */
export const parseSegmentedLine: LineParser = (text, place) => {
  const words = text.match(/\S+/gu) ?? [];
  if (words.length > 1 && words.every((word) => TAGGED_TOKEN.test(word))) {
    const found = `found WORD/TAG throughout, such as ${quote(words[1])}`;
    throw new InputError(place, `expected words without tags, ${found}; --input-format tagged reads it`);
  }
  return wordsAsCharacters(
    words.map((word) => ({ word, tag: '' })),
    place,
  );
};

/**
 * Word/TAG text as the People's Daily corpus of Peking University has it: an article's number as first token is left out,
 * and so are the brackets around compounds, whose words stay.
 *
 * @param withTags whether words keep their tags; else they are words alone.
 */
export function taggedLineParser(withTags: boolean): LineParser {
  return (text, place) => {
    const tokens = text.match(/\S+/gu) ?? [];
    if (ARTICLE_NUMBER.test(tokens[0] ?? '')) tokens.shift();
    const words = tokens.map((token) => {
      const parts = TAGGED_TOKEN.exec(token);
      if (parts === null) {
        throw new InputError(place, `expected WORD/TAG, found ${quote(token)}`);
      }
      return { word: parts[1], tag: withTags ? parts[2] : '' };
    });
    return wordsAsCharacters(words, place);
  };
}

/** A sentence of words as one of characters, whose chunks are the words; none where there are no words. */
export function wordsAsCharacters(words: readonly TaggedWord[], place: InputPlace): InputSentence[] {
  if (words.length === 0) return [];
  const sentence = characters(words.map(({ word }) => word).join(''), 0, 0);
  const spans: Span[] = [];
  let start = 0;
  for (const { word, tag } of words) {
    const end = start + [...word].length;
    spans.push({ start, end, type: tag });
    start = end;
  }
  return [{ sentence, columns: { word: sentence.words }, spans, lines: linesOf(sentence, place) }];
}

function characters(text: string, start: number, startCodePoint: number): TextSentence {
  const words = [...text];
  const tokens = new Uint32Array(2 * words.length);
  let end = 0;
  words.forEach((character, t) => {
    tokens[2 * t] = end;
    end += character.length;
    tokens[2 * t + 1] = end;
  });
  return { text, start, startCodePoint, tokens, words };
}

function linesOf({ words }: TextSentence, { line = 0 }: InputPlace): number[] {
  return new Array<number>(words.length).fill(line);
}
