import { checkArgument } from '../base/arguments.js';
import { listNames, OptionError, show } from '../base/errors.js';
import {
  ABBREVIATIONS,
  AFTER_TIMES,
  LEADING_ABBREVIATIONS,
  SENTENCE_STARTERS,
  SMALL_STARTERS,
  STATES,
  UNCASED_ABBREVIATIONS,
} from './abbreviations.js';
import { countPairs } from './code-points.js';
import { EnglishTokens } from './english-tokens.js';
import type { TextSentence } from './text-sentence.js';

/** Most tokens of a sentence: a longer stretch without an end (a list, a table, no prose) is cut. */
const MOST_TOKENS = 1000;
/** Most quotes and brackets looked through behind a full stop. */
const MOST_CLOSING = 8;

/**
 * What line ends say: in a `text` a blank line ends a sentence, and so do items of lists; where lines are `paragraphs` every line end
 * does too; where they are `lines` it is line ends alone that do.
 */
export type TextLayout = 'text' | 'paragraphs' | 'lines';

/** The layouts. */
export const TEXT_LAYOUTS: readonly TextLayout[] = ['text', 'paragraphs', 'lines'];

/** How raw text is cut into sentences. */
export interface SentenceOptions {
  /** What line ends say; default `text`. */
  readonly layout?: TextLayout | undefined;
  /** Further abbreviations, in small letters and without their last full stop, as `learnAbbreviations` gives them. */
  readonly abbreviations?: readonly string[] | undefined;
}

/** Whether a sentence may end with what has been read. */
type Ending =
  /** It does not. */
  | 'no'
  /** After . ! ? : whatever follows, small letters only where sentences of the text begin with them. */
  | 'yes'
  /** After … : whatever follows unless it starts with a small letter. */
  | 'ellipsis'
  /** After a time or a place (9 p.m., Newark, N.J.) or "No.": where a capital follows. */
  | 'place'
  /** After a single letter: where a word follows that often starts sentences. */
  | 'initial'
  /** After another abbreviation: where such a word follows, or a quotation. */
  | 'abbreviation';

/**
 * Splits English text into sentences of tokens, as its characters come: push pieces, take sentences with
 * {@link next} until it gives none, and call {@link end} after the last piece. How the text is cut into pieces makes no
 * difference. Every character but white space and control characters is in one token. Memory is bounded by a piece, the
 * longest stretch without a blank, and a sentence.
 *
 * A sentence ends at a full stop, question or exclamation mark or ellipsis (with the quotes, brackets and reference numbers
 * after it) unless a small letter follows, which counts only where its writer begins sentences with small letters; after some
 * abbreviations only before a word that starts sentences; at a blank line always; before an item of a list; and after 1,000 tokens.
 */
export class TextScanner {
  /** Tokens of the sentence under way; offsets are in {@link text}. */
  private readonly tokens: EnglishTokens;
  private readonly layout: TextLayout;
  private readonly abbreviations: ReadonlySet<string>;
  /** Pieces of a stretch whose end has not come yet. */
  private pieces: string[] = [];
  private text = '';
  /** Offset of text[0] from the start of the input. */
  private base: number;
  /** Surrogate pairs before text[counted]. */
  private pairs: number;
  private counted = 0;
  /** Next character to read; no blank-free stretch started before it is unread. */
  private position = 0;
  /** Line ends since the last stretch. */
  private lineEnds = 0;
  /** Blanks since the last line end; nothing inside of a line. */
  private indent: number | undefined = 0;
  /** Indent of the list item that the sentence under way is. */
  private itemIndent: number | undefined;
  /** Number of the last list item. */
  private itemNumber = 0;
  /** Token of the sentence under way that names a speaker, or starts a sentence. */
  private speaker: number | undefined;
  /** Whether the sentence before began with a small letter. */
  private wasSmall = false;
  /** Whether the last character was a CR, whose LF counts as the same line end. */
  private afterReturn = false;
  private ended = false;
  /** Sentences that are whole: one, or more where a stretch was cut. */
  private readonly ready: TextSentence[] = [];

  /** Whether the sentence under way, whose tokens {@link tokens} holds, may end here. */
  private ending: Ending = 'no';

  /** @param from where the text begins, in UTF-16 units and code points, when it is a later part of one. */
  constructor(
    { layout = 'text', abbreviations = [] }: SentenceOptions = {},
    from: { readonly start?: number | undefined; readonly startCodePoint?: number | undefined } = {},
  ) {
    if (!TEXT_LAYOUTS.includes(layout)) {
      throw new OptionError('layout', `expected ${listNames(TEXT_LAYOUTS)}, found ${show(layout)}`);
    }
    this.layout = layout;
    this.abbreviations = new Set(abbreviations);
    this.tokens = new EnglishTokens(this.abbreviations);
    const { start = 0, startCodePoint = start } = from;
    this.base = start;
    this.pairs = start - startCodePoint;
  }

