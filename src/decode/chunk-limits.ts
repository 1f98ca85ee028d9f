import { grown } from '../base/growable.js';
import { TupleTable } from '../features/tuple-table.js';

/** Chunks seen in training data; the search can leave out those never seen (Zhou et al. 2012, section 4.2). */
export interface ChunkLimits {
  /** Number of types T, among them the outside where there is one. */
  readonly types: number;
  /** [T] most tokens of a chunk of each type. */
  readonly lengths: Uint16Array;
  /** [(T + 1) × T] 1 where the column's type was seen right after the row's; row T: at the sentence's start. */
  readonly bigrams: Uint8Array;
  /**
   * [values × T] 1 where a token with this value, such as a part of speech, was seen in a chunk of this type; values
   * that were not seen at all have 1 everywhere.
   */
  readonly values: Uint8Array;
  /** Values that were neighbours; none in models from before there were such limits. */
  readonly pairs?: ValuePairs | undefined;
}

/** Pairs of values of neighbouring tokens, wherever they stood. */
export interface ValuePairs {
  /** Left and right value ↔ number of the pair; P in all. */
  readonly table: TupleTable;
  /**
   * [P × T] 1 where they were seen in a chunk of this type, or too seldom at all for that to say much; pairs that are
   * not in the table may be in any type.
   */
  readonly types: Uint8Array;
}

/** How often two values must have been neighbours for it to mean something that they never were in a chunk of a type. */
const MEANINGFUL = 50;

/** Which limits hold. */
export interface Pruning {
  /** Whether a chunk is at most as long as any of its type, or just as any at all. */
  readonly lengths: boolean;
  /** Whether its tokens have values seen in its type. */
  readonly values: boolean;
  /** Whether values that often were neighbours are so only in chunks of types in which they were. */
  readonly pairs: boolean;
  /** Whether neighbouring types are a pair that was seen. */
  readonly bigrams: boolean;
}

/** No pruning. */
export const UNPRUNED: Pruning = { lengths: false, values: false, pairs: false, bigrams: false };

/** Learns {@link ChunkLimits} from chunks as they come. */
export class LimitLearner {
  private readonly types: number;
  private readonly lengths: Uint16Array;
  private readonly bigrams: Uint8Array;
  private readonly values: Uint8Array;
  private readonly pairs = new TupleTable(2);
  /** [P] how often each was seen. */
  private pairCounts = new Uint32Array(64);
  /** [P × T] 1 where it was seen in a chunk of the type. */
  private pairTypes = new Uint8Array(64);
  private readonly pair = new Uint32Array(2);

  /** @param values number of values a token may have. */
  constructor(types: number, values: number) {
    this.types = types;
    this.lengths = new Uint16Array(types).fill(1);
    this.bigrams = new Uint8Array((types + 1) * types);
    this.values = new Uint8Array(values * types);
  }

  /** Takes in a chunk of a type after another (T: the sentence's start). */
  add(previous: number, type: number, length: number): void {
    this.bigrams[previous * this.types + type] = 1;
    this.lengths[type] = Math.max(this.lengths[type], Math.min(length, 65535));
  }

  /** Takes in the value of a token of a chunk. */
  addValue(type: number, value: number): void {
    this.values[value * this.types + type] = 1;
  }

  /** Takes in the values of two neighbouring tokens, and the type of the chunk that they are in; −1 if not in one. */
  addPair(left: number, right: number, type: number): void {
    this.pair[0] = left;
    this.pair[1] = right;
    const pair = this.pairs.id(this.pair, true);
    this.pairCounts = grown(this.pairCounts, this.pairs.size);
    this.pairTypes = grown(this.pairTypes, this.pairs.size * this.types);
    this.pairCounts[pair]++;
    if (type >= 0) this.pairTypes[pair * this.types + type] = 1;
  }

  /** The limits of what was taken in. */
  finish(): ChunkLimits {
    const { types, lengths, bigrams, values } = this;
    for (let at = 0; at < values.length; at += types) {
      const row = values.subarray(at, at + types);
      if (!row.includes(1)) row.fill(1);
    }
    const pairTypes = this.pairTypes.slice(0, this.pairs.size * types);
    for (let pair = 0; pair < this.pairs.size; pair++) {
      if (this.pairCounts[pair] < MEANINGFUL) pairTypes.fill(1, pair * types, (pair + 1) * types);
    }
    return { types, lengths, bigrams, values, pairs: { table: this.pairs, types: pairTypes } };
  }
}
