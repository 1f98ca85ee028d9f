import { PADDING } from '../features/layout.js';
import type { SentenceTuples } from '../features/sentence-tuples.js';
import type { Model } from '../model/model.js';
import type { ScoringPlan } from './scoring-plan.js';

/** Weights that rows of a conjunction's tuples may hold together. */
const MOST_REST = 1 << 19;

/** A conjunction that is neither summed ahead nor looked up as a pair. */
interface Rest {
  /** Its number in the layout. */
  readonly conjunction: number;
  /** [tuples × fixed slots × K] weights of each tuple, where these are few. */
  readonly rows: Float32Array | undefined;
}

/** Adds to tokens what conjunctions of three values or more bring that no window holds. */
export class RestSums {
  private readonly model: Model;
  private readonly plan: ScoringPlan;
  private readonly tuples: SentenceTuples;
  private readonly rest: readonly Rest[];

  /** @param tuples where tuples are found. */
  constructor(model: Model, plan: ScoringPlan, tuples: SentenceTuples) {
    this.model = model;
    this.plan = plan;
    this.tuples = tuples;
    this.rest = plan.rest.map((c) => ({ conjunction: c, rows: restRows(model, c, plan.lanes) }));
  }

  /**
   * Adds to the scores of a stretch, taken as one sentence: no tuple reaches over what is between two.
   *
   * @param scores [length × K]
   * @param length tokens of the stretch, whose values the tuples have.
   */
  add(scores: Float32Array, length: number): void {
    const { rest, tuples, model } = this;
    if (rest.length === 0) return;
    tuples.compute(this.plan.rest, model.features.tables, false);
    for (const { conjunction, rows } of rest) {
      if (rows) this.addRows(conjunction, rows, length, scores);
      else this.addFeatures(conjunction, length, scores);
    }
  }

  /** Adds the rows of a conjunction's tuples. */
  private addRows(c: number, rows: Float32Array, length: number, out: Float32Array): void {
    const { lanes } = this.plan;
    const ahead = this.plan.ahead[c];
    const { layout } = this.model.features;
    const { fixedSlots, placements } = layout.conjunctions[c];
    const { tuples, stride } = this.tuples;
    const base = c * stride + PADDING;
    for (let p = -layout.reach; p < length + layout.reach; p++) {
      const tuple = tuples[base + p];
      if (tuple < 0) continue;
      for (let slot = 0; slot < fixedSlots; slot++) {
        const t = p - placements[slot].offset;
        if (t < 0 || t >= length || ahead[slot]) continue;
        const to = t * lanes;
        const from = (tuple * fixedSlots + slot) * lanes;
        for (let k = 0; k < lanes; k++) out[to + k] += rows[from + k];
      }
    }
  }

  /** Adds the weights of the features of a conjunction's tuples. */
  private addFeatures(c: number, length: number, out: Float32Array): void {
    const { lanes } = this.plan;
    const ahead = this.plan.ahead[c];
    const { features, weights } = this.model;
    const { slots, layout } = features;
    const { fixedSlots, placements } = layout.conjunctions[c];
    const { starts: firsts, lanes: laneOf, packed, factor } = weights;
    const { tuples, stride } = this.tuples;
    const starts = features.starts[c];
    const base = c * stride + PADDING;
    const { fround } = Math;
    for (let p = -layout.reach; p < length + layout.reach; p++) {
      const tuple = tuples[base + p];
      if (tuple < 0) continue;
      for (let f = starts[tuple]; f < starts[tuple + 1]; f++) {
        const slot = slots[f];
        if (slot >= fixedSlots) break;
        const t = p - placements[slot].offset;
        if (t < 0 || t >= length || ahead[slot]) continue;
        const at = t * lanes;
        for (let j = firsts[f]; j < firsts[f + 1]; j++) out[at + laneOf[j]] += fround(packed[j] * factor);
      }
    }
  }
}

/** Weights of each tuple of a conjunction in rows, which are added without looking for weights; nothing if these are many. */
function restRows({ features, weights }: Model, c: number, lanes: number): Float32Array | undefined {
  const { fixedSlots } = features.layout.conjunctions[c];
  const starts = features.starts[c];
  const tuples = starts.length - 1;
  if (tuples * fixedSlots * lanes > MOST_REST) return undefined;
  const rows = new Float32Array(tuples * fixedSlots * lanes);
  for (let tuple = 0; tuple < tuples; tuple++) {
    for (let f = starts[tuple]; f < starts[tuple + 1]; f++) {
      const slot = features.slots[f];
      if (slot < fixedSlots) weights.addTo(f, rows, (tuple * fixedSlots + slot) * lanes);
    }
  }
  return rows;
}
