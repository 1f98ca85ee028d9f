import { Uint32List } from '../base/growable.js';
import type { ProgressListener } from '../base/progress.js';
import type { Corpus } from '../data/corpus.js';
import type { Dataset, LabelHistory, Rows } from '../data/dataset.js';
import type { Direction } from '../tags/direction.js';
import { CorpusViews, type ViewOptions } from './corpus-views.js';
import { FeatureIndex } from './feature-index.js';
import { type Layout, layOut, PADDING } from './layout.js';
import { SentenceTuples, untabledTuples } from './sentence-tuples.js';
import type { TemplateSet } from './template.js';
import { TupleTable } from './tuple-table.js';

/** Options of {@link extract}. */
export interface ExtractOptions extends Omit<ViewOptions, 'known'> {
  /** The templates. */
  readonly templates: TemplateSet;
  /** Reading direction of rows and labels. */
  readonly direction: Direction;
  /** Number of labels L. */
  readonly labels: number;
  /** Features seen less often than this are left out; 1 keeps all. */
  readonly cutOff: number;
  /** Keeps features that read the label before out of the rows, for learners that try every label there. */
  readonly splitHistory?: boolean | undefined;
  /** An index of the same templates and labels whose features are kept however often they are seen; default none. */
  readonly known?: FeatureIndex | undefined;
  /** Told how far extraction is. */
  readonly onProgress?: ProgressListener | undefined;
}

/** Features and training rows of a corpus. */
export interface Extraction {
  /** Features at or above the cut-off. */
  readonly index: FeatureIndex;
  /** Rows of those features, and labels. */
  readonly dataset: Dataset;
  /** The values that they were made of. */
  readonly views: CorpusViews;
}

/**
 * Turns a corpus into training rows: interns views once per distinct string and conjunctions as integer tuples,
 * counts features, leaves out the rare ones, and numbers the rest.
 *
 * @param gold [N] label ids, sentence by sentence in reading order; history features read them.
 */
export function extract(corpus: Corpus, gold: Uint16Array, options: ExtractOptions): Extraction {
  const { templates, direction, labels, cutOff, known, onProgress } = options;
  const layout = layOut(templates.templates, direction, labels);
  const views = new CorpusViews(corpus, layout.views, direction, { ...options, known: known?.values });
  const tables = layout.conjunctions.map(({ views: { length: arity } }, c) =>
    arity > 1 ? (known?.tables[c]?.copy() ?? new TupleTable(arity)) : undefined,
  );

  const sentences = corpus.starts.length - 1;
  const margin = 2 * layout.reach;
  const tuples = layout.conjunctions.map(() => new Int32Array(gold.length + margin * sentences));
  const lattice = new SentenceTuples(layout);
  const all = [...layout.conjunctions.keys()];
  for (let s = 0; s < sentences; s++) {
    const first = corpus.starts[s];
    const length = corpus.starts[s + 1] - first;
    views.fill(s, lattice);
    lattice.compute(all, tables, true);
    for (let c = 0; c < tuples.length; c++) {
      const from = c * lattice.stride + PADDING - layout.reach;
      tuples[c].set(lattice.tuples.subarray(from, from + length + margin), first + margin * s);
    }
    if ((s & 1023) === 0) onProgress?.({ kind: 'features', sentences: s, total: sentences });
  }
  onProgress?.({ kind: 'features', sentences, total: sentences });

  const walk = { starts: corpus.starts, gold, labels, layout, tuples };
  const counting = { ...walk, starts: corpus.starts.subarray(0, 1 + (options.counted ?? sentences)) };
  const valueCounts = views.values.map(({ size }) => size);
  let features = 0;
  const slots: Uint16Array[] = [];
  const starts = layout.conjunctions.map((conjunction, c) => {
    const size = tables[c]?.size ?? untabledTuples(conjunction.views, valueCounts);
    const counted = countFeatures(counting, c, size, cutOff, features, known);
    slots.push(counted.slots);
    features += counted.slots.length;
    return counted.starts;
  });
  const allSlots = new Uint16Array(features);
  let at = 0;
  for (const part of slots) {
    allSlots.set(part, at);
    at += part.length;
  }
  const index = new FeatureIndex(templates, direction, labels, {
    layout,
    values: views.values,
    tables,
    starts,
    slots: allSlots,
  });
  const rows = makeRows(walk, index, options.splitHistory === true);
  const history = options.splitHistory === true ? labelHistory(walk, index) : undefined;
  return { index, dataset: { rows, labels: gold, starts: corpus.starts, history }, views };
}

