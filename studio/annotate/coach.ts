import { signal } from '@preact/signals';
import { type ChosenSentence, chooseSentence } from '../../src/project/choose-sentence.js';
import type { OpenDocument } from '../../src/project/document.js';
import type { Strategy } from '../../src/project/project.js';
import { Engine } from '../engine/engine.js';
import type {
  LearnedSentence,
  ProjectModel,
  SuggestedSpan,
  SuggestMethods,
  TokenSpan,
} from '../engine/protocol.js';
import { trainerEngine } from '../engine/trainer-engine.js';
import type { Session } from './session.js';

/** Annotated sentences from which on a model is trained. */
const LEAST = 5;
/** Agreement of successive models at which more annotation changes little, and how often in a row. */
const STABLE = 0.99;
const STABLE_TIMES = 3;

/** A sentence that may come up. */
export interface PoolSentence {
  /** Number of its document among those of the project. */
  readonly document: number;
  /** Number of the sentence. */
  readonly sentence: number;
}

/** A point of the learning curve. */
export interface CurvePoint {
  /** Sentences that a model was trained on. */
  readonly sentences: number;
  /** Agreement with the model before. */
  readonly agreement: number | undefined;
}

/** Trains while somebody annotates, suggests spans, and says which sentence is next. */
export class Coach {
  /** The model that suggests: its name, and on how much it was trained. */
  readonly model = signal<Omit<ProjectModel, 'bytes' | 'scores'> | undefined>(undefined);
  /** Whether a model is being trained. */
  readonly isTraining = signal(false);
  /** Changes whenever suggestions may be others. */
  readonly version = signal(0);
  /** Models so far. */
  readonly curve = signal<readonly CurvePoint[]>([]);
  /** Bytes of the last model. */
  bytes: Uint8Array | undefined;
  private readonly session: Session;
  private readonly suggester = new Engine<SuggestMethods>('suggester.js');
  private readonly documents: OpenDocument[] = [];
  private readonly pool: PoolSentence[] = [];
  private scores: Float32Array | undefined;
  private trainedOn = 0;
  private isPoolSent = false;

  constructor(session: Session) {
    this.session = session;
  }

  /** Reads all documents, then trains on what is annotated. */
  async start(): Promise<void> {
    for (const { id } of this.session.entries) {
      const document = await this.session.document(id);
      const number = this.documents.push(document) - 1;
      for (let sentence = 0; sentence < document.sentences; sentence++)
        this.pool.push({ document: number, sentence });
    }
    this.train();
  }

  /** Ends the workers that are its own. */
  stop(): void {
    this.suggester.stop();
  }

  /** Name of the model in journals. */
  get name(): string {
    return this.model.value === undefined ? 'none' : `project-${this.model.value.sentences}`;
  }

  /** Whether more annotation would change the model little. */
  get isStable(): boolean {
    const last = this.curve.value.slice(-STABLE_TIMES);
    return last.length === STABLE_TIMES && last.every(({ agreement = 0 }) => agreement >= STABLE);
  }

  /** Labels a sentence, given spans that are there and spans that are not. */
  suggest(
    words: readonly string[],
    required: readonly TokenSpan[],
    forbidden: readonly TokenSpan[],
  ): Promise<SuggestedSpan[]> {
    if (this.model.value === undefined) return Promise.resolve([]);
    return this.suggester.ask('suggest', { words, required, forbidden });
  }

  /** Learns a sentence at once, and from scratch as soon as nothing else is trained. */
  async learned(sentence: LearnedSentence): Promise<void> {
    if (this.model.value !== undefined) await this.suggester.ask('learn', sentence);
    this.train();
  }

  /** The next sentence; nothing where all are done. @param before sentence that was the last one. */
  next(before: PoolSentence | undefined): (ChosenSentence & { place: PoolSentence }) | undefined {
    const open: number[] = [];
    let at = -1;
    let annotated = 0;
    this.pool.forEach(({ document, sentence }, number) => {
      if (document === before?.document && sentence === before.sentence) at = number;
      const { status } = this.session.sentence(this.documents[document], sentence);
      if (status === 'open') open.push(number);
      else annotated++;
    });
    const { strategy, id } = this.session.project;
    const seed =
      [...`${id}/${this.session.annotator}`].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) | 0;
    const chosen = chooseSentence({
      strategy: this.strategy ?? strategy,
      seed,
      annotated,
      open,
      before: at,
      scores: this.scores,
    });
    return chosen && { ...chosen, place: this.pool[chosen.sentence] };
  }

  /** Order that is used in place of the project's. */
  strategy: Strategy | undefined;

  /** Annotated sentences. */
  annotated(): LearnedSentence[] {
    const found: LearnedSentence[] = [];
    for (const document of this.documents) {
      for (let s = 0; s < document.sentences; s++) {
        const { status, spans } = this.session.sentence(document, s);
        if (status === 'accepted')
          found.push({ words: document.words(s), spans: document.overTokens(s, spans) });
      }
    }
    return found;
  }

  private async train(): Promise<void> {
    if (this.isTraining.value) return;
    const sentences = this.annotated();
    const isEnough = sentences.length >= LEAST && sentences.some(({ spans }) => spans.length > 0);
    if (!isEnough || sentences.length === this.trainedOn) return;
    this.isTraining.value = true;
    try {
      if (!this.isPoolSent) {
        const words = this.pool.map(({ document, sentence }) => this.documents[document].words(sentence));
        await trainerEngine().ask('setPool', { sentences: words });
        this.isPoolSent = true;
      }
      const tokens = this.session.project.tokenizer === 'characters' ? 'characters' : 'words';
      const { bytes, scores, ...facts } = await trainerEngine().ask('trainProject', { sentences, tokens });
      this.trainedOn = sentences.length;
      this.scores = scores;
      this.bytes = bytes;
      await this.suggester.ask('take', { bytes });
      this.model.value = facts;
      this.curve.value = [...this.curve.value, { sentences: facts.sentences, agreement: facts.agreement }];
      this.version.value++;
    } finally {
      this.isTraining.value = false;
    }
    // What was decided meanwhile.
    if (this.annotated().length !== this.trainedOn) this.train();
  }
}
