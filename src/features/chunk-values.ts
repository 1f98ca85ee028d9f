import {
  type ChunkTables,
  type ChunkTemplate,
  FIRST,
  LAST,
  LENGTH,
  SEQUENCE,
  type Sequences,
} from './chunk-template.js';
import { PADDING } from './layout.js';
import { MAX_LENGTH } from './template.js';

/** Value ids of a sentence, as `SentenceTuples` has them. */
export interface SentenceValues {
  /** Value of view v at token t at `v · stride + PADDING + t`. */
  readonly values: Uint32Array;
  /** Distance between two views' values. */
  readonly stride: number;
  /** Number of tokens. */
  readonly length: number;
}

/** Values of the nodes of chunk templates for the chunks of one sentence. */
export class ChunkValues {
  /** Values of the sentence's tokens. */
  tokens: Uint32Array = new Uint32Array(0);
  /**
   * [templates][nodes] by source: where the values of the view stand in the sentence, less the position of the chunk's first
   * token or of the token after its last; the number of the table of sequences.
   */
  readonly places: readonly Int32Array[];
  private readonly templates: readonly ChunkTemplate[];
  private readonly sequences: readonly Sequences[];
  private stride = 0;
  /** Chunk that {@link sequenceIds} are of. */
  private begin = -1;
  private end = -1;
  /** [sequences] number of each, −1 where a token has no value or the sequence is unknown. */
  private readonly sequenceIds: Int32Array;
  private readonly step = new Uint32Array(2);

  constructor({ templates, sequences }: ChunkTables) {
    this.templates = templates;
    this.sequences = sequences;
    this.sequenceIds = new Int32Array(sequences.length);
    this.places = templates.map((template) => Int32Array.from(template.sequences));
  }

  /** Takes up a sentence, whose values must be filled in. */
  start({ values, stride }: SentenceValues): void {
    this.tokens = values;
    this.stride = stride;
    this.begin = -1;
    for (let p = 0; p < this.templates.length; p++) {
      const { nodes, views } = this.templates[p];
      const places = this.places[p];
      for (let i = 0; i < nodes.length; i++) {
        const node = nodes[i];
        if (node.kind === 'first') places[i] = views[i] * stride + PADDING + node.offset;
        if (node.kind === 'last') places[i] = views[i] * stride + PADDING - 1 + node.offset;
        if (node.kind === 'symmetry') places[i] = views[i] * stride + PADDING;
      }
    }
  }

  /**
   * Writes the values of a template's nodes for a chunk into a key; false where a node has none.
   *
   * @param insert whether sequences that are not known become so.
   */
  writeKey(
    { number, sources }: ChunkTemplate,
    begin: number,
    end: number,
    insert: boolean,
    key: Uint32Array,
  ): boolean {
    const { tokens } = this;
    const places = this.places[number];
    key[0] = 0;
    for (let i = 0; i < sources.length; i++) {
      const source = sources[i];
      let value = 0;
      if (source === FIRST) value = tokens[places[i] + begin];
      else if (source === LAST) value = tokens[places[i] + end];
      else value = this.whole(source, places[i], begin, end, insert);
      if (value <= 0) return false;
      key[i] = value;
    }
    return true;
  }

  /** Value of a node that reads the whole chunk, 0 or below for none. */
  whole(source: number, place: number, begin: number, end: number, insert: boolean): number {
    if (source === LENGTH) return Math.min(end - begin, MAX_LENGTH);
    return source === SEQUENCE
      ? this.sequence(place, begin, end, insert)
      : symmetryOf(this.tokens, place, begin, end);
  }

  /** Number of a sequence; one that begins as the last one asked for, and goes on, goes on from it. */
  private sequence(number: number, begin: number, end: number, insert: boolean): number {
    const { sequences, sequenceIds, tokens, stride, step } = this;
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
          step[1] = tokens[view * stride + PADDING + t];
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