  /** Adds the next characters. */
  push(text: string): void {
    if (text === '') return;
    // A stretch that goes on is only collected, so that a long one is not read again with every piece.
    if (!hasBlank(text)) {
      this.pieces.push(text);
      return;
    }
    this.append(text);
  }

  /** Says that no characters follow. */
  end(): void {
    this.append('');
    this.ended = true;
  }

  /** The next sentence whose end is certain. */
  next(): TextSentence | undefined {
    if (this.ready.length === 0) this.read();
    return this.ready.shift();
  }

  private append(text: string): void {
    this.dropRead();
    this.text += this.pieces.join('') + text;
    this.pieces = [];
  }

  /** Forgets characters before the sentence under way. */
  private dropRead(): void {
    const { text } = this;
    const { offsets } = this.tokens;
    const drop = offsets.length > 0 ? offsets.values[0] : this.position;
    if (drop === 0) return;
    this.countTo(drop);
    this.counted = 0;
    this.base += drop;
    this.text = text.slice(drop);
    this.position -= drop;
    for (let i = 0; i < offsets.length; i++) offsets.values[i] -= drop;
  }

  /** Number of surrogate pairs before a position at or after the last one asked for. */
  private countTo(position: number): number {
    this.pairs += countPairs(this.text, this.counted, position);
    this.counted = position;
    return this.pairs;
  }

  /** Reads stretches that are whole, until a sentence is. */
  private read(): void {
    const { text, ready } = this;
    let i = this.position;
    while (ready.length === 0) {
      while (i < text.length && isBlank(text.charCodeAt(i))) this.countLineEnd(text.charCodeAt(i++));
      if (this.lineEnds > 1) {
        this.finishSentence();
        this.tokens.closeQuotes();
        this.wasSmall = false;
      } else if (this.lineEnds === 1 && this.layout !== 'text') this.finishSentence();
      const start = i;
      while (i < text.length && !isBlank(text.charCodeAt(i))) i++;
      if (start === i || (i === text.length && !this.ended)) {
        this.position = start;
        if (this.ended) this.finishSentence();
        return;
      }
      this.addStretch(start, i);
      this.position = i;
    }
  }

  private countLineEnd(unit: number): void {
    if (isLineEnd(unit)) {
      if (!(unit === 10 && this.afterReturn)) this.lineEnds++;
      this.indent = 0;
    } else if (this.indent !== undefined) this.indent++;
    if (unit === 0x2029) this.lineEnds = 2;
    this.afterReturn = unit === 13;
  }

  private addStretch(start: number, end: number): void {
    const { text, tokens } = this;
    // The start of the stretch decides, so that a long one is not read twice.
    const { indent } = this;
    const decides = this.ending !== 'no' || indent !== undefined;
    const own = decides ? text.slice(start, Math.min(end, start + 80)) : '';
    const isItem = indent !== undefined && this.layout === 'text' && this.startsItem(own);
    if (this.speaker !== undefined) this.decideSpeaker(text.slice(start, Math.min(end, start + 20)));
    const isSpeaker = !isItem && this.ending === 'yes' && isAsked(tokens.words) && SPEAKER.test(own);
    if (isItem || (!isSpeaker && this.startsNext(own))) this.finishSentence();
    if (isItem) this.itemIndent = indent;
    // Who asked, or the first word of a sentence: the next word says which.
    if (isSpeaker) this.speaker = tokens.words.length;
    this.indent = undefined;
    this.lineEnds = 0;
    this.afterReturn = false;
    tokens.split(text, start, end);
    if (tokens.words.length > MOST_TOKENS) this.cutSentence();
    if (this.ending === 'yes' && REFERENCE.test(own)) return;
    this.ending =
      isAsciiLetter(text.charCodeAt(end - 1)) || this.layout === 'lines'
        ? 'no'
        : endingOf(tokens.words, this.abbreviations);
  }

  /** Ends the sentence before the word that may name a speaker, unless a verb of speech follows: "Why?" Ann asked. */
  private decideSpeaker(next: string): void {
    const { speaker = 0, tokens } = this;
    this.speaker = undefined;
    if (SPEECH.test(next)) return;
    this.wasSmall = beginsSmall(tokens.words);
    this.itemIndent = undefined;
    this.addSentence(0, speaker);
    this.dropTokens(speaker);
  }

