import { grown } from '../base/growable.js';
import type { Alphabet } from '../data/alphabet.js';
import {
  type ChunkDependence,
  type ChunkIndexArrays,
  type ChunkTables,
  type ChunkTemplate,
  LENGTH,
  makeChunkTables,
  numberFeatures,
  pruneChunkTables,
  SEQUENCE,
} from './chunk-template.js';
import { join, makeTupleFinder, mix, NO_NODES, type TupleFinder } from './chunk-tuple-finder.js';
import { ChunkValues, type SentenceValues } from './chunk-values.js';
import { FIRST_VALUE, PADDING } from './layout.js';
import { type Template, templateName } from './template.js';

/**
 * Which features of whole chunks exist. A feature is a template and its tuple of values; its weights are a row of T, one
 * a type, or of (T + 1) × T where it reads the type before. Features are numbered template by template. Finds them for one
 * sentence at a time: see {@link start}.
 */
export class ChunkIndex {
  /** The templates: those with a node of a chunk, and `label[-1]` alone. */
  readonly templates: readonly Template[];
  /** Number of types T. */
  readonly types: number;
  /** [features + 1] where each feature's row of weights starts. */
  readonly rowStarts: Uint32Array;
  private readonly tables: ChunkTables;
  /** [templates] */
  private readonly finders: readonly TupleFinder[];
  private readonly groups: Readonly<Record<ChunkDependence, readonly ChunkTemplate[]>>;
  /** [templates + 1] number of each one's first feature. */
  private readonly firstFeature: Uint32Array;
  private readonly values: ChunkValues;
  /**
   * [templates × 2 × (n + 1)] per template, by a chunk's first token and by the token after its last one: what the values of
   * the nodes that read there contribute to the hash, or to the place in a direct table, + 1; 0 where there is no tuple.
   */
  private sides = new Int32Array(0);
  /** n + 1 */
  private sideStride = 0;
  /** Values of the nodes that read neither at the begin nor at the end. */
  private readonly others = new Uint32Array(16);

  /**
   * @param templates those of chunks, read forward.
   * @param views names of the layout's views.
   * @param types number of types.
   * @param arrays the features, as {@link pack} gives them.
   */
  constructor(
    templates: readonly Template[],
    views: readonly string[],
    types: number,
    arrays: ChunkIndexArrays,
  ) {
    this.templates = templates;
    this.types = types;
    this.tables = makeChunkTables(templates, views, arrays);
    this.values = new ChunkValues(this.tables);
    this.finders = this.tables.templates.map(makeTupleFinder);
    const depending = (wanted: ChunkDependence) =>
      this.tables.templates.filter(({ dependence }) => dependence === wanted);
    this.groups = {
      previous: depending('previous'),
      begin: depending('begin'),
      bigram: depending('bigram'),
      end: depending('end'),
      both: depending('both'),
    };
    this.firstFeature = numberFeatures(this.tables.templates);
    this.rowStarts = this.startRows();
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
    const { sequences } = index.tables;
    if (arrays.sequences.length !== sequences.length) {
      throw new Error(`expected ${sequences.length} tables of sequences, found ${arrays.sequences.length}`);
    }
    sequences.forEach(({ table, view }, q) => {
      const keys = arrays.sequences[q];
      const limit = FIRST_VALUE + values[view].size;
      if (keys.length % 2 !== 0)
        throw new Error(`sequences ${q}: expected pairs, found ${keys.length} numbers`);
      for (let id = 0; id < table.size; id++) {
        if (keys[2 * id] > id || keys[2 * id + 1] >= limit)
          throw new Error(`sequences ${q}: sequence ${id} is none`);
      }
    });
    index.tables.templates.forEach(({ table }, p) => {
      const { length } = arrays.tuples[p];
      if (length % table.arity !== 0) {
        throw new Error(`chunk template ${p}: expected tuples of ${table.arity}, found ${length} numbers`);
      }
    });
    return index;
  }

  /** The views that templates read, as numbers in the layout. */
  get views(): number[] {
    return [...new Set(this.tables.templates.flatMap(({ views }) => views.filter((view) => view >= 0)))];
  }

  /** Number of features. */
  get size(): number {
    return this.rowStarts.length - 1;
  }

  /** Takes up a sentence, whose values must be filled in. */
  start(sentence: SentenceValues): void {
    this.values.start(sentence);
    this.takeSides(sentence.length);
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
    const templates = this.groups[dependence];
    let found = count;
    for (let i = 0; i < templates.length; i++) {
      const template = templates[i];
      const tuple = this.known(template, begin, end);
      if (tuple >= 0) out[found++] = firstFeature[template.number] + tuple;
    }
    return found;
  }

  /** The index of the features that `keep` has a 1 for, in the same order. */
  prune(views: readonly string[], keep: Uint8Array): ChunkIndex {
    const { firstFeature, tables } = this;
    const keeps = (template: number, tuple: number) => keep[firstFeature[template] + tuple] === 1;
    return new ChunkIndex(this.templates, views, this.types, pruneChunkTables(tables, keeps));
  }

