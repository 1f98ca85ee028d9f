import { grown } from '../base/growable.js';
import type { ChunkRoles } from '../tags/chunk-roles.js';
import type { ChunkLimits, Pruning } from './chunk-limits.js';

/** A chunk of a type by number. */
export interface NumberedSpan {
  /** First token. */
  readonly start: number;
  /** Token after the last one. */
  readonly end: number;
  /** Number of its type. */
  readonly type: number;
}

/** Whether two spans are one. */
export function isSameSpan(a: NumberedSpan, b: NumberedSpan): boolean {
  return a.start === b.start && a.end === b.end && a.type === b.type;
}

/** A token at which no chunk of a type may begin. */
export interface ClosedStart {
  /** The token. */
  readonly token: number;
  /** Number of the type. */
  readonly type: number;
}

/** What a sentence's chunks must and must not be. Required ones do not overlap. */
export interface NumberedConstraints {
  /** Must be. */
  readonly required: readonly NumberedSpan[];
  /** Must not be. */
  readonly forbidden: readonly NumberedSpan[];
  /** Where none may begin. */
  readonly closed: readonly ClosedStart[];
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
  private readonly roles: Pick<ChunkRoles, 'alwaysSingle' | 'mayFollow'>;
  private readonly longest: number;
  /** [T] types still possible while a chunk grows. */
  private readonly alive: Uint16Array;

  /** @param roles says, whatever the pruning, which types are of single tokens and which may end a sentence. */
  constructor(limits: ChunkLimits, roles: Pick<ChunkRoles, 'alwaysSingle' | 'mayFollow'>) {
    this.limits = limits;
    this.roles = roles;
    this.longest = Math.max(1, ...limits.lengths);
    this.alive = new Uint16Array(limits.types);
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
    const { alwaysSingle: single, mayFollow } = this.roles;
    const { types, lengths, values: seen } = limits;
    const requiredAt = constraints && placeRequired(constraints, length);
    const forbidden = new Set(constraints?.forbidden.map((span) => keyOf(span.start, span.end, span.type)));
    const closed = constraints?.closed ?? [];
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
      let living = 0;
      for (let t = 0; t < types; t++) {
        if (!closed.some(({ token, type }) => token === b && type === t)) alive[living++] = t;
      }
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
          if (end === length && mayFollow[t * (types + 1) + types] === 0) continue;
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
