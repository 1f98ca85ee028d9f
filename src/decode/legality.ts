import { SpanwrightError } from '../base/errors.js';
import { grown } from '../base/growable.js';

/** How the steps of legality come again. */
export interface LegalCycle {
  /** First step of those that repeat. */
  readonly start: number;
  /** Number of steps after which they repeat. */
  readonly period: number;
}

/**
 * Which labels may follow which, looking ahead as far as the sentence lasts: a label is offered only if a legal end
 * is still reachable from it in exactly the steps that remain. One step of look-ahead is not enough for schemes
 * with dead ends, such as six tags read forward.
 *
 * The set of labels with a legal end in r steps follows from the set for r − 1, so the sets repeat sooner or later
 * (for tag schemes after a handful); only the distinct ones are kept, however long the sentence.
 */
export class Legality {
  /** Number of labels, L. */
  readonly labels: number;
  /**
   * Number of states, S: what is remembered of a path. Here a path's state is its last label, and S stands for the
   * start of the sentence; see {@link after}.
   */
  readonly states: number;
  /**
   * `[steps × (S+1) × L]`: the rows whose offsets {@link mask} returns. May be replaced by a call of `mask` or
   * {@link requirePath} with more remaining steps than any before.
   */
  rows: Uint8Array;

  private readonly allowed: Uint8Array;
  /** Step by the set of labels with a legal end there, written as a string of 0s and 1s. */
  private readonly stepOfSet = new Map<string, number>();
  /** Set of the last step made, `[L]`; at first those that may end the sentence. */
  private alive: Uint8Array;
  /** Steps made. */
  private steps = 0;
  /** Steps per repetition; 0 until a repetition is found. */
  private period = 0;
  /** Step at which the repetition starts. */
  private periodStart = 0;

  /**
   * @param allowed `[(L+1) × (L+1)]`: row = previous label (L: sentence start), column = label (L: sentence end);
   *   1 where the pair is legal, else 0.
   * @param labels number of labels, L.
   * @param states number of states, S.
   */
  constructor(allowed: Uint8Array, labels: number, states = labels) {
    this.allowed = allowed;
    this.labels = labels;
    this.states = states;
    this.rows = new Uint8Array(4 * (labels + 1) * labels);
    this.alive = new Uint8Array(labels);
    for (let c = 0; c < labels; c++) this.alive[c] = allowed[c * (labels + 1) + labels];
  }

  /**
   * The offset in {@link rows} of the labels `[L]` that may follow `previous` (L: sentence start) when `remaining`
   * tokens come after them: 1 where `previous` → label is legal and the sentence can then be completed legally.
   */
  mask(remaining: number, previous: number): number {
    while (this.steps <= remaining && this.period === 0) this.addStep();
    let step = remaining;
    if (step >= this.steps) step = this.periodStart + ((step - this.periodStart) % this.period);
    return (step * (this.labels + 1) + previous) * this.labels;
  }

  /** The state of a path of state `previous` once `label` is added, when `remaining` tokens come after that one. */
  after(_remaining: number, _previous: number, label: number): number {
    return label;
  }

  /**
   * How steps come again: rows of every step from the start on are those of a step before start + period. Nothing where
   * that is not known yet for so many remaining tokens, or there are more than `most` different steps.
   */
  cycle(remaining: number, most: number): LegalCycle | undefined {
    this.mask(remaining, 0);
    if (this.steps > most) return undefined;
    // Before a repetition is found there are steps of all numbers of remaining tokens asked for, and none beyond.
    if (this.period === 0) return remaining < this.steps ? { start: this.steps - 1, period: 1 } : undefined;
    return { start: this.periodStart, period: this.period };
  }

  /** Whether the first `length` labels of a sequence are legal from sentence start to sentence end. */
  allows(sequence: Uint16Array, length: number): boolean {
    let previous = this.states;
    for (let t = 0; t < length; t++) {
      const at = this.mask(length - 1 - t, previous);
      if (this.rows[at + sequence[t]] === 0) return false;
      previous = this.after(length - 1 - t, previous, sequence[t]);
    }
    return true;
  }

  /**
   * Returns if a legal label sequence of `length` tokens exists; {@link rows} then stays as it is while that
   * sentence is decoded.
   *
   * @throws SpanwrightError with code `no-legal-path` if there is none.
   */
  requirePath(length: number): void {
    if (length === 0) return;
    const at = this.mask(length - 1, this.labels);
    for (let c = 0; c < this.labels; c++) if (this.rows[at + c] !== 0) return;
    throw new SpanwrightError(
      'no-legal-path',
      `sentence of length ${length}: expected at least one legal sequence of the ${this.labels} labels, found ` +
        'none: the consistency matrix allows no way from sentence start to sentence end in that many steps',
    );
  }

  private addStep(): void {
    const { labels, allowed, alive } = this;
    const set = alive.join('');
    const repeated = this.stepOfSet.get(set);
    if (repeated !== undefined) {
      this.periodStart = repeated;
      this.period = this.steps - repeated;
      return;
    }
    this.stepOfSet.set(set, this.steps);
    const size = (labels + 1) * labels;
    const at = this.steps * size;
    this.rows = grown(this.rows, at + size);
    const next = new Uint8Array(labels);
    for (let previous = 0; previous <= labels; previous++) {
      for (let c = 0; c < labels; c++) {
        if (allowed[previous * (labels + 1) + c] === 0 || alive[c] === 0) continue;
        this.rows[at + previous * labels + c] = 1;
        if (previous < labels) next[previous] = 1;
      }
    }
    this.alive = next;
    this.steps++;
  }
}
