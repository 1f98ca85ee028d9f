import { SpanwrightError } from '../base/errors.js';
import { Sha256 } from '../base/sha256.js';
import { encodeUtf8 } from '../base/utf8.js';
import type { CharacterSpan, Span } from '../data/span.js';
import { packNumbers, unpackNumbers } from './pack-numbers.js';
import { checkId, type DocumentEntry, MOST_DOCUMENT, type StoredDocument } from './project.js';

/** A sentence's tokens, and the cells of further columns. */
export interface TokenisedSentence {
  /** [T × 2] start and end of each token in the document's text. */
  readonly tokens: ArrayLike<number>;
  /** [T] words that models read. */
  readonly words: readonly string[];
  /** [T] further cells by column. */
  readonly columns?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** What a document is made of. */
export interface DocumentParts {
  /** Title. */
  readonly title: string;
  /** The text. */
  readonly text: string;
  /** Its sentences in text order. */
  readonly sentences: readonly TokenisedSentence[];
  /** Spans that came with it, by layer. */
  readonly given?: Readonly<Record<string, readonly CharacterSpan[]>> | undefined;
  /** Whether these count as annotated. */
  readonly isGold?: boolean | undefined;
}

/** Makes a document for a store. Its name is made of its text. */
export function makeDocument({ title, text, sentences, given, isGold }: DocumentParts): StoredDocument {
  const spellings: [number, string][] = [];
  const tokens: number[] = [];
  const columns: Record<string, string[]> = {};
  let end = 0;
  let count = 0;
  for (const { tokens: bounds, words, columns: cells = {} } of sentences) {
    for (let t = 0; t < words.length; t++) {
      const start = bounds[2 * t];
      tokens.push(start - end, bounds[2 * t + 1] - start);
      end = bounds[2 * t + 1];
      if (words[t] !== text.slice(start, end)) spellings.push([count, words[t]]);
      count++;
    }
    for (const [name, own] of Object.entries(cells)) {
      columns[name] ??= [];
      columns[name].push(...own);
    }
  }
  for (const name of Object.keys(columns)) if (columns[name].length !== count) delete columns[name];
  const hash = new Sha256();
  hash.update(encodeUtf8(text));
  return {
    id: hash.hex().slice(0, 32),
    title,
    text,
    sentences: packNumbers(sentences.map(({ words }) => words.length)),
    tokens: packNumbers(tokens),
    ...(spellings.length > 0 && { spellings }),
    ...(Object.keys(columns).length > 0 && { columns }),
    ...(given && { given }),
    ...(isGold && { isGold }),
  };
}

/** Refuses a document that is not as it should be. */
export function checkDocument(value: unknown): StoredDocument {
  const refuse = (expected: string): never => {
    throw new SpanwrightError('bad-request', `document: expected ${expected}`);
  };
  if (typeof value !== 'object' || value === null) return refuse('an object');
  const document = value as StoredDocument;
  const { id, title, text, columns = {}, given = {}, spellings = [] } = document;
  checkId('document', id);
  if (typeof title !== 'string' || title.length > 1000) refuse('a title');
  if (typeof text !== 'string') return refuse('a text');
  if (text.length > MOST_DOCUMENT) {
    throw new SpanwrightError(
      'too-large',
      `document: expected at most ${MOST_DOCUMENT} characters, found ${text.length}`,
    );
  }
  const open = new OpenDocument(document);
  if (!Array.isArray(spellings)) refuse('a list of spellings');
  for (const cells of Object.values(columns)) {
    if (!Array.isArray(cells) || cells.length !== open.length) refuse('a cell in each column for each token');
  }
  for (const spans of Object.values(given))
    if (!Array.isArray(spans) || !spans.every(isSpan)) refuse('lists of spans');
  return document;
}

/** Whether a value is a span over characters. */
export function isSpan(value: unknown): value is CharacterSpan {
  if (typeof value !== 'object' || value === null) return false;
  const { start, end, type } = value as CharacterSpan;
  const isPlaced = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end > start;
  return isPlaced && typeof type === 'string' && type.length <= 100;
}

/** What lists say of a document. */
export function entryOf(document: StoredDocument): DocumentEntry {
  const { id, title, isGold } = document;
  const { length, sentences } = new OpenDocument(document);
  return { id, title, sentences, tokens: length, ...(isGold && { isGold }) };
}

/** A document with its tokens in arrays. */
export class OpenDocument {
  /** As stores keep it. */
  readonly stored: StoredDocument;
  /** [sentences + 1] first token of each sentence. */
  readonly starts: Uint32Array;
  /** [tokens × 2] start and end of each token. */
  readonly bounds: Uint32Array;
  private readonly spellings: ReadonlyMap<number, string>;
  private readonly sorted = new Map<string, readonly CharacterSpan[]>();

