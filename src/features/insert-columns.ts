import { Alphabet } from '../data/alphabet.js';
import type { Corpus } from '../data/corpus.js';

/** A column to be added to a corpus. */
export interface AddedColumn {
  /** Its name. */
  readonly name: string;
  /** Its strings by number. Absent where they are those of `words`, and after these the empty one. */
  readonly strings?: readonly string[] | undefined;
  /** [T] numbers of its cells. */
  readonly cells: Uint32Array;
}

/** A corpus with more columns, before the label column. @param words strings of columns without their own. */
export function insertColumns(corpus: Corpus, added: readonly AddedColumn[], words?: Alphabet): Corpus {
  const alphabets = added.map(({ strings }) => {
    const alphabet = strings === undefined && words ? words.copy() : new Alphabet();
    for (const cell of strings ?? ['']) alphabet.add(cell);
    return alphabet;
  });
  const last = corpus.columns.length - 1;
  const insert = <T>(list: readonly T[], own: readonly T[]) => [...list.slice(0, last), ...own, list[last]];
  return {
    ...corpus,
    columns: insert(
      corpus.columns,
      added.map(({ name }) => name),
    ),
    alphabets: insert(corpus.alphabets, alphabets),
    cells: insert(
      corpus.cells,
      added.map(({ cells }) => cells),
    ),
  };
}
