import type { ScorerParts, TokenHistory } from '../decode/scorer.js';
import { type History, PADDING, type Placement } from '../features/layout.js';
import type { SentenceTuples } from '../features/sentence-tuples.js';
import { laneCount } from '../kernels/lane-count.js';
import type { Model } from './model.js';
import { FeaturePacker } from './pack-features.js';

/** What a scorer needs to know of earlier labels. */
export type HistoryRows = Pick<ScorerParts, 'first' | 'second' | 'pair' | 'tokenHistory'>;

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
    tokenHistory: tokenHistoryOf(model, tuples),
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

/** What templates join with the label at −1; nothing where none does. */
function tokenHistoryOf(model: Model, sentence: SentenceTuples): TokenHistory | undefined {
  const { tables, layout } = model.features;
  const joined: { c: number; placement: Placement }[] = [];
  /** Each view with where it is read, relative to the token. */
  const read = new Map<string, { view: number; offset: number }>();
  layout.conjunctions.forEach(({ views, shifts, placements }, c) => {
    if (views.length === 0) return;
    for (const placement of placements) {
      if (placement.history !== 'previous') continue;
      joined.push({ c, placement });
      views.forEach((view, i) => {
        const offset = placement.offset + shifts[i];
        read.set(`${view} ${offset}`, { view, offset });
      });
    }
  });
  if (joined.length === 0) return undefined;
  const parts = [...read.values()];
  const runsOf: (Uint32Array | undefined)[] = layout.conjunctions.map(() => undefined);
  const key = new Uint32Array(Math.max(...layout.conjunctions.map(({ views }) => views.length)));
  return {
    keySize: parts.length,
    writeKey(t, out) {
      const { values, stride } = sentence;
      for (let i = 0; i < parts.length; i++) {
        out[i] = values[parts[i].view * stride + PADDING + t + parts[i].offset];
      }
    },
    words: FeaturePacker.words(model, false),
    pack(kernels) {
      const packer = new FeaturePacker(model, kernels, false);
      for (const c of new Set(joined.map((join) => join.c))) {
        const { placements } = layout.conjunctions[c];
        const places = placements.flatMap(({ history, firstSlot, slots }) =>
          Array.from({ length: slots }, (_, i) => (history === 'previous' ? firstSlot + i : undefined)),
        );
        runsOf[c] = packer.pack(c, places);
      }
      return packer;
    },
    places: joined.map(({ placement }) => placement.firstSlot),
    writeRuns(t, out, at) {
      const { values, stride } = sentence;
      for (let i = 0; i < joined.length; i++) {
        const { c, placement } = joined[i];
        const { views, shifts } = layout.conjunctions[c];
        let present = true;
        for (let part = 0; part < views.length; part++) {
          key[part] = values[views[part] * stride + PADDING + t + placement.offset + shifts[part]];
          if (key[part] === 0) present = false;
        }
        const table = tables[c];
        const tuple = !present ? -1 : table ? table.id(key, false) : key[0];
        const runs = runsOf[c] as Uint32Array;
        out[at + 2 * i] = tuple < 0 ? 0 : runs[tuple];
        out[at + 2 * i + 1] = tuple < 0 ? 0 : runs[tuple + 1];
      }
    },
  };
}
