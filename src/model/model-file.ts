import { checkArgument } from '../base/arguments.js';
import { ModelFileError, show } from '../base/errors.js';
import { readFileNow } from '../base/read-address.js';
import { DECODERS } from '../decode/decoders.js';
import { ChunkIndex } from '../features/chunk-index.js';
import { chunkTemplates } from '../features/chunk-template.js';
import { type FeatureArrays, FeatureIndex } from '../features/feature-index.js';
import { layOut } from '../features/layout.js';
import { templateName, withinOrder } from '../features/template.js';
import { TupleTable } from '../features/tuple-table.js';
import { oneVersusAll, ova } from '../reduce/ova.js';
import type { CodeMatrix } from '../reduce/reduction.js';
import { REDUCTIONS } from '../reduce/reductions.js';
import { ChunkRoles } from '../tags/chunk-roles.js';
import { TagSet } from '../tags/tag-set.js';
import { namedModel, unreadableModel } from './bundled-models.js';
import type { ChunkModel } from './chunk-model.js';
import type { Configuration } from './configuration.js';
import {
  type Knowledge,
  ownKnowledge,
  packKnowledge,
  sharedKnowledge,
  unpackKnowledge,
} from './knowledge/kinds.js';
import type { Model } from './model.js';
import {
  readBias,
  readConfiguration,
  readHeldOut,
  readJson,
  readScores,
  readTemperature,
  readTraining,
  readUnknownWords,
} from './model-metadata.js';
import { readSafetensors, writeSafetensors } from './safetensors.js';
import { SparseWeights } from './sparse-weights.js';
import { TensorReader, TensorWriter } from './tensors.js';

/** Changes whenever older programs could misread a newer file. */
export const MODEL_FORMAT_VERSION = '1';

/** The bytes of a model's file: a safetensors container. */
export function saveModel(model: Model): Uint8Array<ArrayBuffer> {
  checkArgument('model', model, 'model');
  const { features, weights, chunks, problems, configuration, tagSet } = model;
  const arrays = features.pack();
  const tensors = new TensorWriter();
  const addWeights = (name: string, own: SparseWeights) => {
    tensors.add(`${name}.values`, own.packed);
    tensors.addIntegers(`${name}.lanes`, own.lanes);
    tensors.addIntegers(`${name}.counts`, own.counts());
  };
  addWeights('weights', weights);
  tensors.addIntegers('slots', arrays.slots);
  arrays.values.forEach((strings, v) => {
    tensors.addStrings(`view.${v}`, strings);
  });
  arrays.counts.forEach((counts, c) => {
    const keys = arrays.keys[c];
    const arity = features.layout.conjunctions[c].views.length;
    if (keys) tensors.addIntegers(`conjunction.${c}.tuples`, keys, [counts.length, arity]);
    tensors.addIntegers(`conjunction.${c}.counts`, counts);
  });
  if (chunks) {
    const { index, weights: own, limits } = chunks;
    const { tuples, sequences } = index.pack();
    tuples.forEach((keys, p) => {
      tensors.addIntegers(`chunk.template.${p}`, keys);
    });
    sequences.forEach((keys, q) => {
      tensors.addIntegers(`chunk.sequences.${q}`, keys, [keys.length / 2, 2]);
    });
    addWeights('chunk.weights', own);
    tensors.addIntegers('chunk.lengths', limits.lengths);
    tensors.add('chunk.bigrams', limits.bigrams, [limits.types + 1, limits.types]);
    tensors.add('chunk.values', limits.values, [limits.values.length / limits.types, limits.types]);
    if (limits.pairs) {
      const { table, types } = limits.pairs;
      tensors.addIntegers('chunk.pairs', table.pack(), [table.size, 2]);
      tensors.add('chunk.pairTypes', types, [table.size, limits.types]);
    }
  }
  const chunkStep = chunks?.weights.step ?? 0;
  packKnowledge(model.knowledge, tensors);
  if (model.first) {
    const { first } = model;
    tensors.add('first.model', saveModel({ ...first, knowledge: ownKnowledge(first.knowledge) }));
  }
  const { code } = model;
  if (code && configuration.strategy !== ova.name)
    tensors.add('code.signs', code.signs, [code.labels, code.problems]);
  const { templates, ...rest } = configuration;
  return writeSafetensors(tensors.tensors, {
    format: 'spanwright',
    formatVersion: MODEL_FORMAT_VERSION,
    configuration: JSON.stringify({
      ...rest,
      templates: { name: templates.name, lines: templates.templates.map(templateName) },
    }),
    problems: String(problems),
    scores: JSON.stringify(model.scores),
    ...(weights.step > 0 && { weightStep: String(weights.step) }),
    ...(chunkStep > 0 && { chunkWeightStep: String(chunkStep) }),
    tagSet: JSON.stringify(tagSet),
    training: JSON.stringify(model.training),
    ...(model.posModel !== undefined && { posModel: model.posModel }),
    ...(model.temperature !== undefined && { temperature: String(model.temperature) }),
    ...(model.bias && { bias: JSON.stringify(model.bias) }),
    ...(model.unknownWords && { unknownWords: JSON.stringify(model.unknownWords) }),
    ...(model.dev && { dev: JSON.stringify(model.dev) }),
  });
}

