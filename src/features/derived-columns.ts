import { grown } from '../base/growable.js';
import { type Corpus, columnIndex } from '../data/corpus.js';
import type { TokenUnit } from '../data/formats/input-unit.js';
import { ACCESSOR_VARIETY_COLUMNS } from './accessor-variety.js';
import type { CharacterKnowledge, DerivedKind, DerivedMatcher } from './derived-kind.js';
import { FoldedCharacters } from './folded-characters.js';
import { insertColumns } from './insert-columns.js';
import { LEXICON_COLUMNS } from './lexicon.js';
import { REPETITION_COLUMN } from './repetition.js';
import type { TemplateSet } from './template.js';
import { parseView } from './views.js';
import { LIST_PREFIX } from './words/lists.js';
import { WORD_COLUMNS } from './words/word-columns.js';

/** All kinds of derived columns. */
export const DERIVED_KINDS: readonly DerivedKind[] = [
  LEXICON_COLUMNS,
  ACCESSOR_VARIETY_COLUMNS,
  REPETITION_COLUMN,
];

const DERIVED_COLUMNS = DERIVED_KINDS.flatMap(({ columns }) => columns);

/** The columns that templates can read: those of the input, and those derived of its tokens. */
export function readableColumns(
  inputs: readonly string[],
  tokens: TokenUnit,
  lists: readonly string[] = [],
): readonly string[] {
  const derived =
    tokens === 'characters' ? DERIVED_COLUMNS : [...WORD_COLUMNS, ...lists.map((name) => LIST_PREFIX + name)];
  return inputs.includes('word') ? [...new Set([...inputs, ...derived])] : inputs;
}

/** The columns derived of characters that templates read. */
export function derivedColumnsOf(set: TemplateSet, columns: readonly string[]): string[] {
  const read = columnsRead(set);
  return DERIVED_COLUMNS.filter((name) => read.has(name) && !columns.includes(name));
}

/** Columns of a configuration. */
interface ReadColumns {
  readonly columns: readonly string[];
  readonly tokens: TokenUnit;
  readonly lists?: readonly string[] | undefined;
}

/** The columns derived of words that templates read. */
export function wordColumnsOf(set: TemplateSet, { columns, tokens, lists = [] }: ReadColumns): string[] {
  if (tokens !== 'words') return [];
  const read = columnsRead(set);
  const derived = [...WORD_COLUMNS, ...lists.map((name) => LIST_PREFIX + name)];
  return derived.filter((name) => read.has(name) && !columns.includes(name));
}

/** Names of the columns that templates read. */
function columnsRead({ templates }: TemplateSet): Set<string> {
  const nodes = templates.flatMap(({ nodes }) => nodes);
  return new Set(nodes.flatMap((node) => ('view' in node ? [parseView(node.view).column] : [])));
}

/** Whether templates read accessor variety, which has to be measured. */
export function readsAccessorVariety(templates: TemplateSet, columns: readonly string[]): boolean {
  const derived = derivedColumnsOf(templates, columns);
  return derived.some((name) => ACCESSOR_VARIETY_COLUMNS.columns.includes(name));
}

/** Makes the derived columns of one sentence after another. */
export class DerivedColumns {
  /** [C] their names. */
  readonly names: readonly string[];
  /** Numbers of characters. */
  readonly characters = new FoldedCharacters();
  /** [C] numbers of the cells. */
  readonly cells: Uint8Array[];
  /** [C] the cell for each number. */
  readonly strings: readonly (readonly string[])[];
  private readonly sources: {
    readonly kind: DerivedKind;
    readonly matcher: DerivedMatcher;
    /** [columns of the kind] where each goes, −1 for those that nobody reads. */
    readonly targets: readonly number[];
    out: Uint8Array;
  }[];

  /** @param names the columns wanted, as {@link derivedColumnsOf} gives them [C]. */
  constructor(names: readonly string[], knowledge: CharacterKnowledge) {
    this.names = names;
    this.sources = DERIVED_KINDS.filter(({ columns }) => columns.some((name) => names.includes(name))).map(
      (kind) => ({
        kind,
        matcher: kind.create(knowledge, this.characters),
        targets: kind.columns.map((name) => names.indexOf(name)),
        out: new Uint8Array(0),
      }),
    );
    this.cells = names.map(() => new Uint8Array(0));
    this.strings = names.map(
      (name) => DERIVED_KINDS.find(({ columns }) => columns.includes(name))?.cells ?? [],
    );
  }

  /**
   * Fills {@link cells}, of which the first `length` elements count then.
   *
   * @param characters [T] numbers of the sentence's characters.
   * @param sentence its number, if it is one of the training data.
   */
  fill(characters: Uint32Array, length: number, sentence?: number): void {
    for (const source of this.sources) {
      const { matcher, targets } = source;
      source.out = grown(source.out, targets.length * length);
      matcher.match(characters, length, source.out, sentence);
      targets.forEach((target, c) => {
        if (target >= 0) this.cells[target] = source.out.subarray(c * length, (c + 1) * length);
      });
    }
  }
}

/**
 * Training data with derived columns, before the label column.
 *
 * @param knowledge with the words of each sentence.
 */
export function withDerivedColumns(
  corpus: Corpus,
  names: readonly string[],
  knowledge: CharacterKnowledge,
): Corpus {
  if (names.length === 0) return corpus;
  const derived = new DerivedColumns(names, knowledge);
  const column = columnIndex(corpus, 'word');
  const numberOf = Uint32Array.from(corpus.alphabets[column].toArray(), (text) =>
    derived.characters.find(text),
  );
  const cells = names.map(() => new Uint32Array(corpus.lines.length));
  const characters = corpus.cells[column].map((id) => numberOf[id]);
  for (let s = 0; s + 1 < corpus.starts.length; s++) {
    const first = corpus.starts[s];
    const end = corpus.starts[s + 1];
    derived.fill(characters.subarray(first, end), end - first, s);
    for (let c = 0; c < names.length; c++) cells[c].set(derived.cells[c], first);
  }
  return insertColumns(
    corpus,
    names.map((name, c) => ({ name, strings: derived.strings[c], cells: cells[c] })),
  );
}
