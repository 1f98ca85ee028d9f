import { Alphabet } from '../data/alphabet.js';
import { type Corpus, columnIndex } from '../data/corpus.js';
import type { Direction } from '../tags/direction.js';
import { FIRST_VALUE, PADDING } from './layout.js';
import type { SentenceTuples } from './sentence-tuples.js';
import { parseView } from './views.js';

/** What views make of a corpus: each distinct string is looked at once. */
export class CorpusViews {
  /** [V] strings of each view; value id = string id + FIRST_VALUE. */
  readonly values: readonly Alphabet[];
  private readonly corpus: Corpus;
  private readonly direction: Direction;
  /** [V][N] cells of each view's column. */
  private readonly cells: readonly Uint32Array[];
  /** [V][strings] value of each string of the column, 0 for none. */
  private readonly valueOfString: readonly Uint32Array[];

  /**
   * @param names the views.
   * @param known [V] strings that keep their ids; default none.
   */
  constructor(corpus: Corpus, names: readonly string[], direction: Direction, known?: readonly Alphabet[]) {
    this.corpus = corpus;
    this.direction = direction;
    const views = names.map((name) => parseView(name, corpus.columns));
    const columns = views.map(({ column }) => columnIndex(corpus, column));
    this.values = views.map((_, v) => known?.[v].copy() ?? new Alphabet());
    this.cells = columns.map((column) => corpus.cells[column]);
    this.valueOfString = views.map(({ apply }, v) => {
      const alphabet = corpus.alphabets[columns[v]];
      return Uint32Array.from({ length: alphabet.size }, (_, id) => {
        const value = apply(alphabet.string(id));
        return value === undefined ? 0 : FIRST_VALUE + this.values[v].add(value);
      });
    });
  }

  /** Puts a sentence's values into `lattice`, in reading order. */
  fill(sentence: number, lattice: SentenceTuples): void {
    const { cells, valueOfString, direction } = this;
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
