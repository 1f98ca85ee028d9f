import type { ScorerParts } from '../decode/scorer-parts.js';
import type { TokenHistory } from '../decode/token-kinds.js';
import { type History, PADDING, type Placement } from '../features/layout.js';
import type { SentenceTuples } from '../features/sentence-tuples.js';
import { laneCount } from '../kernels/lane-count.js';
import type { Model } from '../model/model.js';

/** Weights of features that read earlier labels, as scorers take them. */
export type HistoryRows = Pick<ScorerParts, 'first' | 'second' | 'pair' | 'tokenHistory'>;

/**
 * The weights that read earlier labels, in the form a scorer takes: tables by label₋₁, label₋₂ and both, and label₋₁
 * joined with the token. Parts that no template reads are absent.
 *
 * @param tuples the sentence being labelled; read whenever a token is scored.
 */
export function historyRows(model: Model, tuples: SentenceTuples): HistoryRows {
  return {
    first: tableOf(model, 'previous'),
    second: tableOf(model, 'before-previous'),
    pair: tableOf(model, 'both'),
    tokenHistory: tokenHistoryOf(model, tuples),
  };
}

/** Weights of the template that reads earlier labels alone, one row per slot; slots count as scorers' tables do. */
function tableOf(model: Model, history: History): Float32Array | undefined {
  const { features, weights } = model;
  const lanes = laneCount(model.problems);
  const { conjunctions } = features.layout;
  const c = conjunctions.findIndex(({ views }) => views.length === 0);
  const placement = conjunctions[c]?.placements.find((candidate) => candidate.history === history);
  if (placement === undefined) return undefined;
  const table = new Float32Array(placement.slots * lanes);
  for (let f = features.starts[c][0]; f < features.starts[c][1]; f++) {
    const row = features.slots[f] - placement.firstSlot;
    if (row < 0 || row >= placement.slots) continue;
    weights.addTo(f, table, row * lanes);
  }
  return table;
}

/** A template that is joined with the label at −1. */
interface Joined {
  readonly c: number;
  readonly placement: Placement;
  /** Words that its features take. */
  readonly words: number;
  /** Parts of its key: numbers of views with their offsets from the token. */
  readonly parts: readonly number[];
}

/** A token's own features are those of templates whose tuples take no more words than this on average. */
const OWN_WORDS = 4;

