/**
 * Spans over text as annotation tools exchange them, a JSON object a line:
 * `{"text": "The dog barks.", "spans": [{"start": 0, "end": 7, "label": "NP"}]}`. Tokens may be given, with further
 * fields such as a part of speech. Also read: `type` instead of `label`, `startCodePoint` and `endCodePoint` instead of
 * `start` and `end`, and lists of `[start, end, label]` under `label`, `labels` or `entities`.
 */
import { InputError, type InputPlace, quote, show } from '../../base/errors.js';
import { type OffsetUnit, offsetsIn } from '../../text/code-points.js';
import { cellOf, isFilled } from './cells.js';
import { jsonElements, jsonMembers, jsonObject } from './json-source.js';

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
  /** Further fields: `pos` and the like, blanks as `_`, since no cell of a column can hold them. */
  readonly fields: ReadonlyMap<string, string>;
}

/** A document with spans. */
export interface SpansDocument {
  /** The text. */
  readonly text: string;
  /** Spans in text order, without overlaps. */
  readonly spans: readonly CharacterSpan[];
  /** Tokens in text order, where they are given. */
  readonly tokens?: readonly CharacterToken[] | undefined;
}

/** A document as a line has it. */
export interface SpansLine extends SpansDocument {
  /** The line. */
  readonly source: string;
  /** Unit of its offsets. */
  readonly unit: OffsetUnit;
  /** The key that its spans are under. */
  readonly spansKey: string;
}

/** New labels of a document. */
export interface SpansRelabelling {
  /** Spans in text order; absent where the document keeps those that it has. */
  readonly spans?: readonly CharacterSpan[] | undefined;
  /** Tokens in text order: the document's own, where it has tokens. */
  readonly tokens: readonly CharacterToken[];
}

/** Keys that spans may be under; the last three hold lists of `[start, end, label]`. */
const SPANS_KEYS = ['spans', 'label', 'labels', 'entities'];
/** Keys of a token that are no fields. */
const TOKEN_KEYS: readonly string[] = ['text', 'start', 'end', 'startCodePoint', 'endCodePoint', 'id'];
/** How deep values may nest: far more than annotation needs, far less than JSON.stringify's stack bears. */
const MAX_DEPTH = 500;

/**
 * Reads a line.
 *
 * @param place names file and line in messages.
 * @param unit what `start` and `end` count.
 * @throws InputError saying what is not as it should be.
 */
export function parseSpansLine(line: string, place: InputPlace, unit: OffsetUnit): SpansLine {
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
  const spansKey = spansKeyOf(json, fail);
  const spans = readSpans(json[spansKey] ?? [], offsets, fail);
  const tokens = readTokens(json.tokens ?? undefined, offsets, fail);
  return { text, spans, tokens, source: line, unit, spansKey };
}

/** Writes a document as a line, without its line end. Offsets are given in UTF-16 units and in code points. */
export function formatSpansLine({ text, spans, tokens = [] }: SpansDocument): string {
  return JSON.stringify({
    text,
    tokens: tokenObjects(text, tokens, 'utf16'),
    spans: spanObjects(text, spans, tokens, 'utf16'),
  });
}

/** Writes a document again with other labels, without its line end. Everything else stays as it is. */
export function relabelSpansLine(document: SpansLine, { spans, tokens }: SpansRelabelling): string {
  const { text, unit, source, spansKey } = document;
  const members = jsonMembers(source);
  if (document.tokens === undefined) members.set('tokens', JSON.stringify(tokenObjects(text, tokens, unit)));
  else {
    const own = jsonElements(members.get('tokens') as string).map((token, t) => {
      const fields = jsonMembers(token);
      for (const [name, value] of tokens[t].fields) fields.set(name, JSON.stringify(value));
      return jsonObject(fields);
    });
    members.set('tokens', `[${own.join(',')}]`);
  }
  if (spans) {
    if (spansKey !== 'spans') members.delete(spansKey);
    members.set('spans', JSON.stringify(spanObjects(text, spans, tokens, unit)));
  }
  return jsonObject(members);
}