  /** Whether a stretch that starts a line is the bullet or number of a list item. */
  private startsItem(stretch: string): boolean {
    if (BULLETS.test(stretch)) return true;
    if (DASHES.test(stretch)) return this.ending === 'yes' || this.itemIndent !== undefined;
    const number = NUMBERED.exec(stretch);
    if (number === null) return false;
    // A year or a figure may start a line of running text: numbers of items count up.
    const value = Number(number[1]);
    const isNext = value === 1 || value === this.itemNumber + 1 || (this.ending !== 'no' && value < 100);
    if (isNext) this.itemNumber = value;
    return isNext;
  }

  /** Whether a stretch starts a sentence after what has been read. */
  private startsNext(stretch: string): boolean {
    const { tokens, itemIndent, indent, ending } = this;
    // What is not indented and begins with a capital does not go on with the item above.
    if (
      indent !== undefined &&
      itemIndent !== undefined &&
      indent <= itemIndent &&
      /^["'“‘(]?\p{Lu}/u.test(stretch)
    )
      return true;
    if (ending === 'no') return false;
    const isSmall = this.wasSmall || beginsSmall(tokens.words);
    return startsSentence(stretch, ending, isSmall, tokens.words.at(-2) ?? '');
  }

  private finishSentence(): void {
    if (this.speaker !== undefined) this.decideSpeaker('');
    this.ending = 'no';
    this.itemIndent = undefined;
    const count = this.tokens.words.length;
    if (count === 0) return;
    this.wasSmall = beginsSmall(this.tokens.words);
    this.addSentence(0, count);
    this.tokens.clear();
  }

  /** Makes sentences of as many tokens as they may have, and leaves the rest. */
  private cutSentence(): void {
    const { words } = this.tokens;
    let from = 0;
    for (; words.length - from > MOST_TOKENS; from += MOST_TOKENS) this.addSentence(from, from + MOST_TOKENS);
    this.dropTokens(from);
    this.speaker = undefined;
  }

  /** Forgets the first tokens of the sentence under way. */
  private dropTokens(count: number): void {
    const { offsets, words } = this.tokens;
    words.splice(0, count);
    offsets.values.copyWithin(0, 2 * count, offsets.length);
    offsets.length -= 2 * count;
  }

  /** Makes a sentence of the tokens `from … to − 1`. */
  private addSentence(from: number, to: number): void {
    const { offsets, words } = this.tokens;
    const tokens = offsets.values.slice(2 * from, 2 * to);
    const start = tokens[0];
    for (let i = 0; i < tokens.length; i++) tokens[i] -= start;
    this.ready.push({
      text: this.text.slice(start, start + tokens[tokens.length - 1]),
      start: this.base + start,
      startCodePoint: this.base + start - this.countTo(start),
      tokens,
      words: words.slice(from, to),
    });
  }
}

/** The sentences of a whole English text; see {@link TextScanner}. */
export function splitText(text: string, options?: SentenceOptions): TextSentence[] {
  checkArgument('text', text, 'string');
  const scanner = new TextScanner(options);
  scanner.push(text);
  scanner.end();
  const sentences: TextSentence[] = [];
  for (let sentence = scanner.next(); sentence; sentence = scanner.next()) sentences.push(sentence);
  return sentences;
}

const CLOSING_QUOTES = new Set(["''", "'"]);
const CLOSING = new Set(["''", "'", '-RRB-', '-RSB-', '-RCB-']);

/** Tells from the last words whether a sentence ends. */
function endingOf(words: readonly string[], abbreviations: ReadonlySet<string>): Ending {
  let last = words.length - 1;
  const first = Math.max(0, last - MOST_CLOSING);
  if (words[last] === '-RSB-' && /^\d+$/.test(words[last - 1]) && words[last - 2] === '-LSB-') last -= 3;
  while (last > first && CLOSING.has(words[last])) last--;
  const word = words[last] ?? '';
  if (word === '.') {
    if (words[last - 1] === '.') return 'ellipsis';
    // The number of an item: "1. Preheat the oven."
    return last === 1 && /^\d{1,3}(?:\.\d{1,2})*$|^[a-z]$/i.test(words[0]) ? 'no' : 'yes';
  }
  if (word === '?' || word === '!') return 'yes';
  if (word === '...') return 'ellipsis';
  if (word.length < 2 || !word.endsWith('.')) return 'no';
  const name = word.slice(0, -1);
  if (name.length === 1) return 'initial';
  // "No." is a number's name before a figure, an answer before a word.
  if (name === 'No') return 'place';
  if (LEADING_ABBREVIATIONS.has(name) || UNCASED_ABBREVIATIONS.has(name) || /^(?:e\.g|i\.e)$/i.test(name))
    return 'no';
  if (/^[ap]\.m$/i.test(name) || (STATES.has(name) && words[last - 1] === ',')) return 'place';
  if (ABBREVIATIONS.has(name) || STATES.has(name) || /\.\p{L}{1,2}$/u.test(name)) return 'abbreviation';
  return abbreviations.size > 0 && abbreviations.has(name.toLowerCase()) ? 'abbreviation' : 'no';
}

/** Quotes, brackets and other marks that a sentence's first word may stand behind. */
const MOST_OPENING = 20;

/** Whether a sentence's first word, behind quotes and the like, begins with a small letter; `iPhone` does not count. */
function beginsSmall(words: readonly string[]): boolean {
  // Not all of a sentence of marks is looked through with every one of them.
  const first = words.slice(0, MOST_OPENING).find((word) => /^[\p{L}\p{N}]/u.test(word));
  return first !== undefined && /^\p{Ll}(?!\p{Lu})/u.test(first);
}

/** A word that may say who spoke. */
const SPEAKER = /^(?:I|\p{Lu}\p{Ll}+)$/u;
const SPEECH =
  /^(?:add|answer|ask|bark|call|cr(?:y|ie)|demand|exclaim|gasp|growl|howl|inquire|laugh|murmur|mutter|object|repl(?:y|ie)|say|shout|shriek|sigh|smile|snap|snort|start|wail|wonder|whisper|yell)(?:e?d|s|es)?[,.:]?$|^sa(?:id|ys)[,.:]?$|^(?:began|begins|went)[,.:]?$/;

/** Whether a question or exclamation in quotes ends with these words. */
function isAsked(words: readonly string[]): boolean {
  const last = words.length - 1;
  return CLOSING_QUOTES.has(words[last]) && (words[last - 1] === '?' || words[last - 1] === '!');
}

const BULLETS = /^(?:[•‣◦▪●○·*+-]|[☐☑✓✔➤►▶])$/u;
const DASHES = /^[–—]$/u;
const NUMBERED = /^\(?(\d{1,3})[.)]$/;
/** Reference numbers behind a full stop, which belong to the sentence before. */
const REFERENCE = /^\[\d[\d,–-]*\]?$/;

/**
 * Whether a stretch, of which the start is given, can start a sentence after an ending of that kind.
 *
 * @param isSmall whether the writer begins sentences with small letters.
 * @param before the word before the one that ends.
 */
function startsSentence(stretch: string, ending: Ending, isSmall: boolean, before: string): boolean {
  const first = /^["'“‘„«`([{¿¡–—-]*/u.exec(stretch)?.[0].length ?? 0;
  const rest = stretch.slice(first, first + 40);
  const isSure = ending === 'yes' || ending === 'ellipsis';
  // A dash that stands alone starts an item or names an author.
  if (rest === '') return isSure && /^(?:--+|[–—])$/.test(stretch);
  // Only marks, such as a closing quote that stands alone, and references: they go with what is before them.
  if (/^["”’»)\]}.,;:!?…]+$/u.test(rest) || (isSure && REFERENCE.test(stretch))) return false;
  const word = /^[A-Za-z]+/.exec(rest)?.[0] ?? '';
  if (ending === 'ellipsis') return !/^\p{Ll}/u.test(rest);
  if (ending === 'yes') {
    if (/^\p{Ll}(?!\p{Lu})/u.test(rest))
      return isSmall || (first === 0 && /^\p{L}{4,}$/u.test(before) && SMALL_STARTERS.has(word));
    // A page, a year: p. 330, c. 347.
    return !(/^\d/.test(rest) && /^[a-z]$/.test(before));
  }
  if (!/^\p{Lu}/u.test(rest) && !isSmall) return false;
  // Another initial: J. A. Smith.
  if (ending !== 'place' && rest[1] === '.') return false;
  const capitalised = isSmall ? word.slice(0, 1).toUpperCase() + word.slice(1) : word;
  if (ending === 'place' ? !AFTER_TIMES.has(capitalised) : SENTENCE_STARTERS.has(capitalised)) return true;
  return ending === 'abbreviation' && /^["'“‘`]/.test(stretch);
}

const BLANKS = new Uint8Array(0x10000);
BLANKS.fill(1, 0, 0x21).fill(1, 0x7f, 0xa1).fill(1, 0x2000, 0x200c);
for (const unit of [0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]) BLANKS[unit] = 1;

/** White space as JavaScript has it, zero-width space, byte order mark and control characters. */
function isBlank(unit: number): boolean {
  return BLANKS[unit] !== 0;
}

function isAsciiLetter(unit: number): boolean {
  return (unit | 32) >= 0x61 && (unit | 32) <= 0x7a;
}

function isLineEnd(unit: number): boolean {
  return unit === 10 || unit === 13 || unit === 0x85 || unit === 0x2028;
}

function hasBlank(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (isBlank(text.charCodeAt(i))) return true;
  return false;
}
