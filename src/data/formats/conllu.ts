/**
 * CoNLL-U, the format of Universal Dependencies: ten columns parted by tabs, comments that start with #, ranges for
 * multiword tokens (1-2) and empty nodes (1.1), a blank line after each sentence.
 */

import { InputError, quote } from '../../base/errors.js';
import { cellOf } from './cells.js';
import type { InputPosition } from './columns.js';
import { type InputLine, LineReader } from './line-reader.js';

/** The columns, in order. */
const FIELDS = ['id', 'form', 'lemma', 'upos', 'xpos', 'feats', 'head', 'deprel', 'deps', 'misc'];
/** Other names of columns, as tasks have them. */
const ALIASES: Readonly<Record<string, string>> = { word: 'form', pos: 'xpos' };
const MISC = FIELDS.indexOf('misc');
const EMPTY = '_';

/** A sentence of a CoNLL-U file. */
export interface ConlluSentence {
  /** Its lines, comments and the blank line at its end included. */
  readonly lines: readonly Pick<InputLine, 'mark' | 'text' | 'ending' | 'bytes'>[];
  /** [T] index in {@link lines} of each word: ranges and empty nodes are none. */
  readonly words: readonly number[];
  /** [T] the ten cells of each word. */
  readonly fields: readonly (readonly string[])[];
  /** Line number of the first line, from 1. */
  readonly firstLine: number;
  /** Why the sentence cannot be used, if it cannot. */
  readonly problem: InputError | undefined;
}

/**
 * Reads sentences from the bytes of a CoNLL-U file as they come. Push chunks, take sentences with {@link next} until it
 * gives none, and call {@link end} after the last chunk.
 */
export class ConlluScanner {
  private readonly source: string;
  private readonly reader: LineReader;
  private ended = false;
  private lines: InputLine[] = [];
  private words: number[] = [];
  private fields: string[][] = [];
  private problem: InputError | undefined;

  /**
   * @param source names the input in messages.
   * @param from where the bytes begin, when they are a later part of the input.
   */
  constructor(source: string, from?: InputPosition) {
    this.source = source;
    this.reader = new LineReader(source, from);
  }

  /** Adds the next bytes of the input. */
  push(chunk: Uint8Array): void {
    this.reader.push(chunk);
  }

  /** Says that no bytes follow. */
  end(): void {
    this.reader.end();
    this.ended = true;
  }

  /**
   * The next whole sentence, or nothing until more bytes come (or at all, after {@link end}). Lines after the last
   * sentence that hold no word come as a sentence without words.
   */
  next(): ConlluSentence | undefined {
    for (let line = this.reader.next(); line; line = this.reader.next()) {
      const isBlank = line.problem === undefined && line.text.trim() === '';
      this.lines.push(line);
      if (!isBlank) this.addLine(line);
      else if (this.words.length > 0 || this.problem) return this.take();
    }
    return this.ended && this.lines.length > 0 ? this.take() : undefined;
  }

  private addLine(line: InputLine): void {
    if (line.problem) this.problem ??= line.problem;
    else if (!line.text.startsWith('#')) {
      const found = this.check(line.text);
      if (found) this.problem ??= new InputError({ source: this.source, line: line.line }, found);
    }
  }

  /** Adds a word if the line has one; returns what is wrong with it. */
  private check(text: string): string | undefined {
    const cells = text.split('\t');
    if (cells.length !== FIELDS.length) {
      const blanks = cells.length === 1 && text.includes(' ') ? '; CoNLL-U parts columns by tabs' : '';
      return `expected ${FIELDS.length} columns parted by tabs, found ${cells.length}${blanks}`;
    }
    const empty = cells.indexOf('');
    if (empty >= 0) return `expected a value or ${EMPTY} in column ${FIELDS[empty]}, found nothing`;
    if (/^\d+[-.]\d+$/.test(cells[0])) return undefined;
    const expected = this.words.length + 1;
    if (cells[0] !== String(expected)) {
      return `expected the id ${expected}, a range or an empty node, found ${quote(cells[0])}`;
    }
    this.words.push(this.lines.length - 1);
    this.fields.push(cells);
    return undefined;
  }

