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

/** Constraints on a sentence's chunks by type number. Required chunks do not overlap. */
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
  /** [T] most tokens of a chunk of each type, whatever the pruning, and with the limit on lengths. */
  private readonly most: Uint16Array;
  private readonly mostSeen: Uint16Array;
  /** [values + 2] where the types that a chunk of one token with each value may have begin in `valueTypes`; last: any. */
  private readonly valueStarts: Uint32Array;
  private readonly valueTypes: Uint16Array;
  /** [T] types still possible while a chunk grows. */
  private readonly alive: Uint16Array;
  /** [n] first cell of the row of limits on pairs for each token and the one before; −1 where there is no limit. */
  private pairRows = new Int32Array(64);
  private readonly pair = new Uint32Array(2);

  /** @param roles says, whatever the pruning, which types are of single tokens and which may end a sentence. */
  constructor(limits: ChunkLimits, roles: Pick<ChunkRoles, 'alwaysSingle' | 'mayFollow'>) {
    this.limits = limits;
    this.roles = roles;
    const { types, lengths, values } = limits;
    this.longest = Math.max(1, ...lengths);
    this.most = Uint16Array.from(roles.alwaysSingle, (single) => (single === 1 ? 1 : this.longest));
    this.mostSeen = this.most.map((most, t) => Math.min(most, lengths[t]));
    const every = [...lengths.keys()];
    const typesOf = Array.from({ length: values.length / types }, (_, value) =>
      every.filter((t) => values[value * types + t] !== 0),
    );
    this.valueTypes = Uint16Array.from([...typesOf, every].flat());
    this.valueStarts = new Uint32Array(typesOf.length + 2);
    [...typesOf, every].forEach((own, i) => {
      this.valueStarts[i + 1] = this.valueStarts[i] + own.length;
    });
    this.alive = new Uint16Array(types);
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
    const { limits, longest, alive, valueStarts, valueTypes } = this;
    const { mayFollow } = this.roles;
    const { types, values: seen } = limits;
    const most = pruning.lengths ? this.mostSeen : this.most;
    const anyValue = valueStarts.length - 2;
    const requiredAt = constraints && placeRequired(constraints, length);
    const forbidden = new Set(constraints?.forbidden.map((span) => keyOf(span.start, span.end, span.type)));
    const closed = constraints?.closed ?? [];
    this.length = length;
    this.starts = grown(this.starts, length + 1);
    this.findPairs(values, valuesAt, pruning.pairs);
    const { pairRows } = this;
    const pairs = limits.pairs?.types ?? new Uint8Array(0);
    let count = 0;
    for (let b = 0; b < length; b++) {
      this.starts[b] = count;
      const required = requiredAt?.[b];
      if (required !== undefined) {
        if (required.start === b) count = this.add(count, b, required.end, required.type);
        continue;
      }
      let living = 0;
      const row = pruning.values ? Math.min(values[valuesAt + b], anyValue) : anyValue;
      for (let i = valueStarts[row]; i < valueStarts[row + 1]; i++) {
        const t = valueTypes[i];
        if (closed.length > 0 && closed.some(({ token, type }) => token === b && type === t)) continue;
        alive[living++] = t;
      }
      const last = Math.min(length, b + longest);
      for (let end = b + 1; end <= last && living > 0 && requiredAt?.[end - 1] === undefined; end++) {
        const value = values[valuesAt + end - 1] * types;
        const known = pruning.values && value < seen.length;
        const pair = end - b === 1 ? -1 : pairRows[end - 1];
        let kept = 0;
        for (let i = 0; i < living; i++) {
          const t = alive[i];
          if (end - b > 1) {
            if (end - b > most[t] || (known && seen[value + t] === 0)) continue;
            if (pair >= 0 && pairs[pair + t] === 0) continue;
          }
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

  /** Finds the limits on neighbours. */
  private findPairs(values: Uint32Array, valuesAt: number, prune: boolean): void {
    const { length, pair, limits } = this;
    const { types, pairs } = limits;
    this.pairRows = grown(this.pairRows, length);
    const { pairRows } = this;
    pairRows.fill(-1, 0, length);
    if (!prune || pairs === undefined) return;
    for (let t = 1; t < length; t++) {
      pair[0] = values[valuesAt + t - 1];
      pair[1] = values[valuesAt + t];
      const found = pairs.table.id(pair, false);
      if (found >= 0) pairRows[t] = found * types;
    }
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
