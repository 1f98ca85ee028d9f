import { checkArgument } from '../base/arguments.js';
import {
  ABBREVIATIONS,
  AFTER_TIMES,
  LEADING_ABBREVIATIONS,
  SENTENCE_STARTERS,
  STATES,
} from './abbreviations.js';
import { countPairs } from './code-points.js';
import { EnglishTokens } from './english-tokens.js';
import type { TextSentence } from './text-sentence.js';

/** Most tokens of a sentence: a longer stretch without an end (a list, a table, no prose) is cut. */
const MOST_TOKENS = 1000;
/** Most quotes and brackets looked through behind a full stop. */
const MOST_CLOSING = 8;

/** Whether a sentence may end with what has been read. */
type Ending =
  /** It does not. */
  | 'no'
  /** After . ! ? … , whatever follows unless it starts with a small letter. */
  | 'yes'
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
 * A sentence ends at a full stop, question or exclamation mark or ellipsis (with the quotes and brackets that close
 * after it) unless a small letter follows, after some abbreviations only before a word that starts sentences; at a blank
 * line always; and after 1,000 tokens.
 */
export class TextScanner {
  /** Tokens of the sentence under way; offsets are in {@link text}. */
  private readonly tokens = new EnglishTokens();
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
  /** Whether the last character was a CR, whose LF counts as the same line end. */
  private afterReturn = false;
  private ended = false;
  /** Sentences that are whole: one, or more where a stretch was cut. */
  private readonly ready: TextSentence[] = [];

  /** Whether the sentence under way, whose tokens {@link tokens} holds, may end here. */
  private ending: Ending = 'no';

  /** @param from where the text begins, in UTF-16 units and code points, when it is a later part of one. */
  constructor(
    from: { readonly start?: number | undefined; readonly startCodePoint?: number | undefined } = {},
  ) {
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
      }
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
    if (isLineEnd(unit) && !(unit === 10 && this.afterReturn)) this.lineEnds++;
    if (unit === 0x2029) this.lineEnds = 2;
    this.afterReturn = unit === 13;
  }

  private addStretch(start: number, end: number): void {
    const { text, tokens } = this;
    // The start of the stretch decides, so that a long one is not read twice.
    if (this.ending !== 'no' && startsSentence(text.slice(start, Math.min(end, start + 80)), this.ending))
      this.finishSentence();
    this.lineEnds = 0;
    this.afterReturn = false;
    tokens.split(text, start, end);
    if (tokens.words.length > MOST_TOKENS) this.cutSentence();
    this.ending = isAsciiLetter(text.charCodeAt(end - 1)) ? 'no' : endingOf(tokens.words);
  }

  private finishSentence(): void {
    this.ending = 'no';
    const count = this.tokens.words.length;
    if (count === 0) return;
    this.addSentence(0, count);
    this.tokens.clear();
  }

  /** Makes sentences of as many tokens as they may have, and leaves the rest. */
  private cutSentence(): void {
    const { offsets, words } = this.tokens;
    let from = 0;
    for (; words.length - from > MOST_TOKENS; from += MOST_TOKENS) this.addSentence(from, from + MOST_TOKENS);
    words.splice(0, from);
    offsets.values.copyWithin(0, 2 * from, offsets.length);
    offsets.length -= 2 * from;
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
export function splitText(text: string): TextSentence[] {
  checkArgument('text', text, 'string');
  const scanner = new TextScanner();
  scanner.push(text);
  scanner.end();
  const sentences: TextSentence[] = [];
  for (let sentence = scanner.next(); sentence; sentence = scanner.next()) sentences.push(sentence);
  return sentences;
}

const CLOSING = new Set(["''", "'", '-RRB-', '-RSB-', '-RCB-']);

/** Tells from the last words whether a sentence ends. */
function endingOf(words: readonly string[]): Ending {
  let last = words.length - 1;
  const first = Math.max(0, last - MOST_CLOSING);
  while (last > first && CLOSING.has(words[last])) last--;
  const word = words[last];
  if (word === '.') {
    // The number of an item: "1. Preheat the oven."
    return last === 1 && /^\d{1,3}$|^[a-z]$/i.test(words[0]) ? 'no' : 'yes';
  }
  if (word === '?' || word === '!' || word === '...') return 'yes';
  if (word.length < 2 || !word.endsWith('.')) return 'no';
  const name = word.slice(0, -1);
  if (name.length === 1) return 'initial';
  // "No." is a number's name before a figure, an answer before a word.
  if (name === 'No') return 'place';
  if (LEADING_ABBREVIATIONS.has(name) || /^(?:e\.g|i\.e)$/i.test(name)) return 'no';
  if (/^[ap]\.m$/i.test(name) || (STATES.has(name) && words[last - 1] === ',')) return 'place';
  return ABBREVIATIONS.has(name) || STATES.has(name) || /\.\p{L}{1,2}$/u.test(name) ? 'abbreviation' : 'no';
}

/** Whether a stretch, of which the start is given, can start a sentence after an ending of that kind. */
function startsSentence(stretch: string, ending: Ending): boolean {
  const first = /^["'“‘„«`([{¿¡–—-]*/u.exec(stretch)?.[0].length ?? 0;
  const rest = stretch.slice(first, first + 40);
  // A dash that stands alone starts an item or names an author.
  if (rest === '') return ending === 'yes' && /^(?:--+|[–—])$/.test(stretch);
  // Only marks, such as a closing quote that stands alone: they go with what is before them.
  if (/^["”’»)\]}.,;:!?…]+$/u.test(rest)) return false;
  if (ending === 'yes') return !/^\p{Ll}/u.test(rest);
  if (!/^\p{Lu}/u.test(rest)) return false;
  // Another initial: J. A. Smith.
  if (ending !== 'place' && rest[1] === '.') return false;
  const word = /^[A-Za-z]+/.exec(rest)?.[0] ?? '';
  if (ending === 'place' ? !AFTER_TIMES.has(word) : SENTENCE_STARTERS.has(word)) return true;
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
