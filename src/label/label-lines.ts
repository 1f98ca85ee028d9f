import { checkArgument } from '../base/arguments.js';
import { InputError, OptionError, quote } from '../base/errors.js';
import { grown } from '../base/growable.js';
import { decodeUtf8, encodeUtf8 } from '../base/utf8.js';
import { isTaggedWord } from '../data/formats/characters.js';
import { type LineBytes, LineReader } from '../data/formats/line-reader.js';
import type { Tagger } from '../tag/tagger.js';
import { Labeller, type LabelOptions } from './labeller.js';
import { mayCut } from './whole-runs.js';

const SPACE = 32;
const SLASH = 47;
const BRACKET = 0x5b;
/** Characters that are labelled at a time; lines are whole. */
const BATCH = 1 << 12;

/** A line and how many stretches without blanks it has. */
type SplitLine = LineBytes & { readonly stretches: number };

/** Most characters that are looked back at. */
const MOST_FLAGS = 100;

/**
 * Segments raw text line by line with a model of characters: words parted by one space (with `tagged`, each with its part
 * of speech), lines as they are. A word never spans a blank. Works on bytes throughout.
 */
export class LineLabeller extends Labeller {
  private readonly tagger: Tagger;
  private readonly lines: LineReader;
  /** [L] bytes of the part of speech that a label has, with the slash; empty where types are not written. */
  private readonly suffixes: readonly Uint8Array[];
  private readonly longestSuffix: number;
  /** Number of stretches without blanks in the lines being labelled. */
  private stretches = 0;
  /** [stretches + 1] start of each stretch, in characters. */
  private starts = new Uint32Array(512);
  /** [characters × 2] start and end of each character in the reader's buffer. */
  private cells = new Uint32Array(512);

  constructor(tagger: Tagger, options: LabelOptions) {
    checkArgument('tagger', tagger, 'tagger');
    checkArgument('options', options, 'object');
    super(options, 'text', [...tagger.inputColumns, tagger.labelColumn]);
    this.tagger = tagger;
    this.lines = new LineReader(options.source, options.from);
    if (options.format === 'tagged') checkTypes(tagger);
    this.suffixes = tagger.model.tagSet.typeOfLabel.map((type) =>
      encodeUtf8(options.format === 'tagged' ? `${String.fromCharCode(SLASH)}${type}` : ''),
    );
    this.longestSuffix = Math.max(...this.suffixes.map(({ length }) => length));
  }

  protected read(chunk: Uint8Array | undefined): void {
    if (chunk) this.lines.push(chunk);
    else this.lines.end();
  }

  protected labelNext(): boolean {
    const lines: SplitLine[] = [];
    let line: LineBytes | undefined;
    this.stretches = 0;
    while (this.starts[this.stretches] < BATCH) {
      line = this.lines.nextBytes();
      if (line === undefined || line.problem) break;
      lines.push({ ...line, stretches: this.findStretches(line.bytes) });
    }
    this.label(lines);
    if (line?.problem) this.refuse(line.problem);
    return line !== undefined;
  }

  /** Notes the stretches of a line; returns how many there are. */
  private findStretches(bytes: Uint8Array): number {
    const { length, byteOffset } = bytes;
    const first = this.stretches;
    let characters = this.starts[first];
    this.cells = grown(this.cells, 2 * (characters + length));
    const { cells } = this;
    for (let at = 0; at <= length; ) {
      const blank = at < length ? blankLength(bytes, at) : 1;
      if (blank === 0) {
        cells[2 * characters] = byteOffset + at;
        at += characterLength(bytes[at]);
        cells[2 * characters++ + 1] = byteOffset + at;
        continue;
      }
      at += blank;
      if (characters === this.starts[this.stretches]) continue;
      this.starts = grown(this.starts, this.stretches + 2);
      this.starts[++this.stretches] = characters;
    }
    return this.stretches - first;
  }

  /** Labels lines whose stretches are noted. */
  private label(lines: readonly SplitLine[]): void {
    if (lines.length === 0) return;
    const { tagger, cells, starts, stretches } = this;
    const text = new Uint8Array(lines[0].bytes.buffer);
    this.sentences += stretches;
    this.tokens += starts[stretches];
    tagger.decodeMany(text, cells, starts, stretches);
    let next = 0;
    for (const { mark, ending, stretches: own, line, bytes } of lines) {
      const before = this.out.length;
      if (mark !== '') this.out.addText(mark);
      for (const last = next + own; next < last; next++) {
        this.addWords(text, starts[next], starts[next + 1]);
        if (next + 1 < last) this.out.addByte(SPACE);
      }
      if (this.options.format === 'tagged' && mayLose(bytes)) {
        const words = decodeUtf8(this.out.bytes.subarray(before, this.out.length)).match(/\S+/gu) ?? [];
        const lost = words.find((word, w) => !isTaggedWord(...splitTag(word), w === 0));
        if (lost !== undefined) {
          this.out.length = before;
          const problem = `the output format tagged has no place for ${quote(lost)}: reading it gives another word`;
          this.refuse(new InputError({ source: this.options.source, line }, problem));
          return;
        }
      }
      this.out.addText(ending);
    }
  }

