import { grown, Uint32List } from '../base/growable.js';
import type { Alphabet } from '../data/alphabet.js';
import { FIRST_VALUE, PADDING } from './layout.js';
import { type ChunkNode, MAX_LENGTH, readsChunk, type Template, templateName } from './template.js';
import { TupleTable } from './tuple-table.js';

/**
 * Dependence of a chunk template's value, which is looked up no more often than that changes: nothing but the type
 * before, where the chunk begins, that and the type before, where it ends, or both ends.
 */
export type ChunkDependence = 'previous' | 'begin' | 'bigram' | 'end' | 'both';

/** Where a node's value comes from. */
const FIRST = 0;
const LAST = 1;
const LENGTH = 2;
const SEQUENCE = 3;
const SYMMETRY = 4;

/** Most entries of a table in which tuples are found by their values alone. */
const LARGEST_DIRECT = 2 ** 16;

/** A chunk template in the form that look-ups work on. */
interface Part {
  /** Its number. */
  readonly number: number;
  readonly dependence: ChunkDependence;
  readonly nodes: readonly ChunkNode[];
  /** [nodes] FIRST, LAST, LENGTH, SEQUENCE or SYMMETRY. */
  readonly sources: Uint8Array;
  /** Numbers of the nodes that read at the chunk's begin, at its end, and neither. */
  readonly sides: readonly [begin: number[], end: number[], other: number[]];
  /** [nodes] the view each reads, as a number in the layout; −1 for none. */
  readonly views: readonly number[];
  /**
   * [nodes] by source: where the values of the view stand in the sentence, less the position of the chunk's first token
   * or of the token after its last; the number of the table of sequences.
   */
  readonly places: Int32Array;
  readonly table: TupleTable;
  /** How known tuples are found; none while the index is built. */
  readonly finder?: TupleFinder | undefined;
}

/**
 * How the tuples of a template are found: those that read few different values by a table of all combinations; others,
 * of which most asked for are unknown, by their hash, behind a filter that is a small fraction of the table to look at.
 */
interface TupleFinder {
  /** Whether there is a table of all combinations, or of hashes. */
  readonly isDirect: boolean;
  /**
   * Number of the tuple + 1, 0 for none, [Π limits] at Σ value · stride. Or [a power of 2, at least twice the tuples ×
   * (1 + nodes)] at the hash or the first free place after it, and then the tuple itself.
   */
  readonly numbers: Uint32Array;
  /** [nodes] */
  readonly strides: Uint32Array;
  /** [nodes] above the values of each node. */
  readonly limits: Uint32Array;
  /** [a power of 2, at least the tuples] a bit for every tuple, where its hash says. */
  readonly bits: Uint8Array;
}

/** A view whose values in a row are interned. */
interface Sequences {
  readonly kind: 'all' | 'some';
  readonly view: number;
  /** (number of the sequence without its last value, value) → number − 1; 0 is the empty sequence. */
  readonly table: TupleTable;
}

/** The raw arrays of a {@link ChunkIndex}, as stored in a model. */
export interface ChunkIndexArrays {
  /** Per template: its tuples, [size × max(1, nodes)]. */
  readonly tuples: readonly Uint32Array[];
  /** Per distinct all(…) and some(…): (shorter sequence, value), [size × 2]. */
  readonly sequences: readonly Uint32Array[];
}

/** The templates of a set that score whole chunks: those with a node of a chunk, and label[-1], the type before. */
export function chunkTemplates(templates: readonly Template[]): Template[] {
  return templates.filter((template) => readsChunk(template) || templateName(template) === 'label[-1]');
}

/**
 * Which features of whole chunks exist. A feature is a template and its tuple of values; its weights are a row of T, one
 * a type, or of (T + 1) × T where it reads the type before. Features are numbered template by template. Works on one
 * sentence at a time: see {@link start}.
 */
