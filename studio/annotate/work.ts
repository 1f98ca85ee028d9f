import { signal } from '@preact/signals';
import type { CharacterSpan } from '../../src/data/span.js';
import { isSame, overlap, type SentenceState } from '../../src/project/annotation-state.js';
import type { ShownSuggestion } from '../../src/project/decisions.js';
import type { OpenDocument } from '../../src/project/document.js';
import type { Coach } from './coach.js';
import {
  firstToken,
  type Move,
  moved,
  neighbour,
  type ShownSpan,
  type Stretch,
  sameStrings,
  shownSpans,
  spanAt,
} from './selection.js';
import type { NewDecision, Session } from './session.js';

/** Milliseconds after which somebody is thought to have gone away. */
const AWAY = 120_000;

/** Where somebody is, and what the keys do there. */
export class Work {
  /** The document that is open. */
  readonly document = signal<OpenDocument | undefined>(undefined);
  /** Number of the current sentence. */
  readonly sentence = signal(0);
  /** The stretch that keys work on. */
  readonly cursor = signal<Stretch>({ start: 0, end: 0 });
  /** Suggestions for the current sentence. */
  readonly suggested = signal<readonly CharacterSpan[]>([]);
  /** Whether the current sentence is shown without suggestions. */
  readonly isBlind = signal(false);
  /** Whether suggestions are on their way. */
  readonly isAsking = signal(false);
  /** What happened last, for those who hear the page. */
  readonly said = signal('');
  private readonly session: Session;
  private readonly coach: Coach;
  private pick: ShownSuggestion['pick'] = 'chosen';
  /** What the model showed before anything was decided. */
  private firstShown: readonly CharacterSpan[] = [];
  private opened = 0;
  private asked = 0;

  constructor(session: Session, coach: Coach) {
    this.session = session;
    this.coach = coach;
  }

  /** Labels of the layer. */
  get labels(): readonly string[] {
    return this.session.project.layers.find(({ name }) => name === this.session.layer)?.labels ?? [];
  }

  /** State of the current sentence. */
  get state(): SentenceState {
    return this.session.sentence(this.document.value as OpenDocument, this.sentence.value);
  }

  /** Spans shown in the current sentence. */
  get spans(): ShownSpan[] {
    return shownSpans(this.state, this.suggested.value);
  }

  /** Spans of a sentence that is not the current one. */
  spansOf(sentence: number): ShownSpan[] {
    const document = this.document.value as OpenDocument;
    return shownSpans(this.session.sentence(document, sentence), this.session.proposed(document, sentence));
  }

  /** Goes to a sentence. */
  async open(
    document: OpenDocument,
    sentence: number,
    pick: ShownSuggestion['pick'] = 'chosen',
    isBlind = false,
  ): Promise<void> {
    this.document.value = document;
    this.sentence.value = sentence;
    this.cursor.value = firstToken(document, sentence);
    this.pick = pick;
    this.isBlind.value = isBlind;
    this.opened = performance.now();
    this.suggested.value = isBlind ? [] : this.session.proposed(document, sentence);
    this.firstShown = this.suggested.value;
    await this.ask();
    if (this.sentence.value === sentence) this.firstShown = this.suggested.value;
  }

  /** Has the sentence decided again, given what is decided. */
  async ask(): Promise<void> {
    const document = this.document.value;
    if (document === undefined || this.isBlind.value) return;
    const sentence = this.sentence.value;
    const { status, spans, removed } = this.state;
    if (status !== 'open' || this.coach.model.value === undefined) return;
    const turn = ++this.asked;
    this.isAsking.value = true;
    try {
      const required = document.overTokens(sentence, spans);
      const found = await this.coach.suggest(
        document.words(sentence),
        required,
        document.overTokens(sentence, removed),
      );
      if (turn === this.asked) this.suggested.value = document.overCharacters(sentence, found);
    } finally {
      if (turn === this.asked) this.isAsking.value = false;
    }
  }

  private decide(...decisions: readonly Omit<NewDecision, 'doc' | 'sentence'>[]): void {
    const place = { doc: (this.document.value as OpenDocument).stored.id, sentence: this.sentence.value };
    this.session.decide(...decisions.map((decision) => ({ ...place, ...decision }) as NewDecision));
    this.ask();
  }

  /** Takes all spans as they are, and goes on. */
  async accept(): Promise<void> {
    const document = this.document.value as OpenDocument;
    const sentence = this.sentence.value;
    const spans = this.spans.map(({ start, end, type }) => ({ start, end, type }));
    const isSuggested = this.coach.model.value !== undefined && !this.isBlind.value;
    const shown = {
      model: this.coach.name,
      spans: this.firstShown.map(({ start, end, type }) => ({ start, end, type })),
      pick: this.pick,
    };
    const ms = Math.round(Math.min(AWAY, performance.now() - this.opened));
    this.decide({ kind: 'accept', spans, ms, ...(isSuggested && { shown }) });
    this.say(`Accepted with ${spans.length} spans`);
    this.coach
      .learned({ words: document.words(sentence), spans: document.overTokens(sentence, spans) })
      .then(() => this.ask());
    await this.next();
  }

  /** Leaves the sentence out, and goes on. */
  async skip(): Promise<void> {
    this.decide({ kind: 'skip' });
    this.say('Left out');
    await this.next();
  }

