import type { StretchHistory } from '../kernels/extend-stretch.js';
import { hashTuple } from '../kernels/hash.js';
import type { Kernels } from '../kernels/kernels.js';

/** Kinds of tokens, and bases of them, that are known at a time; */
const MOST_KINDS = 1 << 16;
/** bytes that the runs of either may take, */
const RUN_BYTES = 1 << 24;
/** and the rows that are kept. */
const ROW_BYTES = 1 << 23;
/** Numbers that stand before a row that is kept. */
const ROW_KEY = 4;

/**
 * What tokens bring together with the label at −1. Features whose tuples have few weights are a token's own, those of the others make up
 * its base, of which there are fewer than of tokens with all that they read.
 */
export interface TokenHistory {
  /** How many numbers say what a token brings, its key: equal numbers, equal rows. */
  readonly keySize: number;
  /** How many of them, the first ones, say what its base is. */
  readonly baseSize: number;
  /** Writes those of the tokens from `from` on: number i of the token at from + j to `out[i · stride + j]`. */
  readonly writeKeys: (from: number, count: number, out: Uint32Array, stride: number) => void;
  /** Words that the features take, */
  readonly words: number;
  /** which this writes, as `JoinedFeatures` has them. */
  readonly pack: (words: Uint32Array, floats: Float32Array) => void;
  /** Runs of features that a base has, */
  readonly baseRuns: number;
  /** and a token beside. */
  readonly ownRuns: number;
  /**
   * Writes where some runs of what has a key start and end into `out` `[count × 2]`, from `at` on.
   *
   * @param first the first of the runs; those of the base are followed by the token's own.
   */
  readonly writeRuns: (key: Uint32Array, first: number, count: number, out: Uint32Array, at: number) => void;
}

/** Kinds of tokens, by what they bring together with the label at −1; remembered until there is no more room. */
export class TokenKinds {
  /** What the kernels read. */
  readonly history: StretchHistory;
  private readonly source: TokenHistory;
  private readonly tokens: number;
  private readonly kinds: KeyIds;
  private readonly bases: KeyIds;
  /** [keySize × tokens] keys of a stretch. */
  private readonly keys: Uint32Array;
  /** [keySize] where in `keys` each number of the first key is. */
  private readonly parts: Uint32Array;
  /** [baseSize] where the numbers of a kind's base are in the keys of kinds. */
  private readonly baseParts: Uint32Array;
  /** [1] */
  private readonly base: Uint32Array;
  /** [keySize] */
  private readonly key: Uint32Array;

  /** Bytes of kernel memory that they need for stretches of so many tokens. */
  static bytes(source: TokenHistory, width: number, tokens: number): number {
    const { keySize, baseSize, baseRuns, ownRuns, words } = source;
    const kinds = mostKeys(ownRuns, tokens);
    const bases = mostKeys(baseRuns, tokens);
    return (
      KeyIds.bytes(kinds, keySize) +
      KeyIds.bytes(bases, baseSize) +
      4 * (kinds + 1) * (1 + 2 * ownRuns) +
      4 * (bases + 1) * (2 * baseRuns + 1) +
      4 * (words + tokens * (1 + keySize) + keySize + baseSize + 2) +
      4 * keptRows(width) * (2 * 2 + ROW_KEY + 2 * width)
    );
  }

  /**
   * @param kernels with room for {@link TokenKinds.bytes}.
   * @param tokens most tokens of a stretch.
   */
  constructor(source: TokenHistory, kernels: Kernels, width: number, tokens: number) {
    const { keySize, baseSize, baseRuns, ownRuns } = source;
    const { uint32, float32 } = kernels;
    const kinds = mostKeys(ownRuns, tokens);
    const bases = mostKeys(baseRuns, tokens);
    this.source = source;
    this.tokens = tokens;
    this.kinds = new KeyIds(kernels, kinds, keySize);
    this.bases = new KeyIds(kernels, bases, baseSize);
    const words = uint32(source.words);
    const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
    source.pack(words, floats);
    const kept = keptRows(width);
    this.history = {
      features: { words, floats },
      kinds: uint32(tokens),
      bases: uint32(kinds + 1),
      kindRuns: ownRuns,
      baseRuns,
      runs: uint32((kinds + 1) * 2 * ownRuns),
      runsOfBases: uint32((bases + 1) * 2 * baseRuns),
      keptSlots: uint32(2 ** Math.ceil(Math.log2(2 * kept))),
      keptRows: float32(kept * (ROW_KEY + 2 * width)),
      keptCount: uint32(1),
      lastRows: uint32(bases + 1),
    };
    this.keys = uint32(keySize * tokens);
    this.parts = uint32(keySize);
    for (let i = 0; i < keySize; i++) this.parts[i] = i * tokens;
    this.baseParts = uint32(baseSize);
    this.base = uint32(1);
    this.key = new Uint32Array(keySize);
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
    if (kinds.find(keys, parts, tokens, history.kinds) === 0) return;
    for (let t = 0; t < tokens; t++) if (history.kinds[t] === 0) this.addKind(t);
  }

