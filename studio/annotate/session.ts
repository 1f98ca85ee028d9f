import { signal } from '@preact/signals';
import type { CharacterSpan } from '../../src/data/span.js';
import { AnnotationState, type SentenceState, UNTOUCHED } from '../../src/project/annotation-state.js';
import type { Decision } from '../../src/project/decisions.js';
import { OpenDocument } from '../../src/project/document.js';
import type { DocumentEntry, Project } from '../../src/project/project.js';
import type { Store } from '../../src/project/store.js';

/** A decision without what a session fills in. */
export type NewDecision = Pick<Decision, 'doc' | 'sentence' | 'kind'> & Partial<Decision>;

/** Milliseconds before what could not be saved is tried again, at first. */
const RETRY = 1000;
const LONGEST_RETRY = 30_000;

/** How far decisions are saved. */
export interface Saving {
  /** Decisions that are not acknowledged. */
  readonly pending: number;
  /** Why the last attempt failed. */
  readonly problem?: string | undefined;
}

/** Somebody's work on a project: decisions apply at once, and are sent to the store in order. */
export class Session {
  /** Where decisions go. */
  readonly store: Store;
  /** The project. */
  readonly project: Project;
  /** Whose decisions they are. */
  readonly annotator: string;
  /** Layer that is worked on. */
  readonly layer: string;
  /** Documents in order. */
  readonly entries: readonly DocumentEntry[];
  /** Changes whenever something was decided. */
  readonly version = signal(0);
  /** How far decisions are saved. */
  readonly saving = signal<Saving>({ pending: 0 });
  /** What was decided. */
  readonly state = new AnnotationState();
  private readonly documents = new Map<string, Promise<OpenDocument>>();
  private readonly pending: Decision[] = [];
  private isSending = false;
  private retry = RETRY;

  private constructor(
    store: Store,
    project: Project,
    annotator: string,
    layer: string,
    entries: readonly DocumentEntry[],
  ) {
    this.store = store;
    this.project = project;
    this.annotator = annotator;
    this.layer = layer;
    this.entries = entries;
  }

  /** Opens a project. */
  static async open(
    store: Store,
    project: Project,
    annotator: string,
    layer = project.layers[0].name,
  ): Promise<Session> {
    const [entries, journal] = await Promise.all([
      store.documents(project.id),
      store.journal(project.id, annotator),
    ]);
    const session = new Session(store, project, annotator, layer, entries);
    for (const decision of journal) session.state.add(decision);
    return session;
  }

  /** A document, read once. */
  document(id: string): Promise<OpenDocument> {
    const found =
      this.documents.get(id) ?? this.store.document(this.project.id, id).then((own) => new OpenDocument(own));
    this.documents.set(id, found);
    found.catch(() => this.documents.delete(id));
    return found;
  }

  /** State of a sentence: decided, or as the document came with it. */
  sentence(document: OpenDocument, sentence: number): SentenceState {
    const decided = this.state.sentence(document.stored.id, sentence, this.layer);
    if (decided) return decided;
    if (!document.stored.isGold) return UNTOUCHED;
    return { ...UNTOUCHED, status: 'accepted', spans: document.given(this.layer, sentence) };
  }

  /** Number of sentences of a document that are done. */
  doneIn(document: OpenDocument): number {
    const numbers = [...this.state.numbersIn(document.stored.id)];
    const done = numbers.filter((sentence) => this.sentence(document, sentence).status !== 'open').length;
    return document.stored.isGold ? document.sentences - numbers.length + done : done;
  }

  /** Spans that came with a sentence and are suggestions. */
  proposed(document: OpenDocument, sentence: number): readonly CharacterSpan[] {
    return document.stored.isGold ? [] : document.given(this.layer, sentence);
  }

  /** Decides several things at once: undo takes them back at once, too. */
  decide(...decisions: readonly NewDecision[]): void {
    const group = this.state.last + 1;
    for (const decision of decisions) {
      const own: Decision = {
        layer: this.layer,
        ...decision,
        seq: this.state.last + 1,
        time: Date.now(),
        ...(decisions.length > 1 && { group }),
      };
      this.state.add(own);
      this.pending.push(own);
    }
    this.changed();
    this.send();
  }

  /** Takes back what was decided last; the first of what was, or nothing. */
  undo(): Decision | undefined {
    return this.switchBack('undo', this.state.undoable);
  }

  /** Decides again what was taken back last. */
  redo(): Decision | undefined {
    return this.switchBack('redo', this.state.redoable);
  }

  private switchBack(kind: 'undo' | 'redo', group: readonly Decision[] | undefined): Decision | undefined {
    if (group === undefined) return undefined;
    const [{ doc, sentence, layer, seq, group: of = seq }] = group;
    this.decide({ kind, doc, sentence, layer, of });
    return group[0];
  }

  private changed(): void {
    this.saving.value = { ...this.saving.value, pending: this.pending.length };
    this.version.value++;
  }

  private async send(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    while (this.pending.length > 0) {
      const batch = this.pending.slice(0, 500);
      try {
        await this.store.append(this.project.id, this.annotator, batch);
        this.pending.splice(0, batch.length);
        this.retry = RETRY;
        this.saving.value = { pending: this.pending.length };
      } catch (error) {
        if (await this.isTaken(error, batch)) continue;
        this.saving.value = { pending: this.pending.length, problem: (error as Error).message };
        await new Promise((resolve) => setTimeout(resolve, this.retry));
        this.retry = Math.min(LONGEST_RETRY, this.retry * 2);
      }
    }
    this.isSending = false;
  }

  /** Whether decisions are in the journal although the answer did not come; where another tab decided, the page starts anew. */
  private async isTaken(error: unknown, batch: readonly Decision[]): Promise<boolean> {
    const { status, code } = error as { status?: number; code?: string };
    if (status !== 409 && code !== 'conflict') return false;
    const there = await this.store.journal(this.project.id, this.annotator, batch[0].seq - 1).catch(() => []);
    const isOwn = batch.every(({ seq, time }, d) => there[d]?.seq === seq && there[d]?.time === time);
    if (isOwn) this.pending.splice(0, batch.length);
    else this.renumber(there);
    return true;
  }

  /** Puts decisions of another tab before those that wait. */
  private renumber(there: readonly Decision[]): void {
    const waiting = this.pending.splice(0);
    const first = waiting[0].seq;
    const before = this.state.decisions.slice(0, first - 1);
    this.state.clear();
    for (const decision of [...before, ...there]) this.state.add(decision);
    const shift = there.length;
    for (const decision of waiting) {
      const moved = (number: number) => (number >= first ? number + shift : number);
      const { seq, of, group } = decision;
      const own = {
        ...decision,
        seq: seq + shift,
        ...(of !== undefined && { of: moved(of) }),
        ...(group !== undefined && { group: moved(group) }),
      };
      this.state.add(own);
      this.pending.push(own);
    }
    this.changed();
  }
}
