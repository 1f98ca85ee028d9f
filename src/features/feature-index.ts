import { firstUnordered, startGroups, stepsThatDoNotAscend } from '../base/ascending-groups.js';
import { areBelow } from '../base/typed-array.js';
import { Alphabet } from '../data/alphabet.js';
import type { PackedStrings } from '../kernels/find-values.js';
import type { Direction } from '../tags/direction.js';
import { FIRST_VALUE, type Layout, layOut, PADDING, type Placement, readingOffset } from './layout.js';
import { untabledTuples } from './sentence-tuples.js';
import { readsChunk, type TemplateSet, type TokenNode, templateName } from './template.js';
import { TupleTable } from './tuple-table.js';
import { parseView } from './views.js';

/** The raw arrays of a {@link FeatureIndex}, as stored in a model. */
export interface FeatureArrays {
  /** Per view: its strings. */
  readonly values: readonly PackedStrings[];
  /** Per conjunction of two or more views: its tuples, [size × arity]; else nothing. */
  readonly keys: readonly (Uint32Array | undefined)[];
  /** Per conjunction: [tuples] how many features each tuple has. */
  readonly counts: readonly (Uint8Array | Uint16Array)[];
  /** [D] slot of each feature. */
  readonly slots: Uint16Array;
}

/** One node of a feature's template and what it read. */
export interface FeaturePart {
  /** Canonical text of the node: `word[-1]`, `label[-1]`. */
  readonly node: string;
  /** A string, or a label id (−1: before the sentence's first label). */
  readonly value: string | number;
}

/**
 * Which features exist and what their ids are.
 *
 * Features are numbered tuple by tuple: those of tuple τ of conjunction c are `starts[c][τ] … starts[c][τ + 1] − 1`,
 * with ascending slots; the slot says the placement (template and offset) and the earlier labels. So the rows of
 * weights that one word brings to its neighbours lie together.
 */
export class FeatureIndex {
  /** The templates. */
  readonly templates: TemplateSet;
  /** Reading direction. */
  readonly direction: Direction;
  /** Number of labels L that history slots count with. */
  readonly labels: number;
  /** The templates grouped by shape. */
  readonly layout: Layout;
  /** Strings of each view; value id = string id + FIRST_VALUE. */
  readonly values: readonly Alphabet[];
  /** Tuples of each conjunction of two or more views. */
  readonly tables: readonly (TupleTable | undefined)[];
  /** [C][tuples + 1] first feature of each tuple. */
  readonly starts: readonly Uint32Array[];
  /** [D] slot of each feature. */
  readonly slots: Uint16Array;

  constructor(
    templates: TemplateSet,
    direction: Direction,
    labels: number,
    parts: {
      layout: Layout;
      values: readonly Alphabet[];
      tables: readonly (TupleTable | undefined)[];
      starts: readonly Uint32Array[];
      slots: Uint16Array;
    },
  ) {
    this.templates = templates;
    this.direction = direction;
    this.labels = labels;
    this.layout = parts.layout;
    this.values = parts.values;
    this.tables = parts.tables;
    this.starts = parts.starts;
    this.slots = parts.slots;
    for (const alphabet of this.values) alphabet.freeze();
  }

  /** Number of features D. */
  get size(): number {
    return this.slots.length;
  }

  /** The feature of a tuple with a slot, or −1. */
  find(conjunction: number, tuple: number, slot: number): number {
    const starts = this.starts[conjunction];
    const { slots } = this;
    const end = starts[tuple + 1];
    for (let f = starts[tuple]; f < end; f++) {
      if (slots[f] >= slot) return slots[f] === slot ? f : -1;
    }
    return -1;
  }

  /** [D] 1 for features that read a view of the column. */
  readingColumn(column: string): Uint8Array {
    const { conjunctions, views } = this.layout;
    const reads = new Uint8Array(this.size);
    conjunctions.forEach((conjunction, c) => {
      if (!conjunction.views.some((view) => parseView(views[view]).column === column)) return;
      const starts = this.starts[c];
      reads.fill(1, starts[0], starts[starts.length - 1]);
    });
    return reads;
  }

  /**
   * [D of `known`] the feature here that each feature of another index is.
   *
   * @param known an index whose features, tuples and strings are all in this one, in the same order.
   */
  numbersOf(known: FeatureIndex): Uint32Array {
    const numbers = new Uint32Array(known.size);
    known.starts.forEach((starts, c) => {
      for (let tuple = 0; tuple + 1 < starts.length; tuple++) {
        let own = this.starts[c][tuple];
        for (let f = starts[tuple]; f < starts[tuple + 1]; f++) {
          while (this.slots[own] < known.slots[f]) own++;
          numbers[f] = own;
        }
      }
    });
    return numbers;
  }

  /** [D] number of the template that each feature is of. */
  templateNumbers(): Uint16Array {
    const numbers = new Uint16Array(this.size);
    this.layout.conjunctions.forEach(({ placements }, c) => {
      const ofSlot = placements.flatMap(({ template, slots }) => new Array<number>(slots).fill(template));
      const starts = this.starts[c];
      for (let f = starts[0]; f < starts[starts.length - 1]; f++) numbers[f] = ofSlot[this.slots[f]];
    });
    return numbers;
  }

