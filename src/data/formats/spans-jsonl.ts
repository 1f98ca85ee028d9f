/**
 * Spans over text as annotation tools exchange them, a JSON object a line:
 * `{"text": "The dog barks.", "spans": [{"start": 0, "end": 7, "label": "NP"}]}`. Tokens may be given, with further
 * fields such as a part of speech. Also read: `type` instead of `label`, `startCodePoint` and `endCodePoint` or
 * `start_offset` and `end_offset` instead of `start` and `end`, and lists of `[start, end, label]` or of such objects under
 * `label`, `labels` or `entities`, where others are then written.
 */
import { InputError, type InputPlace, quote, show } from '../../base/errors.js';
import { type OffsetUnit, offsetsIn } from '../../text/code-points.js';
import type { CharacterSpan, CharacterToken } from '../span.js';
import { cellOf, isFilled } from './cells.js';
import { jsonElements, jsonMembers, jsonObject } from './json-source.js';
import { formatSpans, type SpansShape, spansShapes } from './spans-shape.js';

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
export interface SpansLine extends Omit<SpansDocument, 'spans'> {
  /** Spans in text order, without overlaps; absent where it has no place for any, or they are not read. */
  readonly spans: readonly CharacterSpan[] | undefined;
  /** Verdict of who reviewed it, such as `accept` or `reject`, where there is one. */
  readonly answer: string | undefined;
  /** The line. */
  readonly source: string;
  /** Unit of its offsets. */
  readonly unit: OffsetUnit;
  /** Form of its spans. */
  readonly shape: SpansShape;
}

/** New labels of a document. */
export interface SpansRelabelling {
  /** Spans in text order; absent where the document keeps those that it has. */
  readonly spans?: readonly CharacterSpan[] | undefined;
  /** Tokens in text order: the document's own, where it has tokens. */
  readonly tokens: readonly CharacterToken[];
}

/** Keys of a token that are no fields. */
const TOKEN_KEYS: readonly string[] = ['text', 'start', 'end', 'startCodePoint', 'endCodePoint', 'id'];
/** How deep values may nest: far more than annotation needs, far less than JSON.stringify's stack bears. */
const MAX_DEPTH = 500;

/**
 * Reads a line.
 *
 * @param place names file and line in messages.
 * @param unit what `start` and `end` count.
 * @param readsSpans whether spans are read; else they may be anything.
 * @throws InputError saying what is not as it should be.
 */
export function parseSpansLine(
  line: string,
  place: InputPlace,
  unit: OffsetUnit,
  readsSpans = true,
): SpansLine {
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
  const { text, answer } = json;
  if (typeof text !== 'string') return fail(`expected a string "text", found ${show(text)}`);
  const offsets = new OffsetReader(text, unit, fail);
  const [shape, ...others] = spansShapes(json);
  if (readsSpans && others.length > 0) {
    const keys = [shape, ...others].map(({ key }) => key).join(' and ');
    fail(`expected spans under one key, found some under ${keys}`);
  }
  const spans = readsSpans && shape.isGiven ? readSpans(json[shape.key], offsets, fail) : undefined;
  const tokens = readTokens(json.tokens ?? undefined, offsets, fail);
  return {
    text,
    spans,
    tokens,
    source: line,
    unit,
    shape,
    answer: typeof answer === 'string' ? answer : undefined,
  };
}

/** Writes a document as a line, without its line end. Offsets are given in UTF-16 units and in code points. */
export function formatSpansLine({ text, spans, tokens = [] }: SpansDocument): string {
  return JSON.stringify({
    text,
    tokens: tokenObjects(text, tokens, 'utf16'),
    spans: JSON.parse(formatSpans({ text, unit: 'utf16', shape: spansShapes({})[0] }, spans, tokens)),
  });
}

/** Writes a document again with other labels, without its line end. Everything else stays as it is. */
export function relabelSpansLine(document: SpansLine, { spans, tokens }: SpansRelabelling): string {
  const { text, unit, source, shape } = document;
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
    const place = { text, unit, shape, source: shape.isGiven ? members.get(shape.key) : undefined };
    members.set(shape.key, formatSpans(place, spans, tokens));
    if (shape.entries === 'lists' && spans.some(({ confidence }) => confidence !== undefined)) {
      members.set('confidence', JSON.stringify(spans.map(({ confidence }) => confidence)));
    }
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

function readSpans(list: unknown, offsets: OffsetReader, fail: Fail): CharacterSpan[] {
  if (!Array.isArray(list)) return fail(`expected a list "spans", found ${show(list)}`);
  const spans = list.map((entry: unknown): CharacterSpan => {
    const isTriple = Array.isArray(entry) && entry.length === 3;
    if (!isTriple && !isRecord(entry))
      return fail(`expected a span with start, end and label, found ${show(entry)}`);
    const own = (isTriple ? { start: entry[0], end: entry[1], label: entry[2] } : entry) as Record<
      string,
      unknown
    >;
    const { start = own.start_offset, end = own.end_offset, startCodePoint, endCodePoint } = own;
    const type = own.label ?? own.type;
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