/** Features that templates join with the label at −1; undefined where none does. */
function tokenHistoryOf(model: Model, sentence: SentenceTuples): TokenHistory | undefined {
  const { tables, layout } = model.features;
  const read: { view: number; offset: number }[] = [];
  const partOf = (view: number, offset: number) => {
    const found = read.findIndex((part) => part.view === view && part.offset === offset);
    return found < 0 ? read.push({ view, offset }) - 1 : found;
  };
  const joined = layout.conjunctions.flatMap(({ views, shifts, placements }, c) =>
    (views.length === 0 ? [] : placements.filter(({ history }) => history === 'previous')).map(
      (placement): Joined => ({
        c,
        placement,
        words: wordsOf(model, c, placement),
        parts: views.map((view, i) => partOf(view, placement.offset + shifts[i])),
      }),
    ),
  );
  if (joined.length === 0) return undefined;
  const isLight = ({ c, words }: Joined) => words <= OWN_WORDS * (model.features.starts[c].length - 1);
  const ofBases = new Set(joined.filter((join) => !isLight(join)).flatMap(({ parts }) => parts));
  // Whatever reads nothing that bases do not read goes with them.
  const ofBase = joined.filter(({ parts }) => parts.every((part) => ofBases.has(part)));
  const all = [...ofBase, ...joined.filter((join) => !ofBase.includes(join))];
  const order = [...ofBases, ...read.keys()].filter((part, i, parts) => parts.indexOf(part) === i);
  const key = new Uint32Array(Math.max(...joined.map(({ parts }) => parts.length)));
  const columns = order.map((part) => read[part]);
  const templates = all.map(({ c, parts }) => ({
    /** Where what it reads is in a key. */
    places: parts.map((part) => order.indexOf(part)),
    table: tables[c],
    /** [tuples + 1] where each tuple's run starts. */
    runs: new Uint32Array(0) as Uint32Array,
  }));
  return {
    keySize: order.length,
    baseSize: ofBases.size,
    writeKeys(from, count, out, stride) {
      const { values, stride: step } = sentence;
      for (let i = 0; i < columns.length; i++) {
        const { view, offset } = columns[i];
        const at = view * step + PADDING + from + offset;
        for (let j = 0; j < count; j++) out[i * stride + j] = values[at + j];
      }
    },
    words: all.reduce((sum, { words }) => sum + words, 0),
    pack(words, floats) {
      let end = 0;
      all.forEach(({ c, placement }, i) => {
        const runs = packTemplate(model, c, placement, words, floats, end);
        end = runs[runs.length - 1];
        templates[i].runs = runs;
      });
    },
    baseRuns: ofBase.length,
    ownRuns: all.length - ofBase.length,
    writeRuns(keys, keyAt, first, count, out, at) {
      for (let i = 0; i < count; i++) {
        const { places, table, runs } = templates[first + i];
        let present = true;
        for (let part = 0; part < places.length; part++) {
          key[part] = keys[keyAt + places[part]];
          if (key[part] === 0) present = false;
        }
        const tuple = !present ? -1 : table ? table.id(key, false) : key[0];
        out[at + 2 * i] = tuple < 0 ? 0 : runs[tuple];
        out[at + 2 * i + 1] = tuple < 0 ? 0 : runs[tuple + 1];
      }
    },
  };
}

/** Whether a feature has the same weight for all problems. */
function isConstant({ weights, problems }: Model, feature: number): boolean {
  const { starts, values } = weights;
  const first = starts[feature];
  if (starts[feature + 1] - first !== problems) return false;
  for (let j = first + 1; j < first + problems; j++) if (values[j] !== values[first]) return false;
  return true;
}

/** Words that the features of a template take. */
function wordsOf(model: Model, c: number, { firstSlot, slots }: Placement): number {
  const { features, weights } = model;
  const starts = features.starts[c];
  let words = 0;
  for (let f = starts[0]; f < starts[starts.length - 1]; f++) {
    const label = features.slots[f] - firstSlot;
    const count = weights.starts[f + 1] - weights.starts[f];
    if (label < 0 || label >= slots || count === 0) continue;
    words += isConstant(model, f) ? 2 : 1 + 2 * count;
  }
  return words;
}

/** Packs the features of a template from `at` on as `JoinedFeatures` has them; returns where each tuple's run starts, [tuples + 1]. */
function packTemplate(
  model: Model,
  c: number,
  { firstSlot, slots }: Placement,
  words: Uint32Array,
  floats: Float32Array,
  at: number,
): Uint32Array {
  const { features, weights } = model;
  const { starts: firsts, lanes, values } = weights;
  const starts = features.starts[c];
  const runs = new Uint32Array(starts.length);
  let word = at;
  for (let tuple = 0; tuple + 1 < starts.length; tuple++) {
    runs[tuple] = word;
    for (let f = starts[tuple]; f < starts[tuple + 1]; f++) {
      const label = features.slots[f] - firstSlot;
      const first = firsts[f];
      const last = firsts[f + 1];
      if (label < 0 || label >= slots || first === last) continue;
      if (isConstant(model, f)) {
        words[word++] = label << 16;
        floats[word++] = values[first];
        continue;
      }
      words[word++] = (label << 16) | (last - first);
      for (let j = first; j < last; j++) {
        words[word++] = lanes[j];
        floats[word++] = values[j];
      }
    }
  }
  runs[starts.length - 1] = word;
  return runs;
}
