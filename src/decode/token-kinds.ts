import type { StretchHistory } from '../kernels/extend-stretch.js';
import type { Windows } from '../kernels/find-ids.js';
import type { KernelMemory } from '../kernels/kernels.js';
import { type Arrays, float32, uint32 } from '../kernels/layout.js';
import { WindowIds } from '../kernels/window-ids.js';

/** Kinds of tokens, and bases of them, that are known at a time. */
const MOST_KINDS = 1 << 16;
/** Bytes that the runs of either may take. */
const RUN_BYTES = 1 << 24;
/** Bytes of rows that are kept. */
const ROW_BYTES = 1 << 23;
/** Numbers that stand before a row that is kept. */
const ROW_KEY = 4;

/**
 * Contributions of tokens joined with the label at −1. Features whose tuples have few weights are a token's own, those of the others make up
 * its base, of which there are fewer than of tokens with all that they read.
 */
export interface TokenHistory {
  /** How many numbers say what a token brings, its key: equal numbers, equal rows. */
  readonly keySize: number;
  /** How many of them, the first ones, say what its base is. */
  readonly baseSize: number;
  /** Writes those of the tokens from `from` on: number i of the token at from + j to `out[i · stride + j]`. */
  readonly writeKeys: (from: number, count: number, out: Uint32Array, stride: number) => void;
  /** Words that the features take. */
  readonly words: number;
  /** Writes the features, as `JoinedFeatures` has them. */
  readonly pack: (words: Uint32Array, floats: Float32Array) => void;
  /** Runs of features that a base has. */
  readonly baseRuns: number;
  /** Runs of features that a token has beside its base. */
  readonly ownRuns: number;
  /**
   * Writes where some runs of what has a key start and end into `out` `[count × 2]`, from `at` on.
   *
   * @param keys holds the key from `keyAt` on; of runs of a base its own numbers are enough.
   * @param first the first of the runs; those of the base are followed by the token's own.
   */
  readonly writeRuns: (
    keys: Uint32Array,
    keyAt: number,
    first: number,
    count: number,
    out: Uint32Array,
    at: number,
  ) => void;
}

/** Kinds of tokens, by what they bring together with the label at −1; remembered until there is no more room. */
export class TokenKinds {
  /** Arrays for the kernels. */
  readonly history: StretchHistory;
  private readonly source: TokenHistory;
  private readonly tokens: number;
  private readonly kinds: WindowIds;
  private readonly bases: WindowIds;
  /** [keySize × tokens] keys of a stretch. */
  private readonly keys: Uint32Array;
  /** [keySize] where in `keys` each number of the first key is. */
  private readonly parts: Uint32Array;
  /** [baseSize] where the numbers of a kind's base are in the keys of kinds. */
  private readonly baseParts: Uint32Array;

  /**
   * Arrays for stretches of so many tokens.
   *
   * @hidden
   */
  static layout(
    { keySize, baseSize, baseRuns, ownRuns, words }: TokenHistory,
    width: number,
    tokens: number,
  ) {
    const kinds = mostKeys(ownRuns, tokens);
    const bases = mostKeys(baseRuns, tokens);
    const kept = keptRows(width);
    return {
      kindIds: WindowIds.layout(kinds, keySize),
      baseIds: WindowIds.layout(bases, baseSize),
      words: uint32(words),
      history: {
        kinds: uint32(tokens),
        bases: uint32(kinds + 1),
        runs: uint32((kinds + 1) * 2 * ownRuns),
        runsOfBases: uint32((bases + 1) * 2 * baseRuns),
        keptSlots: uint32(2 ** Math.ceil(Math.log2(2 * kept))),
        keptRows: float32(kept * (ROW_KEY + 2 * width)),
        keptCount: uint32(1),
        lastRows: uint32(bases + 1),
      },
      keys: uint32(keySize * tokens),
      parts: uint32(keySize),
      baseParts: uint32(baseSize),
    };
  }

  /**
   * @param tokens most tokens of a stretch, as of the layout.
   * @param arrays of the memory.
   */
  constructor(
    source: TokenHistory,
    memory: KernelMemory,
    tokens: number,
    arrays: Arrays<ReturnType<typeof TokenKinds.layout>>,
  ) {
    const { baseRuns, ownRuns } = source;
    const { words, keys, parts, baseParts } = arrays;
    this.source = source;
    this.tokens = tokens;
    this.kinds = new WindowIds(memory, mostKeys(ownRuns, tokens), arrays.kindIds);
    this.bases = new WindowIds(memory, mostKeys(baseRuns, tokens), arrays.baseIds);
    const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
    source.pack(words, floats);
    this.history = { ...arrays.history, features: { words, floats }, kindRuns: ownRuns, baseRuns };
    this.keys = keys;
    this.parts = parts;
    for (let i = 0; i < parts.length; i++) parts[i] = i * tokens;
    this.baseParts = baseParts;
  }

  /** Finds the kinds of the tokens from `from` on, at most as many as a stretch has. */
  find(from: number, tokens: number): void {
    const { source, history, keys, parts, kinds, bases } = this;
    if (kinds.isFull(tokens) || bases.isFull(tokens)) {
      kinds.clear();
      bases.clear();
      history.keptSlots.fill(0);
      history.keptCount[0] = 0;
      history.lastRows.fill(0);
    }
    source.writeKeys(from, tokens, keys, this.tokens);
    const windows: Windows = { values: keys, parts, step: 1, count: tokens };
    if (kinds.find(windows, history.kinds, 0) === 0) return;
    const first = kinds.size + 1;
    this.addRuns(first, kinds.add(windows, history.kinds, 0));
  }

  /** Finds what some new kinds bring, and their bases, of which some may be new as well. */
  private addRuns(first: number, count: number): void {
    const { source, history, baseParts, kinds, bases } = this;
    const { keySize, baseSize, baseRuns, ownRuns } = source;
    for (let kind = first; kind < first + count; kind++) {
      source.writeRuns(kinds.keys, kind * keySize, baseRuns, ownRuns, history.runs, 2 * ownRuns * kind);
    }
    for (let i = 0; i < baseSize; i++) baseParts[i] = first * keySize + i;
    const windows: Windows = { values: kinds.keys, parts: baseParts, step: keySize, count };
    if (bases.find(windows, history.bases, first) === 0) return;
    const firstBase = bases.size + 1;
    const added = bases.add(windows, history.bases, first);
    for (let base = firstBase; base < firstBase + added; base++) {
      source.writeRuns(bases.keys, base * baseSize, 0, baseRuns, history.runsOfBases, 2 * baseRuns * base);
    }
  }
}

/** Kinds or bases that there is room for where each has so many runs: enough for a stretch. */
function mostKeys(runs: number, tokens: number): number {
  return Math.max(tokens, Math.min(MOST_KINDS, Math.floor(RUN_BYTES / (8 * (runs + 1)))));
}

/** Rows that are kept, and one that is none. */
function keptRows(width: number): number {
  return Math.max(2, Math.floor(ROW_BYTES / (4 * (ROW_KEY + 2 * width))));
}
