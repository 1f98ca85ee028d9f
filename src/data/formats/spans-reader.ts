import { InputError, type InputPlace } from '../../base/errors.js';
import type { OffsetUnit } from '../../text/code-points.js';
import type { SentenceOptions } from '../../text/text-scanner.js';
import { joinWords, type TextSentence } from '../../text/text-sentence.js';
import { TOKENIZERS, type TokenizerName } from '../../text/tokenizers.js';
import type { CharacterSpan, CharacterToken } from '../span.js';
import { alignSpans, refuseMissed } from './align-spans.js';
import { filledCells, givenColumns, wordless } from './cells.js';
import { splitCharacters } from './characters.js';
import { TAG_FIELD } from './imports.js';
import type {
  InputSentence,
  InputUnit,
  MarkedChunks,
  SentenceLabels,
  TokenUnit,
  UnitReaderOptions,
} from './input-unit.js';
import { type InputLine, rawLines } from './line-reader.js';
import { type LineContent, LineUnitReader } from './line-unit-reader.js';
import { formatSpansLine, parseSpansLine, relabelSpansLine, type SpansDocument } from './spans-jsonl.js';
import { isTokenLists, parseTokenLists, relabelTokenLists } from './token-lists.js';

/** What a line holds; relabelled it has no line end. */
interface ReadDocument {
  readonly sentences: InputSentence[];
  readonly answer: string | undefined;
  readonly relabel: NonNullable<InputUnit['relabel']>;
}

/** JSONL spans, or sentences as lists of tokens and tags; a unit is a line. */
export class SpansReader extends LineUnitReader {
  private readonly columns: readonly string[];
  private readonly offsets: OffsetUnit;
  private readonly tokens: TokenUnit;
  private readonly marks: MarkedChunks;
  private readonly tokenizer: TokenizerName;
  private readonly how: SentenceOptions;

  constructor({
    source,
    columns,
    tokens = 'words',
    tokenizer = 'english',
    offsets = 'utf16',
    marks = 'learn',
    from,
    layout,
    abbreviations,
  }: UnitReaderOptions) {
    super(source, from);
    this.how = { layout, abbreviations };
    this.marks = marks;
    this.tokenizer = tokenizer;
    this.columns = columns;
    this.tokens = tokens;
    this.offsets = offsets;
  }

  protected read(line: InputLine, place: InputPlace): LineContent {
    if (line.text.trim() === '') return wordless(rawLines([line]));
    const { sentences, answer, relabel } = isTokenLists(line.text)
      ? this.readTokenLists(line.text, place)
      : this.readDocument(line.text, place);
    return {
      sentences,
      answer,
      startsDocument: true,
      relabel: (labels) => line.mark + relabel(labels) + (line.ending || '\n'),
    };
  }

  private readTokenLists(text: string, place: InputPlace): ReadDocument {
    const label = this.columns[this.columns.length - 1];
    const lists = parseTokenLists(text, place, label);
    const words = lists.tokens;
    const sentence = joinWords(words);
    const columns = givenColumns(words, this.columns, (t, name) => lists.lists.get(name)?.[t]);
    const lines = words.map(() => place.line as number);
    return {
      sentences: words.length === 0 ? [] : [{ sentence, columns, lines }],
      answer: undefined,
      relabel: (labels) =>
        labels.length === 0 ? text : relabelTokenLists(lists, labels[0].columns[labels[0].labelColumn]),
    };
  }

  /** Names a tokenizer whose tokens all spans of a document would fit. */
  private hint(
    document: Pick<SpansDocument, 'text' | 'tokens'>,
    spans: readonly CharacterSpan[],
  ): () => string {
    return () => {
      if (document.tokens || this.tokens === 'characters') return '';
      const fitting = (['letters', 'characters'] as const).find((name) =>
        alignSpans(document.text, TOKENIZERS[name].split(document.text), spans, { joins: true }).every(
          ({ missed }) => missed.length === 0,
        ),
      );
      return fitting ? `; --tokenizer ${fitting} has tokens that all of them fit` : '';
    };
  }

  private readDocument(text: string, place: InputPlace): ReadDocument {
    const { marks, offsets } = this;
    const document = parseSpansLine(text, place, offsets, marks !== 'replace');
    const { spans: marked } = document;
    const found = sentencesOf(document, this.tokens, this.tokenizer, this.how);
    if (found.length === 0 && marked && marked.length > 0) {
      throw new InputError(place, 'expected spans that cover tokens: the text has none');
    }
    const how = { joins: marks === 'learn', unit: offsets };
    const aligned = alignSpans(document.text, found, marked ?? [], how);
    if (marks === 'learn') refuseMissed(aligned, place, this.hint(document, marked ?? []));
    let tokensBefore = 0;
    const sentences = aligned.map(({ sentence, spans, missed }): InputSentence => {
      const { length } = sentence.words;
      const own = document.tokens?.slice(tokensBefore, tokensBefore + length);
      tokensBefore += length;
      const label = this.columns[this.columns.length - 1];
      const columns = givenColumns(
        sentence.words,
        own ? this.columns : [],
        (t, name) =>
          own?.[t].fields.get(name) ?? (name === label ? own?.[t].fields.get(TAG_FIELD) : undefined),
      );
      const lines = new Array<number>(length).fill(place.line as number);
      return { sentence, columns, ...(marked && { spans, missed }), lines };
    });
    const relabel = (labels: readonly SentenceLabels[]) => {
      // Spans say the same as tags of chunks, but tags that are there already must not contradict them.
      const hasTags = (name: string) => document.tokens?.some(({ fields }) => fields.has(name)) ?? false;
      const cells = labels.map((one, s) => filledCells(one, sentences[s].columns, hasTags(one.labelColumn)));
      const isOfTokens = labels.length > 0 && labels.every(({ chunks }) => chunks === undefined);
      const spans = isOfTokens ? undefined : characterSpans(labels);
      return relabelSpansLine(document, { spans, tokens: characterTokens(labels, cells) });
    };
    return { sentences, answer: document.answer, relabel };
  }
}

/** A document's own tokens as one sentence, or the sentences that its text is split into. */
function sentencesOf(
  { text, tokens }: Pick<SpansDocument, 'text' | 'tokens'>,
  unit: TokenUnit,
  tokenizer: TokenizerName,
  options: SentenceOptions,
): TextSentence[] {
  if (tokens === undefined)
    return unit === 'characters' ? splitCharacters(text) : TOKENIZERS[tokenizer].split(text, options);
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
