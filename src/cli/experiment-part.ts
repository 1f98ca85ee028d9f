/** Process that trains one configuration and scores it on test data, so that its memory is its own; started by `experiment.ts`. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import type { OptionValues } from '../base/options.js';
import { encodeUtf8 } from '../base/utf8.js';
import { type Corpus, columnStrings } from '../data/corpus.js';
import { labelDivergence } from '../evaluate/label-divergence.js';
import { corpusTags, schemeOfGold } from '../label/corpus-labeller.js';
import { scoreFoundWords } from '../label/score-words.js';
import type { Model } from '../model/model.js';
import { loadModel, saveModel } from '../model/model-file.js';
import { writeBytes } from '../node/files.js';
import { watchTemporaries } from '../node/temporary-files.js';
import { type SentError, threadError, toSend } from '../node/thread-error.js';
import { blockRunner } from '../node/thread-pool.js';
import { expectedEvaluations, trainingCost } from '../reduce/cost.js';
import { REDUCTIONS } from '../reduce/reductions.js';
import type { TestFigures } from '../report/experiment-report.js';
import { ChunkScorer, scoresToJson } from '../score/conlleval.js';
import { Tagger } from '../tag/tagger.js';
import { GoldTags } from '../tags/gold-tags.js';
import { decodeTags, SCHEMES, type SchemeName } from '../tags/scheme.js';
import { train } from '../train/train.js';
import { readLabelled } from './options.js';
import { fillOf, resolveConfiguration } from './training-options.js';

/** What the process is asked to do. */
export interface TestPart {
  /** Options of corpus and configuration together. */
  readonly options: OptionValues;
  /** Training data. */
  readonly train: string;
  /** Test data. */
  readonly test: string;
  /** Threads to train on. */
  readonly threads: number;
  /** File for words, gold and predicted tags, parted by tabs. */
  readonly predictions: string;
}

/** What it measured. */
export interface TestResult extends TestFigures {
  /** Seconds to load the model from memory and to make it ready. */
  readonly loadingSeconds: number;
  /** The model file's bytes, gzipped. */
  readonly modelGzipBytes: number;
  /** Number of features with a weight. */
  readonly features: number;
}

/** What the process answers: one of the two. */
export interface TestAnswer {
  /** What it measured. */
  readonly result?: TestResult;
  /** Why it could not. */
  readonly error?: SentError;
}

async function measure({
  options,
  train: trainFile,
  test,
  threads,
  predictions,
}: TestPart): Promise<TestResult> {
  const configuration = await resolveConfiguration(String(options.task), options);
  const fill = await fillOf(options, configuration);
  const corpus = await readLabelled(trainFile, options, configuration, fill);
  const reading = performance.now();
  const held = await readLabelled(test, options, configuration, fill);
  const read = performance.now();
  const started = performance.now();
  const bytes = saveModel(await train(corpus, configuration, { runBlocks: blockRunner(threads) }));
  const trained = performance.now();
  const model = loadModel(bytes, 'the model');
  const tagger = new Tagger(model);
  const scheme = schemeOfGold(model, held);
  const loaded = performance.now();
  const predicted = corpusTags(tagger, held, scheme);
  const labelled = performance.now();
  await writeBytes(predictions, encodeUtf8(predictedLines(held, predicted)));
  const written = performance.now();
  const scorer = new ChunkScorer(scheme);
  predicted.forEach((tags, s) => {
    scorer.add(columnStrings(held, held.columns.length - 1, s), tags);
  });
  const [seen, right] = [corpus, held].map((own) => labelCounts(own, configuration.scheme));
  const countsOf = (counts: ReadonlyMap<string, number>) =>
    model.tagSet.tags.map((tag) => counts.get(tag) ?? 0);
  return {
    scores: scoresToJson(scorer.scores()),
    ...(configuration.tokens === 'characters' && {
      words: scoreFoundWords(model, held, (s) => decodeTags(predicted[s])),
    }),
    trainingSeconds: (trained - started) / 1000,
    loadingSeconds: (loaded - trained) / 1000,
    routineSeconds: (read - reading + written - labelled) / 1000,
    labellingSeconds: (labelled - loaded) / 1000,
    peakMegabytes: process.resourceUsage().maxRSS / 1000,
    modelBytes: bytes.length,
    modelGzipBytes: gzipSync(bytes).length,
    features: model.features.size,
    problems: model.problems,
    ...(model.code && strategyCosts(model, countsOf(seen), countsOf(right))),
    labelShares: labelShares(seen, right),
    divergence: labelDivergence(seen, right),
    ...(configuration.decoder === 'greedy' && { evaluations: tagger.evaluations / held.cells[0].length }),
  };
}

/** What the strategy of a model costs, by the labels of training and test data [L]. */
function strategyCosts(
  { code, tagSet, configuration }: Model,
  seen: number[],
  right: number[],
): Pick<TestFigures, 'trainingCost' | 'expectedEvaluations'> {
  const { strategy, options } = configuration;
  if (strategy === undefined || code === undefined) return {};
  const expected = (counts: number[]) =>
    expectedEvaluations(REDUCTIONS[strategy], code, tagSet, options, counts);
  return {
    trainingCost: trainingCost(code, seen),
    expectedEvaluations: [expected(seen), expected(right)],
  };
}

/** Words, gold and predicted tags, parted by tabs. */
function predictedLines(held: Corpus, predicted: readonly (readonly string[])[]): string {
  return predicted
    .map((tags, s) => {
      const words = columnStrings(held, 0, s);
      const gold = columnStrings(held, held.columns.length - 1, s);
      return `${words.map((word, t) => `${word}\t${gold[t]}\t${tags[t]}\n`).join('')}\n`;
    })
    .join('');
}

/** Share of each label in percent, sorted by label. */
function labelShares(
  seen: ReadonlyMap<string, number>,
  right: ReadonlyMap<string, number>,
): Record<string, [number, number]> {
  const total = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, n) => sum + n, 0);
  const all = [total(seen), total(right)];
  return Object.fromEntries(
    [...new Set([...seen.keys(), ...right.keys()])]
      .sort()
      .map((tag) => [tag, [seen, right].map((counts, i) => (100 * (counts.get(tag) ?? 0)) / all[i])]),
  ) as Record<string, [number, number]>;
}

/** How often each label of the scheme occurs. */
function labelCounts(corpus: Corpus, scheme: SchemeName): Map<string, number> {
  const counts = new Map<string, number>();
  const { starts } = corpus;
  const goldTags = new GoldTags(corpus, scheme);
  for (let s = 0; s + 1 < starts.length; s++) {
    for (const tag of SCHEMES[scheme].encode(goldTags.spans(s), starts[s + 1] - starts[s])) {
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
  }
  return counts;
}

// The work is done in a thread, so that this one hears that the process that asked for it is gone.
if (isMainThread) {
  watchTemporaries();
  process.once('disconnect', () => process.exit(1));
  process.once('message', (part: TestPart) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: part });
    worker.once('message', (result: TestResult) => answer({ result }));
    worker.once('error', (error) => answer({ error: toSend(threadError(error)) }));
  });
} else parentPort?.postMessage(await measure(workerData as TestPart));

function answer(message: TestAnswer): void {
  process.send?.(message, () => process.exit(0));
}