export class ChunkIndex {
  /** The templates: those with a node of a chunk, and `label[-1]` alone. */
  readonly templates: readonly Template[];
  /** Number of types T. */
  readonly types: number;
  /** [features + 1] where each feature's row of weights starts. */
  rowStarts = new Uint32Array(1);
  private readonly parts: readonly Part[];
  private readonly groups: Readonly<Record<ChunkDependence, readonly Part[]>>;
  private readonly sequences: readonly Sequences[];
  /** [parts] number of each one's first feature. */
  private readonly firstFeature: Uint32Array;
  /** [parts] how often each tuple was counted. */
  private readonly counts: readonly Uint32List[];
  private values: Uint32Array = new Uint32Array(0);
  private stride = 0;
  /** Token that {@link sequenceIds} begin at. */
  private begin = -1;
  private end = -1;
  /** [sequences] number of each, −1 where a token has no value or the sequence is unknown. */
  private readonly sequenceIds: Int32Array;
  /**
   * [parts × 2 × (n + 1)] per template, by a chunk's first token and by the token after its last one: what the values of
   * the nodes that read there contribute to the hash, or to the place in a direct table, + 1; 0 where there is no tuple.
   */
  private sides = new Int32Array(0);
  /** n + 1 */
  private sideStride = 0;
  private readonly key = new Uint32Array(16);
  /** Values of the nodes that read neither at the begin nor at the end. */
  private readonly others = new Uint32Array(16);
  private readonly step = new Uint32Array(2);

  /**
   * @param templates those of chunks, read forward.
   * @param views names of the layout's views.
   * @param arrays what {@link pack} gave; without it there are no features yet.
   */
  constructor(
    templates: readonly Template[],
    views: readonly string[],
    types: number,
    arrays?: ChunkIndexArrays,
  ) {
    this.templates = templates;
    this.types = types;
    const sequences: Sequences[] = [];
    this.parts = templates.map((template, p) => {
      const nodes = template.nodes.filter((node) => node.kind !== 'label' && node.kind !== 'token');
      const viewOf = (node: ChunkNode) => ('view' in node ? views.indexOf(node.view) : -1);
      const sequenceOf = (node: ChunkNode) => {
        if (node.kind !== 'all' && node.kind !== 'some') return -1;
        const view = viewOf(node);
        const known = sequences.findIndex((other) => other.kind === node.kind && other.view === view);
        if (known >= 0) return known;
        const keys = arrays?.sequences[sequences.length];
        const table = keys ? TupleTable.unpack(2, keys) : new TupleTable(2);
        return sequences.push({ kind: node.kind, view, table }) - 1;
      };
      const arity = Math.max(1, nodes.length);
      const keys = arrays?.tuples[p];
      const sources = Uint8Array.from(nodes, sourceOf);
      const numbers = [...nodes.keys()];
      const sides: Part['sides'] = [
        numbers.filter((i) => sources[i] === FIRST),
        numbers.filter((i) => sources[i] === LAST),
        numbers.filter((i) => sources[i] !== FIRST && sources[i] !== LAST),
      ];
      return {
        number: p,
        dependence: dependenceOf(template),
        nodes,
        sources,
        sides,
        views: nodes.map(viewOf),
        places: Int32Array.from(nodes, sequenceOf),
        table: keys ? TupleTable.unpack(arity, keys) : new TupleTable(arity),
        finder: keys && (directFinder(keys, nodes.length) ?? hashFinder(keys, arity, sides)),
      };
    });
    const depending = (dependence: ChunkDependence) =>
      this.parts.filter((part) => part.dependence === dependence);
    this.groups = {
      previous: depending('previous'),
      begin: depending('begin'),
      bigram: depending('bigram'),
      end: depending('end'),
      both: depending('both'),
    };
    this.counts = templates.map(() => new Uint32List(64));
    this.sequences = sequences;
    this.sequenceIds = new Int32Array(sequences.length);
    this.firstFeature = new Uint32Array(this.parts.length + 1);
    this.number();
  }

