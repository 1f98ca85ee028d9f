import { checkArgument } from '../base/arguments.js';
import type { MissedInSentence } from '../data/corpus.js';
import type { Span } from '../data/span.js';
import { ChunkScorer, type ChunkScores, type ChunkTally } from '../score/conlleval.js';
import type { WordScores } from '../score/word-scores.js';
import { decodeTags } from '../tags/scheme.js';
import type { SystemOutput } from './compare.js';

/** A system's output with the words it is of. */
export interface OutputWithWords extends SystemOutput {
  /** [S][T] words. */
  readonly words: readonly (readonly string[])[];
  /** Scores of the words that chunks are, where tokens are characters. */
  readonly wordScores?: WordScores | undefined;
}

/** Counts of spans by fate: a gold span has one of the first five, a predicted one may be spurious. */
export interface SpanFates {
  /** Right in start, end and type. */
  correct: number;
  /** Right bounds, another type. */
  type: number;
  /** Right type, other bounds: predicted spans of the type overlap it. */
  boundary: number;
  /** Only spans of other types and other bounds overlap it. */
  both: number;
  /** Nothing overlaps it. */
  missed: number;
  /** Predicted where no gold span is. */
  spurious: number;
}

/** A tally and the number it is for. */
export interface LengthTally extends ChunkTally {
  /** Tokens of a chunk. */
  readonly length: number;
}

/** How a word fares whose tag is often wrong. */
export interface WordErrors {
  /** The word. */
  readonly word: string;
  /** How often it occurs. */
  readonly count: number;
  /** How often its tag is wrong. */
  readonly wrong: number;
}

/** Right ones among some. */
export interface Share {
  /** How many there are. */
  readonly all: number;
  /** How many of them are right. */
  readonly right: number;
}

/** Right ones by whether training had the words. */
export interface SeenShares {
  /** Tokens whose word training had. */
  readonly seenTokens: Share;
  /** Tokens whose word it had not. */
  readonly unseenTokens: Share;
  /** Gold chunks of such words only. */
  readonly seenChunks: Share;
  /** The other gold chunks. */
  readonly chunksWithUnseen: Share;
}

/** Tokens of one type that are given one; null stands for outside of all spans. */
export interface Confusion {
  /** Gold type. */
  readonly gold: string | null;
  /** Type that was given. */
  readonly predicted: string | null;
  /** Number of tokens. */
  readonly tokens: number;
}

/** A sentence with errors. */
export interface SentenceErrors {
  /** Number of the sentence, from 0. */
  readonly sentence: number;
  /** Line of its first token, where it is from a file. */
  readonly line: number | undefined;
  /** [T] words. */
  readonly words: readonly string[];
  /** Gold spans. */
  readonly gold: readonly Span[];
  /** Predicted spans. */
  readonly predicted: readonly Span[];
  /** Gold spans not found and predicted spans that are wrong. */
  readonly errors: number;
}

/** Errors of a system. */
export interface ErrorAnalysis {
  /** Name of the system. */
  readonly name: string;
  /** Scores as conlleval counts. */
  readonly scores: ChunkScores;
  /** Types of the spans, sorted. */
  readonly types: readonly string[];
  /** How many tokens of a gold type are given a type, whatever their place in a chunk: pairs that occur, most often first. */
  readonly confusions: readonly Confusion[];
  /** Fates of spans by type, in the order of `types`. */
  readonly fates: ReadonlyMap<string, SpanFates>;
  /** Spans by length, ascending. */
  readonly lengths: readonly LengthTally[];
  /** Words whose tag is wrong most often, worst first. */
  readonly words: readonly WordErrors[];
  /** By whether training had the words, where that is known. */
  readonly seen?: SeenShares | undefined;
  /** Sentences with errors, worst first; of equals the first. */
  readonly sentences: readonly SentenceErrors[];
}

/**
 * Says what goes wrong in a system's output. Spans are those of the tags, read as conlleval reads them but for a B after
 * an E, which starts a span of its own.
 *
 * @param seen words of the training data; without them nothing is said of unseen ones.
 */
export function analyseErrors(output: OutputWithWords, seen?: ReadonlySet<string>): ErrorAnalysis {
  checkArgument('output', output, 'output');
  const { gold, predicted, words, lines, name, scheme } = output;
  const scorer = new ChunkScorer(scheme);
  const sentences = gold.map((tags, s): SentenceErrors => {
    scorer.add(tags, predicted[s]);
    const spans = { gold: decodeTags(tags, scheme), predicted: decodeTags(predicted[s], scheme) };
    const found = spans.gold.filter((span) => spans.predicted.some((other) => sameSpan(span, other))).length;
    return {
      sentence: s,
      line: lines?.[s],
      words: words[s],
      ...spans,
      errors: spans.gold.length + spans.predicted.length - 2 * found,
    };
  });
  const { missed = [] } = output;
  for (const { type } of missed) scorer.addMissed(type);
  const types = [
    ...new Set(
      [...missed, ...sentences.flatMap((own) => [...own.gold, ...own.predicted])].map(({ type }) => type),
    ),
  ];
  types.sort();
  return {
    name,
    scores: scorer.scores(),
    types,
    confusions: countConfusions(sentences, types),
    fates: countFates(sentences, types, missed),
    lengths: countLengths(sentences),
    words: countWords(output),
    ...(seen && { seen: countSeen(output, sentences, seen) }),
    sentences: sentences
      .filter(({ errors }) => errors > 0)
      .sort((a, b) => b.errors - a.errors || a.sentence - b.sentence),
  };
}