/**
 * Reads a model.
 *
 * @param model the bytes of its file; where there is a file system, also its path, or the name of a model of this package.
 * @param source names the file in messages.
 * @throws ModelFileError in one sentence: no such file, not a model, truncated, damaged, of another version, or inconsistent.
 */
export function loadModel(model: Uint8Array | ArrayBuffer | string, source?: string): Model {
  if (typeof model === 'string') return loadModel(readNamed(model), source ?? model);
  return loadBytes(model, source ?? '<model>');
}

function readNamed(named: string): Uint8Array {
  try {
    return readFileNow(namedModel(named));
  } catch (error) {
    throw unreadableModel(named, error);
  }
}

function loadBytes(bytes: Uint8Array | ArrayBuffer, source: string): Model {
  const given = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
  if (!(given instanceof Uint8Array)) {
    throw new ModelFileError(
      source,
      `expected its bytes, a Uint8Array or an ArrayBuffer, found ${show(bytes)}`,
    );
  }
  const { tensors, metadata } = readSafetensors(given, source);
  if (metadata.format !== 'spanwright') {
    throw new ModelFileError(source, 'a safetensors file, but not a Spanwright model');
  }
  if (metadata.formatVersion !== MODEL_FORMAT_VERSION) {
    throw new ModelFileError(
      source,
      `of another version: expected format version ${MODEL_FORMAT_VERSION}, found ${metadata.formatVersion ?? 'none'}`,
    );
  }
  try {
    return assemble(new TensorReader(tensors), metadata);
  } catch (error) {
    throw new ModelFileError(source, `inconsistent: ${(error as Error).message}`);
  }
}

function assemble(tensors: TensorReader, metadata: Readonly<Record<string, string>>): Model {
  const described = readJson(metadata, 'configuration');
  const scores = readScores(metadata.scores, described);
  const tagSet = TagSet.fromJSON(readJson(metadata, 'tagSet'));
  const configuration = readConfiguration(described, scores, tagSet.tags);
  const { direction, decoder, options } = configuration;
  if (tagSet.direction !== direction || tagSet.scheme !== configuration.scheme) {
    throw new Error('tag set and configuration differ in scheme or direction');
  }
  const labels = tagSet.tags.length;
  const templates = withinOrder(configuration.templates, DECODERS[decoder].order(options));
  const { views, conjunctions } = layOut(templates.templates, direction, labels);
  const arrays: FeatureArrays = {
    values: views.map((_, v) => tensors.strings(`view.${v}`)),
    keys: conjunctions.map((conjunction, c) =>
      conjunction.views.length > 1 ? tensors.integers(`conjunction.${c}.tuples`, Uint32Array) : undefined,
    ),
    counts: conjunctions.map((_, c) => tensors.bytesOrWords(`conjunction.${c}.counts`)),
    slots: tensors.integers('slots', Uint16Array),
  };
  const features = FeatureIndex.unpack(templates, direction, labels, arrays);
  const problems = Number(metadata.problems);
  const code = readCode(tensors, configuration.strategy, labels, problems);
  if (problems !== (code?.problems ?? labels))
    throw new Error(`expected ${code?.problems ?? labels} problems, found ${show(metadata.problems)}`);
  // Makes sure that it is one of the strategy.
  if (code) REDUCTIONS[configuration.strategy as string].decide?.(code, options);
  const weights = readWeights(tensors, 'weights', problems, metadata.weightStep);
  if (weights.size !== features.size) {
    throw new Error(`expected weights of ${features.size} features, found those of ${weights.size}`);
  }
  const knowledge = unpackKnowledge(tensors, configuration, templates, tagSet);
  return {
    configuration,
    scores,
    tagSet,
    features,
    problems,
    ...(code && { code }),
    weights,
    ...(DECODERS[decoder].unit === 'chunk' && {
      chunks: readChunks(tensors, configuration, features, new ChunkRoles(tagSet), metadata.chunkWeightStep),
    }),
    training: readTraining(readJson(metadata, 'training'), tagSet.tags),
    knowledge,
    ...(configuration.stages && { first: readFirst(tensors, knowledge) }),
    ...(metadata.posModel !== undefined && { posModel: metadata.posModel }),
    ...(metadata.temperature !== undefined && { temperature: readTemperature(metadata.temperature) }),
    ...(metadata.bias !== undefined && { bias: readBias(readJson(metadata, 'bias'), tagSet.types) }),
    ...(metadata.unknownWords !== undefined && {
      unknownWords: readUnknownWords(readJson(metadata, 'unknownWords')),
    }),
    ...(metadata.dev !== undefined && { dev: readHeldOut(readJson(metadata, 'dev')) }),
  };
}