  /**
   * Rebuilds an index from {@link pack}.
   *
   * @param values strings of each view.
   * @throws Error with one sentence when the arrays do not fit each other.
   */
  static unpack(
    templates: readonly Template[],
    views: readonly string[],
    values: readonly Alphabet[],
    types: number,
    arrays: ChunkIndexArrays,
  ): ChunkIndex {
    const index = new ChunkIndex(templates, views, types, arrays);
    if (arrays.sequences.length !== index.sequences.length) {
      throw new Error(
        `expected ${index.sequences.length} tables of sequences, found ${arrays.sequences.length}`,
      );
    }
    index.sequences.forEach(({ table, view }, q) => {
      const keys = arrays.sequences[q];
      const limit = FIRST_VALUE + values[view].size;
      if (keys.length % 2 !== 0)
        throw new Error(`sequences ${q}: expected pairs, found ${keys.length} numbers`);
      for (let id = 0; id < table.size; id++) {
        if (keys[2 * id] > id || keys[2 * id + 1] >= limit)
          throw new Error(`sequences ${q}: sequence ${id} is none`);
      }
    });
    index.parts.forEach(({ table }, p) => {
      const { length } = arrays.tuples[p];
      if (length % table.arity !== 0) {
        throw new Error(`chunk template ${p}: expected tuples of ${table.arity}, found ${length} numbers`);
      }
    });
    return index;
  }

  /** The views that templates read, as numbers in the layout. */
  get views(): number[] {
    return [...new Set(this.parts.flatMap((part) => part.views.filter((view) => view >= 0)))];
  }

  /** Number of features. */
  get size(): number {
    return this.rowStarts.length - 1;
  }

  /** Takes up a sentence of `length` tokens, whose values must be filled in; see `SentenceTuples`. */
  start({
    values,
    stride,
    length,
  }: {
    readonly values: Uint32Array;
    readonly stride: number;
    readonly length: number;
  }): void {
    this.values = values;
    this.stride = stride;
    this.begin = -1;
    for (const { nodes, views, places } of this.parts) {
      for (let i = 0; i < nodes.length; i++) {
        const node = nodes[i];
        if (node.kind === 'first') places[i] = views[i] * stride + PADDING + node.offset;
        if (node.kind === 'last') places[i] = views[i] * stride + PADDING - 1 + node.offset;
        if (node.kind === 'symmetry') places[i] = views[i] * stride + PADDING;
      }
    }
    this.takeSides(length);
  }

