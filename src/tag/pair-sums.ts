import { PADDING } from '../features/layout.js';
import type { TupleTable } from '../features/tuple-table.js';
import { addDensePairs, type DensePairTable } from '../kernels/dense-pairs.js';
import type { Bound } from '../kernels/kernel.js';
import type { KernelMemory } from '../kernels/kernels.js';
import { type Arrays, uint32 } from '../kernels/layout.js';
import { addPairs, type PairTable, type ScoreRows } from '../kernels/score-rows.js';
import type { Model } from '../model/model.js';
import type { FeaturePacker } from './pack-features.js';
import { denseCells, fillDenseTable, fillPairTable, pairCells } from './pair-tables.js';
import type { PairPlan } from './scoring-plan.js';
import { POSITIONS } from './stretch.js';

/** Rows before and after those of a stretch, for what pairs at its ends bring to tokens beyond it. */
export const BEYOND = PADDING;

const KERNELS = { addPairs, addDensePairs };

/** A conjunction of two values, and the table that it is looked up in. */
interface Pair {
  readonly plan: PairPlan;
  readonly table: PairTable | DensePairTable;
}

/** Adds to tokens what the pairs of values around them bring. */
export class PairSums {
  private readonly kernels: Bound<typeof KERNELS>;
  private readonly features: FeaturePacker;
  private readonly lanes: number;
  private readonly pairs: readonly Pair[];

  /**
   * Arrays of the pairs' tables, one each.
   *
   * @hidden
   */
  static layout({ features }: Model, pairs: readonly PairPlan[]) {
    return pairs.map(({ conjunction, dense }) =>
      uint32(dense ? denseCells(dense) : pairCells(features.starts[conjunction].length - 1)),
    );
  }

  /**
   * @param features where those of pairs in sparse tables are packed.
   * @param entries arrays of the memory.
   */
  constructor(
    model: Model,
    pairs: readonly PairPlan[],
    lanes: number,
    features: FeaturePacker,
    memory: KernelMemory,
    entries: Arrays<ReturnType<typeof PairSums.layout>>,
  ) {
    this.kernels = memory.bind(KERNELS);
    this.features = features;
    this.lanes = lanes;
    this.pairs = pairs.map((plan, i) => {
      const { conjunction, tokens, dense } = plan;
      const keys = (model.features.tables[conjunction] as TupleTable).pack();
      const table = dense
        ? fillDenseTable(model, conjunction, keys, tokens, dense, entries[i])
        : fillPairTable(keys, features.pack(conjunction, tokens), entries[i]);
      return { plan, table };
    });
  }

  /**
   * Adds what pairs bring to the tokens, also to those that stand partly outside of sentences.
   *
   * @param values [views × POSITIONS] values by position.
   * @param sums [(BEYOND + POSITIONS + BEYOND) × K]
   */
  add(values: Uint32Array, positions: number, sums: ScoreRows): void {
    const { pairs, kernels, features, lanes: width } = this;
    const at = BEYOND * width;
    for (const { plan, table } of pairs) {
      const left = plan.left * POSITIONS;
      const right = plan.right * POSITIONS + plan.shift;
      const count = positions - plan.shift;
      if ('groups' in table) {
        const out = sums as Int16Array;
        kernels.addDensePairs({ values, left, right, positions: count, table, width, out, at });
      } else {
        kernels.addPairs({ values, left, right, positions: count, table, features, width, out: sums, at });
      }
    }
  }
}
