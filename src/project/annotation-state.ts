import type { CharacterSpan } from '../data/span.js';
import type { Decision } from './decisions.js';

/** State of a sentence in a layer, as an annotator's decisions make it. */
export interface SentenceState {
  /** Whether it is open, done or left out. */
  readonly status: 'open' | 'accepted' | 'skipped';
  /** Spans that somebody decided on, in text order. */
  readonly spans: readonly CharacterSpan[];
  /** Spans that somebody took away. */
  readonly removed: readonly CharacterSpan[];
  /** Whether it is marked. */
  readonly isFlagged: boolean;
  /** What is said of it. */
  readonly comment: string;
}

/** State of a sentence of which nothing was decided. */
export const UNTOUCHED: SentenceState = {
  status: 'open',
  spans: [],
  removed: [],
  isFlagged: false,
  comment: '',
};

/** A sentence of which something was decided. */
export interface TouchedSentence {
  /** Document. */
  readonly doc: string;
  /** Number of the sentence. */
  readonly sentence: number;
  /** Layer. */
  readonly layer: string;
  /** State. */
  readonly state: SentenceState;
}

/** The key of a sentence in a layer. */
export function sentenceKey(doc: string, sentence: number, layer: string): string {
  return `${doc}/${sentence}/${layer}`;
}

interface Entry {
  readonly decision: Decision;
  isActive: boolean;
}

/** What an annotator has decided so far: a fold of the journal, in which decisions can be taken back. */
export class AnnotationState {
  private readonly entries: Entry[] = [];
  private readonly bySentence = new Map<string, Entry[]>();
  private readonly folded = new Map<string, SentenceState>();
  /** Numbers of the sentences of each document of which something was decided. */
  private readonly numbers = new Map<string, Set<number>>();
  /** Groups that can be taken back, the last one last. */
  private readonly done: number[] = [];
  /** Groups that can be made to count again. */
  private readonly undone: number[] = [];
  private readonly groups = new Map<number, Entry[]>();

  /** Number of the last decision; 0 where there is none. */
  get last(): number {
    return this.entries.length;
  }

  /** Decisions in order. */
  get decisions(): readonly Decision[] {
    return this.entries.map(({ decision }) => decision);
  }

  /** The group of decisions that undo would take back, if there is one. */
  get undoable(): readonly Decision[] | undefined {
    return this.decisionsOf(this.done[this.done.length - 1]);
  }

  /** The group of decisions that redo would make count again, if there is one. */
  get redoable(): readonly Decision[] | undefined {
    return this.decisionsOf(this.undone[this.undone.length - 1]);
  }

  private decisionsOf(group: number | undefined): readonly Decision[] | undefined {
    return group === undefined ? undefined : this.groups.get(group)?.map(({ decision }) => decision);
  }

  /** Forgets everything. */
  clear(): void {
    this.entries.length = 0;
    this.bySentence.clear();
    this.folded.clear();
    this.numbers.clear();
    this.done.length = 0;
    this.undone.length = 0;
    this.groups.clear();
  }

  /** Adds the next decision of the journal. */
  add(decision: Decision): void {
    const entry: Entry = { decision, isActive: true };
    this.entries.push(entry);
    const { kind, of = 0, seq, group = seq } = decision;
    if (kind === 'undo') this.switchGroup(of, false, this.done, this.undone);
    else if (kind === 'redo') this.switchGroup(of, true, this.undone, this.done);
    else {
      const key = sentenceKey(decision.doc, decision.sentence, decision.layer);
      push(this.bySentence, key, entry);
      const numbers = this.numbers.get(decision.doc) ?? new Set();
      this.numbers.set(decision.doc, numbers.add(decision.sentence));
      push(this.groups, group, entry);
      this.folded.delete(key);
      if (this.done[this.done.length - 1] !== group) this.done.push(group);
      this.undone.length = 0;
    }
  }

  private switchGroup(group: number, isActive: boolean, from: number[], to: number[]): void {
    const at = from.lastIndexOf(group);
    if (at < 0) return;
    from.splice(at, 1);
    to.push(group);
    for (const entry of this.groups.get(group) ?? []) {
      entry.isActive = isActive;
      const { doc, sentence, layer } = entry.decision;
      this.folded.delete(sentenceKey(doc, sentence, layer));
    }
  }

  /** State of a sentence; nothing where nothing that counts was decided. */
  sentence(doc: string, sentence: number, layer: string): SentenceState | undefined {
    // Of most sentences of a long document nothing was decided, and no key need be made.
    if (!this.numbers.get(doc)?.has(sentence)) return undefined;
    const key = sentenceKey(doc, sentence, layer);
    const known = this.folded.get(key);
    if (known) return known;
    const active = (this.bySentence.get(key) ?? []).filter(({ isActive }) => isActive);
    if (active.length === 0) return undefined;
    const state = active.reduce((before, { decision }) => decided(before, decision), UNTOUCHED);
    this.folded.set(key, state);
    return state;
  }

  /** Numbers of the sentences of a document of which something was decided, whether it counts or not. */
  numbersIn(doc: string): ReadonlySet<number> {
    return this.numbers.get(doc) ?? new Set();
  }

  /** States of all sentences of which something was decided that counts. */
  *touched(): Generator<TouchedSentence, void> {
    for (const [{ decision }] of this.bySentence.values()) {
      const { doc, sentence, layer } = decision;
      const state = this.sentence(doc, sentence, layer);
      if (state) yield { doc, sentence, layer, state };
    }
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Whether two spans are the same. */
export function isSame(a: CharacterSpan, b: CharacterSpan): boolean {
  return a.start === b.start && a.end === b.end && a.type === b.type;
}

/** Whether two spans have a character in common. */
export function overlap(a: CharacterSpan, b: CharacterSpan): boolean {
  return a.start < b.end && b.start < a.end;
}

/** State of a sentence after a decision. */
function decided(
  before: SentenceState,
  { kind, span, from, spans = [], text = '', isOn = false }: Decision,
): SentenceState {
  switch (kind) {
    case 'add':
      return span ? withSpan(before, span) : before;
    case 'remove':
      return span ? withoutSpan(before, span) : before;
    case 'change':
      return span && from ? withSpan(withoutSpan(before, from), span) : before;
    case 'accept':
    case 'adjudicate':
      return { ...before, status: 'accepted', spans: inOrder(spans.map(plain)), removed: [] };
    case 'reopen':
      return { ...before, status: 'open' };
    case 'skip':
      return { ...before, status: 'skipped' };
    case 'flag':
      return { ...before, isFlagged: isOn };
    case 'comment':
      return { ...before, comment: text };
    default:
      return before;
  }
}

function withSpan(before: SentenceState, span: CharacterSpan): SentenceState {
  const rest = before.spans.filter((other) => !overlap(other, span));
  return {
    ...before,
    status: 'open',
    spans: inOrder([...rest, plain(span)]),
    removed: before.removed.filter((other) => !isSame(other, span)),
  };
}

function withoutSpan(before: SentenceState, span: CharacterSpan): SentenceState {
  return {
    ...before,
    status: 'open',
    spans: before.spans.filter((other) => !isSame(other, span)),
    removed: [...before.removed.filter((other) => !isSame(other, span)), plain(span)],
  };
}

function plain({ start, end, type }: CharacterSpan): CharacterSpan {
  return { start, end, type };
}

function inOrder(spans: readonly CharacterSpan[]): CharacterSpan[] {
  return [...spans].sort((a, b) => a.start - b.start || a.end - b.end);
}
