import type { Progress } from '../../src/base/progress.js';
import type { Corpus } from '../../src/data/corpus.js';
import { columnStrings, selectSentences } from '../../src/data/corpus.js';
import type { Span } from '../../src/data/span.js';
import { compareOutputs, type SystemOutput } from '../../src/evaluate/compare.js';
import { analyseErrors } from '../../src/evaluate/error-analysis.js';
import type { Distributions } from '../../src/evaluate/significance.js';
import { corpusOf, type TokensRecord } from '../../src/label/corpus-of.js';
import { Pipeline } from '../../src/label/pipeline.js';
import { scoreModel } from '../../src/label/score-model.js';
import { UnitCorpusBuilder } from '../../src/label/unit-corpus.js';
import type { Configuration } from '../../src/model/configuration.js';
import type { Model } from '../../src/model/model.js';
import { loadModel, saveModel } from '../../src/model/model-file.js';
import { OpenDocument } from '../../src/project/document.js';
import {
  type GivenFile,
  type ImportedDocuments,
  importDocuments,
} from '../../src/project/import-documents.js';
import { accuracyTable, type ChunkScores, conllevalTable } from '../../src/score/conlleval.js';
import { trainStages } from '../../src/systems/stages.js';
import { decodeTags, SCHEMES } from '../../src/tags/scheme.js';
import { configure } from '../../src/tasks/configure.js';
import { CONFIGURATION_OPTIONS, partOptions } from '../../src/tasks/parts.js';
import { TASKS } from '../../src/tasks/tasks.js';
import { joinWords } from '../../src/text/text-sentence.js';
import type {
  DataMethods,
  DifferingSentence,
  FileFacts,
  FoundSpan,
  PreviewText,
  TrainProgress,
} from './protocol.js';

const LAYER = 'labels';
const PREVIEW = 20;
const MOST_SENTENCES = 500;
/** One sentence in so many is held out. */
const HELD_OUT = 10;

interface KeptFile {
  readonly files: readonly GivenFile[];
  readonly imported: ImportedDocuments;
  readonly documents: readonly OpenDocument[];
  /** Columns that every document has. */
  readonly columns: readonly string[];
}

const kept = new Map<string, KeptFile>();

function keptFile(name: string): KeptFile {
  const found = kept.get(name);
  if (found === undefined) throw new Error(`expected a file that was read, found ${JSON.stringify(name)}`);
  return found;
}

function readData(name: string, files: readonly GivenFile[]): FileFacts {
  const imported = importDocuments(files, { tokenizer: 'english', layer: LAYER, isGold: true });
  const documents = imported.documents.map((stored) => new OpenDocument(stored));
  const columns = Object.keys(documents[0]?.stored.columns ?? {}).filter((column) =>
    documents.every(({ stored }) => stored.columns?.[column] !== undefined),
  );
  kept.set(name, { files, imported, documents, columns });
  const sentences = documents.reduce((sum, own) => sum + own.sentences, 0);
  const tokens = documents.reduce((sum, own) => sum + own.length, 0);
  const words = documents[0] && documents[0].sentences > 0 ? documents[0].words(0) : [];
  const isOfCharacters = words.length > 0 && words.every((word) => [...word].length === 1 && word > '\x7f');
  const { detected, problems, labels } = imported;
  return {
    detected,
    problems,
    sentences,
    tokens,
    columns,
    isOfCharacters,
    labels,
    preview: previewOf(documents),
  };
}

function previewOf(documents: readonly OpenDocument[]): PreviewText {
  let text = '';
  const spans: FoundSpan[] = [];
  let count = 0;
  for (const document of documents) {
    for (let s = 0; s < document.sentences && count < PREVIEW; s++, count++) {
      const shift = text.length - document.startOf(s);
      const own = document.given(LAYER, s).filter(({ end }) => end <= document.endOf(s));
      for (const { start, end, type } of own) spans.push({ start: start + shift, end: end + shift, type });
      text += `${document.stored.text.slice(document.startOf(s), document.endOf(s)).replace(/[\r\n]/g, ' ')}\n`;
    }
  }
  return { text, spans };
}