  /** Adds the kind of a token, unless it has been added since it was looked for. */
  private addKind(t: number): void {
    const { source, history, keys, parts, baseParts, base, key, kinds, bases } = this;
    const { keySize, baseRuns, ownRuns } = source;
    for (let i = 0; i < keySize; i++) parts[i] += t;
    const size = kinds.size;
    const kind = kinds.add(keys, parts);
    history.kinds[t] = kind;
    for (let i = 0; i < keySize; i++) parts[i] -= t;
    if (kinds.size === size) return;
    const at = kind * keySize;
    for (let i = 0; i < keySize; i++) key[i] = kinds.keys[at + i];
    for (let i = 0; i < baseParts.length; i++) baseParts[i] = at + i;
    source.writeRuns(key, baseRuns, ownRuns, history.runs, 2 * ownRuns * kind);
    if (bases.find(kinds.keys, baseParts, 1, base) > 0) this.addBase();
    history.bases[kind] = base[0];
  }

  /** Adds the base of `key`. */
  private addBase(): void {
    const { source, history, baseParts, base, key, kinds, bases } = this;
    const { baseRuns } = source;
    const id = bases.add(kinds.keys, baseParts);
    base[0] = id;
    source.writeRuns(key, 0, baseRuns, history.runsOfBases, 2 * baseRuns * id);
  }
}

/** Keys of a few numbers each ↔ ids 1, 2, 3 … in the kernels' memory. */
class KeyIds {
  /** Keys known. */
  size = 0;
  /** [(most + 1) × arity] */
  readonly keys: Uint32Array;
  private readonly kernels: Kernels;
  private readonly most: number;
  private readonly arity: number;
  /** [capacity] ids by hash. */
  private readonly slots: Uint32Array;

  /** Bytes of kernel memory for so many keys. */
  static bytes(most: number, arity: number): number {
    return 4 * ((most + 1) * arity + slotsFor(most));
  }

  constructor(kernels: Kernels, most: number, arity: number) {
    this.kernels = kernels;
    this.most = most;
    this.arity = arity;
    this.keys = kernels.uint32((most + 1) * arity);
    this.slots = kernels.uint32(slotsFor(most));
  }

  /** Whether there might not be room for so many more. */
  isFull(more: number): boolean {
    return this.size + more > this.most;
  }

  /** Forgets all keys. */
  clear(): void {
    this.slots.fill(0);
    this.size = 0;
  }

  /** Finds the ids of some keys, as `findWindows` does: 0 for those that are not known; returns their number. */
  find(values: Uint32Array, parts: Uint32Array, count: number, ids: Uint32Array): number {
    return this.kernels.findWindows(values, parts, 1, count, this.slots, this.keys, ids, 0);
  }

  /** The id of the key whose numbers are where `parts` says; a new one if it is not known. */
  add(values: Uint32Array, parts: Uint32Array): number {
    const { slots, keys, arity } = this;
    const id = this.size + 1;
    for (let i = 0; i < arity; i++) keys[id * arity + i] = values[parts[i]];
    const mask = slots.length - 1;
    let slot = hashTuple(keys, id * arity, arity) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const at = slots[slot] * arity;
      let same = 0;
      while (same < arity && keys[at + same] === keys[id * arity + same]) same++;
      if (same === arity) return slots[slot];
    }
    slots[slot] = id;
    this.size = id;
    return id;
  }
}

/** Slots of a table of so many keys. */
function slotsFor(most: number): number {
  return 2 ** Math.ceil(Math.log2(2 * most));
}

/** Kinds or bases that there is room for where each has so many runs: enough for a stretch. */
function mostKeys(runs: number, tokens: number): number {
  return Math.max(tokens, Math.min(MOST_KINDS, Math.floor(RUN_BYTES / (8 * (runs + 1)))));
}

/** Rows that are kept, and one that is none. */
function keptRows(width: number): number {
  return Math.max(2, Math.floor(ROW_BYTES / (4 * (ROW_KEY + 2 * width))));
}