function readWeights(
  tensors: TensorReader,
  name: string,
  lanes: number,
  step: string | undefined,
): SparseWeights {
  return SparseWeights.unpack(
    tensors.bytesOrWords(`${name}.counts`),
    tensors.bytesOrWords(`${name}.lanes`),
    step === undefined
      ? tensors.array(`${name}.values`, Float32Array)
      : tensors.array(`${name}.values`, Int8Array),
    lanes,
    Number(step ?? 0),
  );
}

function readChunks(
  tensors: TensorReader,
  { templates }: Configuration,
  { layout, values }: FeatureIndex,
  { count: types }: ChunkRoles,
  step: string | undefined,
): ChunkModel {
  const own = chunkTemplates(templates.templates);
  const stored = tensors.names().filter((name) => name.startsWith('chunk.sequences.'));
  const index = ChunkIndex.unpack(own, layout.views, values, types, {
    tuples: own.map((_, p) => tensors.integers(`chunk.template.${p}`, Uint32Array)),
    sequences: stored.map((_, q) => tensors.integers(`chunk.sequences.${q}`, Uint32Array)),
  });
  const weights = readWeights(tensors, 'chunk.weights', (types + 1) * types, step);
  if (weights.size !== index.size) {
    throw new Error(`expected weights of ${index.size} chunk features, found those of ${weights.size}`);
  }
  const limits = {
    types,
    lengths: tensors.integers('chunk.lengths', Uint16Array),
    bigrams: tensors.array('chunk.bigrams', Uint8Array),
    values: tensors.array('chunk.values', Uint8Array),
    // Files from before there were such limits have none.
    pairs: tensors.has('chunk.pairs')
      ? {
          table: TupleTable.unpack(2, tensors.integers('chunk.pairs', Uint32Array)),
          types: tensors.array('chunk.pairTypes', Uint8Array),
        }
      : undefined,
  };
  if (
    limits.lengths.length !== types ||
    limits.bigrams.length !== (types + 1) * types ||
    limits.values.length % types !== 0 ||
    (limits.pairs && limits.pairs.types.length !== limits.pairs.table.size * types)
  ) {
    throw new Error(`expected what was seen of ${types} types, found another number of cells`);
  }
  checkFlags(limits.bigrams, 'chunk.bigrams');
  checkFlags(limits.values, 'chunk.values');
  if (limits.pairs) checkFlags(limits.pairs.types, 'chunk.pairTypes');
  return { index, weights, limits };
}

function checkFlags(flags: Uint8Array, name: string): void {
  for (let i = 0; i < flags.length; i++) {
    if (flags[i] > 1) throw new Error(`${name}: expected 0 or 1, found ${flags[i]} at ${i}`);
  }
}

/** The first of two stages, a model file in the file. */
function readFirst(tensors: TensorReader, shared: Knowledge): Model {
  const model = loadModel(tensors.array('first.model', Uint8Array).slice(), 'first stage');
  if (model.first) throw new Error('first stage: expected a model of one stage, found two');
  return { ...model, knowledge: sharedKnowledge(model.knowledge, shared) };
}

/** The code matrix; that of one-vs-all is not in the file. */
function readCode(
  tensors: TensorReader,
  strategy: string | undefined,
  labels: number,
  problems: number,
): CodeMatrix | undefined {
  if (strategy === undefined) return undefined;
  if (strategy === ova.name) return oneVersusAll(labels);
  const signs = tensors.array('code.signs', Int8Array);
  if (!(problems > 0) || signs.length !== labels * problems) {
    throw new Error(`code matrix: expected ${labels} × ${problems} signs, found ${signs.length}`);
  }
  if (!signs.every((sign) => sign >= -1 && sign <= 1))
    throw new Error('code matrix: expected signs −1, 0 and 1');
  return { labels, problems, signs };
}
