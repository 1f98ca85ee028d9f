import type { ScorerParts } from '../decode/scorer.js';
import { type History, PADDING, type Placement } from '../features/layout.js';
import type { SentenceTuples } from '../features/sentence-tuples.js';
import { laneCount } from '../kernels/lane-count.js';
import type { Model } from './model.js';

/** What a scorer needs to know of earlier labels. */
export type HistoryRows = Pick<ScorerParts, 'first' | 'second' | 'pair' | 'tokenHistory' | 'tokenKey'>;

/**
 * The weights that read earlier labels, in the form a scorer takes: tables by label₋₁, label₋₂ and both, and label₋₁
 * joined with the token. Parts that no template reads are absent.
 *
 * @param tuples the sentence being labelled; read whenever a token is scored.
 */
export function historyRows(model: Model, tuples: SentenceTuples): HistoryRows {
  return {
    first: tableOf(model, 'previous'),
    second: tableOf(model, 'before-previous'),
    pair: tableOf(model, 'both'),
    ...tokenHistoryOf(model, tuples),
  };
}

/** Weights of the template that reads earlier labels alone, one row per slot; slots count as scorers' tables do. */
function tableOf(model: Model, history: History): Float32Array | undefined {
  const { features, weights } = model;
  const lanes = laneCount(model.problems);
  const { conjunctions } = features.layout;
  const c = conjunctions.findIndex(({ views }) => views.length === 0);
  const placement = conjunctions[c]?.placements.find((candidate) => candidate.history === history);
  if (placement === undefined) return undefined;
  const table = new Float32Array(placement.slots * lanes);
  for (let f = features.starts[c][0]; f < features.starts[c][1]; f++) {
    const row = features.slots[f] - placement.firstSlot;
    if (row < 0 || row >= placement.slots) continue;
    weights.addTo(f, table, row * lanes);
  }
  return table;
}

function tokenHistoryOf(
  model: Model,
  sentence: SentenceTuples,
): Pick<HistoryRows, 'tokenHistory' | 'tokenKey'> {
  const { features, weights } = model;
  const joined: { c: number; placement: Placement }[] = [];
  features.layout.conjunctions.forEach(({ views, placements }, c) => {
    if (views.length === 0) return;
    for (const placement of placements) if (placement.history === 'previous') joined.push({ c, placement });
  });
  if (joined.length === 0) return {};
  const { slots } = features;
  const { starts: firsts, lanes, values } = weights;
  const tokenHistory: HistoryRows['tokenHistory'] = (t, from, to, out, rowStride) => {
    const { tuples, stride } = sentence;
    for (let i = 0; i < joined.length; i++) {
      const { c, placement } = joined[i];
      const tuple = tuples[c * stride + PADDING + t + placement.offset];
      if (tuple < 0) continue;
      const start = features.starts[c][tuple];
      const end = features.starts[c][tuple + 1];
      // Slots ascend within a tuple.
      let f = start;
      let high = end;
      while (f < high) {
        const middle = (f + high) >> 1;
        if (slots[middle] < placement.firstSlot + from) f = middle + 1;
        else high = middle;
      }
      for (; f < end; f++) {
        const previous = slots[f] - placement.firstSlot;
        if (previous >= to) break;
        const at = previous * rowStride;
        const last = firsts[f + 1];
        for (let j = firsts[f]; j < last; j++) out[at + lanes[j]] += values[j];
      }
    }
  };
  const write = (t: number, out: Int32Array) => {
    const { tuples, stride } = sentence;
    for (let i = 0; i < joined.length; i++) {
      const { c, placement } = joined[i];
      out[i] = tuples[c * stride + PADDING + t + placement.offset];
    }
  };
  return { tokenHistory, tokenKey: { size: joined.length, write } };
}
