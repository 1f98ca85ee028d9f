import { checkArgument } from '../base/arguments.js';
import { SpanwrightError } from '../base/errors.js';
import type { MissedInSentence } from '../data/corpus.js';
import { ChunkScorer, type ChunkScores, schemeToScore } from '../score/conlleval.js';
import type { SchemeName } from '../tags/scheme.js';
import {
  type Discordant,
  type Distributions,
  mcNemarTest,
  proportionTest,
  type RandomisationResult,
  randomisationTest,
  type SentenceCounts,
  significanceSign,
  signTest,
} from './significance.js';

/** Output of a system on some sentences. */
export interface SystemOutput {
  /** Name in reports and messages. */
  readonly name: string;
  /** [S][T] gold tags. */
  readonly gold: readonly (readonly string[])[];
  /** [S][T] predicted tags. */
  readonly predicted: readonly (readonly string[])[];
  /** [S] line of each sentence's first token, where it is from a file. */
  readonly lines?: readonly number[] | undefined;
  /** Gold chunks that no stretch of tokens is: neither system can find them. */
  readonly missed?: readonly MissedInSentence[] | undefined;
  /** Scheme of the tags, where known; `token`: labels of single tokens. */
  readonly scheme?: SchemeName | undefined;
}

/** How {@link compareOutputs} works. */
export interface CompareOptions {
  /** Tails of distributions. */
  readonly distributions: Distributions;
  /** Rounds of the randomisation and of its interval; default 10,000. */
  readonly rounds?: number | undefined;
  /** Seed of these rounds; default 1. */
  readonly seed?: number | undefined;
  /** Scheme of the tags; default what the systems say, or else what the tags show. */
  readonly scheme?: SchemeName | undefined;
}

/** A test's outcome. */
export interface TestOutcome {
  /** Two-sided p-value. */
  readonly p: number;
  /** ≫, >, ~, < or ≪, as the papers write it: the first system against the second. */
  readonly sign: string;
}

/** Two systems side by side. */
export interface Comparison {
  /** Names of the systems. */
  readonly names: readonly [string, string];
  /** Their scores. */
  readonly scores: readonly [ChunkScores, ChunkScores];
  /** Tokens whose tag exactly one of them has right. */
  readonly tokens: Discordant;
  /** Gold chunks that exactly one of them found. */
  readonly chunks: Discordant;
  /** s-test over tokens. */
  readonly sTest: TestOutcome;
  /** McNemar's test over tokens. */
  readonly mcNemar: TestOutcome;
  /** Test of two proportions over tokens. */
  readonly proportions: TestOutcome;
  /** Sign test over gold chunks. */
  readonly chunkSignTest: TestOutcome;
  /** Paired randomisation of F, the only one of these that is about F itself. */
  readonly randomisation: TestOutcome & RandomisationResult;
}

/**
 * Compares two systems on the same sentences.
 *
 * @throws SpanwrightError (`bad-comparison`) naming the first place where their sentences or gold tags differ.
 */
export function compareOutputs(
  first: SystemOutput,
  second: SystemOutput,
  options: CompareOptions,
): Comparison {
  checkArgument('first', first, 'output');
  checkArgument('second', second, 'output');
  checkArgument('options', options, 'object');
  checkSameGold(first, second);
  const { distributions, rounds = 10_000, seed = 1 } = options;
  const scheme =
    options.scheme ??
    first.scheme ??
    second.scheme ??
    schemeToScore([...first.gold, ...first.predicted, ...second.predicted]);
  const scorers = [new ChunkScorer(scheme), new ChunkScorer(scheme)] as const;
  const sentences = first.gold.length;
  const counts: SentenceCounts = {
    gold: new Uint32Array(sentences),
    predicted: [new Uint32Array(sentences), new Uint32Array(sentences)],
    correct: [new Uint32Array(sentences), new Uint32Array(sentences)],
  };
  const tokens = { onlyFirst: 0, onlySecond: 0 };
  const chunks = { onlyFirst: 0, onlySecond: 0 };
  for (let s = 0; s < sentences; s++) {
    const gold = first.gold[s];
    const outputs = [first.predicted[s], second.predicted[s]];
    for (let t = 0; t < gold.length; t++) {
      const right = outputs.map((tags) => tags[t] === gold[t]);
      if (right[0] && !right[1]) tokens.onlyFirst++;
      if (right[1] && !right[0]) tokens.onlySecond++;
    }
    const [foundFirst, foundSecond] = outputs.map((tags, i) => {
      const found = new Set<number>();
      const own = scorers[i].add(gold, tags, (firstToken) => found.add(firstToken));
      counts.gold[s] = own.gold;
      counts.predicted[i][s] = own.predicted;
      counts.correct[i][s] = own.correct;
      return found;
    });
    for (const chunk of foundFirst) if (!foundSecond.has(chunk)) chunks.onlyFirst++;
    for (const chunk of foundSecond) if (!foundFirst.has(chunk)) chunks.onlySecond++;
  }
  for (const { type, sentence } of first.missed ?? second.missed ?? []) {
    counts.gold[sentence]++;
    for (const scorer of scorers) scorer.addMissed(type);
  }
  const scores = [scorers[0].scores(), scorers[1].scores()] as const;
  const outcome = (difference: number, p: number): TestOutcome => ({
    p,
    sign: significanceSign(difference, p),
  });
  const byTokens = tokens.onlyFirst - tokens.onlySecond;
  const byChunks = chunks.onlyFirst - chunks.onlySecond;
  const found = randomisationTest(counts, rounds, seed);
  const accuracies = scores.map(({ correctTags, tokens: all }) => [correctTags, all] as const);
  return {
    names: [first.name, second.name],
    scores,
    tokens,
    chunks,
    sTest: outcome(byTokens, signTest(tokens, distributions)),
    mcNemar: outcome(byTokens, mcNemarTest(tokens, distributions)),
    proportions: outcome(byTokens, proportionTest(accuracies[0], accuracies[1], distributions)),
    chunkSignTest: outcome(byChunks, signTest(chunks, distributions)),
    randomisation: { ...found, ...outcome(found.difference, found.p) },
  };
}

function checkSameGold(first: SystemOutput, second: SystemOutput): void {
  const sentences = Math.min(first.gold.length, second.gold.length);
  for (let s = 0; s < sentences; s++) {
    const [a, b] = [first.gold[s], second.gold[s]];
    const t = Array.from({ length: Math.max(a.length, b.length) }, (_, i) => i).find((i) => a[i] !== b[i]);
    if (t === undefined) continue;
    const here = `${place(first, s, t)} has ${a[t] ?? 'the end of the sentence'}`;
    throw different(`${here}, ${place(second, s, t)} has ${b[t] ?? 'the end of the sentence'}`);
  }
  if (first.gold.length === second.gold.length) return;
  const counts = [first, second].map(({ name, gold }) => `${name} has ${gold.length} sentences`);
  throw different(counts.join(', '));
}

function different(found: string): SpanwrightError {
  return new SpanwrightError(
    'bad-comparison',
    `expected the same sentences with the same gold tags, but ${found}`,
  );
}

/** Where a token is: its line, or its sentence and its number in it. */
function place({ name, lines }: SystemOutput, sentence: number, token: number): string {
  const line = lines?.[sentence];
  return line === undefined
    ? `${name}, sentence ${sentence + 1}, token ${token + 1}`
    : `${name}:${line + token}`;
}
