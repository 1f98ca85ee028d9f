import type { SentenceWriter } from '../label/formats.js';
import { tokenTexts } from '../label/labelled-sentence.js';

/** How the terminal view looks. */
export interface TerminalViewOptions {
  /** Columns that a line may have. */
  readonly width: number;
  /** Whether colours are used. */
  readonly colour: boolean;
}

/** SGR codes of the types that English chunkers and taggers know; other types take the next free one. */
const TYPE_COLOURS: Readonly<Record<string, number>> = {
  NP: 36,
  VP: 32,
  PP: 33,
  ADVP: 35,
  ADJP: 95,
  SBAR: 34,
  PRT: 93,
};
const OTHER_COLOURS = [31, 94, 92, 96, 91];
const DIM = 2;
const INDENT = '  ';

/** Piece of output without a blank in it. */
interface Piece {
  /** Characters on the screen. */
  readonly text: string;
  /** The same with colours. */
  readonly styled: string;
}

/** Writes a sentence for people: as `brackets` does, in colours, wrapped between tokens. */
export function terminalView({ width, colour }: TerminalViewOptions): SentenceWriter {
  const colours = new Map<string, number>(Object.entries(TYPE_COLOURS));
  const colourOf = (type: string) => {
    const known = colours.get(type);
    if (known !== undefined) return known;
    const next = OTHER_COLOURS[(colours.size - Object.keys(TYPE_COLOURS).length) % OTHER_COLOURS.length];
    colours.set(type, next);
    return next;
  };
  const style = (text: string, code: number) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);

  return ({ sentence, chunks, tags, confidences }) => {
    const tokens = tokenTexts(sentence).map(printable);
    const pieces: Piece[] = tokens.map((text) => ({ text, styled: text }));
    const rating = (value: number | undefined) => (value === undefined ? '' : `|${value.toFixed(2)}`);
    if (chunks === undefined) {
      tags.forEach((tag, t) => {
        const label = `/${printable(tag)}${rating(confidences?.[t])}`;
        pieces[t] = { text: tokens[t] + label, styled: tokens[t] + style(label, DIM) };
      });
    }
    for (const { start, end, type, confidence } of chunks ?? []) {
      const code = colourOf(type);
      const opening = `[${printable(type)}${rating(confidence)} `;
      for (let t = start; t < end; t++) {
        const before = t === start ? opening : '';
        const after = t === end - 1 ? ']' : '';
        pieces[t] = {
          text: before + tokens[t] + after,
          styled: (before && style(before, DIM)) + style(tokens[t], code) + (after && style(after, DIM)),
        };
      }
    }
    return `${wrap(pieces, width)}\n`;
  };
}

function wrap(pieces: readonly Piece[], width: number): string {
  let out = '';
  let used = 0;
  for (const { text, styled } of pieces) {
    const wide = displayWidth(text);
    if (used === 0) {
      out = styled;
      used = wide;
    } else if (used + 1 + wide <= width) {
      out += ` ${styled}`;
      used += 1 + wide;
    } else {
      out += `\n${INDENT}${styled}`;
      used = INDENT.length + wide;
    }
  }
  return out;
}

/** Control and direction characters could steer the terminal; they are shown as U+FFFD. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
const NO_WIDTH = /\p{M}|\u200d|\p{Emoji_Modifier}/u;

/** Terminal columns that a text takes, nearly: terminals do not agree on every emoji. */
function displayWidth(text: string): number {
  let columns = 0;
  for (const character of text) if (!NO_WIDTH.test(character)) columns += WIDE.test(character) ? 2 : 1;
  return columns;
}
