import { fork } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { OptionError, SpanwrightError } from '../../base/errors.js';
import type { OptionDeclaration } from '../../base/options.js';
import { encodeUtf8 } from '../../base/utf8.js';
import { VERSION } from '../../base/version.js';
import { splitFolds } from '../../data/folds.js';
import { compareOutputs, type SystemOutput } from '../../evaluate/compare.js';
import { strataOf } from '../../evaluate/cross-validation.js';
import { anova } from '../../evaluate/significance.js';
import type { Configuration } from '../../model/configuration.js';
import { measureCurve } from '../../node/curve.js';
import { makeFolder, writeBytes } from '../../node/files.js';
import { type SentError, threadError } from '../../node/thread-error.js';
import { openTrace, type Trace } from '../../node/trace.js';
import { type CorpusResults, experimentReport } from '../../report/experiment-report.js';
import { reportToText } from '../../report/report.js';
import { scoresToJson } from '../../score/conlleval.js';
import type { Command } from '../command.js';
import {
  type Experiment,
  type ExperimentCorpus,
  type ExperimentSystem,
  readExperiment,
} from '../experiment-file.js';
import type { TestAnswer, TestPart, TestResult } from '../experiment-part.js';
import { fileChecksum, fingerprint, readingOf } from '../fingerprint.js';
import { JSON_OPTION, readLabelled, required, threadsOption } from '../options.js';
import { counter, say } from '../render.js';
import { writeReport } from '../report-file.js';
import { readOutput } from '../system-output.js';
import { fillOf } from '../training-options.js';

const OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'output',
    kind: 'string',
    placeholder: 'FOLDER',
    file: 'written',
    help: 'folder for results; what it holds already is not measured again',
  },
  threadsOption('threads to train on, and folds under way at a time; no influence on scores'),
  { ...JSON_OPTION, help: 'results as JSON' },
];

/** Result of a part: the score of one fold, or a whole test. */
type PartResult = TestResult | number;

/** `spanwright experiment`. */
export const experimentCommand: Command = {
  name: 'experiment',
  help: 'measure and compare the configurations of an experiment file; continues after an interruption',
  positionals: ['FILE.json'],
  inThread: true,
  groups: [{ heading: 'Options', options: OPTIONS }],
  notes:
    'The file names corpora, configurations and what to measure; info --schema experiment prints its schema.\n' +
    'The folder gets results.json, results.md, results.html with plots, and the predictions, which compare and errors take.',
  async run({ options, positionals }) {
    if (positionals.length !== 1) throw new OptionError('experiment', 'expected one experiment file');
    const experiment = await readExperiment(positionals[0]);
    const folder = required(options, 'output', 'FOLDER');
    await makeFolder(join(folder, 'predictions'));
    const trace = await openTrace(join(folder, 'parts.jsonl'), {
      partsOf: 'experiment',
      isResult: (value): value is PartResult =>
        typeof value === 'number' || (typeof value === 'object' && value !== null),
    });
    const progress = counter(numberOfParts(experiment), 'part');
    const run = { experiment, folder, trace, threads: Number(options.threads ?? 1), step: progress.step };
    const results: CorpusResults[] = [];
    for (const i of experiment.corpora.keys()) results.push(await measureCorpus(run, i));
    progress.end();
    const report = experimentReport(experiment.name, results);
    const json = {
      name: experiment.name,
      version: VERSION,
      machine: { node: process.version, processor: cpus()[0]?.model, threads: run.threads },
      corpora: results.map((own) => ({
        ...own,
        comparisons: own.comparisons.map((one) => ({ ...one, scores: one.scores.map(scoresToJson) })),
      })),
    };
    const text = `${JSON.stringify(json, null, 2)}\n`;
    await writeBytes(join(folder, 'results.json'), encodeUtf8(text));
    await writeReport(join(folder, 'results.md'), report);
    await writeReport(join(folder, 'results.html'), report);
    say(options.json === true ? text : reportToText(report));
  },
};

interface ExperimentRun {
  readonly experiment: Experiment;
  readonly folder: string;
  readonly trace: Trace<PartResult>;
  readonly threads: number;
  readonly step: () => void;
}

function numberOfParts({ measure, corpora, systems, folds, sizes }: Experiment): number {
  const tests = measure.includes('test') ? 1 : 0;
  return corpora.length * systems.length * (tests + folds * sizesOf({ measure, sizes }).length);
}

/** Sizes of the training data to measure at; cross-validation is a learning curve's point at all of it. */
function sizesOf({ measure, sizes }: Pick<Experiment, 'measure' | 'sizes'>): number[] {
  const needed = [
    ...(measure.includes('curve') ? sizes : []),
    ...(measure.includes('crossval') ? [100] : []),
  ];
  return [...new Set(needed)].sort((a, b) => a - b);
}

