import type { SentenceColumns } from '../data/corpus.js';
import type { RatedSpan } from '../data/span.js';
import type { Alternative } from '../tag/labelling.js';
import { codePointOffsets } from '../text/code-points.js';
import { type TextSentence, tokenText } from '../text/text-sentence.js';

/** A sentence with everything that models said of it; what output formats write. */
export interface LabelledSentence {
  /** Its text and tokens. */
  readonly sentence: TextSentence;
  /** [T] cells by column: what was given, and what earlier models of a pipeline filled in; `word` first. */
  readonly columns: SentenceColumns;
  /** Name of the column that {@link tags} are. */
  readonly labelColumn: string;
  /** [T] the labels. */
  readonly tags: readonly string[];
  /** Chunks in text order; absent where every token has a label of its own. */
  readonly chunks: readonly RatedSpan[] | undefined;
  /** [T] how sure the model is of each label, 0 … 1, where that was asked for. */
  readonly confidences: Float32Array | undefined;
  /** [T] probabilities by tag, where they were asked for; see `tagMarginals`. */
  readonly marginals?: readonly ReadonlyMap<string, number>[] | undefined;
  /** The best labellings, the best first, where they were asked for; see `Tagger.alternatives`. */
  readonly alternatives?: readonly Alternative[] | undefined;
}

/** Where something stands in a text, and what stands there. */
export interface TextPlace {
  /** The characters. */
  readonly text: string;
  /** First UTF-16 unit. */
  readonly start: number;
  /** UTF-16 unit after the last one. */
  readonly end: number;
  /** {@link start} in code points. */
  readonly startCodePoint: number;
  /** {@link end} in code points. */
  readonly endCodePoint: number;
}

/** A token of a labelled text. */
export interface LabelledToken extends TextPlace {
  /** Cells by column, without the word: what earlier models of the pipeline said, such as `pos`. */
  readonly columns: Readonly<Record<string, string>>;
  /** Label. */
  readonly tag: string;
  /** How sure the model is of the label, 0 … 1, where that was asked for. */
  readonly confidence?: number | undefined;
  /** Probabilities by tag, where they were asked for. */
  readonly marginals?: ReadonlyMap<string, number> | undefined;
}

/** A chunk of a labelled text. */
export interface LabelledChunk extends TextPlace {
  /** Chunk type. */
  readonly type: string;
  /** Its first token in the token list beside it, from 0. */
  readonly firstToken: number;
  /** Its last token. */
  readonly lastToken: number;
  /** That of its least sure token, where that was asked for. */
  readonly confidence?: number | undefined;
}

/** Finds places in a sentence. Offsets count from the start of the whole text. */
export function placer(sentence: TextSentence): (start: number, end: number) => TextPlace {
  const { text, start: unitBase, startCodePoint: pointBase } = sentence;
  const points = codePointOffsets(text);
  return (start, end) => ({
    text: text.slice(start, end),
    start: unitBase + start,
    end: unitBase + end,
    startCodePoint: pointBase + (points?.[start] ?? start),
    endCodePoint: pointBase + (points?.[end] ?? end),
  });
}

/** [T] the tokens of a labelled sentence, made one by one: those of a line of a megabyte would fill the memory. */
export function* labelledTokens(labelled: LabelledSentence): Generator<LabelledToken, void> {
  const { sentence, columns, tags, confidences, marginals } = labelled;
  const { tokens } = sentence;
  const place = placer(sentence);
  const names = Object.keys(columns).filter((name) => name !== 'word');
  for (const [t, tag] of tags.entries()) {
    yield {
      ...place(tokens[2 * t], tokens[2 * t + 1]),
      columns: Object.fromEntries(names.map((name) => [name, columns[name][t]])),
      tag,
      ...(confidences && { confidence: confidences[t] }),
      ...(marginals && { marginals: marginals[t] }),
    };
  }
}

/**
 * The chunks of a labelled sentence, made one by one.
 *
 * @param tokensBefore number of tokens before the sentence's first one in the token list that indices count in.
 */
export function* labelledChunks(
  { sentence, chunks = [] }: Pick<LabelledSentence, 'sentence' | 'chunks'>,
  tokensBefore = 0,
): Generator<LabelledChunk, void> {
  const { tokens } = sentence;
  const place = placer(sentence);
  for (const { start, end, type, confidence } of chunks) {
    yield {
      type,
      ...place(tokens[2 * start], tokens[2 * end - 1]),
      firstToken: tokensBefore + start,
      lastToken: tokensBefore + end - 1,
      ...(confidence !== undefined && { confidence }),
    };
  }
}

/** [T] the tokens, as they are in the text. */
export function tokenTexts(sentence: TextSentence): string[] {
  return sentence.words.map((_, t) => tokenText(sentence, t));
}