interface Walk {
  readonly starts: Uint32Array;
  readonly gold: Uint16Array;
  readonly labels: number;
  readonly layout: Layout;
  /** [C][N + 2 · reach · S]: each sentence's tuples with a margin of `reach` on both sides. */
  readonly tuples: readonly Int32Array[];
}

/**
 * The features of one conjunction: occurrences are sorted by tuple (counting sort), then counted slot by slot, so
 * that no table of features is needed while counting.
 */
function countFeatures(
  walk: Walk,
  c: number,
  size: number,
  cutOff: number,
  firstFeature: number,
  known?: FeatureIndex,
) {
  const { starts, gold, labels, layout } = walk;
  const { placements, slots } = layout.conjunctions[c];
  const tuples = walk.tuples[c];
  const ends = new Uint32Array(size + 1);
  let occurrences = new Uint16Array(0);
  for (const counting of [true, false]) {
    for (const { offset, firstSlot, previousStep, beforePreviousStep } of placements) {
      for (let s = 0; s + 1 < starts.length; s++) {
        const first = starts[s];
        const length = starts[s + 1] - first;
        const at = first + 2 * layout.reach * s + layout.reach + offset;
        for (let t = 0; t < length; t++) {
          const tuple = tuples[at + t];
          if (tuple < 0) continue;
          if (counting) {
            ends[tuple + 1]++;
            continue;
          }
          const previous = t > 0 ? gold[first + t - 1] : labels;
          const beforePrevious = t > 1 ? gold[first + t - 2] : labels;
          occurrences[ends[tuple]++] =
            firstSlot + previousStep * previous + beforePreviousStep * beforePrevious;
        }
      }
    }
    if (counting) {
      for (let tuple = 0; tuple < size; tuple++) ends[tuple + 1] += ends[tuple];
      occurrences = new Uint16Array(ends[size]);
    }
  }
  // Filling has moved each start to where the tuple's occurrences end.
  const firsts = new Uint32Array(size + 1);
  const seen = new Uint32Array(slots);
  const knownStarts = known?.starts[c] ?? new Uint32Array(0);
  const knownSlots = known?.slots ?? new Uint16Array(0);
  const kept = new Uint32List(1024);
  for (let tuple = 0; tuple < size; tuple++) {
    firsts[tuple] = firstFeature + kept.length;
    const from = tuple === 0 ? 0 : ends[tuple - 1];
    const to = ends[tuple];
    const knownFrom = knownStarts[tuple];
    const knownTo = tuple + 1 < knownStarts.length ? knownStarts[tuple + 1] : knownFrom;
    if (to - from < cutOff && !(knownTo > knownFrom)) continue;
    let lowest = slots;
    let highest = -1;
    for (let i = from; i < to; i++) {
      const slot = occurrences[i];
      seen[slot]++;
      if (slot < lowest) lowest = slot;
      if (slot > highest) highest = slot;
    }
    for (let f = knownFrom; f < knownTo; f++) {
      const slot = knownSlots[f];
      seen[slot] += cutOff;
      if (slot < lowest) lowest = slot;
      if (slot > highest) highest = slot;
    }
    for (let slot = lowest; slot <= highest; slot++) {
      if (seen[slot] > 0 && seen[slot] >= cutOff) kept.push(slot);
      seen[slot] = 0;
    }
  }
  firsts[size] = firstFeature + kept.length;
  return { starts: firsts, slots: Uint16Array.from(kept.values.subarray(0, kept.length)) };
}

