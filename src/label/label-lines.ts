import { grown } from '../base/growable.js';
import { encodeUtf8 } from '../base/utf8.js';
import { LineReader } from '../data/formats/line-reader.js';
import type { Tagger } from '../model/tagger.js';
import { Labeller, type LabelOptions } from './labeller.js';

const SPACE = 32;
const SLASH = 47;

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
  /** [T × 2] start and end of each character of a stretch without blanks. */
  private cells = new Uint32Array(512);

  constructor(tagger: Tagger, options: LabelOptions) {
    super(options, 'text', [...tagger.inputColumns, tagger.labelColumn]);
    this.tagger = tagger;
    this.lines = new LineReader(options.source);
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
    const line = this.lines.nextBytes();
    if (line === undefined) return false;
    if (line.problem) {
      this.refuse(line.problem);
      return true;
    }
    if (line.mark !== '') this.out.addText(line.mark);
    this.labelLine(line.bytes);
    this.out.addText(line.ending);
    return true;
  }

  private labelLine(bytes: Uint8Array): void {
    const { length } = bytes;
    this.cells = grown(this.cells, 2 * length);
    const { cells } = this;
    let isFirst = true;
    let characters = 0;
    for (let at = 0; at <= length; ) {
      const blank = at < length ? blankLength(bytes, at) : 1;
      if (blank === 0) {
        cells[2 * characters] = at;
        at += characterLength(bytes[at]);
        cells[2 * characters++ + 1] = at;
        continue;
      }
      at += blank;
      if (characters === 0) continue;
      if (!isFirst) this.out.addByte(SPACE);
      isFirst = false;
      this.labelStretch(bytes, characters);
      characters = 0;
    }
  }

  private labelStretch(bytes: Uint8Array, characters: number): void {
    const { tagger, cells, out, suffixes } = this;
    this.sentences++;
    this.tokens += characters;
    tagger.decodeCells(bytes, cells, characters);
    const { labels } = tagger;
    const { tagSet } = tagger.model;
    const isBackward = tagSet.direction === 'backward';
    const boundary = tagSet.tags.length;
    const width = tagSet.tags.length + 1;
    const { opens } = tagSet;
    let from = cells[0];
    out.reserve(cells[2 * characters - 1] - from + characters * (1 + this.longestSuffix));
    const to = out.bytes;
    let end = out.length;
    let previous = boundary;
    for (let t = 0; t < characters; t++) {
      const label = labels[isBackward ? characters - 1 - t : t];
      if (t > 0 && opens[previous * width + label] !== 0) {
        const suffix = suffixes[previous];
        for (let i = 0; i < suffix.length; i++) to[end++] = suffix[i];
        to[end++] = SPACE;
      }
      for (const last = cells[2 * t + 1]; from < last; from++) to[end++] = bytes[from];
      previous = label;
    }
    out.length = end;
    out.add(suffixes[previous]);
  }
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