  /** A feature in words: `first(pos)[-1]=VB all(pos)=DT NN`. */
  describe(feature: number, values: readonly Alphabet[]): string {
    const p = this.firstFeature.findLastIndex((start) => start <= feature);
    const { nodes, views, sources, sequences, table } = this.tables.templates[p];
    const key = table.key(feature - this.firstFeature[p]);
    const name = (view: number, value: number) =>
      value >= FIRST_VALUE ? values[view].string(value - FIRST_VALUE) : value > PADDING ? '<end>' : '<start>';
    const texts = nodes.map((node, i) => {
      const text = templateName({ nodes: [node] });
      if (sources[i] === LENGTH) return `${text}=${key[i]}`;
      if (sources[i] !== SEQUENCE) return `${text}=${name(views[i], key[i])}`;
      const strings: string[] = [];
      for (let id = key[i]; id > 0; ) {
        const [shorter, value] = this.tables.sequences[sequences[i]].table.key(id - 1);
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
      tuples: this.tables.templates.map(({ table }) => table.pack()),
      sequences: this.tables.sequences.map(({ table }) => table.pack()),
    };
  }

  /** Where each feature's row of weights starts, and the last one ends. */
  private startRows(): Uint32Array {
    const { tables, types, firstFeature } = this;
    const { templates } = tables;
    const starts = new Uint32Array(firstFeature[templates.length] + 1);
    let at = 0;
    templates.forEach(({ table, dependence }, p) => {
      const width = dependence === 'previous' || dependence === 'bigram' ? (types + 1) * types : types;
      for (let tuple = 0; tuple < table.size; tuple++) {
        starts[firstFeature[p] + tuple] = at;
        at += width;
      }
    });
    starts[firstFeature[templates.length]] = at;
    return starts;
  }

  /** Reads what the templates read at the begins and at the ends of chunks, so that no chunk has to do it again. */
  private takeSides(length: number): void {
    const { templates } = this.tables;
    const { tokens } = this.values;
    const stride = length + 1;
    this.sides = grown(this.sides, 2 * templates.length * stride);
    this.sideStride = stride;
    const { sides } = this;
    for (let p = 0; p < templates.length; p++) {
      const { sides: nodesOf } = templates[p];
      const places = this.values.places[p];
      const finder = this.finders[p];
      for (let side = 0; side < 2; side++) {
        const nodes = nodesOf[side];
        const row = (2 * p + side) * stride;
        sides.fill(NO_NODES, row, row + stride);
        if (nodes.length === 0) continue;
        for (let t = side; t < length + side; t++) {
          let sum = NO_NODES;
          for (let i = 0; i < nodes.length && sum !== 0; i++) {
            const node = nodes[i];
            const value = tokens[places[node] + t];
            if (!finder.isDirect) sum = value === 0 ? 0 : mix(sum, value);
            else if (value === 0 || value >= finder.limits[node]) sum = 0;
            else sum += value * finder.strides[node];
          }
          sides[row + t] = sum;
        }
      }
    }
  }

  /** The tuple of a template for a chunk, −1 where there is none. */
  private known(template: ChunkTemplate, begin: number, end: number): number {
    const { sides, sideStride, values } = this;
    const { number, sources } = template;
    const finder = this.finders[number];
    const places = values.places[number];
    const row = 2 * number * sideStride;
    const first = sides[row + begin];
    const last = sides[row + sideStride + end];
    if (first === 0 || last === 0) return -1;
    const { isDirect } = finder;
    let sum = isDirect ? first + last - 2 * NO_NODES : join(first, last);
    const nodes = template.sides[2];
    const { others } = this;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i];
      const value = values.whole(sources[node], places[node], begin, end, false);
      if (value <= 0) return -1;
      others[i] = value;
      if (!isDirect) sum = mix(sum, value);
      else if (value >= finder.limits[node]) return -1;
      else sum += value * finder.strides[node];
    }
    if (isDirect) return finder.numbers[sum] - 1;
    const { bits } = finder;
    if ((bits[(sum >>> 3) & (bits.length - 1)] & (1 << (sum & 7))) === 0) return -1;
    return this.hashed(template, finder, sum, begin, end);
  }

  /** The tuple of a template by the hash of its values; the last of its values are in `others`. */
  private hashed(
    { number, sides }: ChunkTemplate,
    { numbers, strides, bits }: TupleFinder,
    hash: number,
    begin: number,
    end: number,
  ): number {
    const { others } = this;
    const { tokens } = this.values;
    const places = this.values.places[number];
    const firsts = sides[0];
    const lasts = sides[1];
    const rest = sides[2];
    const mask = 2 * bits.length - 1;
    const step = strides.length + 1;
    for (let slot = hash & mask; numbers[slot * step] !== 0; slot = (slot + 1) & mask) {
      const at = slot * step + 1;
      let same = true;
      for (let i = 0; i < firsts.length && same; i++)
        same = numbers[at + firsts[i]] === tokens[places[firsts[i]] + begin];
      for (let i = 0; i < lasts.length && same; i++)
        same = numbers[at + lasts[i]] === tokens[places[lasts[i]] + end];
      for (let i = 0; i < rest.length && same; i++) same = numbers[at + rest[i]] === others[i];
      if (same) return numbers[at - 1] - 1;
    }
    return -1;
  }
}