/** The corpus of a file, in the columns of a configuration. */
function corpusFor(
  name: string,
  configuration: Pick<Configuration, 'columns' | 'scheme' | 'tokens' | 'task'>,
): Corpus {
  const { files, documents, columns: there } = keptFile(name);
  if (configuration.tokens === 'characters') return characterCorpus(files, configuration);
  const inputs = configuration.columns.slice(1, -1).filter((column) => there.includes(column));
  const label = configuration.columns[configuration.columns.length - 1];
  const isOfTokens = configuration.scheme === 'token';
  const records: TokensRecord[] = [];
  for (const document of documents) {
    for (let s = 0; s < document.sentences; s++) {
      const words = document.words(s);
      const spans = document.overTokens(s, document.given(LAYER, s));
      const cells = inputs.map((column) => [column, document.cells(column, s) as readonly string[]]);
      const tags = isOfTokens ? tokenLabels(spans, words.length) : SCHEMES.iob2.encode(spans, words.length);
      records.push({ ...Object.fromEntries(cells), tokens: words, tags } as TokensRecord);
    }
  }
  return corpusOf(records, {
    columns: ['word', ...inputs, label],
    scheme: configuration.scheme,
    source: name,
  });
}

function tokenLabels(spans: readonly Span[], length: number): string[] {
  const labels = new Array<string>(length).fill('O');
  for (const { start, end, type } of spans) labels.fill(type, start, end);
  return labels;
}

function characterCorpus(
  files: readonly GivenFile[],
  configuration: Pick<Configuration, 'columns' | 'scheme' | 'task'>,
): Corpus {
  const { inputFormat } = TASKS[configuration.task];
  if (inputFormat === 'columns') throw new Error('expected a task of characters');
  const builder = new UnitCorpusBuilder(inputFormat, {
    ...configuration,
    tokens: 'characters',
    source: files[0].name,
  });
  for (const { bytes } of files) builder.push(bytes);
  return builder.finish();
}

/** A training's configuration, in the columns that its file has. */
function configurationOf(
  name: string,
  task: string,
  preset: string,
  options: Readonly<Record<string, string | number | boolean>>,
): Configuration {
  const { columns } = keptFile(name);
  const isOfCharacters = TASKS[task]?.tokens === 'characters';
  const names = isOfCharacters
    ? undefined
    : ['word', ...columns.filter((column) => column === 'pos' || column === 'upos'), 'label'];
  return configure({ task, preset, options, columns: names });
}

function progressOf(progress: Progress): TrainProgress {
  if (progress.kind === 'features') return { what: 'features', share: progress.sentences / progress.total };
  if (progress.kind === 'iteration') {
    const [objective] = Object.values(progress.measures);
    return { what: 'training', share: progress.iteration / progress.iterations, objective };
  }
  const { block, blocks, epoch, epochs, gap } = progress;
  return { what: 'training', share: (block + epoch / epochs) / blocks, objective: gap };
}

function tableOf(scores: ChunkScores, { configuration }: Model): string {
  return configuration.scheme === 'token' ? accuracyTable(scores) : conllevalTable(scores);
}

/** The last tenth of the sentences, or all others: neighbours of sentences that were learned would score too well. */
function tenth(corpus: Corpus, isHeldOut: boolean): Corpus {
  const count = corpus.starts.length - 1;
  const first = count - Math.max(1, Math.floor(count / HELD_OUT));
  const all = Array.from({ length: count }, (_, s) => s);
  return selectSentences(corpus, isHeldOut ? all.slice(first) : all.slice(0, first));
}

/** What a pipeline says of labelled data. */
function outputOf(
  name: string,
  stages: readonly Uint8Array[],
): SystemOutput & { words: string[][]; scores: ChunkScores; model: Model } {
  const pipeline = new Pipeline(stages.map((bytes) => loadModel(bytes)));
  const { model } = pipeline;
  const corpus = corpusFor(name, model.configuration);
  const gold: string[][] = [];
  const predicted: string[][] = [];
  const scores = scoreModel(pipeline, corpus, {
    onSentence: (own, found) => {
      gold.push([...own]);
      predicted.push([...found]);
    },
  });
  const words = gold.map((_, s) => columnStrings(corpus, 0, s));
  const scheme = model.configuration.scheme === 'token' ? 'token' : undefined;
  return { name, gold, predicted, words, scores, model, ...(scheme && { scheme }) };
}

function readingOf(words: readonly string[], spans: readonly Span[]): PreviewText {
  const { text, tokens } = joinWords(words);
  return {
    text,
    spans: spans.map(({ start, end, type }) => ({
      start: tokens[2 * start],
      end: tokens[2 * end - 1],
      type,
    })),
  };
}