  /** Writes the words of the stretch of the characters `first` to `last` − 1. */
  private addWords(bytes: Uint8Array, first: number, last: number): void {
    const { tagger, cells, out, suffixes } = this;
    const { labels } = tagger;
    const { tagSet } = tagger.model;
    const isBackward = tagSet.direction === 'backward';
    const boundary = tagSet.tags.length;
    const width = tagSet.tags.length + 1;
    const { opens } = tagSet;
    let from = cells[2 * first];
    out.reserve(cells[2 * last - 1] - from + (last - first) * (1 + this.longestSuffix));
    const to = out.bytes;
    let end = out.length;
    let previous = boundary;
    // Joined words have the type of the first.
    let opened = boundary;
    for (let t = first; t < last; t++) {
      const label = labels[isBackward ? first + last - 1 - t : t];
      if (t > first && opens[previous * width + label] !== 0 && this.mayCut(bytes, first, t)) {
        const suffix = suffixes[opened];
        opened = label;
        for (let i = 0; i < suffix.length; i++) to[end++] = suffix[i];
        to[end++] = SPACE;
      }
      for (const next = cells[2 * t + 1]; from < next; from++) to[end++] = bytes[from];
      if (t === first) opened = label;
      previous = label;
    }
    out.length = end;
    out.add(suffixes[opened]);
  }

  /** Whether a word may end before the character `t` of the stretch that begins with `first`. */
  private mayCut(bytes: Uint8Array, first: number, t: number): boolean {
    const { cells } = this;
    // Three bytes from 0xe4 on are ideographs, which may be told apart anywhere.
    const isPlain = (lead: number) => lead >= 0xe4 && lead <= 0xe9;
    if (isPlain(bytes[cells[2 * t]]) && isPlain(bytes[cells[2 * t - 2]])) return true;
    let from = t - 1;
    // Flags are counted from where they begin.
    while (from > first && t - from < MOST_FLAGS && bytes[cells[2 * from]] === 0xf0) from--;
    const characters = Array.from({ length: t - from + 1 }, (_, i) =>
      decodeUtf8(bytes.subarray(cells[2 * (from + i)], cells[2 * (from + i) + 1])),
    );
    return mayCut(characters, characters.length - 1, this.options.wholeRuns);
  }
}

/** Whether a line has what WORD/TAG text reads as something else: a bracket, or digits that may be an article's number. */
function mayLose(bytes: Uint8Array): boolean {
  return bytes.includes(BRACKET) || (bytes.length >= 8 && bytes.subarray(0, 8).every(isDigit));
}

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;

function splitTag(word: string): [string, string] {
  const slash = word.lastIndexOf('/');
  return [word.slice(0, slash), word.slice(slash + 1)];
}

/** @throws OptionError where a type of a model is no tag of WORD/TAG text. */
function checkTypes({ model: { tagSet } }: Tagger): void {
  const bad = tagSet.typeOfLabel.find(
    (type, label) => label !== tagSet.outside && !isTaggedWord('x', type ?? '', false),
  );
  if (bad === undefined) return;
  throw new OptionError(
    'format',
    `--format tagged: expected a model of words with tags that WORD/TAG can hold, found the tag ${quote(bad)}`,
  );
}

/** Bytes of the character that starts with a byte of valid UTF-8. */
function characterLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** Bytes of the blank (as `\s` of regular expressions has it) at a position, 0 where there is none. */
function blankLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at];
  if (lead > 0xe3) return lead === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf ? 3 : 0;
  if (lead < 0x80) return lead === SPACE || (lead >= 9 && lead <= 13) ? 1 : 0;
  if (lead === 0xc2) return bytes[at + 1] === 0xa0 ? 2 : 0;
  const second = bytes[at + 1];
  const third = bytes[at + 2];
  if (lead === 0xe3) return second === 0x80 && third === 0x80 ? 3 : 0;
  if (lead === 0xe1) return second === 0x9a && third === 0x80 ? 3 : 0;
  if (lead !== 0xe2) return 0;
  if (second === 0x80) return third <= 0x8a || third === 0xa8 || third === 0xa9 || third === 0xaf ? 3 : 0;
  return second === 0x81 && third === 0x9f ? 3 : 0;
}