  /**
   * Finds the features of a chunk that depend on some of it.
   *
   * @param end token after its last one; of no meaning where only the begin counts, as the begin is for `end`.
   * @param out features found, from `count` on.
   * @returns how many there are in `out` then.
   */
  find(dependence: ChunkDependence, begin: number, end: number, out: Uint32Array, count: number): number {
    const { firstFeature } = this;
    const parts = this.groups[dependence];
    let found = count;
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i];
      const tuple = this.known(part, begin, end);
      if (tuple >= 0) out[found++] = firstFeature[part.number] + tuple;
    }
    return found;
  }

  /** Takes the features of a chunk in while an index is built, and counts them. */
  count(begin: number, end: number): void {
    const { counts } = this;
    for (let p = 0; p < this.parts.length; p++) {
      const tuple = this.tuple(this.parts[p], begin, end, true);
      if (tuple < 0) continue;
      if (tuple === counts[p].length) counts[p].push(0);
      counts[p].values[tuple]++;
    }
  }

  /** How often {@link count} met a template's tuple. */
  seen(part: number, tuple: number): number {
    return this.counts[part].values[tuple];
  }

  /** The index of the tuples that `keeps` wants, in the same order, without sequences that nothing needs. */
  prune(views: readonly string[], keeps: (part: number, tuple: number) => boolean): ChunkIndex {
    const { parts, sequences } = this;
    const kept = parts.map(({ table }, p) => {
      const keys = table.pack();
      const out = new Uint32List(1024);
      for (let tuple = 0; tuple < table.size; tuple++) {
        if (!keeps(p, tuple)) continue;
        for (let i = 0; i < table.arity; i++) out.push(keys[tuple * table.arity + i]);
      }
      return out.toArray();
    });
    const shorter = sequences.map(({ table }, q) => {
      const keys = table.pack();
      const used = new Uint8Array(table.size + 1);
      const users = parts.flatMap((part, p) =>
        part.nodes.flatMap((_, i) =>
          part.sources[i] === SEQUENCE && part.places[i] === q ? [{ p, i, arity: part.table.arity }] : [],
        ),
      );
      for (const { p, i, arity } of users)
        for (let at = i; at < kept[p].length; at += arity) used[kept[p][at]] = 1;
      // A sequence's number is above that of the one without its last value.
      for (let id = table.size; id > 0; id--) if (used[id] === 1) used[keys[2 * (id - 1)]] = 1;
      const renumbered = new Uint32Array(table.size + 1);
      const out = new Uint32List(1024);
      for (let id = 1; id <= table.size; id++) {
        if (used[id] === 0) continue;
        out.push(renumbered[keys[2 * (id - 1)]]);
        out.push(keys[2 * (id - 1) + 1]);
        renumbered[id] = out.length / 2;
      }
      for (const { p, i, arity } of users) {
        for (let at = i; at < kept[p].length; at += arity) kept[p][at] = renumbered[kept[p][at]];
      }
      return out.toArray();
    });
    return new ChunkIndex(this.templates, views, this.types, { tuples: kept, sequences: shorter });
  }

  /** The feature of a template's tuple. */
  feature(part: number, tuple: number): number {
    return this.firstFeature[part] + tuple;
  }

  /** A feature in words: `first(pos)[-1]=VB all(pos)=DT NN`. */
  describe(feature: number, values: readonly Alphabet[]): string {
    const p = this.firstFeature.findLastIndex((start) => start <= feature);
    const { nodes, views, sources, places, table } = this.parts[p];
    const key = table.key(feature - this.firstFeature[p]);
    const name = (view: number, value: number) =>
      value >= FIRST_VALUE ? values[view].string(value - FIRST_VALUE) : value > PADDING ? '<end>' : '<start>';
    const texts = nodes.map((node, i) => {
      const text = templateName({ nodes: [node] });
      if (sources[i] === LENGTH) return `${text}=${key[i]}`;
      if (sources[i] !== SEQUENCE) return `${text}=${name(views[i], key[i])}`;
      const strings: string[] = [];
      for (let id = key[i]; id > 0; ) {
        const [shorter, value] = this.sequences[places[i]].table.key(id - 1);
        strings.unshift(name(views[i], value));
        id = shorter;
      }
      return `${text}=${strings.join(' ')}`;
    });
    return texts.join(' ');
  }

  /** The raw arrays, for the model file. */
  pack(): ChunkIndexArrays {
    return {
      tuples: this.parts.map(({ table }) => table.pack()),
      sequences: this.sequences.map(({ table }) => table.pack()),
    };
  }

  /** Numbers the features. */
  private number(): void {
    const { parts, types, firstFeature } = this;
    parts.forEach(({ table }, p) => {
      firstFeature[p + 1] = firstFeature[p] + table.size;
    });
    this.rowStarts = new Uint32Array(firstFeature[parts.length] + 1);
    let at = 0;
    parts.forEach(({ table, dependence }, p) => {
      const width = dependence === 'previous' || dependence === 'bigram' ? (types + 1) * types : types;
      for (let tuple = 0; tuple < table.size; tuple++) {
        this.rowStarts[firstFeature[p] + tuple] = at;
        at += width;
      }
    });
    this.rowStarts[firstFeature[parts.length]] = at;
  }

  /** Reads what the templates read at the begins and at the ends of chunks, so that no chunk has to do it again. */
  private takeSides(length: number): void {
    const { parts, values } = this;
    const stride = length + 1;
    this.sides = grown(this.sides, 2 * parts.length * stride);
    this.sideStride = stride;
    const { sides } = this;
    for (let p = 0; p < parts.length; p++) {
      const { places, sides: nodesOf, finder } = parts[p];
      if (!finder) continue;
      for (let side = 0; side < 2; side++) {
        const nodes = nodesOf[side];
        const row = (2 * p + side) * stride;
        sides.fill(NO_NODES, row, row + stride);
        if (nodes.length === 0) continue;
        for (let t = side; t < length + side; t++) {
          let sum = NO_NODES;
          for (let i = 0; i < nodes.length && sum !== 0; i++) {
            const node = nodes[i];
            const value = values[places[node] + t];
            if (!finder.isDirect) sum = value === 0 ? 0 : mix(sum, value);
            else if (value === 0 || value >= finder.limits[node]) sum = 0;
            else sum += value * finder.strides[node];
          }
          sides[row + t] = sum;
        }
      }
    }
  }

  /** The tuple of a template for a chunk, −1 where there is none, once the index is built. */
  private known(part: Part, begin: number, end: number): number {
    const { sides, sideStride } = this;
    const { number, finder } = part;
    const row = 2 * number * sideStride;
    const first = sides[row + begin];
    const last = sides[row + sideStride + end];
    if (first === 0 || last === 0 || finder === undefined) return -1;
    const { isDirect } = finder;
    let sum = isDirect ? first + last - 2 * NO_NODES : join(first, last);
    const nodes = part.sides[2];
    const { others } = this;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i];
      const value = this.whole(part.sources[node], part.places[node], begin, end, false);
      if (value <= 0) return -1;
      others[i] = value;
      if (!isDirect) sum = mix(sum, value);
      else if (value >= finder.limits[node]) return -1;
      else sum += value * finder.strides[node];
    }
    if (isDirect) return finder.numbers[sum] - 1;
    const { bits } = finder;
    if ((bits[(sum >>> 3) & (bits.length - 1)] & (1 << (sum & 7))) === 0) return -1;
    return this.hashed(part, finder, sum, begin, end);
  }

  /** The tuple of a template by the hash of its values; the last of its values are in `others`. */
  private hashed(
    { sides, places }: Part,
    { numbers, strides, bits }: TupleFinder,
    hash: number,
    begin: number,
    end: number,
  ): number {
    const { values, others } = this;
    const firsts = sides[0];
    const lasts = sides[1];
    const rest = sides[2];
    const mask = 2 * bits.length - 1;
    const step = strides.length + 1;
    for (let slot = hash & mask; numbers[slot * step] !== 0; slot = (slot + 1) & mask) {
      const at = slot * step + 1;
      let same = true;
      for (let i = 0; i < firsts.length && same; i++)
        same = numbers[at + firsts[i]] === values[places[firsts[i]] + begin];
      for (let i = 0; i < lasts.length && same; i++)
        same = numbers[at + lasts[i]] === values[places[lasts[i]] + end];
      for (let i = 0; i < rest.length && same; i++) same = numbers[at + rest[i]] === others[i];
      if (same) return numbers[at - 1] - 1;
    }
    return -1;
  }

  /** The tuple of a template for a chunk, −1 where a node has no value or the tuple is unknown. */
  private tuple(part: Part, begin: number, end: number, insert: boolean): number {
    const { values, key } = this;
    const { sources, places } = part;
    key[0] = 0;
    for (let i = 0; i < sources.length; i++) {
      const source = sources[i];
      let value = 0;
      if (source === FIRST) value = values[places[i] + begin];
      else if (source === LAST) value = values[places[i] + end];
      else value = this.whole(source, places[i], begin, end, insert);
      if (value <= 0) return -1;
      key[i] = value;
    }
    return part.table.id(key, insert);
  }

  /** Value of a node that reads the whole chunk, 0 or below for none. */
  private whole(source: number, place: number, begin: number, end: number, insert: boolean): number {
    if (source === LENGTH) return Math.min(end - begin, MAX_LENGTH);
    return source === SEQUENCE
      ? this.sequence(place, begin, end, insert)
      : symmetryOf(this.values, place, begin, end);
  }

  /** Number of a sequence; one that begins as the last one asked for, and goes on, goes on from it. */
  private sequence(number: number, begin: number, end: number, insert: boolean): number {
    const { sequences, sequenceIds, values, stride, step } = this;
    if (begin !== this.begin || end < this.end) {
      this.begin = begin;
      this.end = begin;
      sequenceIds.fill(0);
    }
    if (end > this.end) {
      for (let q = 0; q < sequences.length; q++) {
        const { kind, view, table } = sequences[q];
        let id = sequenceIds[q];
        for (let t = this.end; t < end && id >= 0; t++) {
          step[0] = id;
          step[1] = values[view * stride + PADDING + t];
          if (step[1] !== 0) id = table.id(step, insert) + 1 || -1;
          else if (kind === 'all') id = -1;
        }
        sequenceIds[q] = id;
      }
      this.end = end;
    }
    return sequenceIds[number];
  }
}

