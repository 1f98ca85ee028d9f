import { listNames, lookUp, show } from '../base/errors.js';
import {
  checkOption,
  describeRange,
  type OptionDeclaration,
  type OptionValue,
  type OptionValues,
  settleOptions,
} from '../base/options.js';
import { checkColumnNames } from '../data/corpus.js';
import type { TagSpelling } from '../data/tag-spelling.js';
import { chooseDecoder } from '../decode/choose-decoder.js';
import { LINKS } from '../decode/link.js';
import { MOST_FAMILIES } from '../features/clusters.js';
import { readableColumns } from '../features/derived-columns.js';
import { viewsBeforeClasses } from '../features/possible-classes.js';
import { parseTemplates } from '../features/template-syntax.js';
import { checkLists } from '../features/words/lists.js';
import { REDUCTIONS } from '../reduce/reductions.js';
import { SCORE_KINDS } from '../reduce/score-kind.js';
import type { Direction } from '../tags/direction.js';
import { SCHEMES, type SchemeName, storedScheme } from '../tags/scheme.js';
import { SPELLINGS } from '../tags/spelling.js';
import type { TokenizerName } from '../text/tokenizers.js';
import type { ClassVariant, Configuration, Precision } from './configuration.js';
import { MODEL_OPTIONS } from './configuration.js';
import type {
  HeldOutScores,
  LabelBias,
  ModelScores,
  TrainingRecord,
  UnknownWordThresholds,
} from './model.js';

