/**
 * Columns that templates can read although no input has them: they are made of a sentence's characters and the words of
 * the training data.
 */
import { Alphabet } from '../data/alphabet.js';
import { type Corpus, columnIndex } from '../data/corpus.js';
import type { TokenUnit } from '../data/formats/unit-readers.js';
import { Lexicon, partOf } from './lexicon.js';
import type { TemplateSet } from './template.js';
import { parseView } from './views.js';

/** Names of derived columns, in the order of the parts of what {@link Lexicon.match} writes. */
export const DERIVED_COLUMNS: readonly string[] = ['begins', 'ends', 'inside'];

/** The cell for each length of a word. */
export const LENGTH_CELLS: readonly string[] = ['0', '1', '2', '3', '4', '5', '6'];

/** The columns that templates can read: those of the input, and where tokens are characters the derived ones. */
export function readableColumns(inputs: readonly string[], tokens: TokenUnit): readonly string[] {
  return tokens === 'characters' ? [...inputs, ...DERIVED_COLUMNS] : inputs;
}

/** The derived columns that templates read. */
export function derivedColumnsOf({ templates }: TemplateSet, columns: readonly string[]): string[] {
  const nodes = templates.flatMap(({ nodes }) => nodes);
  const read = new Set(nodes.flatMap((node) => (node.kind === 'token' ? [parseView(node.view).column] : [])));
  return DERIVED_COLUMNS.filter((name) => read.has(name) && !columns.includes(name));
}

/**
 * Training data with derived columns, jack-knifed, before the label column.
 *
 * @param words [S] the words of each sentence.
 */
export function withDerivedColumns(
  corpus: Corpus,
  names: readonly string[],
  words: readonly (readonly string[])[],
): Corpus {
  if (names.length === 0) return corpus;
  const lexicon = Lexicon.jackknifed(words);
  const column = columnIndex(corpus, 'word');
  const numberOf = Uint32Array.from(corpus.alphabets[column].toArray(), (text) => lexicon.find(text));
  const cells = names.map(() => new Uint32Array(corpus.lines.length));
  const characters = corpus.cells[column].map((id) => numberOf[id]);
  for (let s = 0; s < words.length; s++) {
    const first = corpus.starts[s];
    const length = corpus.starts[s + 1] - first;
    const lengths = new Uint8Array(DERIVED_COLUMNS.length * length);
    lexicon.match(characters.subarray(first, first + length), length, lengths, partOf(s, words.length));
    names.forEach((name, c) => {
      const from = DERIVED_COLUMNS.indexOf(name) * length;
      cells[c].set(lengths.subarray(from, from + length), first);
    });
  }
  const alphabet = new Alphabet();
  for (const cell of LENGTH_CELLS) alphabet.add(cell);
  const last = corpus.columns.length - 1;
  const insert = <T>(list: readonly T[], added: readonly T[]) => [
    ...list.slice(0, last),
    ...added,
    list[last],
  ];
  return {
    ...corpus,
    columns: insert(corpus.columns, names),
    alphabets: insert(
      corpus.alphabets,
      names.map(() => alphabet),
    ),
    cells: insert(corpus.cells, cells),
  };
}
