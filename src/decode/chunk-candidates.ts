import { grown } from '../base/growable.js';

/** What training data showed of chunks; what it never showed can be left out of the search (paper 002, section 4.2). */
export interface ChunkLimits {
  /** Number of types T, among them the outside where there is one. */
  readonly types: number;
  /** [T] most tokens of a chunk of each type. */
  readonly lengths: Uint16Array;
  /** [(T + 1) × T] 1 where the column's type was seen right after the row's; row T: at the sentence's start. */
  readonly bigrams: Uint8Array;
  /** [values × T] 1 where a token with this value, such as a part of speech, was seen in a chunk of this type. */
  readonly values: Uint8Array;
  /** [T] types of which every chunk is one token, whatever {@link lengths} are put to: the outside. */
  readonly single: Uint8Array;
}

/** Which limits hold. */
export interface Pruning {
  /** Whether a chunk is at most as long as any of its type, or just as any at all. */
  readonly lengths: boolean;
  /** Whether its tokens have values seen in its type. */
  readonly values: boolean;
  /** Whether neighbouring types are a pair that was seen. */
  readonly bigrams: boolean;
}

/** A chunk of a type by number. */
export interface NumberedSpan {
  /** First token. */
  readonly start: number;
  /** Token after the last one. */
  readonly end: number;
  /** Number of its type. */
  readonly type: number;
}

/** Spans that a segmentation must hold, and others that it must not. Required ones do not overlap. */
export interface NumberedConstraints {
  /** Must be. */
  readonly required: readonly NumberedSpan[];
  /** Must not be. */
  readonly forbidden: readonly NumberedSpan[];
}

/** The chunks that a sentence may consist of, by where they begin; buffers are reused from sentence to sentence. */
export class ChunkCandidates {
  /** Number of tokens n. */
  length = 0;
  /** [n + 1] first candidate that begins at each token; candidates of one begin and end lie together. */
  starts = new Uint32Array(64);
  /** [C] where each begins. */
  begins = new Uint32Array(256);
  /** [C] token after its last one. */
  ends = new Uint32Array(256);
  /** [C] its type. */
  types = new Uint16Array(256);
  /** [C] its score, which the caller fills in. */
  scores = new Float64Array(256);
  private readonly limits: ChunkLimits;
  private readonly longest: number;
  /** [T] types still possible while a chunk grows. */
  private readonly alive: Uint16Array;

  constructor(limits: ChunkLimits) {
    this.limits = limits;
    this.longest = Math.max(1, ...limits.lengths);
    this.alive = new Uint16Array(limits.types);
  }

  /** Number of candidates. */
  get count(): number {
    return this.starts[this.length];
  }

  /**
   * Lists the candidates of a sentence. A required span is one even where the limits leave it out.
   *
   * @param values [≥ valuesAt + length] value of each token, as {@link ChunkLimits.values} counts them; a value beyond
   *   its rows was never seen and may be in any type.
   */
  list(
    length: number,
    values: Uint32Array,
    valuesAt: number,
    pruning: Pruning,
    constraints?: NumberedConstraints,
  ): void {
    const { limits, longest, alive } = this;
    const { types, lengths, single, values: seen } = limits;
    const requiredAt = constraints && placeRequired(constraints, length);
    const forbidden = new Set(constraints?.forbidden.map((span) => keyOf(span.start, span.end, span.type)));
    this.length = length;
    this.starts = grown(this.starts, length + 1);
    let count = 0;
    for (let b = 0; b < length; b++) {
      this.starts[b] = count;
      const required = requiredAt?.[b];
      if (required !== undefined) {
        if (required.start === b) count = this.add(count, b, required.end, required.type);
        continue;
      }
      let living = types;
      for (let t = 0; t < types; t++) alive[t] = t;
      const last = Math.min(length, b + longest);
      for (let end = b + 1; end <= last && living > 0 && requiredAt?.[end - 1] === undefined; end++) {
        const value = values[valuesAt + end - 1] * types;
        const known = pruning.values && value < seen.length;
        let kept = 0;
        for (let i = 0; i < living; i++) {
          const t = alive[i];
          const most = single[t] === 1 ? 1 : pruning.lengths ? lengths[t] : longest;
          if (end - b > most || (known && seen[value + t] === 0)) continue;
          alive[kept++] = t;
          if (forbidden.size > 0 && forbidden.has(keyOf(b, end, t))) continue;
          count = this.add(count, b, end, t);
        }
        living = kept;
      }
    }
    this.starts[length] = count;
  }

  private add(at: number, begin: number, end: number, type: number): number {
    if (at === this.begins.length) {
      this.begins = grown(this.begins, at + 1);
      this.ends = grown(this.ends, at + 1);
      this.types = grown(this.types, at + 1);
      this.scores = grown(this.scores, at + 1);
    }
    this.begins[at] = begin;
    this.ends[at] = end;
    this.types[at] = type;
    return at + 1;
  }
}

/** [length] the required span that each token is in. */
function placeRequired({ required }: NumberedConstraints, length: number): (NumberedSpan | undefined)[] {
  const spans = new Array<NumberedSpan | undefined>(length).fill(undefined);
  for (const span of required) spans.fill(span, span.start, span.end);
  return spans;
}

function keyOf(begin: number, end: number, type: number): string {
  return `${begin} ${end} ${type}`;
}