/** An object that a metadata entry holds as JSON. @throws Error naming the entry. */
export function readJson(metadata: Readonly<Record<string, string>>, name: string): Record<string, unknown> {
  const text = metadata[name];
  if (text === undefined) throw new Error(`metadata ${name} is missing`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`metadata ${name}: expected JSON, found ${show(text)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new Error(`metadata ${name}: expected a JSON object, found ${show(text)}`);
}

/** Reads and checks a configuration. @param scores how its sums become scores, which decides the decoders that fit. @throws Error in one sentence. */
export function readConfiguration(
  json: Record<string, unknown>,
  scores: ModelScores,
  tags: readonly string[],
): Configuration {
  const { templates, options, task, columns, learner, strategy, decoder, ...rest } = json;
  if (typeof task !== 'string') throw new Error('configuration: expected the name of a task');
  if (!Array.isArray(columns) || columns.length < 2 || !columns.every((name) => typeof name === 'string')) {
    throw new Error('configuration: expected the names of two columns or more');
  }
  checkColumnNames(columns);
  if (!isObject(options)) throw new Error(`configuration: expected options, found ${show(options)}`);
  const checked = (name: string, value: unknown) => {
    const declaration = MODEL_OPTIONS.find((option) => option.name === name) as OptionDeclaration;
    if (value === undefined)
      throw new Error(`configuration: ${name}: expected ${describeRange(declaration)}, found none`);
    return checkOption(declaration, value as OptionValue);
  };
  const { name, lines } = isObject(templates) ? templates : {};
  if (typeof name !== 'string' || !Array.isArray(lines) || !lines.every((line) => typeof line === 'string')) {
    throw new Error(`configuration: expected templates with their name and lines, found ${show(templates)}`);
  }
  // Files from before there were others are about words.
  const tokens = rest.tokens ?? 'words';
  if (tokens !== 'words' && tokens !== 'characters') {
    throw new Error(`configuration: expected words or characters as tokens, found ${show(tokens)}`);
  }
  const lists = readLists(rest.lists);
  const set = parseTemplates(lines.join('\n'), name, readableColumns(columns, tokens, lists));
  const parts = { learner, strategy, decoder, options: options as OptionValues };
  return {
    task,
    columns,
    tokens,
    scheme: checked('scheme', storedScheme(rest.scheme, tags)) as SchemeName,
    direction: checked('direction', rest.direction) as Direction,
    templates: set,
    cutOff: checked('cut-off', rest.cutOff) as number,
    ...(rest.tokenizer !== undefined && { tokenizer: checked('tokenizer', rest.tokenizer) as TokenizerName }),
    ...(rest.wordCutOff !== undefined && { wordCutOff: checked('word-cut-off', rest.wordCutOff) as number }),
    ...(viewsBeforeClasses(set).length > 0 && {
      classes: checked('classes', rest.classes) as ClassVariant,
    }),
    ...(rest.mask !== undefined && { mask: checked('mask', rest.mask) as number }),
    ...(rest.clusters !== undefined && { clusters: readClusters(rest.clusters) }),
    ...(lists && { lists }),
    ...(rest.stages !== undefined && checked('stages', rest.stages) === 2 && { stages: 2 as const }),
    ...(rest.document !== undefined && { document: checked('document', rest.document) as number }),
    ...readParts(parts, scores),
    // Files from before there was a choice have no precision.
    precision: checked('precision', rest.precision ?? 'float32') as Precision,
    seed: checked('seed', rest.seed) as number,
  };
}

/** Names of lists. */
function readLists(names: unknown): readonly string[] | undefined {
  if (names === undefined) return undefined;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    throw new Error(`configuration: expected names of lists, found ${show(names)}`);
  }
  checkLists(names);
  return names;
}

/** Number of families of clusters. */
function readClusters(count: unknown): number {
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= MOST_FAMILIES)
    return count;
  throw new Error(`configuration: expected 1 to ${MOST_FAMILIES} families of clusters, found ${show(count)}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Learner, strategy and decoder. The learner's options are a record of how the model was trained: whoever trains again checks
 * them; those of the strategy and the decoder are checked here, since labelling depends on them.
 */
function readParts(
  { learner, strategy, decoder, options }: Record<'learner' | 'strategy' | 'decoder' | 'options', unknown>,
  { kind, link }: ModelScores,
): Pick<Configuration, 'learner' | 'strategy' | 'decoder' | 'options'> {
  if (typeof learner !== 'string') throw new Error('configuration: expected the name of a learner');
  const given = options as OptionValues;
  for (const [name, value] of Object.entries(given)) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw new Error(
        `configuration: option ${name}: expected a string, a number or true or false, found ${show(value)}`,
      );
    }
  }
  if (strategy === undefined) {
    if (link === 'log-sigmoid')
      throw new Error('configuration: expected the strategy whose problems have such margins');
    const owner = `--learner ${learner}`;
    const { decoder: chosen, options: own } = chooseDecoder(
      { gives: kind, owner },
      { ...given, decoder } as OptionValues,
      {},
    );
    return { learner, decoder: chosen.name, options: { ...given, ...own } };
  }
  const { name, options: declared, gives } = lookUp(REDUCTIONS, strategy as string, 'strategy');
  if (gives !== kind) throw new Error(`scores: expected ${gives} of the strategy ${name}, found ${kind}`);
  const owner = `--strategy ${name}`;
  const { decoder: chosen, options: own } = chooseDecoder(
    { gives, owner },
    { ...given, decoder } as OptionValues,
    {},
  );
  return {
    learner,
    strategy: name,
    decoder: chosen.name,
    options: { ...given, ...settleOptions(declared, given, {}), ...own },
  };
}

/** Links of the learners that models from before they had `scores` may name; binary ones have those of their strategy. */
const EARLIER_LEARNERS: Readonly<Record<string, ModelScores | 'binary'>> = {
  svm: 'binary',
  logistic: 'binary',
  arow: 'binary',
  'crammer-singer': { kind: 'margins', link: 'log-softmax' },
  maxent: { kind: 'margins', link: 'log-softmax' },
  perceptron: { kind: 'first-order', link: 'identity' },
  crf: { kind: 'first-order', link: 'identity' },
  'crf-adf': { kind: 'first-order', link: 'identity' },
  'structured-svm': { kind: 'first-order', link: 'identity' },
  hmm: { kind: 'first-order', link: 'identity' },
  mira: { kind: 'chunks', link: 'identity' },
};