  /** Goes to the sentence that is next. */
  async next(): Promise<void> {
    const entries = this.session.entries;
    const document = entries.findIndex(({ id }) => id === this.document.value?.stored.id);
    const next = this.coach.next({ document, sentence: this.sentence.value });
    if (next === undefined) {
      this.say('All sentences are done');
      return;
    }
    const open = await this.session.document(entries[next.place.document].id);
    await this.open(open, next.place.sentence, next.pick, next.isBlind);
  }

  /** Goes to the sentence above or below. */
  step(direction: -1 | 1): void {
    const document = this.document.value as OpenDocument;
    const to = this.sentence.value + direction;
    if (to >= 0 && to < document.sentences) this.open(document, to);
  }

  /** Moves to the first token. */
  first(): void {
    this.cursor.value = firstToken(this.document.value as OpenDocument, this.sentence.value);
    this.sayPlace();
  }

  /** Moves to the token before or after. */
  move(direction: -1 | 1): void {
    this.cursor.value = neighbour(
      this.document.value as OpenDocument,
      this.sentence.value,
      this.cursor.value,
      direction,
    );
    this.sayPlace();
  }

  /** Moves to the span before or after; false where there is none. */
  moveToSpan(direction: -1 | 1): boolean {
    const { start, end } = this.cursor.value;
    const { spans } = this;
    const found =
      direction > 0 ? spans.find((span) => span.start >= end) : spans.findLast((span) => span.end <= start);
    // The first span, where the cursor stands on a token before it.
    if (found === undefined) return false;
    this.cursor.value = { start: found.start, end: found.end };
    this.sayPlace();
    return true;
  }

  /** Moves a bound of the span at the cursor, or of what is chosen. */
  moveBound(move: Move): void {
    const document = this.document.value as OpenDocument;
    const active = spanAt(this.spans, this.cursor.value);
    const from = active ?? this.cursor.value;
    const to = moved(document, this.sentence.value, from, move);
    if (to.start === from.start && to.end === from.end) return;
    this.cursor.value = { start: to.start, end: to.end };
    if (active)
      this.decide({
        kind: 'change',
        from: plain(active),
        span: { start: to.start, end: to.end, type: active.type },
      });
    this.sayPlace();
  }

  /** Gives what is at the cursor a label. */
  label(type: string): void {
    const active = spanAt(this.spans, this.cursor.value);
    const isWhole =
      active !== undefined && this.cursor.value.start >= active.start && this.cursor.value.end <= active.end;
    if (active && isWhole) {
      const span = { start: active.start, end: active.end, type };
      if (active.type === type) this.decide({ kind: 'add', span });
      else this.decide({ kind: 'change', from: plain(active), span });
      this.cursor.value = { start: active.start, end: active.end };
    } else {
      const { start, end } = this.cursor.value;
      this.decide({ kind: 'add', span: { start, end, type } });
    }
    this.sayPlace();
  }

  /** Takes the span at the cursor away. */
  remove(): void {
    const active = spanAt(this.spans, this.cursor.value);
    if (active) this.decide({ kind: 'remove', span: plain(active) });
    this.sayPlace();
  }

  /** Places where the string of the span at the cursor stands without that span, in sentences that are open. */
  same(): { span: CharacterSpan; places: (Stretch & { sentence: number })[] } | undefined {
    const document = this.document.value as OpenDocument;
    const span = spanAt(this.spans, this.cursor.value);
    if (span === undefined) return undefined;
    const places = sameStrings(document, span).filter(({ sentence, start, end }) => {
      const state = this.session.sentence(document, sentence);
      const own = { start, end, type: span.type };
      return (
        state.status === 'open' && !state.spans.some((other) => overlap(other, own) || isSame(other, own))
      );
    });
    return { span: plain(span), places };
  }

  /** Gives all these places the span. */
  labelSame({ span, places }: NonNullable<ReturnType<Work['same']>>): void {
    const doc = (this.document.value as OpenDocument).stored.id;
    const own = { doc, sentence: this.sentence.value, kind: 'add' as const, span };
    this.session.decide(
      own,
      ...places.map(({ sentence, start, end }) => ({
        doc,
        sentence,
        kind: 'add' as const,
        span: { start, end, type: span.type },
      })),
    );
    this.say(`${places.length + 1} spans`);
    this.ask();
  }

  /** Marks the sentence, or takes the mark away. */
  flag(): void {
    this.decide({ kind: 'flag', isOn: !this.state.isFlagged });
    this.say(this.state.isFlagged ? 'Marked' : 'Not marked');
  }

  /** Says something of the sentence. */
  comment(text: string): void {
    this.decide({ kind: 'comment', text });
  }

  /** Makes a sentence open again. */
  reopen(): void {
    this.decide({ kind: 'reopen' });
  }

  /** Takes back or does again what was decided last, and goes there. */
  async switchBack(direction: 'undo' | 'redo'): Promise<void> {
    const decision = direction === 'undo' ? this.session.undo() : this.session.redo();
    if (decision === undefined) {
      this.say(direction === 'undo' ? 'Nothing to take back' : 'Nothing to do again');
      return;
    }
    const document = await this.session.document(decision.doc);
    await this.open(document, decision.sentence);
    this.say(`${direction === 'undo' ? 'Taken back' : 'Done again'}: ${decision.kind}`);
  }

  private say(text: string): void {
    this.said.value = text;
  }

  private sayPlace(): void {
    const { start, end } = this.cursor.value;
    const text = (this.document.value as OpenDocument).stored.text.slice(start, end);
    const type = spanAt(this.spans, this.cursor.value)?.type;
    this.say(type === undefined ? text : `${text}, ${type}`);
  }
}

function plain({ start, end, type }: CharacterSpan): CharacterSpan {
  return { start, end, type };
}