function sameSpan(a: Span, b: Span): boolean {
  return a.start === b.start && a.end === b.end && a.type === b.type;
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

/** [T] index of each token's type; of tokens outside all spans, the one after the types. */
function typesOfTokens(
  spans: readonly Span[],
  length: number,
  index: ReadonlyMap<string, number>,
): Uint32Array {
  const types = new Uint32Array(length).fill(index.size);
  for (const { start, end, type } of spans) types.fill(index.get(type) ?? 0, start, end);
  return types;
}

function countConfusions(sentences: readonly SentenceErrors[], types: readonly string[]): Confusion[] {
  const index = new Map(types.map((type, i) => [type, i]));
  const size = types.length + 1;
  // Only pairs that occur: of many types a table of all would take more memory than there is.
  const counts = new Map<number, number>();
  for (const { gold, predicted, words } of sentences) {
    const wanted = typesOfTokens(gold, words.length, index);
    const found = typesOfTokens(predicted, words.length, index);
    for (let t = 0; t < words.length; t++) {
      const pair = wanted[t] * size + found[t];
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
  }
  const nameOf = (type: number) => (type < types.length ? types[type] : null);
  return [...counts]
    .sort(([a, many], [b, more]) => more - many || a - b)
    .map(([pair, tokens]) => ({
      gold: nameOf(Math.floor(pair / size)),
      predicted: nameOf(pair % size),
      tokens,
    }));
}

function countFates(
  sentences: readonly SentenceErrors[],
  types: readonly string[],
  missed: readonly MissedInSentence[],
): Map<string, SpanFates> {
  const fates = new Map(
    types.map((type): [string, SpanFates] => [
      type,
      { correct: 0, type: 0, boundary: 0, both: 0, missed: 0, spurious: 0 },
    ]),
  );
  const of = (type: string) => fates.get(type) as SpanFates;
  for (const { type } of missed) of(type).missed++;
  for (const { gold, predicted } of sentences) {
    for (const span of gold) {
      const touching = predicted.filter((other) => overlaps(span, other));
      const own = of(span.type);
      if (touching.some((other) => sameSpan(span, other))) own.correct++;
      else if (touching.some(({ start, end }) => start === span.start && end === span.end)) own.type++;
      else if (touching.some(({ type }) => type === span.type)) own.boundary++;
      else if (touching.length > 0) own.both++;
      else own.missed++;
    }
    for (const span of predicted) if (!gold.some((other) => overlaps(span, other))) of(span.type).spurious++;
  }
  return fates;
}

function countLengths(sentences: readonly SentenceErrors[]): LengthTally[] {
  const tallies = new Map<number, { gold: number; predicted: number; correct: number }>();
  const of = ({ start, end }: Span) => {
    const length = end - start;
    const tally = tallies.get(length) ?? { gold: 0, predicted: 0, correct: 0 };
    tallies.set(length, tally);
    return tally;
  };
  for (const { gold, predicted } of sentences) {
    for (const span of gold) of(span).gold++;
    for (const span of predicted) {
      const tally = of(span);
      tally.predicted++;
      if (gold.some((other) => sameSpan(span, other))) tally.correct++;
    }
  }
  return [...tallies].sort(([a], [b]) => a - b).map(([length, tally]) => ({ length, ...tally }));
}

function countWords({ gold, predicted, words }: OutputWithWords): WordErrors[] {
  const counts = new Map<string, { count: number; wrong: number }>();
  words.forEach((sentence, s) => {
    sentence.forEach((word, t) => {
      const own = counts.get(word) ?? { count: 0, wrong: 0 };
      counts.set(word, own);
      own.count++;
      if (gold[s][t] !== predicted[s][t]) own.wrong++;
    });
  });
  return [...counts]
    .filter(([, { wrong }]) => wrong > 0)
    .map(([word, own]) => ({ word, ...own }))
    .sort((a, b) => b.wrong - a.wrong || a.count - b.count || (a.word < b.word ? -1 : 1));
}

function countSeen(
  { gold, predicted, words }: OutputWithWords,
  sentences: readonly SentenceErrors[],
  seen: ReadonlySet<string>,
): SeenShares {
  const share = () => ({ all: 0, right: 0 });
  const shares = {
    seenTokens: share(),
    unseenTokens: share(),
    seenChunks: share(),
    chunksWithUnseen: share(),
  };
  const count = (to: { all: number; right: number }, right: boolean) => {
    to.all++;
    if (right) to.right++;
  };
  words.forEach((sentence, s) => {
    sentence.forEach((word, t) => {
      count(seen.has(word) ? shares.seenTokens : shares.unseenTokens, gold[s][t] === predicted[s][t]);
    });
    for (const span of sentences[s].gold) {
      const known = sentence.slice(span.start, span.end).every((word) => seen.has(word));
      const right = sentences[s].predicted.some((other) => sameSpan(span, other));
      count(known ? shares.seenChunks : shares.chunksWithUnseen, right);
    }
  });
  return shares;
}
