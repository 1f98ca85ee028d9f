/** How a JSON document holds its spans, so that others can be written in their place and be read where these were. */
import { type OffsetUnit, offsetsIn } from '../../text/code-points.js';
import type { CharacterSpan, CharacterToken } from '../span.js';
import { jsonElements, jsonMembers, jsonObject } from './json-source.js';

/** Form of a list of spans. */
export interface SpansShape {
  /** Key that the list is under. */
  readonly key: string;
  /** Whether the document has it. */
  readonly isGiven: boolean;
  /** Form of its entries: `[start, end, label]`, or objects. */
  readonly entries: 'lists' | 'objects';
  /** Keys of an object's start, end and type. */
  readonly names: readonly [start: string, end: string, type: string];
}

/** Keys that spans may be under. */
export const SPANS_KEYS = ['spans', 'label', 'labels', 'entities'] as const;

const OWN_NAMES = ['start', 'end', 'label'] as const;
/** Names of doccano's exports with relations. */
const OFFSET_NAMES = ['start_offset', 'end_offset', 'label'] as const;

/**
 * Form of a document's spans; of several lists that of the first which holds any.
 *
 * @returns every list that holds spans; else the first empty one; else objects under `spans`.
 */
export function spansShapes(document: Readonly<Record<string, unknown>>): [SpansShape, ...SpansShape[]] {
  const given = SPANS_KEYS.filter((key) => isListOfSpans(document[key], key === 'spans'));
  const filled = given.filter((key) => !Array.isArray(document[key]) || document[key].length > 0);
  const [key = 'spans', ...others] = filled.length > 0 ? filled : given.slice(0, 1);
  return [shapeOf(document, key, given.length > 0), ...others.map((other) => shapeOf(document, other, true))];
}

/** Lists of strings are other things than spans: a document's classes. */
function isListOfSpans(value: unknown, mustBe: boolean): boolean {
  if (value === undefined || value === null) return false;
  if (mustBe) return true;
  return (
    Array.isArray(value) &&
    value.every((entry) => Array.isArray(entry) || (typeof entry === 'object' && entry !== null))
  );
}

function shapeOf(document: Readonly<Record<string, unknown>>, key: string, isGiven: boolean): SpansShape {
  const list = document[key];
  const first = Array.isArray(list) ? (list[0] as unknown) : undefined;
  if (Array.isArray(first)) return { key, isGiven, entries: 'lists', names: OWN_NAMES };
  if (typeof first !== 'object' || first === null) {
    // Doccano's documents with relations have objects; its others, and those of older releases, have lists.
    const isOfRelations = key === 'entities' && document.relations !== undefined;
    const entries = key === 'spans' || isOfRelations ? 'objects' : 'lists';
    return { key, isGiven, entries, names: isOfRelations ? OFFSET_NAMES : OWN_NAMES };
  }
  const has = (name: string) => Object.hasOwn(first as object, name);
  const [start, end] = has('start_offset') ? OFFSET_NAMES : OWN_NAMES;
  return {
    key,
    isGiven,
    entries: 'objects',
    names: [start, end, has('type') && !has('label') ? 'type' : 'label'],
  };
}

/** What {@link formatSpans} writes spans into. */
export interface SpansPlace {
  /** The text. */
  readonly text: string;
  /** Unit of the offsets to write. */
  readonly unit: OffsetUnit;
  /** Their form. */
  readonly shape: SpansShape;
  /** The list that is there, as JSON. */
  readonly source?: string | undefined;
}

/**
 * Writes spans in the form that the document had them in. One that is there already keeps whatever else was said of it.
 *
 * @param tokens of the document, in text order.
 */
export function formatSpans(
  { text, unit, shape, source }: SpansPlace,
  spans: readonly CharacterSpan[],
  tokens: readonly CharacterToken[],
): string {
  const [startName, endName, typeName] = shape.names;
  const inUnit = offsetsIn(text, unit);
  const old = new Map<string, string>();
  for (const entry of source?.startsWith('[') ? jsonElements(source) : []) {
    const value: unknown = JSON.parse(entry);
    if (Array.isArray(value)) old.set(JSON.stringify(value.slice(0, 3)), entry);
    else if (typeof value === 'object' && value !== null) {
      const own = value as Record<string, unknown>;
      old.set(JSON.stringify([own[startName], own[endName], own[typeName]]), entry);
    }
  }
  const extras = shape.key === 'spans' ? extrasOf(text, spans, tokens) : [];
  const entries = spans.map((span, s) => {
    const plain = [inUnit(span.start), inUnit(span.end), span.type] as const;
    const kept = old.get(JSON.stringify(plain));
    if (shape.entries === 'lists') return kept ?? JSON.stringify(plain);
    const before = kept === undefined ? new Map<string, string>() : jsonMembers(kept);
    const own = { [startName]: plain[0], [endName]: plain[1], ...extras[s]?.points, [typeName]: plain[2] };
    const rating = span.confidence === undefined ? {} : { confidence: span.confidence };
    const members = new Map(
      Object.entries({ ...own, ...extras[s]?.tokens, ...rating }).map(([name, value]) => [
        name,
        JSON.stringify(value),
      ]),
    );
    // A confidence was that of another labelling.
    before.delete('confidence');
    if (shape.key !== 'spans') return jsonObject(new Map([...before, ...members]));
    for (const [name, value] of before) if (!members.has(name)) members.set(name, value);
    return jsonObject(members);
  });
  return `[${entries.join(',')}]`;
}

/** What spans say of themselves in a document of this format: their offsets in code points, and their tokens. */
function extrasOf(text: string, spans: readonly CharacterSpan[], tokens: readonly CharacterToken[]) {
  const inPoints = offsetsIn(text, 'code-points');
  let token = 0;
  return spans.map(({ start, end }) => {
    while (token < tokens.length && tokens[token].end <= start) token++;
    const firstToken = token;
    while (token + 1 < tokens.length && tokens[token + 1].start < end) token++;
    return {
      points: { startCodePoint: inPoints(start), endCodePoint: inPoints(end) },
      tokens: tokens.length > 0 ? { firstToken, lastToken: token } : {},
    };
  });
}
