import type { InputPlace } from '../../base/errors.js';
import type { OffsetUnit } from '../../text/code-points.js';
import { splitText } from '../../text/text-scanner.js';
import type { TextSentence } from '../../text/text-sentence.js';
import { alignSpans } from './align-spans.js';
import { filledCells, givenColumns, wordless } from './cells.js';
import { splitCharacters } from './characters.js';
import type { InputSentence, InputUnit, SentenceLabels, TokenUnit, UnitReaderOptions } from './input-unit.js';
import { type InputLine, rawLines } from './line-reader.js';
import { type LineContent, LineUnitReader } from './line-unit-reader.js';
import {
  type CharacterSpan,
  type CharacterToken,
  formatSpansLine,
  parseSpansLine,
  relabelSpansLine,
  type SpansDocument,
} from './spans-jsonl.js';

/** JSONL spans; a unit is a line. */
export class SpansReader extends LineUnitReader {
  private readonly columns: readonly string[];
  private readonly offsets: OffsetUnit;
  private readonly tokens: TokenUnit;

  constructor({ source, columns, tokens = 'words', offsets = 'utf16' }: UnitReaderOptions) {
    super(source);
    this.columns = columns;
    this.tokens = tokens;
    this.offsets = offsets;
  }

  protected read(line: InputLine, place: InputPlace): LineContent {
    if (line.text.trim() === '') return wordless(rawLines([line]));
    const { sentences, relabel } = this.readDocument(line.text, place);
    return {
      sentences,
      startsDocument: true,
      relabel: (labels) => line.mark + relabel(labels) + (line.ending || '\n'),
    };
  }

  private readDocument(
    text: string,
    place: InputPlace,
  ): { sentences: InputSentence[]; relabel: NonNullable<InputUnit['relabel']> } {
    const document = parseSpansLine(text, place, this.offsets);
    const aligned = alignSpans(
      document.text,
      sentencesOf(document, this.tokens),
      document.spans,
      place,
      this.offsets,
    );
    let tokensBefore = 0;
    const sentences = aligned.map(({ sentence, spans }): InputSentence => {
      const { length } = sentence.words;
      const own = document.tokens?.slice(tokensBefore, tokensBefore + length);
      tokensBefore += length;
      const columns = givenColumns(sentence.words, own ? this.columns : [], (t, name) =>
        own?.[t].fields.get(name),
      );
      return { sentence, columns, spans, lines: new Array<number>(length).fill(place.line as number) };
    });
    const relabel = (labels: readonly SentenceLabels[]) => {
      // Spans say the same as tags of chunks, but tags that are there already must not contradict them.
      const hasTags = (name: string) => document.tokens?.some(({ fields }) => fields.has(name)) ?? false;
      const cells = labels.map((one, s) => filledCells(one, sentences[s].columns, hasTags(one.labelColumn)));
      const isOfTokens = labels.length > 0 && labels.every(({ chunks }) => chunks === undefined);
      const spans = isOfTokens ? undefined : characterSpans(labels);
      return relabelSpansLine(document, { spans, tokens: characterTokens(labels, cells) });
    };
    return { sentences, relabel };
  }
}

/** A document's own tokens as one sentence, or the sentences that its text is split into. */
function sentencesOf({ text, tokens }: SpansDocument, unit: TokenUnit): TextSentence[] {
  if (tokens === undefined) return unit === 'characters' ? splitCharacters(text) : splitText(text);
  if (tokens.length === 0) return [];
  const start = tokens[0].start;
  const offsets = Uint32Array.from(tokens.flatMap((token) => [token.start - start, token.end - start]));
  return [
    {
      text: text.slice(start, tokens[tokens.length - 1].end),
      start,
      startCodePoint: [...text.slice(0, start)].length,
      tokens: offsets,
      words: tokens.map((token) => text.slice(token.start, token.end)),
    },
  ];
}

/** A new document as a line of JSONL spans. Tags of chunks are left out of its tokens, since its spans say the same. */
export function spansLine(text: string, labels: readonly SentenceLabels[]): string {
  const cells = labels.map((one) => filledCells(one, { word: one.sentence.words }, false));
  const document: SpansDocument = {
    text,
    spans: characterSpans(labels),
    tokens: characterTokens(labels, cells),
  };
  return `${formatSpansLine(document)}\n`;
}

function characterSpans(labels: readonly SentenceLabels[]): CharacterSpan[] {
  return labels.flatMap(({ sentence, chunks = [] }) =>
    chunks.map(({ start, end, ...chunk }) => ({
      ...chunk,
      start: sentence.start + sentence.tokens[2 * start],
      end: sentence.start + sentence.tokens[2 * end - 1],
    })),
  );
}

/** @param cells [S][T] the fields of each token. */
function characterTokens(
  labels: readonly SentenceLabels[],
  cells: readonly (readonly ReadonlyMap<string, string>[])[],
): CharacterToken[] {
  return labels.flatMap(({ sentence }, s) =>
    cells[s].map((fields, t) => ({
      start: sentence.start + sentence.tokens[2 * t],
      end: sentence.start + sentence.tokens[2 * t + 1],
      fields,
    })),
  );
}
