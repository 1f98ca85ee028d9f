import { Alphabet } from '../data/alphabet.js';
import { type Corpus, columnIndex } from '../data/corpus.js';
import type { Direction } from '../tags/direction.js';
import { FIRST_VALUE, PADDING } from './layout.js';
import type { PossibleClasses } from './possible-classes.js';
import type { SentenceTuples } from './sentence-tuples.js';
import { parseView, type ViewKnowledge, viewBeforeClasses } from './views.js';

/** Options of views of training data. */
export interface ViewOptions {
  /** Possible classes, for views that read them. */
  readonly classes?: PossibleClasses | undefined;
  /** Clusters of words, for views that read them. */
  readonly cluster?: ViewKnowledge['cluster'];
  /** [S] part of the data whose own labels are hidden from a sentence's possible classes, −1 for none; default none. */
  readonly hiddenFrom?: Int16Array | undefined;
  /** Strings of the first column seen less often than this are no values of it unless they are known; default 1. */
  readonly wordCutOff?: number | undefined;
  /** [V] strings of each view that keep their ids; default none. */
  readonly known?: readonly Alphabet[] | undefined;
  /** How many sentences count for cut-offs, the first ones; default all. */
  readonly counted?: number | undefined;
}

/** Values of views over a corpus; each distinct string is derived once. */
export class CorpusViews {
  /** [V] strings of each view; value id = string id + FIRST_VALUE. */
  readonly values: readonly Alphabet[];
  private readonly corpus: Corpus;
  private readonly direction: Direction;
  /** [V][N] cells of each view's column. */
  private readonly cells: readonly Uint32Array[];
  private readonly hiddenFrom: Int16Array | undefined;
  /** [1 + parts][V][strings] value of each string of the column, 0 for none; first where no part is hidden from. */
  private readonly valueOfString: readonly (readonly Uint32Array[])[];

  /** @param names the views. */
  constructor(corpus: Corpus, names: readonly string[], direction: Direction, options: ViewOptions = {}) {
    const { classes, hiddenFrom, known } = options;
    this.corpus = corpus;
    this.direction = direction;
    this.hiddenFrom = hiddenFrom;
    this.values = names.map((_, v) => known?.[v].copy() ?? new Alphabet());
    const columns = names.map((name) => columnIndex(corpus, parseView(name, corpus.columns).column));
    this.cells = columns.map((column) => corpus.cells[column]);
    const isRare = rareWords(corpus, options);
    const tableOf = (v: number, part: number) => {
      const { apply } = parseView(names[v], undefined, {
        classes: (view, value) => classes?.of(view, value, part),
        cluster: options.cluster,
      });
      const alphabet = corpus.alphabets[columns[v]];
      return Uint32Array.from({ length: alphabet.size }, (_, id) => {
        const text = alphabet.string(id);
        const isLeftOut = names[v] === corpus.columns[0] && isRare[id] === 1;
        if (isLeftOut && (known === undefined || known[v].find(text) < 0)) return 0;
        const value = apply(text);
        return value === undefined ? 0 : FIRST_VALUE + this.values[v].add(value);
      });
    };
    const whole = names.map((_, v) => tableOf(v, -1));
    const parts = 1 + (hiddenFrom?.reduce((most, part) => Math.max(most, part), -1) ?? -1);
    const ofParts = Array.from({ length: parts }, (_, part) =>
      names.map((name, v) => (viewBeforeClasses(name) === undefined ? whole[v] : tableOf(v, part))),
    );
    this.valueOfString = [whole, ...ofParts];
  }

  /** Puts a sentence's values into `lattice`, in reading order. */
  fill(sentence: number, lattice: SentenceTuples): void {
    const { cells, direction, hiddenFrom } = this;
    const valueOfString = this.valueOfString[1 + (hiddenFrom === undefined ? -1 : hiddenFrom[sentence])];
    const first = this.corpus.starts[sentence];
    const length = this.corpus.starts[sentence + 1] - first;
    lattice.reset(length);
    const step = direction === 'forward' ? 1 : -1;
    const start = direction === 'forward' ? first : first + length - 1;
    for (let v = 0; v < cells.length; v++) {
      const own = cells[v];
      const values = valueOfString[v];
      const out = v * lattice.stride + PADDING;
      for (let t = 0; t < length; t++) lattice.values[out + t] = values[own[start + step * t]];
    }
  }
}

/** [strings of the first column] 1 for those below the cut-off. */
function rareWords(
  { alphabets, cells, starts }: Corpus,
  { wordCutOff = 1, counted }: ViewOptions,
): Uint8Array {
  const counts = new Uint32Array(alphabets[0].size);
  const end = starts[counted ?? starts.length - 1];
  for (let n = 0; n < end; n++) counts[cells[0][n]]++;
  return Uint8Array.from(counts, (count) => (count < wordCutOff ? 1 : 0));
}
