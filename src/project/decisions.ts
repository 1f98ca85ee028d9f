import { listNames, SpanwrightError, show } from '../base/errors.js';
import type { CharacterSpan } from '../data/span.js';
import { isSpan } from './document.js';
import { checkId } from './project.js';

/** A kind of decision. */
export type DecisionKind =
  | 'add'
  | 'remove'
  | 'change'
  | 'accept'
  | 'reopen'
  | 'skip'
  | 'flag'
  | 'comment'
  | 'adjudicate'
  | 'undo'
  | 'redo';

/** Kinds of decisions, with what each does. */
export const DECISION_KINDS: Readonly<Record<DecisionKind, string>> = {
  add: 'a span is there; what it overlaps is not',
  remove: 'a span is not there',
  change: 'a span is there in place of another: its bounds or its label differ',
  accept: 'these spans are there, and the sentence is done',
  reopen: 'the sentence is not done',
  skip: 'the sentence is left out',
  flag: 'the sentence is marked, or is no longer',
  comment: 'something is said of the sentence',
  adjudicate: 'these spans are there, whatever annotators said',
  undo: 'an earlier decision is taken back',
  redo: 'a decision that was taken back counts again',
};

/** What the model showed before a sentence was decided. */
export interface ShownSuggestion {
  /** Name of the model. */
  readonly model: string;
  /** Its spans. */
  readonly spans: readonly CharacterSpan[];
  /** Why the sentence came up. */
  readonly pick: 'random' | 'unsure' | 'document' | 'chosen';
}

/** A decision of an annotator: a line of a journal. Offsets count UTF-16 units of the document's text. */
export interface Decision {
  /** Number in the journal, from 1. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Document. */
  readonly doc: string;
  /** Number of the sentence, from 0. */
  readonly sentence: number;
  /** Layer. */
  readonly layer: string;
  /** Kind. */
  readonly kind: DecisionKind;
  /** Span that is, or is not there. */
  readonly span?: CharacterSpan | undefined;
  /** Span that it takes the place of. */
  readonly from?: CharacterSpan | undefined;
  /** All spans of the sentence. */
  readonly spans?: readonly CharacterSpan[] | undefined;
  /** What is said. */
  readonly text?: string | undefined;
  /** Whether the sentence is marked. */
  readonly isOn?: boolean | undefined;
  /** Number of the decision that is taken back, or counts again. */
  readonly of?: number | undefined;
  /** Number of the first of several decisions that were made at once. */
  readonly group?: number | undefined;
  /** What the model showed. */
  readonly shown?: ShownSuggestion | undefined;
  /** Milliseconds that it took. */
  readonly ms?: number | undefined;
}

/** Most decisions that are added at a time. */
export const MOST_DECISIONS = 10_000;
const MOST_SPANS = 10_000;
const MOST_COMMENT = 10_000;

/** Members that a kind needs. */
const NEEDS: Readonly<Partial<Record<DecisionKind, keyof Decision>>> = {
  add: 'span',
  remove: 'span',
  change: 'from',
  accept: 'spans',
  adjudicate: 'spans',
  comment: 'text',
  flag: 'isOn',
  undo: 'of',
  redo: 'of',
};

/** Refuses a decision that is not as it should be; members that there are not are left out. */
export function checkDecision(value: unknown): Decision {
  const refuse = (expected: string, found: unknown): never => {
    throw new SpanwrightError('bad-request', `decision: expected ${expected}, found ${show(found)}`);
  };
  if (typeof value !== 'object' || value === null) return refuse('an object', value);
  const { seq, time, doc, sentence, layer, kind, span, from, spans, text, isOn, of, group, shown, ms } =
    value as Decision;
  if (!isCount(seq) || seq < 1) refuse('a number from 1', seq);
  if (!Number.isSafeInteger(time)) refuse('a time in milliseconds', time);
  checkId('decision, document', doc);
  if (!isCount(sentence)) refuse('the number of a sentence', sentence);
  if (typeof layer !== 'string' || layer.length > 100) refuse('a layer', layer);
  if (!Object.hasOwn(DECISION_KINDS, kind)) refuse(listNames(Object.keys(DECISION_KINDS)), kind);
  for (const own of [span, from]) if (own !== undefined && !isSpan(own)) refuse('a span', own);
  if (spans !== undefined && !isSpans(spans)) refuse('a list of spans', spans);
  if (text !== undefined && (typeof text !== 'string' || text.length > MOST_COMMENT))
    refuse('a comment', text);
  if (isOn !== undefined && typeof isOn !== 'boolean') refuse('true or false', isOn);
  for (const own of [of, group, ms]) if (own !== undefined && !isCount(own)) refuse('a number', own);
  if (shown !== undefined && (typeof shown !== 'object' || shown === null || !isSpans(shown.spans)))
    refuse('what was shown', shown);
  const need = NEEDS[kind];
  const known = {
    seq,
    time,
    doc,
    sentence,
    layer,
    kind,
    span,
    from,
    spans,
    text,
    isOn,
    of,
    group,
    shown,
    ms,
  };
  if (need !== undefined && known[need] === undefined) refuse(`${need} with the kind ${kind}`, undefined);
  if (kind === 'change' && span === undefined) refuse('span with the kind change', undefined);
  return Object.fromEntries(
    Object.entries(known).filter(([, own]) => own !== undefined),
  ) as unknown as Decision;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isSpans(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MOST_SPANS && value.every(isSpan);
}
