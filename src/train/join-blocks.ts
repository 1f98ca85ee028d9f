import { Uint32List } from '../base/growable.js';
import type { Precision } from '../model/configuration.js';
import { SparseWeights } from '../model/sparse-weights.js';

/** Weights of some lanes. */
export interface WeightBlock {
  /** Number of each lane in the model, ascending. */
  readonly lanes: Uint16Array;
  /** Weight of each feature in each of these lanes. */
  readonly weights: SparseWeights;
}

/** Weights of all lanes. */
export interface JoinedWeights {
  /** Weights of the features that have any. */
  readonly weights: SparseWeights;
  /** [D] 1 for these features. */
  readonly keep: Uint8Array;
}

/**
 * Joins the weights of all blocks and leaves out features whose weights are all 0. With `int8` each weight becomes the nearest
 * multiple of a step, 127 of which are the largest weight: small ones become 0.
 */
export function joinBlocks(
  blocks: readonly WeightBlock[],
  features: number,
  precision: Precision,
): JoinedWeights {
  const step = precision === 'int8' ? largestOf(blocks) / 127 : 0;
  const keep = new Uint8Array(features);
  const starts = new Uint32List(features + 1);
  const laneTotal = blocks.reduce((sum, block) => sum + block.lanes.length, 0);
  const most = blocks.reduce((sum, { weights: { values: own } }) => sum + own.length, 0);
  const lanes = laneTotal <= 256 ? new Uint8Array(most) : new Uint16Array(most);
  const values = step > 0 ? new Int8Array(most) : new Float32Array(most);
  let filled = 0;
  starts.push(0);
  for (let f = 0; f < features; f++) {
    const from = filled;
    for (const { weights: block, lanes: numbers } of blocks) {
      const end = block.starts[f + 1];
      for (let j = block.starts[f]; j < end; j++) {
        const value = step > 0 ? Math.round(block.values[j] / step) : block.values[j];
        if (value === 0) continue;
        const lane = numbers[block.lanes[j]];
        // Lanes of blocks may alternate: each goes before those above it.
        let at = filled++;
        for (; at > from && lanes[at - 1] > lane; at--) {
          lanes[at] = lanes[at - 1];
          values[at] = values[at - 1];
        }
        lanes[at] = lane;
        values[at] = value;
      }
    }
    if (filled === from) continue;
    keep[f] = 1;
    starts.push(filled);
  }
  const weights = new SparseWeights(starts.toArray(), lanes.slice(0, filled), values.slice(0, filled), step);
  return { weights, keep };
}

/** The largest absolute value. */
function largestOf(blocks: readonly WeightBlock[]): number {
  let largest = 0;
  for (const {
    weights: { values },
  } of blocks) {
    for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]));
  }
  return largest;
}