/** Tails of the normal distribution, and of what follows from it. */
const DISTRIBUTIONS: Distributions = {
  normalTail,
  chiSquaredTail: (x, freedom) => (freedom === 1 ? 2 * normalTail(Math.sqrt(x)) : Number.NaN),
  fTail: () => Number.NaN,
};

/** P(Z ≥ z), to seven digits (Abramowitz and Stegun 26.2.17). */
function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const sum =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

/** Methods of labelled files. */
export const methods: DataMethods = {
  async choices() {
    const tasks = Object.entries(TASKS).map(([name, { help, presets }]) => {
      const own = Object.entries(presets).map(([preset, { help: text }]) => [preset, text]);
      return [name, { help, presets: Object.fromEntries(own) }];
    });
    return { tasks: Object.fromEntries(tasks), options: [...CONFIGURATION_OPTIONS, ...partOptions()] };
  },
  async readData({ name, files }) {
    return readData(name, files);
  },
  async trainFile({ train, dev, task, preset, options }, report?: (progress: unknown) => void) {
    const configuration = configurationOf(train, task, preset, options);
    const all = corpusFor(train, configuration);
    const corpus = dev === 'tenth' ? tenth(all, false) : all;
    const held =
      dev === undefined ? undefined : dev === 'tenth' ? tenth(all, true) : corpusFor(dev, configuration);
    const started = performance.now();
    const model = await trainStages(corpus, configuration, {
      onProgress: (progress) => report?.(progressOf(progress)),
    });
    const milliseconds = performance.now() - started;
    const scores = held && scoreModel(new Pipeline([model]), held);
    const table = scores && tableOf(scores, model);
    const f1 = scores && (configuration.scheme === 'token' ? scores.accuracy : scores.f1);
    const bytes = saveModel(model);
    return { bytes, milliseconds, features: model.features.size, table, f1, card: cardOf(model, table) };
  },
  async errorsOf({ gold, models }) {
    const output = outputOf(gold, models);
    const analysis = analyseErrors(output);
    const sentences = analysis.sentences.slice(0, MOST_SENTENCES).map(
      (own): DifferingSentence => ({
        sentence: own.sentence,
        readings: [readingOf(own.words, own.gold), readingOf(own.words, own.predicted)],
      }),
    );
    const types = [...analysis.types, null];
    return { table: tableOf(output.scores, output.model), types, confusions: analysis.confusions, sentences };
  },
  async compare({ gold, models }) {
    const [a, b] = models.map((stages) => outputOf(gold, stages));
    const found = compareOutputs(
      { ...a, name: 'first' },
      { ...b, name: 'second' },
      { distributions: DISTRIBUTIONS, rounds: 2000 },
    );
    const sentences: DifferingSentence[] = [];
    a.predicted.forEach((tags, s) => {
      if (sentences.length >= MOST_SENTENCES || tags.every((tag, t) => tag === b.predicted[s][t])) return;
      const all = [a.gold[s], tags, b.predicted[s]].map((own) =>
        readingOf(a.words[s], decodeTags(own, a.scheme)),
      );
      sentences.push({ sentence: s, readings: all });
    });
    return {
      tables: [tableOf(a.scores, a.model), tableOf(b.scores, b.model)],
      f1: [a.scores.f1, b.scores.f1],
      p: found.randomisation.p,
      onlyFirst: found.chunks.onlyFirst,
      onlySecond: found.chunks.onlySecond,
      sentences,
    };
  },
};

/** A model's card: what it was made of, and how good it is. */
function cardOf({ configuration, training }: Model, table: string | undefined): string {
  const { templates, options, columns, ...rest } = configuration;
  const settings = { ...rest, columns: columns.join(','), templates: templates.name, ...options };
  const lines = Object.entries(settings).map(([name, value]) => `| ${name} | ${String(value)} |`);
  const scores =
    table === undefined ? 'Not measured.' : `On held-out sentences:\n\n\`\`\`text\n${table}\`\`\``;
  return `# Model\n\n## Data\n\n${training.sentences} sentences, ${training.tokens} tokens, SHA-256 ${training.sha256}.\n\n## Configuration\n\n| option | value |\n| --- | --- |\n${lines.join('\n')}\n\n## Scores\n\n${scores}\n`;
}
