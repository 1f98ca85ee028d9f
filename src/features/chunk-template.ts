import { Uint32List } from '../base/growable.js';
import { type ChunkNode, readsChunk, type Template, templateName } from './template.js';
import { TupleTable } from './tuple-table.js';

/**
 * Parts of a segmentation that a chunk template's value depends on, so that it is looked up no more often than these change: the
 * type before alone, where the chunk begins, that and the type before, where it ends, or both ends.
 */
export type ChunkDependence = 'previous' | 'begin' | 'bigram' | 'end' | 'both';

/** Source of a node's value: the view at the chunk's first token or at one by its offset from there. */
export const FIRST = 0;
/** Source of a node's value: the view at the chunk's last token or at one by its offset from there. */
export const LAST = 1;
/** Source of a node's value: the number of tokens. */
export const LENGTH = 2;
/** Source of a node's value: the values of all tokens in a row. */
export const SEQUENCE = 3;
/** Source of a node's value: the value between the last tokens and as many alike before it. */
export const SYMMETRY = 4;

/** A chunk template in the form that look-ups work on. */
export interface ChunkTemplate {
  /** Its number. */
  readonly number: number;
  /** Parts of a segmentation that it depends on. */
  readonly dependence: ChunkDependence;
  /** Its nodes but those of labels. */
  readonly nodes: readonly ChunkNode[];
  /** [nodes] {@link FIRST}, {@link LAST}, {@link LENGTH}, {@link SEQUENCE} or {@link SYMMETRY}. */
  readonly sources: Uint8Array;
  /** Numbers of the nodes that read at the chunk's begin, at its end, and neither. */
  readonly sides: readonly [begin: number[], end: number[], other: number[]];
  /** [nodes] view that each reads, as a number in the layout; −1 for none. */
  readonly views: readonly number[];
  /** [nodes] table of sequences that each reads; −1 for none. */
  readonly sequences: readonly number[];
  /** Tuples of the nodes' values. */
  readonly table: TupleTable;
}

/** A view whose values in a row are interned. */
export interface Sequences {
  /** Whether tokens without a value are left out, or leave the chunk without a sequence. */
  readonly kind: 'all' | 'some';
  /** The view, as a number in the layout. */
  readonly view: number;
  /** (number of the sequence without its last value, value) → number − 1; 0 is the empty sequence. */
  readonly table: TupleTable;
}

/** The raw arrays of chunk templates, as stored in a model. */
export interface ChunkIndexArrays {
  /** Per template: its tuples, [size × max(1, nodes)]. */
  readonly tuples: readonly Uint32Array[];
  /** Per distinct all(…) and some(…): (shorter sequence, value), [size × 2]. */
  readonly sequences: readonly Uint32Array[];
}

/** Chunk templates with the sequences that they read. */
export interface ChunkTables {
  /** The templates. */
  readonly templates: readonly ChunkTemplate[];
  /** Sequences that any of them reads. */
  readonly sequences: readonly Sequences[];
}

/** The templates of a set that score whole chunks: those with a node of a chunk, and label[-1], the type before. */
export function chunkTemplates(templates: readonly Template[]): Template[] {
  return templates.filter((template) => readsChunk(template) || templateName(template) === 'label[-1]');
}

/**
 * Makes the tables of chunk templates.
 *
 * @param templates those of chunks, read forward.
 * @param views names of the layout's views.
 * @param arrays their tuples and sequences; without them there are none yet.
 */
export function makeChunkTables(
  templates: readonly Template[],
  views: readonly string[],
  arrays?: ChunkIndexArrays,
): ChunkTables {
  const sequences: Sequences[] = [];
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
  const made = templates.map((template, number): ChunkTemplate => {
    const nodes = template.nodes.filter((node) => node.kind !== 'label' && node.kind !== 'token');
    const arity = Math.max(1, nodes.length);
    const keys = arrays?.tuples[number];
    const sources = Uint8Array.from(nodes, sourceOf);
    const numbers = [...nodes.keys()];
    return {
      number,
      dependence: dependenceOf(template),
      nodes,
      sources,
      sides: [
        numbers.filter((i) => sources[i] === FIRST),
        numbers.filter((i) => sources[i] === LAST),
        numbers.filter((i) => sources[i] !== FIRST && sources[i] !== LAST),
      ],
      views: nodes.map(viewOf),
      sequences: nodes.map(sequenceOf),
      table: keys ? TupleTable.unpack(arity, keys) : new TupleTable(arity),
    };
  });
  return { templates: made, sequences };
}

/** Number of each template's first feature, and of all features; [templates + 1]. */
export function numberFeatures(templates: readonly ChunkTemplate[]): Uint32Array {
  const first = new Uint32Array(templates.length + 1);
  templates.forEach(({ table }, p) => {
    first[p + 1] = first[p] + table.size;
  });
  return first;
}

/** The tuples that `keeps` wants, in the same order, and the sequences that these need. */
export function pruneChunkTables(
  { templates, sequences }: ChunkTables,
  keeps: (template: number, tuple: number) => boolean,
): ChunkIndexArrays {
  const tuples = templates.map(({ table }, p) => {
    const keys = table.pack();
    const out = new Uint32List(1024);
    for (let tuple = 0; tuple < table.size; tuple++) {
      if (!keeps(p, tuple)) continue;
      for (let i = 0; i < table.arity; i++) out.push(keys[tuple * table.arity + i]);
    }
    return out.toArray();
  });
  return { tuples, sequences: sequences.map(({ table }, q) => pruneSequences(table, q, templates, tuples)) };
}

/** Leaves out the sequences of one table that no tuple needs, and renumbers those in the tuples. */
function pruneSequences(
  table: TupleTable,
  number: number,
  templates: readonly ChunkTemplate[],
  tuples: readonly Uint32Array[],
): Uint32Array {
  const keys = table.pack();
  const used = new Uint8Array(table.size + 1);
  const users = templates.flatMap(({ sequences, table: { arity } }, p) =>
    sequences.flatMap((sequence, i) => (sequence === number ? [{ p, i, arity }] : [])),
  );
  for (const { p, i, arity } of users) {
    for (let at = i; at < tuples[p].length; at += arity) used[tuples[p][at]] = 1;
  }
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
    for (let at = i; at < tuples[p].length; at += arity) tuples[p][at] = renumbered[tuples[p][at]];
  }
  return out.toArray();
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