/**
 * Rows by template rather than by token, so that one part of the index at a time is in use; a table of all of them is
 * then closed up in place.
 */
function makeRows(walk: Walk, index: FeatureIndex, fixedOnly: boolean): Rows {
  const { starts, gold, labels, layout, tuples } = walk;
  const { slots } = index;
  const rowPlacements = layout.conjunctions.map(({ placements }) =>
    placements.filter(({ history }) => !fixedOnly || history === 'none'),
  );
  const width = rowPlacements.reduce((sum, placements) => sum + placements.length, 0);
  const none = index.size;
  /** [N × width] */
  const table = new Uint32Array(gold.length * width);
  let column = 0;
  for (let c = 0; c < layout.conjunctions.length; c++) {
    const own = tuples[c];
    const firsts = index.starts[c];
    for (const { offset, firstSlot, previousStep, beforePreviousStep } of rowPlacements[c]) {
      for (let s = 0; s + 1 < starts.length; s++) {
        const first = starts[s];
        const length = starts[s + 1] - first;
        const at = first + 2 * layout.reach * s + layout.reach + offset;
        for (let t = 0; t < length; t++) {
          const tuple = own[at + t];
          let found = none;
          if (tuple >= 0) {
            const previous = t > 0 ? gold[first + t - 1] : labels;
            const beforePrevious = t > 1 ? gold[first + t - 2] : labels;
            const slot = firstSlot + previousStep * previous + beforePreviousStep * beforePrevious;
            const end = firsts[tuple + 1];
            let f = firsts[tuple];
            while (f < end && slots[f] < slot) f++;
            if (f < end && slots[f] === slot) found = f;
          }
          table[(first + t) * width + column] = found;
        }
      }
      column++;
    }
  }
  const offsets = new Uint32Array(gold.length + 1);
  let filled = 0;
  for (let n = 0; n < gold.length; n++) {
    for (let i = n * width; i < (n + 1) * width; i++) if (table[i] !== none) table[filled++] = table[i];
    offsets[n + 1] = filled;
  }
  return { offsets, indices: table.subarray(0, filled), features: index.size };
}

/** The features that read label₋₁, alone and joined with each token. */
function labelHistory(walk: Walk, index: FeatureIndex): LabelHistory {
  const { starts, gold, labels, layout, tuples } = walk;
  const { slots, size: features } = index;
  const alone = new Uint32Array(labels + 1).fill(features);
  const previous = new Uint16Array(features);
  const offsets = new Uint32Array(gold.length + 1);
  let indices = new Uint32Array(0);
  for (const counting of [true, false]) {
    layout.conjunctions.forEach(({ views, placements }, c) => {
      const own = tuples[c];
      const firsts = index.starts[c];
      for (const { history, offset, firstSlot, slots: count } of placements) {
        if (history !== 'previous') continue;
        if (views.length === 0) {
          for (let f = firsts[0]; f < firsts[1]; f++) {
            const label = slots[f] - firstSlot;
            if (label >= 0 && label < count) alone[label] = f;
          }
          continue;
        }
        for (let s = 0; s + 1 < starts.length; s++) {
          const first = starts[s];
          const length = starts[s + 1] - first;
          const at = first + 2 * layout.reach * s + layout.reach + offset;
          for (let t = 0; t < length; t++) {
            const tuple = own[at + t];
            if (tuple < 0) continue;
            for (let f = firsts[tuple]; f < firsts[tuple + 1]; f++) {
              const label = slots[f] - firstSlot;
              if (label < 0 || label >= count) continue;
              if (counting) {
                offsets[first + t + 1]++;
                previous[f] = label;
              } else {
                indices[offsets[first + t]++] = f;
              }
            }
          }
        }
      }
    });
    if (counting) {
      for (let n = 0; n < gold.length; n++) offsets[n + 1] += offsets[n];
      indices = new Uint32Array(offsets[gold.length]);
    }
  }
  // Filling has moved each start to where the row ends.
  offsets.copyWithin(1, 0, gold.length);
  offsets[0] = 0;
  return { alone, joined: { offsets, indices, features }, previous };
}
