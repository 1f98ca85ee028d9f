import { grown } from '../base/growable.js';
import { WordColumns, type WordKnowledge } from '../features/words/word-columns.js';
import type { WordColumn } from '../features/words/word-kind.js';
import type { SentenceCells } from './stretch.js';

/** Makes the derived columns of words for the sentences of whole documents. */
export class DocumentCells {
  private readonly derived: WordColumns;
  /** Number of input columns, and which of them is `word`. */
  private readonly inputs: number;
  private readonly wordColumn: number;
  /** [T] forms of a document's words. */
  private words = new Uint32Array(256);
  /** [S + 1] starts of a document's sentences. */
  private starts = new Uint32Array(64);
  /** [C] cells of all sentences, as {@link SentenceCells.derived} has them. */
  private readonly cells: Uint32Array[];

  /**
   * @param names the derived columns.
   * @param inputs the columns that sentences have.
   */
  constructor(names: readonly string[], inputs: readonly string[], knowledge: WordKnowledge) {
    this.derived = new WordColumns(names, knowledge);
    this.inputs = inputs.length;
    this.wordColumn = inputs.indexOf('word');
    this.cells = this.derived.columns.map(() => new Uint32Array(0));
  }

  /** The columns. */
  get columns(): readonly WordColumn[] {
    return this.derived.columns;
  }

  /**
   * The sentences with their derived columns, which hold until the next call.
   *
   * @param documents first sentence of each document, ascending from 0.
   * @param spans of the stage before [sentences], if there is one.
   */
  derive(
    sentences: SentenceCells,
    count: number,
    documents: ArrayLike<number>,
    spans?: readonly (readonly number[])[],
  ): SentenceCells {
    const { cells, derived } = this;
    const tokens = sentences.starts[count];
    derived.columns.forEach(({ strings }, c) => {
      cells[c] = grown(cells[c], strings ? tokens : 2 * tokens);
    });
    for (let d = 0; d < documents.length; d++) {
      const end = d + 1 < documents.length ? documents[d + 1] : count;
      this.deriveDocument(sentences, documents[d], end, spans);
    }
    return { ...sentences, derived: cells };
  }

  private deriveDocument(
    { bytes, cells, starts }: SentenceCells,
    from: number,
    to: number,
    spans?: readonly (readonly number[])[],
  ): void {
    const { derived, inputs, wordColumn } = this;
    const { forms } = derived;
    const first = starts[from];
    const length = starts[to] - first;
    this.words = grown(this.words, length);
    this.starts = grown(this.starts, to - from + 1);
    for (let s = from; s <= to; s++) this.starts[s - from] = starts[s] - first;
    const placeOf = (token: number) => 2 * ((first + token) * inputs + wordColumn);
    for (let t = 0; t < length; t++) {
      const at = placeOf(t);
      this.words[t] = forms.addBytes(bytes, cells[at], cells[at + 1]);
    }
    const own = spans
      ?.slice(from, to)
      .flatMap((numbers, s) => numbers.map((number, i) => (i % 3 === 2 ? number : number + this.starts[s])));
    derived.fill({ forms, words: this.words, starts: this.starts, sentences: to - from, spans: own });
    derived.columns.forEach(({ strings }, c) => {
      const numbers = derived.cells[c];
      const out = this.cells[c];
      if (strings) {
        out.set(numbers.subarray(0, length), first);
        return;
      }
      for (let t = 0; t < length; t++) {
        const number = numbers[t];
        const at = placeOf(number === 0 ? t : number - 1);
        out[2 * (first + t)] = cells[at];
        // An empty cell stands where the token's own word begins.
        out[2 * (first + t) + 1] = number === 0 ? cells[at] : cells[at + 1];
      }
    });
  }
}