  /** @throws SpanwrightError where its numbers do not fit its text. */
  constructor(stored: StoredDocument) {
    const lengths = unpackNumbers(stored.sentences);
    const tokens = unpackNumbers(stored.tokens);
    if (lengths === undefined || tokens === undefined || tokens.length % 2 === 1) {
      throw new SpanwrightError('bad-request', 'document: expected packed numbers of sentences and tokens');
    }
    this.stored = stored;
    this.bounds = tokens;
    let end = 0;
    for (let i = 0; i < tokens.length; i += 2) {
      const start = end + tokens[i];
      end = start + tokens[i + 1];
      tokens[i] = start;
      tokens[i + 1] = end;
    }
    this.starts = new Uint32Array(lengths.length + 1);
    for (let s = 0; s < lengths.length; s++) this.starts[s + 1] = this.starts[s] + lengths[s];
    if (end > stored.text.length || this.starts[lengths.length] !== tokens.length / 2) {
      throw new SpanwrightError('bad-request', 'document: expected tokens within the text and its sentences');
    }
    this.spellings = new Map(stored.spellings ?? []);
  }

  /** Number of tokens. */
  get length(): number {
    return this.bounds.length / 2;
  }

  /** Number of sentences. */
  get sentences(): number {
    return this.starts.length - 1;
  }

  /** First UTF-16 unit of a sentence. */
  startOf(sentence: number): number {
    return this.bounds[2 * this.starts[sentence]] ?? 0;
  }

  /** UTF-16 unit after a sentence's last one. */
  endOf(sentence: number): number {
    return this.bounds[2 * this.starts[sentence + 1] - 1] ?? 0;
  }

  /** [T] words of a sentence that models read. */
  words(sentence: number): string[] {
    const words: string[] = [];
    for (let t = this.starts[sentence]; t < this.starts[sentence + 1]; t++) {
      words.push(this.spellings.get(t) ?? this.stored.text.slice(this.bounds[2 * t], this.bounds[2 * t + 1]));
    }
    return words;
  }

  /** [T × 2] start and end of the tokens of a sentence. */
  tokens(sentence: number): Uint32Array {
    return this.bounds.subarray(2 * this.starts[sentence], 2 * this.starts[sentence + 1]);
  }

  /** [T] cells of a further column. */
  cells(name: string, sentence: number): readonly string[] | undefined {
    return this.stored.columns?.[name]?.slice(this.starts[sentence], this.starts[sentence + 1]);
  }

  /** The sentence that a character is in, or the last one that starts before it. */
  sentenceAt(offset: number): number {
    let low = 0;
    let high = this.sentences - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.startOf(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Spans that came with a sentence, in a layer, in text order. */
  given(layer: string, sentence: number): readonly CharacterSpan[] {
    const spans = this.givenSpans(layer);
    const from = sentence === 0 ? 0 : this.startOf(sentence);
    const to = sentence + 1 < this.sentences ? this.startOf(sentence + 1) : this.stored.text.length + 1;
    return spans.slice(firstFrom(spans, from), firstFrom(spans, to));
  }

  /** Spans that came with the document, in a layer, in text order. */
  givenSpans(layer: string): readonly CharacterSpan[] {
    const known = this.sorted.get(layer);
    if (known) return known;
    const { given = {} } = this.stored;
    const spans = Object.hasOwn(given, layer) ? [...given[layer]].sort((a, b) => a.start - b.start) : [];
    this.sorted.set(layer, spans);
    return spans;
  }

  /** Spans over characters as spans over a sentence's tokens: those that they cover or cut. */
  overTokens(sentence: number, spans: readonly CharacterSpan[]): Span[] {
    const tokens = this.tokens(sentence);
    const found: Span[] = [];
    for (const { start, end, type } of [...spans].sort((a, b) => a.start - b.start)) {
      let first = 0;
      while (2 * first < tokens.length && tokens[2 * first + 1] <= start) first++;
      let last = first;
      while (2 * last < tokens.length && tokens[2 * last] < end) last++;
      const before = found[found.length - 1];
      if (last > first && (before === undefined || before.end <= first))
        found.push({ start: first, end: last, type });
    }
    return found;
  }

  /** Spans over a sentence's tokens as spans over characters. */
  overCharacters<S extends Span>(sentence: number, spans: readonly S[]): (S & CharacterSpan)[] {
    const tokens = this.tokens(sentence);
    return spans.map((span) => ({ ...span, start: tokens[2 * span.start], end: tokens[2 * span.end - 1] }));
  }
}

/** Number of the first of some spans in text order that starts at an offset or behind it. */
function firstFrom(spans: readonly CharacterSpan[], offset: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle].start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