  /** [D] 1 for features that read no label. */
  withoutHistory(): Uint8Array {
    const { conjunctions } = this.layout;
    const fixed = new Uint8Array(this.size);
    conjunctions.forEach(({ fixedSlots }, c) => {
      const starts = this.starts[c];
      for (let f = starts[0]; f < starts[starts.length - 1]; f++)
        if (this.slots[f] < fixedSlots) fixed[f] = 1;
    });
    return fixed;
  }

  /**
   * The index of a part of the features, renumbered without gaps in the same order; tuples and strings that no
   * feature needs are dropped. Views that chunk templates read keep all strings, and so their numbers.
   *
   * @param keep [D] 1 for features to keep.
   */
  prune(keep: Uint8Array): FeatureIndex {
    const { conjunctions, views } = this.layout;
    const chunkNodes = this.templates.templates.filter(readsChunk).flatMap(({ nodes }) => nodes);
    const whole = new Set(chunkNodes.map((node) => ('view' in node ? node.view : '')));
    const valueUsed = this.values.map((alphabet, v) =>
      new Uint8Array(FIRST_VALUE + alphabet.size).fill(whole.has(views[v]) ? 1 : 0),
    );
    const kept = conjunctions.map((conjunction, c) => {
      const starts = this.starts[c];
      const tuples = starts.length - 1;
      const counts = new Uint16Array(tuples);
      const arity = conjunction.views.length;
      const keys = this.tables[c]?.pack();
      for (let tuple = 0; tuple < tuples; tuple++) {
        for (let f = starts[tuple]; f < starts[tuple + 1]; f++) counts[tuple] += keep[f];
        if (counts[tuple] === 0) continue;
        for (let i = 0; i < arity; i++) {
          valueUsed[conjunction.views[i]][keys ? keys[tuple * arity + i] : tuple] = 1;
        }
      }
      return { counts, keys };
    });

    const values: Alphabet[] = [];
    const newValue = views.map((_, v) => {
      const map = new Uint32Array(valueUsed[v].length);
      const alphabet = new Alphabet();
      for (let value = 0; value < map.length; value++) {
        if (value < FIRST_VALUE) map[value] = value;
        else if (valueUsed[v][value]) {
          map[value] = FIRST_VALUE + alphabet.add(this.values[v].string(value - FIRST_VALUE));
        }
      }
      values.push(alphabet);
      return map;
    });

    const arrays = conjunctions.map((conjunction, c) => {
      const { counts, keys } = kept[c];
      const { views: joined } = conjunction;
      if (keys === undefined) {
        if (joined.length === 0) return { keys, counts };
        const used = valueUsed[joined[0]];
        const alive = counts.filter((_, value) => value < FIRST_VALUE || used[value] === 1);
        return { keys, counts: alive };
      }
      const arity = joined.length;
      const alive: number[] = [];
      for (let tuple = 0; tuple < counts.length; tuple++) if (counts[tuple] > 0) alive.push(tuple);
      const newKeys = new Uint32Array(alive.length * arity);
      alive.forEach((tuple, at) => {
        for (let i = 0; i < arity; i++)
          newKeys[at * arity + i] = newValue[joined[i]][keys[tuple * arity + i]];
      });
      return { keys: newKeys, counts: Uint16Array.from(alive, (tuple) => counts[tuple]) };
    });
    const slots = selected(this.slots, keep);
    let features = 0;
    const starts = arrays.map(({ counts }) => {
      const { starts: own } = startGroups(counts, slots, features);
      features = own[counts.length];
      return own;
    });
    return FeatureIndex.assemble(this.templates, this.direction, this.labels, {
      layout: this.layout,
      values,
      keys: arrays.map((part) => part.keys),
      starts,
      slots,
    });
  }

  /** A feature in words: the nodes of its template with their values; none for the constant feature. */
  describe(feature: number): FeaturePart[] {
    const { conjunctions } = this.layout;
    const slot = this.slots[feature];
    const c = this.starts.findIndex((starts) => feature < starts[starts.length - 1]);
    const tuple = lastAtMost(this.starts[c], feature);
    const { placements, views, shifts } = conjunctions[c];
    const placement = placements.findLast((candidate) => candidate.firstSlot <= slot) as Placement;
    const key = this.tables[c]?.key(tuple);
    const readToken = (node: TokenNode) => {
      const shift = readingOffset(node.offset, this.direction) - placement.offset;
      const part = views.findIndex((view, i) => this.layout.views[view] === node.view && shifts[i] === shift);
      return this.valueName(views[part], key ? key[part] : tuple);
    };
    const [previous, beforePrevious] = this.historyOf(placement, slot);
    return this.templates.templates[placement.template].nodes.map((node): FeaturePart => {
      const name = templateName({ nodes: [node] });
      if (node.kind === 'token') return { node: name, value: readToken(node) };
      const label = node.kind === 'label' && node.offset === -1 ? previous : beforePrevious;
      return { node: name, value: label === this.labels ? -1 : label };
    });
  }

