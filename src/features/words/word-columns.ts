import { grown } from '../../base/growable.js';
import { type Corpus, columnIndex } from '../../data/corpus.js';
import { documentStarts } from '../../data/documents.js';
import type { Span } from '../../data/span.js';
import { insertColumns } from '../insert-columns.js';
import type { Template } from '../template.js';
import { parseView } from '../views.js';
import { Casing } from './casing.js';
import { type Gazetteer, Lists } from './lists.js';
import { Majorities, STAGE_COLUMNS } from './majorities.js';
import { Mentions } from './mentions.js';
import { WordForms } from './word-forms.js';
import type { WordColumn, WordDocument, WordMatcher } from './word-kind.js';

/** Knowledge that derived columns of words are made of, besides a document's words. */
export interface WordKnowledge {
  /** Types of the stage before, ascending; none where there is none. */
  readonly stageTypes?: readonly string[] | undefined;
  /** Lists of names. */
  readonly gazetteer?: Gazetteer | undefined;
}

/** Kinds of columns that are made of a document's words. */
const WORD_KINDS: readonly ((knowledge: WordKnowledge) => WordMatcher | undefined)[] = [
  () => new Casing(),
  () => new Mentions(),
  ({ stageTypes = [] }) => new Majorities(stageTypes),
  ({ gazetteer }) => gazetteer && new Lists(gazetteer),
];

/** Names of the columns that templates can read where tokens are words, although no input has them. */
export const WORD_COLUMNS: readonly string[] = WORD_KINDS.flatMap((create) =>
  (create({})?.columns ?? []).map(({ name }) => name),
);

/** Whether a template reads labels of a stage before. */
export function readsStage({ nodes }: Template): boolean {
  return nodes.some((node) => 'view' in node && STAGE_COLUMNS.includes(parseView(node.view).column));
}

/** Forms that are remembered from one document to the next. */
const MOST_FORMS = 1 << 17;

/** Makes the derived columns of one document after another. */
export class WordColumns {
  /** [C] the columns. */
  readonly columns: readonly WordColumn[];
  /** [C][T] numbers of their cells in the document that was filled last; may be longer. */
  readonly cells: Uint32Array[];
  private readonly sources: readonly {
    matcher: WordMatcher;
    out: Uint32Array[];
    targets: readonly number[];
  }[];
  private known = new WordForms();

  /** @param names those wanted. */
  constructor(names: readonly string[], knowledge: WordKnowledge = {}) {
    const matchers = WORD_KINDS.flatMap((create) => create(knowledge) ?? []).filter((matcher) =>
      matcher.columns.some(({ name }) => names.includes(name)),
    );
    this.columns = matchers.flatMap(({ columns }) => columns.filter(({ name }) => names.includes(name)));
    this.sources = matchers.map((matcher) => ({
      matcher,
      out: matcher.columns.map(() => new Uint32Array(0)),
      targets: matcher.columns.map(({ name }) => this.columns.findIndex((column) => column.name === name)),
    }));
    this.cells = this.columns.map(() => new Uint32Array(0));
  }

  /** The forms that documents are to be made of, until the next document. */
  get forms(): WordForms {
    if (this.known.size > MOST_FORMS) this.known = new WordForms();
    return this.known;
  }

  /** Fills {@link cells}. */
  fill(document: WordDocument): void {
    const length = document.starts[document.sentences];
    for (const { matcher, out, targets } of this.sources) {
      for (let c = 0; c < out.length; c++) out[c] = grown(out[c], length);
      matcher.match(document, out);
      targets.forEach((target, c) => {
        if (target >= 0) this.cells[target] = out[c];
      });
    }
  }
}

/** What the stage before found in training data. */
export interface StageSpans {
  /** Names of the types, ascending. */
  readonly types: readonly string[];
  /** [S] spans of each sentence. */
  readonly spans: readonly (readonly Span[])[];
}

/**
 * Training data with derived columns of words, before the label column.
 *
 * @param documentSize sentences of a document where the input marks none.
 * @param stage spans that the stage before found, where columns read them.
 * @param gazetteer lists of names, where columns read them.
 */
export function withWordColumns(
  corpus: Corpus,
  names: readonly string[],
  documentSize: number,
  stage?: StageSpans,
  gazetteer?: Gazetteer,
): Corpus {
  if (names.length === 0) return corpus;
  const derived = new WordColumns(names, { stageTypes: stage?.types, gazetteer });
  const column = columnIndex(corpus, 'word');
  const words = corpus.alphabets[column];
  const { forms } = derived;
  const formOf = Uint32Array.from(words.toArray(), (text) => forms.add(text));
  const none = words.copy().add('');
  const cells = derived.columns.map(() => new Uint32Array(corpus.lines.length));
  const documents = documentStarts(corpus, documentSize);
  for (let d = 0; d + 1 < documents.length; d++) {
    const starts = corpus.starts.slice(documents[d], documents[d + 1] + 1);
    const first = starts[0];
    const own = corpus.cells[column].subarray(first, starts[starts.length - 1]);
    for (let s = 0; s < starts.length; s++) starts[s] -= first;
    derived.fill({
      forms,
      words: own.map((id) => formOf[id]),
      starts,
      sentences: starts.length - 1,
      spans: stage && spanNumbers(stage, starts, documents[d]),
      firstSentence: documents[d],
    });
    derived.columns.forEach(({ strings }, c) => {
      const numbers = derived.cells[c];
      for (let t = 0; t < own.length; t++) {
        const number = numbers[t];
        cells[c][first + t] = strings ? number : number === 0 ? none : own[number - 1];
      }
    });
  }
  const added = derived.columns.map(({ name, strings }, c) => ({ name, strings, cells: cells[c] }));
  return insertColumns(corpus, added, words);
}

/** The spans of a document as {@link WordDocument.spans}. @param first its first sentence. */
function spanNumbers({ types, spans }: StageSpans, starts: Uint32Array, first: number): number[] {
  const numbers: number[] = [];
  for (let s = 0; s + 1 < starts.length; s++) {
    for (const { start, end, type } of spans[first + s]) {
      numbers.push(starts[s] + start, starts[s] + end, types.indexOf(type));
    }
  }
  return numbers;
}