/** Key part of no nodes. */
const NO_NODES = 1;

function directFinder(keys: Uint32Array, nodes: number): TupleFinder | undefined {
  const limits = new Uint32Array(nodes).fill(1);
  for (let at = 0; at < keys.length; at++) {
    const i = at % Math.max(1, nodes);
    limits[i] = Math.max(limits[i], keys[at] + 1);
  }
  const strides = new Uint32Array(nodes);
  let size = 1;
  for (let i = 0; i < nodes; i++) {
    strides[i] = size;
    size *= limits[i];
  }
  if (size > LARGEST_DIRECT) return undefined;
  const numbers = new Uint32Array(size);
  const arity = Math.max(1, nodes);
  for (let tuple = 0; tuple * arity < keys.length; tuple++) {
    let at = 0;
    for (let i = 0; i < nodes; i++) at += keys[tuple * arity + i] * strides[i];
    numbers[at] = tuple + 1;
  }
  return { isDirect: true, numbers, strides, limits, bits: new Uint8Array(0) };
}

function hashFinder(keys: Uint32Array, arity: number, sides: Part['sides']): TupleFinder {
  const tuples = keys.length / arity;
  let size = 64;
  while (size < tuples) size *= 2;
  const bits = new Uint8Array(size);
  const step = 1 + arity;
  const numbers = new Uint32Array(2 * size * step);
  for (let tuple = 0; tuple < tuples; tuple++) {
    const [first, last] = [sides[0], sides[1]].map((nodes) =>
      nodes.reduce((hash, i) => mix(hash, keys[tuple * arity + i]), NO_NODES),
    );
    const hash = sides[2].reduce((mixed, i) => mix(mixed, keys[tuple * arity + i]), join(first, last));
    bits[(hash >>> 3) & (size - 1)] |= 1 << (hash & 7);
    let slot = hash & (2 * size - 1);
    while (numbers[slot * step] !== 0) slot = (slot + 1) & (2 * size - 1);
    numbers[slot * step] = tuple + 1;
    numbers.set(keys.subarray(tuple * arity, (tuple + 1) * arity), slot * step + 1);
  }
  const strides = new Uint32Array(arity);
  return { isDirect: false, numbers, strides, limits: strides, bits };
}