async function measureCorpus(run: ExperimentRun, number: number): Promise<CorpusResults> {
  const { experiment, folder } = run;
  const { measure, seed, rounds, systems, baseline } = experiment;
  const corpus = experiment.corpora[number];
  const tests = new Map<string, TestResult>();
  const predictions = new Map<string, string>();
  if (measure.includes('test') && corpus.test !== undefined) {
    for (const [i, system] of systems.entries()) {
      const path = join(folder, 'predictions', `${corpus.name}-${system.name}.txt`);
      const configuration = experiment.configurations[number][i];
      tests.set(system.name, await measureTest(run, corpus, system, configuration, path));
      predictions.set(system.name, path);
    }
  }
  const { DISTRIBUTIONS: distributions } = await import('../distributions.js');
  const scheme = experiment.configurations[number][0].scheme === 'token' ? 'token' : undefined;
  const outputs: SystemOutput[] = [];
  for (const [name, path] of predictions) {
    outputs.push({ ...(await readOutput(path, { separator: 'tab', ...(scheme && { scheme }) })), name });
  }
  const how = { distributions, rounds, seed, scheme } as const;
  const comparisons = outputs.flatMap((first, i) => {
    const others =
      baseline === undefined ? outputs.slice(i + 1) : outputs.filter(({ name }) => name === baseline);
    return others.filter((second) => second !== first).map((second) => compareOutputs(first, second, how));
  });
  const curves = await measureCurves(run, number);
  const whole = curves.map(({ points }) => points.find(({ size }) => size === 100)?.scores ?? []);
  const variance = measure.includes('crossval') && whole.length > 1 ? anova(whole, distributions) : undefined;
  return {
    name: corpus.name,
    systems: systems.map(({ name }, i) => ({
      name,
      configuration: experiment.configurations[number][i],
      test: tests.get(name),
      crossValidation: measure.includes('crossval') ? whole[i] : undefined,
    })),
    curves: measure.includes('curve') ? curves : [],
    comparisons,
    baseline,
    anova: variance,
  };
}

async function measureCurves({ experiment, threads, trace, step }: ExperimentRun, number: number) {
  const sizes = sizesOf(experiment);
  if (sizes.length === 0) return [];
  const { systems, folds, seed, stratified } = experiment;
  const corpus = experiment.corpora[number];
  const configurations = experiment.configurations[number];
  const data = await readLabelled(corpus.train, corpus.options, configurations[0], {
    fill: await fillOf(corpus.options, configurations[0]),
  });
  const reading = await readingOf(corpus.train, corpus.options, configurations[0]);
  const strata = stratified ? strataOf(data, configurations[0].scheme) : undefined;
  const split = splitFolds(data.starts.length - 1, folds, seed, strata);
  const curves = [];
  for (const [i, { name }] of systems.entries()) {
    const keyOf = (size: number, fold: number) =>
      fingerprint({
        data: [data.sha256],
        reading: [reading],
        configuration: configurations[i],
        how: { folds, stratified, seed, size, fold },
      });
    curves.push(
      await measureCurve(data, configurations[i], {
        name,
        sizes,
        split,
        threads,
        known: (size, fold) => {
          const result = trace.known.get(keyOf(size, fold));
          return typeof result === 'number' ? result : undefined;
        },
        onResult: ({ size, fold, score }) => {
          const part = `${corpus.name} ${name} ${size} % fold ${fold + 1}`;
          return trace.add(keyOf(size, fold), part, score);
        },
        onProgress: step,
      }),
    );
  }
  return curves;
}

async function measureTest(
  { trace, threads, step }: ExperimentRun,
  { name, options, train, test = '' }: ExperimentCorpus,
  system: ExperimentSystem,
  configuration: Configuration,
  predictions: string,
): Promise<TestResult> {
  const files = [train, test];
  const data = (await Promise.all(files.map(fileChecksum))) as string[];
  const reading = await Promise.all(files.map((file) => readingOf(file, options, configuration)));
  // The predictions belong to the result: where they are gone or changed, it is measured again.
  const keyNow = async () => {
    const written = await fileChecksum(predictions).catch(() => null);
    return fingerprint({ data, reading, configuration, how: { predictions: written } });
  };
  const known = trace.known.get(await keyNow());
  step();
  if (known !== undefined && typeof known !== 'number') return known;
  const result = await inProcess({
    options: { ...options, ...system.options },
    train,
    test,
    threads,
    predictions,
  });
  await trace.add(await keyNow(), `${name} ${system.name} test`, result);
  return result;
}

function inProcess(part: TestPart): Promise<TestResult> {
  return new Promise((done, fail) => {
    const child = fork(new URL('./experiment-part.js', import.meta.url));
    child.on('message', (answer: TestAnswer) => {
      if (answer.result) done(answer.result);
      else fail(threadError(answer.error as SentError));
    });
    child.on('error', fail);
    child.on('exit', (code, signal) => {
      fail(
        new SpanwrightError(
          'worker-died',
          `a part of the experiment ended early (${signal ?? `exit code ${code}`})`,
        ),
      );
    });
    child.send(part);
  });
}