/** How sums become scores; files from before this was in them tell it by their learner and strategy. */
export function readScores(text: string | undefined, configuration: unknown): ModelScores {
  if (text !== undefined) {
    const { kind, link } = readJson({ scores: text }, 'scores') as unknown as ModelScores;
    if (Object.hasOwn(SCORE_KINDS, kind) && LINKS.includes(link)) return { kind, link };
    throw new Error(
      `scores: expected a kind, ${listNames(Object.keys(SCORE_KINDS))}, and a link, ${listNames(LINKS)}, found ${show(text)}`,
    );
  }
  const { learner, strategy } = (configuration ?? {}) as Record<string, string>;
  const earlier = lookUp(EARLIER_LEARNERS, learner, 'learner');
  if (earlier !== 'binary') return earlier;
  return { kind: lookUp(REDUCTIONS, strategy, 'strategy').gives, link: 'log-sigmoid' };
}

/** Reads the temperature of calibrated confidences. @throws Error in one sentence. */
export function readTemperature(text: string): number {
  const temperature = Number(text);
  if (Number.isFinite(temperature) && temperature > 0) return temperature;
  throw new Error(`temperature: expected a number above 0, found ${show(text)}`);
}

/** Reads the bias of labels. @throws Error in one sentence. */
export function readBias(json: Record<string, unknown>, types: readonly string[]): LabelBias {
  for (const [type, value] of Object.entries(json)) {
    if (!types.includes(type)) throw new Error(`bias: expected a type of the model, found ${show(type)}`);
    if (!Number.isFinite(value)) throw new Error(`bias: expected a number for ${type}, found ${show(value)}`);
  }
  return json as LabelBias;
}

/** Reads the thresholds for joining unknown words. @throws Error in one sentence. */
export function readUnknownWords(json: unknown): UnknownWordThresholds {
  const { leastConfidence, leastCount } = (json ?? {}) as UnknownWordThresholds;
  if (leastConfidence >= 0 && leastConfidence <= 1 && Number.isInteger(leastCount) && leastCount >= 1) {
    return { leastConfidence, leastCount };
  }
  throw new Error(`unknownWords: expected leastConfidence and leastCount, found ${show(json)}`);
}

/** Reads scores on held-out data. @throws Error in one sentence. */
export function readHeldOut(json: unknown): HeldOutScores {
  const { accuracy, precision, recall, f1 } = (json ?? {}) as HeldOutScores;
  if (![accuracy, precision, recall, f1].every(Number.isFinite)) {
    throw new Error('scores on held-out data: expected accuracy, precision, recall and f1');
  }
  return { accuracy, precision, recall, f1 };
}

/** @throws Error in one sentence. */
function readSpelling(json: unknown): TagSpelling {
  const found = Object.values(SPELLINGS).find(
    (spelling) =>
      typeof json === 'object' &&
      json !== null &&
      Object.entries(spelling).every(([key, value]) => (json as Record<string, unknown>)[key] === value),
  );
  if (found === undefined) throw new Error('training record: expected a spelling of tags');
  return found;
}

/** Reads what a model was trained on. @throws Error in one sentence. */
export function readTraining(json: unknown, tags: readonly string[]): TrainingRecord {
  const { sentences, tokens, sha256, irregularTags, tagSpelling, rawText, init, ...stored } = (json ??
    {}) as TrainingRecord;
  const fileScheme = storedScheme(stored.fileScheme, tags) as SchemeName;
  if (!Object.hasOwn(SCHEMES, fileScheme)) {
    throw new Error(`training record: tag scheme ${show(fileScheme)} does not exist`);
  }
  const counts = [sentences, tokens, irregularTags];
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0) || typeof sha256 !== 'string') {
    throw new Error(
      'training record: expected numbers of sentences, tokens and irregular tags, and a checksum',
    );
  }
  if (
    rawText !== undefined &&
    !(Number.isSafeInteger(rawText?.lines) && typeof rawText.sha256 === 'string')
  ) {
    throw new Error('training record: expected the number of lines of raw text, and a checksum');
  }
  return {
    sentences,
    tokens,
    sha256,
    fileScheme,
    irregularTags,
    ...(tagSpelling !== undefined && { tagSpelling: readSpelling(tagSpelling) }),
    ...(rawText && { rawText: { lines: rawText.lines, sha256: rawText.sha256 } }),
    ...(init !== undefined && { init: readTraining(init, tags) }),
  };
}
