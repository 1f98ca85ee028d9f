import { checkArgument } from '../base/arguments.js';
import { listNames, OptionError } from '../base/errors.js';
import type { SentenceColumns } from '../data/corpus.js';
import { splitCharacters } from '../data/formats/characters.js';
import { type GivenColumns, isComplete } from '../data/formats/input-unit.js';
import type { Span } from '../data/span.js';
import type { Model } from '../model/model.js';
import { spanConfidence } from '../tag/labelling.js';
import { tagMarginals } from '../tag/tag-marginals.js';
import { Tagger } from '../tag/tagger.js';
import type { SentenceOptions } from '../text/text-scanner.js';
import type { TextSentence } from '../text/text-sentence.js';
import { TOKENIZERS } from '../text/tokenizers.js';
import {
  type LabelledChunk,
  type LabelledSentence,
  type LabelledToken,
  labelledChunks,
  labelledTokens,
  placer,
  type TextPlace,
} from './labelled-sentence.js';
import { joinWhole, WHOLE_RUNS, type WholeRun } from './whole-runs.js';

/** A sentence of a labelled text. */
export interface SentencePlace extends TextPlace {
  /** Its first token in the text's token list, from 0. */
  readonly firstToken: number;
  /** Its last token. */
  readonly lastToken: number;
}

/** A labelled text. */
export interface TextLabelling {
  /** Sentences in text order. */
  readonly sentences: readonly SentencePlace[];
  /** Tokens in text order. */
  readonly tokens: readonly LabelledToken[];
  /** Chunks in text order; none where every token has a label of its own. */
  readonly chunks: readonly LabelledChunk[];
}

/**
 * Labels raw text, or words, with models one after the other: each fills the column that its labels are, and later ones
 * read it. A part-of-speech model and a chunker make text → tokens → parts of speech → chunks. One pipeline must not
 * be used from two places at once.
 */
export class Pipeline {
  /** The last tagger, whose labels are the result. */
  readonly last: Tagger;
  /** The taggers before it. */
  readonly earlier: readonly Tagger[];
  /** Columns that a sentence must have: those that no earlier model fills. */
  readonly inputColumns: readonly string[];
  /** [T] cells of the last sentence by column: given or filled in. */
  columns: SentenceColumns = {};

  /** @param stages models, or taggers made of them, in the order in which they work; at least one. */
  constructor(stages: readonly (Model | Tagger)[]) {
    checkArgument('stages', stages, 'stages');
    const taggers = stages.map((stage) => (stage instanceof Tagger ? stage : new Tagger(stage)));
    const last = taggers.at(-1);
    if (last === undefined) throw new OptionError('models', 'expected at least one model, found none');
    const units = taggers.map(({ model }) => model.configuration.tokens);
    if (new Set(units).size > 1) {
      throw new OptionError(
        'models',
        `expected models of words or models of characters, found both: ${units.join(', ')}`,
      );
    }
    this.last = last;
    this.earlier = taggers.slice(0, -1);
    const filled = new Set<string>();
    const needed = new Set<string>();
    for (const { inputColumns, labelColumn } of taggers) {
      for (const name of inputColumns) if (!filled.has(name)) needed.add(name);
      filled.add(labelColumn);
    }
    this.inputColumns = [...needed];
  }

  /** Runs of characters that a model of characters leaves whole; default Latin letters and digits. */
  wholeRuns: readonly WholeRun[] = WHOLE_RUNS;

  /** The last model. */
  get model(): Model {
    return this.last.model;
  }

  /**
   * Labels raw text: its characters where the models are made for those, as for Chinese, else the tokens of English.
   *
   * @param options of sentences of English.
   * @throws OptionError when the models read more than words and what models before them fill in, or for no string.
   */
  label(text: string, options?: SentenceOptions): TextLabelling {
    checkArgument('text', text, 'string');
    this.checkReadsText();
    const sentences: SentencePlace[] = [];
    const tokens: LabelledToken[] = [];
    const chunks: LabelledChunk[] = [];
    const split = splitForPipeline(this, text, options);
    const columns = split.map(({ words }) => ({ word: words }));
    for (const labelled of this.labelSentences(split, columns, true)) {
      const { sentence } = labelled;
      const firstToken = tokens.length;
      for (const chunk of labelledChunks(labelled, firstToken)) chunks.push(chunk);
      for (const token of labelledTokens(labelled)) tokens.push(token);
      const place = placer(sentence)(0, sentence.text.length);
      sentences.push({ ...place, firstToken, lastToken: tokens.length - 1 });
    }
    return { sentences, tokens, chunks };
  }