  /** label₋₁ and label₋₂ of a placement's slot; L stands for "before the sentence" and for "not read". */
  historyOf(placement: Placement, slot: number): [number, number] {
    const { labels } = this;
    const rest = slot - placement.firstSlot;
    switch (placement.history) {
      case 'none':
        return [labels, labels];
      case 'previous':
        return [rest, labels];
      case 'before-previous':
        return [labels, rest];
      case 'both':
        return [Math.floor(rest / (labels + 1)), rest % (labels + 1)];
    }
  }

  /** The raw arrays, for the model file. */
  pack(): FeatureArrays {
    return {
      values: this.values.map((alphabet) => alphabet.pack()),
      keys: this.tables.map((table) => table?.pack()),
      counts: this.starts.map((starts) => {
        const counts = new Uint16Array(starts.length - 1);
        for (let tuple = 0; tuple < counts.length; tuple++) counts[tuple] = starts[tuple + 1] - starts[tuple];
        return counts;
      }),
      slots: this.slots,
    };
  }

  /**
   * Rebuilds an index from {@link pack}.
   *
   * @throws Error with one sentence when the arrays do not fit each other.
   */
  static unpack(
    templates: TemplateSet,
    direction: Direction,
    labels: number,
    arrays: FeatureArrays,
  ): FeatureIndex {
    const values = arrays.values.map((packed) => Alphabet.unpack(packed));
    const layout = layOut(templates.templates, direction, labels);
    const { conjunctions } = layout;
    const { slots: stored } = arrays;
    let features = 0;
    let stepsBetween = 0;
    const starts = conjunctions.map((conjunction, c) => {
      const { views, slots } = conjunction;
      const counts = arrays.counts[c];
      const keys = arrays.keys[c];
      const tuples = keys
        ? keys.length / views.length
        : untabledTuples(
            views,
            values.map((alphabet) => alphabet.size),
          );
      if (counts.length !== tuples) {
        throw new Error(
          `conjunction ${c}: expected feature counts for ${tuples} tuples, found ${counts.length}`,
        );
      }
      if (keys) {
        const limits = views.map((view) => FIRST_VALUE + values[view].size);
        for (let at = 0, part = 0; at < keys.length; at++) {
          // A value of 0 stands for none, and what has none is no tuple.
          if (keys[at] >= limits[part] || keys[at] === 0) {
            throw new Error(
              `conjunction ${c}: expected value ids of 1 to ${limits[part] - 1}, found ${keys[at]}`,
            );
          }
          if (++part === limits.length) part = 0;
        }
      }
      const first = features;
      const groups = startGroups(counts, stored, first);
      features = groups.starts[tuples];
      stepsBetween += groups.stepsBetween;
      const own = stored.subarray(first, features);
      if (!areBelow(own, slots)) {
        const bad = own.findIndex((slot) => slot >= slots);
        throw new Error(`feature ${first + bad}: slot ${own[bad]} does not exist`);
      }
      return groups.starts;
    });
    if (features !== arrays.slots.length) {
      throw new Error(`expected slots for ${features} features, found ${arrays.slots.length}`);
    }
    // Features are found by their slots, the first that is not less.
    if (stepsThatDoNotAscend(stored) !== stepsBetween) {
      const own = starts.find((each) => firstUnordered(stored, each) >= 0) as Uint32Array;
      const bad = own[firstUnordered(stored, own)];
      throw new Error(`expected slots in ascending order, found others from feature ${bad} on`);
    }
    return FeatureIndex.assemble(templates, direction, labels, {
      layout,
      values,
      keys: arrays.keys,
      starts,
      slots: stored,
    });
  }

  private static assemble(
    templates: TemplateSet,
    direction: Direction,
    labels: number,
    parts: Pick<FeatureIndex, 'layout' | 'values' | 'starts' | 'slots'> & Pick<FeatureArrays, 'keys'>,
  ): FeatureIndex {
    const { layout, values, starts, slots } = parts;
    const tables = parts.keys.map((keys, c) =>
      keys ? TupleTable.unpack(layout.conjunctions[c].views.length, keys) : undefined,
    );
    return new FeatureIndex(templates, direction, labels, { layout, values, tables, starts, slots });
  }

  private valueName(view: number, value: number): string {
    if (value >= FIRST_VALUE) return this.values[view].string(value - FIRST_VALUE);
    const before = value <= PADDING;
    const distance = before ? value : value - PADDING;
    // Offsets were turned to reading order, so "before" in reading order is "after" in the text when backward.
    return before === (this.direction === 'forward') ? `<start-${distance}>` : `<end+${distance}>`;
  }
}

/** Values where `keep` is 1. */
function selected(values: Uint16Array, keep: Uint8Array): Uint16Array {
  const kept = new Uint16Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) if (keep[i] === 1) kept[count++] = values[i];
  return kept.slice(0, count);
}

/** Index of the last element of an ascending array that is ≤ value. */
function lastAtMost(sorted: Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sorted[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
