/**
 * Spans over text as annotation tools exchange them, a JSON object a line:
 * `{"text": "The dog barks.", "spans": [{"start": 0, "end": 7, "label": "NP"}]}`. Tokens may be given, with further
 * fields such as a part of speech. Also read: `type` instead of `label`, `startCodePoint` and `endCodePoint` instead of
 * `start` and `end`, and lists of `[start, end, label]` under `label`, `labels` or `entities`.
 */
import { InputError, type InputPlace, quote } from '../../base/errors.js';
import { codePointOffsets } from '../../text/code-points.js';

/** What offsets count: JavaScript's UTF-16 units, or code points as Python has them. */
export type OffsetUnit = 'utf16' | 'code-points';

/** A span over characters. */
export interface CharacterSpan {
  /** First UTF-16 unit. */
  readonly start: number;
  /** UTF-16 unit after the last one. */
  readonly end: number;
  /** Type. */
  readonly type: string;
  /** How sure a model is of it, 0 … 1, where known. */
  readonly confidence?: number | undefined;
}

/** A token over characters. */
export interface CharacterToken {
  /** First UTF-16 unit. */
  readonly start: number;
  /** UTF-16 unit after the last one. */
  readonly end: number;
  /** What else is known of it: `pos` and the like. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A document with spans. */
export interface SpansDocument {
  /** The text. */
  readonly text: string;
  /** Spans in text order, without overlaps. */
  readonly spans: readonly CharacterSpan[];
  /** Tokens in text order, where they are given. */
  readonly tokens?: readonly CharacterToken[] | undefined;
  /** The other keys of the object. */
  readonly rest?: Readonly<Record<string, unknown>> | undefined;
}

const TRIPLE_KEYS = ['label', 'labels', 'entities'];
const OWN_KEYS = ['text', 'tokens', 'spans'];
/** How deep values may nest: far more than annotation needs, far less than JSON.stringify's stack bears. */
const MAX_DEPTH = 500;

/**
 * Reads a line.
 *
 * @param place names file and line in messages.
 * @param unit what `start` and `end` count.
 * @throws InputError saying what is not as it should be.
 */
export function parseSpansLine(line: string, place: InputPlace, unit: OffsetUnit): SpansDocument {
  const fail = (problem: string): never => {
    throw new InputError(place, problem);
  };
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    return fail(`expected a JSON object, found ${quote(line.trim())}: ${(error as Error).message}`);
  }
  if (!isRecord(json)) return fail(`expected a JSON object, found ${quote(line.trim())}`);
  if (isDeeper(json, MAX_DEPTH)) return fail(`expected values nested up to ${MAX_DEPTH} deep, found more`);
  const { text } = json;
  if (typeof text !== 'string') return fail(`expected a string "text", found ${show(text)}`);
  const offsets = new OffsetReader(text, unit, fail);
  const spans = readSpans(json, offsets, fail);
  const tokens = json.tokens === undefined ? undefined : readTokens(json.tokens, offsets, fail);
  const triples = json.spans === undefined ? TRIPLE_KEYS.find((key) => Array.isArray(json[key])) : undefined;
  const others = Object.entries(json).filter(([key]) => !OWN_KEYS.includes(key) && key !== triples);
  return { text, spans, tokens, rest: Object.fromEntries(others) };
}

/** Writes a document as a line, without its line end. */
export function formatSpansLine({ text, spans, tokens = [], rest }: SpansDocument): string {
  const points = codePointOffsets(text);
  const point = (offset: number) => points?.[offset] ?? offset;
  let token = 0;
  return JSON.stringify({
    text,
    tokens: tokens.map(({ start, end, fields }, id) => ({
      text: text.slice(start, end),
      start,
      end,
      id,
      ...fields,
    })),
    spans: spans.map(({ start, end, type, confidence }) => {
      while (token < tokens.length && tokens[token].end <= start) token++;
      const firstToken = token;
      while (token + 1 < tokens.length && tokens[token + 1].start < end) token++;
      return {
        start,
        end,
        startCodePoint: point(start),
        endCodePoint: point(end),
        label: type,
        ...(tokens.length > 0 && { firstToken, lastToken: token }),
        ...(confidence !== undefined && { confidence }),
      };
    }),
    ...rest,
  });
}

type Fail = (problem: string) => never;

/** Reads and checks pairs of offsets. */
class OffsetReader {
  readonly text: string;
  private readonly unit: OffsetUnit;
  private readonly fail: Fail;
  /** [code points + 1] UTF-16 unit at which each starts, made when first needed. */
  private units: readonly number[] | undefined;

  constructor(text: string, unit: OffsetUnit, fail: Fail) {
    this.text = text;
    this.unit = unit;
    this.fail = fail;
  }