  private take(): ConlluSentence {
    const { lines, words, fields, problem } = this;
    this.lines = [];
    this.words = [];
    this.fields = [];
    this.problem = undefined;
    return { lines, words, fields, firstLine: lines[0].line, problem };
  }
}

/**
 * A word's value in a column by name, nothing for `_`; blanks in it, which no cell of a column can hold, become `_`.
 *
 * @param fields the ten cells.
 * @param column a column of CoNLL-U (`word` is form, `pos` is xpos), or a key of MISC in any case: `chunk`.
 */
export function conlluValue(fields: readonly string[], column: string): string | undefined {
  const name = fieldOf(column);
  const index = FIELDS.indexOf(name);
  if (index >= 0) {
    const value = fields[index];
    // A word may really be an underscore.
    return value === EMPTY && name !== 'form' ? undefined : cellOf(value);
  }
  const entry = fields[MISC].split('|').find((part) => keyOf(part).toLowerCase() === name.toLowerCase());
  const value = entry?.slice(keyOf(entry).length + 1);
  return value === undefined || value === '' ? undefined : cellOf(unescapeMisc(value));
}

/** Writes a word's value in a column, named as in {@link conlluValue}; keys new in MISC get a capital: `Chunk`. */
export function setConlluValue(fields: string[], column: string, value: string): void {
  const name = fieldOf(column);
  const index = FIELDS.indexOf(name);
  if (index >= 0) {
    fields[index] = cellOf(value);
    return;
  }
  const parts = fields[MISC] === EMPTY ? [] : fields[MISC].split('|');
  const isSame = (part: string) => keyOf(part).toLowerCase() === name.toLowerCase();
  const found = parts.findIndex(isSame);
  const key = found >= 0 ? keyOf(parts[found]) : name.charAt(0).toUpperCase() + name.slice(1);
  const at = found >= 0 ? found : parts.length;
  parts[at] = `${key}=${escapeMisc(cellOf(value))}`;
  fields[MISC] = parts.filter((part, i) => i === at || !isSame(part)).join('|');
}

/** A sentence to be written from nothing. */
export interface NewConlluSentence {
  /** Its text. */
  readonly text: string;
  /** [T] words. */
  readonly words: readonly string[];
  /** [T] values by column. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** [T] whether white space follows. */
  readonly spaceAfter: readonly boolean[];
}

/** The lines of a sentence, with a blank one at the end. */
export function formatConlluSentence({ text, words, columns, spaceAfter }: NewConlluSentence): string {
  let lines = `# text = ${text.replace(/\s+/g, ' ')}\n`;
  words.forEach((word, t) => {
    const fields = new Array<string>(FIELDS.length).fill(EMPTY);
    fields[0] = String(t + 1);
    fields[1] = word.replace(/[\t\r\n]/g, ' ');
    for (const [name, values] of Object.entries(columns)) setConlluValue(fields, name, values[t]);
    if (!spaceAfter[t]) setConlluValue(fields, 'SpaceAfter', 'No');
    lines += `${fields.join('\t')}\n`;
  });
  return `${lines}\n`;
}

function fieldOf(column: string): string {
  return Object.hasOwn(ALIASES, column) ? ALIASES[column] : column;
}

function keyOf(part: string): string {
  const equals = part.indexOf('=');
  return equals < 0 ? part : part.slice(0, equals);
}

/** As Universal Dependencies escape what would end a value. */
function escapeMisc(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('|', '\\p');
}

function unescapeMisc(value: string): string {
  return value.replace(/\\([p\\])/g, (_, escaped: string) => (escaped === 'p' ? '|' : '\\'));
}