/** Places as both units count them; `start` and `end` count `unit`. */
function placesIn(text: string, unit: OffsetUnit): (place: { start: number; end: number }) => object {
  const inUnit = offsetsIn(text, unit);
  const inPoints = offsetsIn(text, 'code-points');
  return ({ start, end }) => ({
    start: inUnit(start),
    end: inUnit(end),
    startCodePoint: inPoints(start),
    endCodePoint: inPoints(end),
  });
}

function tokenObjects(text: string, tokens: readonly CharacterToken[], unit: OffsetUnit): object[] {
  const place = placesIn(text, unit);
  return tokens.map((token, id) => ({
    text: text.slice(token.start, token.end),
    ...place(token),
    id,
    ...Object.fromEntries(token.fields),
  }));
}

function spanObjects(
  text: string,
  spans: readonly CharacterSpan[],
  tokens: readonly CharacterToken[],
  unit: OffsetUnit,
): object[] {
  const place = placesIn(text, unit);
  let token = 0;
  return spans.map((span) => {
    while (token < tokens.length && tokens[token].end <= span.start) token++;
    const firstToken = token;
    while (token + 1 < tokens.length && tokens[token + 1].start < span.end) token++;
    return {
      ...place(span),
      label: span.type,
      ...(tokens.length > 0 && { firstToken, lastToken: token }),
      ...(span.confidence !== undefined && { confidence: span.confidence }),
    };
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
    const say = offsetsIn(this.text, this.unit);
    return `${say(start)}–${say(end)}`;
  }

  private number(value: unknown, what: string, name: string): number {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    return this.fail(`${what}: expected an integer from 0 as its ${name}, found ${show(value)}`);
  }
}

/** The key that an object's spans are under: `spans` where there are none. */
function spansKeyOf(json: Record<string, unknown>, fail: Fail): string {
  const keys = SPANS_KEYS.filter((key) => {
    const list = json[key] ?? [];
    if (key === 'spans') return !Array.isArray(list) || list.length > 0;
    // Lists of strings are other things than spans: a document's classes.
    return (
      Array.isArray(list) && list.length > 0 && list.every((entry) => isRecord(entry) || Array.isArray(entry))
    );
  });
  if (keys.length > 1) fail(`expected spans under one key, found some under ${keys.join(' and ')}`);
  return keys[0] ?? 'spans';
}

function readSpans(list: unknown, offsets: OffsetReader, fail: Fail): CharacterSpan[] {
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
    if (typeof type !== 'string' || /[ \t\r\n]/.test(type)) {
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

function readTokens(list: unknown, offsets: OffsetReader, fail: Fail): CharacterToken[] | undefined {
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) return fail(`expected a list "tokens", found ${show(list)}`);
  let last = 0;
  return list.map((entry: unknown): CharacterToken => {
    if (!isRecord(entry)) return fail(`expected a token with start and end, found ${show(entry)}`);
    const { start, end, startCodePoint, endCodePoint, text } = entry;
    const place = offsets.read(start, end, startCodePoint, endCodePoint, 'token');
    const refuse = (problem: string) => fail(`token ${offsets.describe(place)}: ${problem}`);
    if (place.start < last) refuse(`expected tokens in text order that do not overlap`);
    last = place.end;
    const found = offsets.text.slice(place.start, place.end);
    if (text !== undefined && text !== found) refuse(`says ${show(text)}, but the text has ${quote(found)}`);
    if (!isFilled(found)) refuse(`expected characters, found only white space`);
    const fields = Object.entries(entry).filter(
      (field): field is [string, string] => typeof field[1] === 'string' && isFilled(field[1]),
    );
    const cells = fields.filter(([key]) => !TOKEN_KEYS.includes(key));
    return { ...place, fields: new Map(cells.map(([key, value]) => [key, cellOf(value)])) };
  });
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
