import { SCHEMES } from './scheme.js';
import type { TagSet } from './tag-set.js';

/**
 * How labels make up chunks for models that score whole chunks. In IOBES a token's label says what it is to its chunk:
 * its begin, inside, end, or all of it; `O` is a type of chunks of one token. In any other scheme each token is a chunk
 * of its own whose type is its label.
 */
export class ChunkRoles {
  /** [T] names of the types; two may be alike where a type of chunks is called O. */
  readonly names: readonly string[];
  /** Type of what is in no chunk; −1 where there is none. */
  readonly outside: number;
  /** [T] label of the first of several tokens of a chunk of each type; where there is none, any. */
  readonly begin: Uint16Array;
  /** [T] label of inner tokens. */
  readonly inside: Uint16Array;
  /** [T] label of the last of several tokens. */
  readonly end: Uint16Array;
  /** [T] label of a chunk's only token. */
  readonly single: Uint16Array;
  /** [T] 1 for types of chunks of one token. */
  readonly alwaysSingle: Uint8Array;
  /**
   * [(T + 1) × (T + 1)] 1 where the column's type may come right after the row's; last row: the sentence's start, last
   * column: its end. Chunks may stand in any order; types that are labels of tokens may not.
   */
  readonly mayFollow: Uint8Array;
  /** [L] type that each label is of. */
  private readonly typeOf: Uint16Array;
  /** [L] 1 for labels of a chunk's last token. */
  private readonly closes: Uint8Array;

  /** @param tagSet read forward; if IOBES, with all tags of each type. */
  constructor(tagSet: TagSet) {
    const { tags, scheme, types } = tagSet;
    const chunked = scheme === 'iobes';
    const hasOutside = tagSet.outside >= 0;
    this.names = chunked && hasOutside ? [...types, tags[tagSet.outside]] : chunked ? types : tags;
    this.outside = chunked && hasOutside ? types.length : tagSet.outside;
    const labels = (leading: string) =>
      Uint16Array.from(this.names, (name, type) =>
        !chunked || type === this.outside
          ? tags.indexOf(name)
          : tags.indexOf(SCHEMES.iobes.format(leading, name)),
      );
    this.begin = labels('B');
    this.inside = labels('I');
    this.end = labels('E');
    this.single = labels('S');
    this.alwaysSingle = Uint8Array.from(this.names, (_, type) => (!chunked || type === this.outside ? 1 : 0));
    this.mayFollow = chunked ? new Uint8Array((this.names.length + 1) ** 2).fill(1) : tagSet.allowed;
    this.typeOf = new Uint16Array(tags.length);
    this.closes = new Uint8Array(tags.length);
    for (let t = 0; t < this.names.length; t++) {
      for (const role of [this.begin, this.inside, this.end, this.single]) this.typeOf[role[t]] = t;
      this.closes[this.end[t]] = 1;
      this.closes[this.single[t]] = 1;
    }
  }

  /** Whether a type is that of what is in no chunk. */
  isOutside(type: number): boolean {
    return type === this.outside;
  }

  /** Number of a type of chunks, or of a label where those are types; −1 where there is none of that name. */
  numberOf(name: string): number {
    const type = this.names.indexOf(name);
    return this.isOutside(type) ? -1 : type;
  }

  /** Number of types T. */
  get count(): number {
    return this.names.length;
  }

  /**
   * Cuts well-formed labels into chunks: writes the token after the last one and the type of each, and returns how many
   * there are.
   *
   * @param labels `labels[from … from + length − 1]`.
   * @param ends [≥ length]
   * @param types [≥ length]
   */
  cut(labels: Uint16Array, from: number, length: number, ends: Uint32Array, types: Uint16Array): number {
    let count = 0;
    for (let t = 0; t < length; t++) {
      const label = labels[from + t];
      if (this.closes[label] === 0) continue;
      ends[count] = t + 1;
      types[count++] = this.typeOf[label];
    }
    return count;
  }

  /** Label of a token of a chunk. */
  labelOf(type: number, begin: number, end: number, token: number): number {
    if (end - begin === 1) return this.single[type];
    if (token === begin) return this.begin[type];
    return (token === end - 1 ? this.end : this.inside)[type];
  }
}