/** Hash of what is read at both ends; not the same for all chunks whose ends are alike. */
function join(first: number, last: number): number {
  return mix(first, (last << 16) | (last >>> 16));
}

function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15) || 1;
}

/** The value between the last tokens, as few as can be, and as many alike before it; 0 where there is none. */
function symmetryOf(values: Uint32Array, at: number, begin: number, end: number): number {
  for (let count = 1; begin + 2 * count < end; count++) {
    const joint = at + end - 1 - count;
    let alike = 0;
    for (; alike < count; alike++) {
      const value = values[joint + count - alike];
      if (value === 0 || value !== values[joint - 1 - alike]) break;
    }
    if (alike === count) return values[joint];
  }
  return 0;
}

function sourceOf({ kind }: ChunkNode): number {
  if (kind === 'first') return FIRST;
  if (kind === 'last') return LAST;
  if (kind === 'length') return LENGTH;
  return kind === 'symmetry' ? SYMMETRY : SEQUENCE;
}

function dependenceOf({ nodes }: Template): ChunkDependence {
  if (nodes.some(({ kind }) => kind === 'label')) return nodes.length === 1 ? 'previous' : 'bigram';
  if (nodes.every(({ kind }) => kind === 'first')) return 'begin';
  return nodes.every(({ kind }) => kind === 'last') ? 'end' : 'both';
}