  /** Start and end in UTF-16 units of what an object or triple says. */
  read(start: unknown, end: unknown, startCodePoint: unknown, endCodePoint: unknown, what: string) {
    const hasPoints = startCodePoint !== undefined && endCodePoint !== undefined;
    const unit = hasPoints ? 'code-points' : this.unit;
    const from = this.number(hasPoints ? startCodePoint : start, what, 'start');
    const to = this.number(hasPoints ? endCodePoint : end, what, 'end');
    const { text } = this;
    if (unit === 'code-points') this.units ??= unitsOf(text);
    const units = unit === 'code-points' ? this.units : undefined;
    const length = units ? units.length - 1 : text.length;
    const named = unit === 'utf16' ? 'UTF-16 units' : 'code points';
    if (from >= to) this.fail(`${what} ${from}–${to}: expected an end after the start`);
    if (to > length) {
      this.fail(`${what} ${from}–${to}: expected offsets up to ${length}, the text's length in ${named}`);
    }
    const found = { start: units?.[from] ?? from, end: units?.[to] ?? to };
    for (const offset of [found.start, found.end]) {
      if (isInsidePair(text, offset)) {
        this.fail(
          `${what} ${from}–${to}: ${offset} is inside a character of two UTF-16 units; do offsets count code points ` +
            '(--offsets code-points)?',
        );
      }
    }
    return found;
  }

  /** A place as the input counts it, for messages. */
  describe({ start, end }: { readonly start: number; readonly end: number }): string {
    const points = this.unit === 'code-points' ? codePointOffsets(this.text) : undefined;
    return `${points?.[start] ?? start}–${points?.[end] ?? end}`;
  }

  private number(value: unknown, what: string, name: string): number {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    return this.fail(`${what}: expected an integer from 0 as its ${name}, found ${show(value)}`);
  }
}

function readSpans(json: Record<string, unknown>, offsets: OffsetReader, fail: Fail): CharacterSpan[] {
  const key = json.spans === undefined ? TRIPLE_KEYS.find((name) => Array.isArray(json[name])) : 'spans';
  const list = key === undefined ? [] : (json[key] ?? []);
  if (!Array.isArray(list)) return fail(`expected a list "spans", found ${show(list)}`);
  const spans = list.map((entry: unknown): CharacterSpan => {
    const isTriple = Array.isArray(entry) && entry.length === 3;
    if (!isTriple && !isRecord(entry))
      return fail(`expected a span with start, end and label, found ${show(entry)}`);
    const [start, end, type] = isTriple
      ? entry
      : [(entry as Record<string, unknown>).start, (entry as Record<string, unknown>).end, typeOf(entry)];
    const { startCodePoint, endCodePoint } = (isTriple ? {} : entry) as Record<string, unknown>;
    const place = offsets.read(start, end, startCodePoint, endCodePoint, 'span');
    if (typeof type !== 'string' || !/^\S+$/.test(type)) {
      return fail(`span ${offsets.describe(place)}: expected a label without blanks, found ${show(type)}`);
    }
    return { ...place, type };
  });
  spans.sort((a, b) => a.start - b.start || a.end - b.end);
  const overlap = spans.findIndex((span, s) => s > 0 && span.start < spans[s - 1].end);
  if (overlap > 0) {
    const [a, b] = spans.slice(overlap - 1, overlap + 1);
    fail(
      `span ${offsets.describe(b)} (${b.type}) overlaps span ${offsets.describe(a)} (${a.type}); ` +
        'chunks do not overlap',
    );
  }
  return spans;
}

function typeOf(span: unknown): unknown {
  const { label, type } = span as Record<string, unknown>;
  return label ?? type;
}

function readTokens(list: unknown, offsets: OffsetReader, fail: Fail): CharacterToken[] {
  if (!Array.isArray(list)) return fail(`expected a list "tokens", found ${show(list)}`);
  let last = 0;
  return list.map((entry: unknown): CharacterToken => {
    if (!isRecord(entry)) return fail(`expected a token with start and end, found ${show(entry)}`);
    const { start, end, startCodePoint, endCodePoint, text, id: _, ...others } = entry;
    const place = offsets.read(start, end, startCodePoint, endCodePoint, 'token');
    const refuse = (problem: string) => fail(`token ${offsets.describe(place)}: ${problem}`);
    if (place.start < last) refuse(`expected tokens in text order that do not overlap`);
    last = place.end;
    const found = offsets.text.slice(place.start, place.end);
    if (text !== undefined && text !== found) refuse(`says ${show(text)}, but the text has ${quote(found)}`);
    if (found.trim() === '') refuse(`expected characters, found only white space`);
    const fields = Object.entries(others).filter((field): field is [string, string] => isCell(field[1]));
    return { ...place, fields: Object.fromEntries(fields) };
  });
}

/** Whether a token's field can be a cell of a column. */
function isCell(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !/\s/.test(value);
}

function unitsOf(text: string): number[] {
  const units = [0];
  let at = 0;
  for (const character of text) units.push((at += character.length));
  return units;
}

function isInsidePair(text: string, offset: number): boolean {
  return offset > 0 && offset < text.length && (text.codePointAt(offset - 1) as number) > 0xffff;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether lists and objects in a value nest more than `levels` deep. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

function show(value: unknown): string {
  return value === undefined ? 'none' : quote(JSON.stringify(value)).slice(1, -1).replaceAll('\\"', '"');
}
