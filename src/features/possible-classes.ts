import { Alphabet } from '../data/alphabet.js';
import { type Corpus, columnIndex } from '../data/corpus.js';
import type { PackedStrings } from '../kernels/find-values.js';
import type { TagSet } from '../tags/tag-set.js';
import type { TemplateSet } from './template.js';
import { parseView, viewBeforeClasses } from './views.js';

/** A label that every part of the training data may see. */
const EVERYWHERE = 0xffff;

/** The values of one view, and the labels that each was seen with. */
interface ClassTable {
  readonly values: Alphabet;
  /** [values × L] 0: not seen; EVERYWHERE; or 1 + the only part of the training data that has the value so labelled. */
  readonly homes: Uint16Array;
}

/** The possible classes of one view's values as plain arrays, as stored in a model. */
export interface PackedClasses {
  /** The values. */
  readonly values: PackedStrings;
  /** [values × ⌈L / 8⌉] label c of a value is bit c mod 8 of its byte ⌊c / 8⌋: whether it was seen with the value. */
  readonly labels: Uint8Array;
}

/**
 * Possible chunk classes (Wu et al. 2008): the labels that the training data give each word, or each value of another view.
 * Matched against themselves, training data would tell a learner that every word is known, and of a word seen once its own
 * label; so what one part of them alone has can be hidden from that part (jack-knife).
 */
export class PossibleClasses {
  private readonly tags: readonly string[];
  private readonly tables = new Map<string, ClassTable>();

  private constructor(tags: readonly string[]) {
    this.tags = tags;
  }

  /**
   * Learns the possible classes that templates read.
   *
   * @param labels [N] label ids, sentence by sentence in reading order.
   * @param parts [S] part of the training data that each sentence is in.
   */
  static learn(
    corpus: Corpus,
    templates: TemplateSet,
    { tags, direction }: Pick<TagSet, 'tags' | 'direction'>,
    labels: Uint16Array,
    parts: Uint16Array,
  ): PossibleClasses {
    const classes = new PossibleClasses(tags);
    const { starts } = corpus;
    for (const name of viewsBeforeClasses(templates)) {
      const { column, apply } = parseView(name, corpus.columns);
      const c = columnIndex(corpus, column);
      const values = new Alphabet();
      const valueOfString = corpus.alphabets[c].toArray().map((text) => {
        const value = apply(text);
        return value === undefined ? -1 : values.add(value);
      });
      const homes = new Uint16Array(values.size * tags.length);
      for (let s = 0; s + 1 < starts.length; s++) {
        const home = 1 + parts[s];
        for (let t = starts[s]; t < starts[s + 1]; t++) {
          const value = valueOfString[corpus.cells[c][t]];
          if (value < 0) continue;
          const label = labels[direction === 'forward' ? t : starts[s] + starts[s + 1] - 1 - t];
          const at = value * tags.length + label;
          homes[at] = homes[at] === 0 || homes[at] === home ? home : EVERYWHERE;
        }
      }
      classes.tables.set(name, { values, homes });
    }
    return classes;
  }

  /** Rebuilds what {@link pack} gave, by view. @throws Error when the arrays do not fit each other. */
  static unpack(tags: readonly string[], packed: ReadonlyMap<string, PackedClasses>): PossibleClasses {
    const classes = new PossibleClasses(tags);
    const bytes = Math.ceil(tags.length / 8);
    for (const [view, { values: strings, labels }] of packed) {
      const values = Alphabet.unpack(strings);
      if (labels.length !== values.size * bytes) {
        throw new Error(`possible classes: expected ${values.size} × ${bytes} bytes, found ${labels.length}`);
      }
      const homes = new Uint16Array(values.size * tags.length);
      for (let at = 0; at < homes.length; at++) {
        const value = Math.floor(at / tags.length);
        const c = at % tags.length;
        if ((labels[value * bytes + (c >> 3)] >> (c & 7)) & 1) homes[at] = EVERYWHERE;
      }
      classes.tables.set(view, { values, homes });
    }
    return classes;
  }

  /** Number of values over all views. */
  get size(): number {
    return [...this.tables.values()].reduce((sum, { values }) => sum + values.size, 0);
  }

  /** As plain arrays, by view. */
  pack(): Map<string, PackedClasses> {
    const packed = new Map<string, PackedClasses>();
    const labelCount = this.tags.length;
    const bytes = Math.ceil(labelCount / 8);
    for (const [view, { values, homes }] of this.tables) {
      const labels = new Uint8Array(values.size * bytes);
      for (let at = 0; at < homes.length; at++) {
        const c = at % labelCount;
        if (homes[at] !== 0) labels[Math.floor(at / labelCount) * bytes + (c >> 3)] |= 1 << (c & 7);
      }
      packed.set(view, { values: values.pack(), labels });
    }
    return packed;
  }

  /**
   * The possible classes of a value, joined by `|`; empty for one that was never seen.
   *
   * @param view the view that it is a value of.
   * @param hiddenFrom the part of the training data from which its own labels are hidden; none: −1.
   */
  of(view: string, value: string, hiddenFrom = -1): string {
    const { values, homes } = this.tables.get(view) as ClassTable;
    const first = values.find(value) * this.tags.length;
    if (first < 0) return '';
    const hidden = 1 + hiddenFrom;
    return this.tags.filter((_, c) => homes[first + c] !== 0 && homes[first + c] !== hidden).join('|');
  }
}

/** The views whose values' possible classes templates read, each once. */
export function viewsBeforeClasses({ templates }: TemplateSet): string[] {
  const nodes = templates.flatMap((template) => template.nodes);
  return [...new Set(nodes.flatMap((node) => ('view' in node && viewBeforeClasses(node.view)) || []))];
}