  /** @throws OptionError when the models read more than words and what models before them fill in. */
  checkReadsText(): void {
    const missing = this.inputColumns.filter((name) => name !== 'word');
    if (missing.length === 0) return;
    throw new OptionError(
      'models',
      `the model reads the column ${listNames(missing)}, which raw text does not have: expected a model before it ` +
        `that fills ${missing.length > 1 ? 'them' : 'it'}`,
    );
  }

  /**
   * Labels sentences.
   *
   * @param columns [sentences][T] their cells; columns that are missing are filled by the earlier models.
   * @param confidence whether to say how sure the model is.
   * @param kbest how many of the best labellings of each to list, if any.
   * @param documents first sentence of each document; default all are one.
   * @param marginals whether to give the probabilities of all tags.
   */
  labelSentences(
    sentences: readonly TextSentence[],
    columns: readonly SentenceColumns[],
    confidence: boolean,
    kbest?: number,
    documents?: ArrayLike<number>,
    marginals = false,
  ): LabelledSentence[] {
    const labelled: LabelledSentence[] = [];
    const take = (s: number) => {
      const own = this.labelledSentence(sentences[s], confidence, kbest);
      labelled.push(marginals ? { ...own, marginals: tagMarginals(this.last) } : own);
    };
    this.decodeSentences(columns, take, documents);
    return labelled;
  }

  /** The last sentence with its labels. */
  private labelledSentence(sentence: TextSentence, confidence: boolean, kbest?: number): LabelledSentence {
    const { last } = this;
    const confidences = confidence ? last.confidences() : undefined;
    const tokenLabels = last.model.tagSet.scheme === 'token';
    const found = tokenLabels ? [] : last.spans();
    const isOfCharacters = last.model.configuration.tokens === 'characters';
    const spans = isOfCharacters ? joinWhole(sentence.words, found, this.wholeRuns) : found;
    return {
      sentence,
      columns: this.columns,
      labelColumn: last.labelColumn,
      tags: last.tagStrings(spans),
      chunks: tokenLabels
        ? undefined
        : spans.map((span) => ({
            ...span,
            ...(confidences && { confidence: spanConfidence(span, confidences) }),
          })),
      confidences,
      ...(kbest !== undefined && { alternatives: last.alternatives(kbest) }),
    };
  }

  /**
   * Labels sentences given as strings; the results are in the last tagger.
   *
   * @param each called after each sentence, which is then the last one.
   * @param documents first sentence of each document; default all are one.
   */
  decodeSentences(
    sentences: readonly SentenceColumns[],
    each?: (sentence: number) => void,
    documents?: ArrayLike<number>,
  ): void {
    const filled = this.fill(sentences);
    const take = (s: number) => {
      this.columns = filled[s];
      each?.(s);
    };
    this.last.decodeSentences(filled, take, documents);
  }

  /**
   * Fills the cells that sentences lack and earlier models fill. Model by model rather than sentence by sentence: so
   * the tables of one at a time stay in fast memory.
   */
  fill(sentences: readonly GivenColumns[]): SentenceColumns[] {
    let filled = sentences;
    for (const tagger of this.earlier) filled = fillColumns(tagger, filled);
    return filled as SentenceColumns[];
  }

  /** Chunks of the last sentence, in text order. */
  spans(): Span[] {
    return this.last.spans();
  }
}

/** Sentences of a text, in the tokens that a pipeline's models are made for. */
export function splitForPipeline(
  { model }: Pick<Pipeline, 'model'>,
  text: string,
  options?: SentenceOptions,
): TextSentence[] {
  const { tokens, tokenizer = 'english' } = model.configuration;
  return tokens === 'characters' ? splitCharacters(text) : TOKENIZERS[tokenizer].split(text, options);
}

/** Has a tagger fill the cells of its label column that tokens of sentences lack; what is given stays. */
export function fillColumns(tagger: Tagger, sentences: readonly GivenColumns[]): GivenColumns[] {
  const { labelColumn } = tagger;
  const filled = [...sentences];
  const lacking = [...sentences.keys()].filter((s) => !isComplete(sentences[s][labelColumn]));
  // What a tagger reads is complete, or filled by now.
  const columns = lacking.map((s) => sentences[s] as SentenceColumns);
  tagger.decodeSentences(columns, (i) => {
    const given = columns[i][labelColumn];
    const tags = tagger.tagStrings(tagger.spans());
    filled[lacking[i]] = { ...columns[i], [labelColumn]: tags.map((tag, t) => given?.[t] ?? tag) };
  });
  return filled;
}
