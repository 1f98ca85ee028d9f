import { ModelFileError, show } from '../base/errors.js';
import type { TypedArray } from '../base/typed-array.js';
import { Alphabet } from '../data/alphabet.js';
import { DECODERS } from '../decode/decoders.js';
import { ChunkIndex, chunkTemplates } from '../features/chunk-index.js';
import { readsAccessorVariety } from '../features/derived-columns.js';
import { type FeatureArrays, FeatureIndex } from '../features/feature-index.js';
import { layOut } from '../features/layout.js';
import type { NgramVariety } from '../features/ngram-variety.js';
import { type PackedClasses, PossibleClasses, viewsBeforeClasses } from '../features/possible-classes.js';
import { type TemplateSet, templateName, withinOrder } from '../features/template.js';
import { TupleTable } from '../features/tuple-table.js';
import type { PackedStrings } from '../kernels/find-values.js';
import { oneVersusAll, ova } from '../reduce/ova.js';
import type { CodeMatrix } from '../reduce/reduction.js';
import { REDUCTIONS } from '../reduce/reductions.js';
import { ChunkRoles } from '../tags/chunk-roles.js';
import { TagSet } from '../tags/tag-set.js';
import type { ChunkModel } from './chunk-model.js';
import type { Configuration } from './configuration.js';
import type { Model } from './model.js';
import {
  readConfiguration,
  readHeldOut,
  readScores,
  readTemperature,
  readTraining,
  readUnknownWords,
} from './model-metadata.js';
import { readSafetensors, type Tensor, writeSafetensors } from './safetensors.js';
import { SparseWeights } from './sparse-weights.js';

/** Changes whenever older programs could misread a newer file. */
export const MODEL_FORMAT_VERSION = '1';

/** The bytes of a model's file: a safetensors container. */
export function saveModel(model: Model): Uint8Array<ArrayBuffer> {
  const { features, weights, chunks, problems, configuration, tagSet } = model;
  const arrays = features.pack();
  const tensors: Record<string, Tensor> = {};
  const add = (name: string, data: TypedArray, shape: readonly number[] = [data.length]) => {
    tensors[name] = { data, shape };
  };
  const addWeights = (name: string, own: SparseWeights) => {
    add(`${name}.values`, own.packed);
    add(`${name}.lanes`, narrow(own.lanes));
    add(`${name}.counts`, narrow(own.counts()));
  };
  addWeights('weights', weights);
  add('slots', narrow(arrays.slots));
  arrays.values.forEach(({ pool, offsets }, v) => {
    add(`view.${v}.strings`, pool);
    add(`view.${v}.offsets`, narrow(offsets));
  });
  arrays.counts.forEach((counts, c) => {
    const keys = arrays.keys[c];
    const arity = features.layout.conjunctions[c].views.length;
    if (keys) add(`conjunction.${c}.tuples`, narrow(keys), [counts.length, arity]);
    add(`conjunction.${c}.counts`, narrow(counts));
  });
  if (chunks) {
    const { index, weights: own, limits } = chunks;
    const { tuples, sequences } = index.pack();
    tuples.forEach((keys, p) => {
      add(`chunk.template.${p}`, narrow(keys));
    });
    sequences.forEach((keys, q) => {
      add(`chunk.sequences.${q}`, narrow(keys), [keys.length / 2, 2]);
    });
    addWeights('chunk.weights', own);
    add('chunk.lengths', narrow(limits.lengths));
    add('chunk.bigrams', limits.bigrams, [limits.types + 1, limits.types]);
    add('chunk.values', limits.values, [limits.values.length / limits.types, limits.types]);
    if (limits.pairs) {
      const { table, types } = limits.pairs;
      add('chunk.pairs', narrow(table.pack()), [table.size, 2]);
      add('chunk.pairTypes', types, [table.size, limits.types]);
    }
  }
  const chunkStep = chunks?.weights.step ?? 0;
  if (model.words) {
    const { pool, offsets } = packStrings([...model.words].sort());
    add('words.strings', pool);
    add('words.offsets', narrow(offsets));
  }
  [...(model.classes?.pack().values() ?? [])].forEach(({ values, labels }, v) => {
    add(`classes.${v}.strings`, values.pool);
    add(`classes.${v}.offsets`, narrow(values.offsets));
    add(`classes.${v}.labels`, labels);
  });
  if (model.variety) {
    const { characters, children, last, values } = model.variety;
    const { pool, offsets } = packStrings(characters);
    add('variety.strings', pool);
    add('variety.offsets', narrow(offsets));
    add('variety.children', narrow(children));
    add('variety.last', narrow(last));
    add('variety.values', values);
  }
  const { code } = model;
  if (code && configuration.strategy !== ova.name)
    add('code.signs', code.signs, [code.labels, code.problems]);
  const { templates, ...rest } = configuration;
  return writeSafetensors(tensors, {
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
    ...(model.unknownWords && { unknownWords: JSON.stringify(model.unknownWords) }),
    ...(model.dev && { dev: JSON.stringify(model.dev) }),
  });
}

/**
 * Reads a model file.
 *
 * @param source names the file in messages.
 * @throws ModelFileError in one sentence: not a model, truncated, damaged, of another version, or inconsistent.
 */
export function loadModel(bytes: Uint8Array, source = '<model>'): Model {
  const { tensors, metadata } = readSafetensors(bytes, source);
  if (metadata.format !== 'spanwright') {
    throw new ModelFileError(source, 'a safetensors file, but not a Spanwright model');
  }
  if (metadata.formatVersion !== MODEL_FORMAT_VERSION) {
    throw new ModelFileError(
      source,
      `of another version: expected format version ${MODEL_FORMAT_VERSION}, found ${metadata.formatVersion}`,
    );
  }
  try {
    return assemble(tensors, metadata);
  } catch (error) {
    throw new ModelFileError(source, `inconsistent: ${(error as Error).message}`);
  }
}

function assemble(
  tensors: Readonly<Record<string, Tensor>>,
  metadata: Readonly<Record<string, string>>,
): Model {
  const described = JSON.parse(metadata.configuration);
  const scores = readScores(metadata.scores, described);
  const configuration = readConfiguration(described, scores);
  const { direction, decoder, options } = configuration;
  const tagSet = TagSet.fromJSON(JSON.parse(metadata.tagSet));
  if (tagSet.direction !== direction || tagSet.scheme !== configuration.scheme) {
    throw new Error('tag set and configuration differ in scheme or direction');
  }
  const labels = tagSet.tags.length;
  const templates = withinOrder(configuration.templates, DECODERS[decoder].order(options));
  const { views, conjunctions } = layOut(templates.templates, direction, labels);
  const arrays: FeatureArrays = {
    values: views.map((_, v) => ({
      pool: tensor(tensors, `view.${v}.strings`, Uint8Array),
      offsets: integers(tensors, `view.${v}.offsets`, Uint32Array),
    })),
    keys: conjunctions.map((conjunction, c) =>
      conjunction.views.length > 1 ? integers(tensors, `conjunction.${c}.tuples`, Uint32Array) : undefined,
    ),
    counts: conjunctions.map((_, c) => bytesOrWords(tensors, `conjunction.${c}.counts`)),
    slots: integers(tensors, 'slots', Uint16Array),
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
    training: readTraining(JSON.parse(metadata.training)),
    ...(tensors['words.offsets'] && { words: new Set(unpackStrings(tensors, 'words')) }),
    ...(configuration.classes && { classes: readClasses(tensors, templates, tagSet) }),
    ...(readsAccessorVariety(templates, configuration.columns) && { variety: readVariety(tensors) }),
    ...(metadata.posModel !== undefined && { posModel: metadata.posModel }),
    ...(metadata.temperature !== undefined && { temperature: readTemperature(metadata.temperature) }),
    ...(metadata.unknownWords !== undefined && {
      unknownWords: readUnknownWords(JSON.parse(metadata.unknownWords)),
    }),
    ...(metadata.dev !== undefined && { dev: readHeldOut(JSON.parse(metadata.dev)) }),
  };
}

function readClasses(
  tensors: Readonly<Record<string, Tensor>>,
  templates: TemplateSet,
  { tags }: TagSet,
): PossibleClasses {
  const packed = viewsBeforeClasses(templates).map((view, v): [string, PackedClasses] => [
    view,
    {
      values: {
        pool: tensor(tensors, `classes.${v}.strings`, Uint8Array),
        offsets: integers(tensors, `classes.${v}.offsets`, Uint32Array),
      },
      labels: tensor(tensors, `classes.${v}.labels`, Uint8Array),
    },
  ]);
  return PossibleClasses.unpack(tags, new Map(packed));
}

function readWeights(
  tensors: Readonly<Record<string, Tensor>>,
  name: string,
  lanes: number,
  step: string | undefined,
): SparseWeights {
  return SparseWeights.unpack(
    bytesOrWords(tensors, `${name}.counts`),
    bytesOrWords(tensors, `${name}.lanes`),
    step === undefined
      ? tensor(tensors, `${name}.values`, Float32Array)
      : tensor(tensors, `${name}.values`, Int8Array),
    lanes,
    Number(step ?? 0),
  );
}

function readChunks(
  tensors: Readonly<Record<string, Tensor>>,
  { templates }: Configuration,
  { layout, values }: FeatureIndex,
  { count: types }: ChunkRoles,
  step: string | undefined,
): ChunkModel {
  const own = chunkTemplates(templates.templates);
  const stored = Object.keys(tensors).filter((name) => name.startsWith('chunk.sequences.'));
  const index = ChunkIndex.unpack(own, layout.views, values, types, {
    tuples: own.map((_, p) => integers(tensors, `chunk.template.${p}`, Uint32Array)),
    sequences: stored.map((_, q) => integers(tensors, `chunk.sequences.${q}`, Uint32Array)),
  });
  const weights = readWeights(tensors, 'chunk.weights', (types + 1) * types, step);
  if (weights.size !== index.size) {
    throw new Error(`expected weights of ${index.size} chunk features, found those of ${weights.size}`);
  }
  const limits = {
    types,
    lengths: integers(tensors, 'chunk.lengths', Uint16Array),
    bigrams: tensor(tensors, 'chunk.bigrams', Uint8Array),
    values: tensor(tensors, 'chunk.values', Uint8Array),
    // Files from before there were such limits have none.
    pairs: tensors['chunk.pairs'] && {
      table: TupleTable.unpack(2, integers(tensors, 'chunk.pairs', Uint32Array)),
      types: tensor(tensors, 'chunk.pairTypes', Uint8Array),
    },
  };
  if (
    limits.lengths.length !== types ||
    limits.bigrams.length !== (types + 1) * types ||
    limits.values.length % types !== 0 ||
    (limits.pairs && limits.pairs.types.length !== limits.pairs.table.size * types)
  ) {
    throw new Error(`expected what was seen of ${types} types, found another number of cells`);
  }
  return { index, weights, limits };
}

/** The code matrix; that of one-vs-all is not in the file. */
function readCode(
  tensors: Readonly<Record<string, Tensor>>,
  strategy: string | undefined,
  labels: number,
  problems: number,
): CodeMatrix | undefined {
  if (strategy === undefined) return undefined;
  if (strategy === ova.name) return oneVersusAll(labels);
  const signs = tensor(tensors, 'code.signs', Int8Array);
  if (!(problems > 0) || signs.length !== labels * problems) {
    throw new Error(`code matrix: expected ${labels} × ${problems} signs, found ${signs.length}`);
  }
  if (!signs.every((sign) => sign >= -1 && sign <= 1))
    throw new Error('code matrix: expected signs −1, 0 and 1');
  return { labels, problems, signs };
}

function packStrings(strings: Iterable<string>): PackedStrings {
  const alphabet = new Alphabet();
  for (const text of strings) alphabet.add(text);
  return alphabet.pack();
}

function unpackStrings(tensors: Readonly<Record<string, Tensor>>, name: string): string[] {
  const pool = tensor(tensors, `${name}.strings`, Uint8Array);
  const offsets = integers(tensors, `${name}.offsets`, Uint32Array);
  return Alphabet.unpack({ pool, offsets }).toArray();
}

function readVariety(tensors: Readonly<Record<string, Tensor>>): NgramVariety {
  const variety = {
    characters: unpackStrings(tensors, 'variety'),
    children: integers(tensors, 'variety.children', Uint32Array),
    last: integers(tensors, 'variety.last', Uint32Array),
    values: tensor(tensors, 'variety.values', Uint8Array),
  };
  const { characters, children, last, values } = variety;
  const size = children.reduce((sum, count) => sum + count, 0);
  if (children.length !== size + 1 || last.length !== size || values.length !== size) {
    throw new Error(`accessor variety: expected ${size} n-grams, found ${values.length}`);
  }
  if (last.some((character) => character >= characters.length)) {
    throw new Error(`accessor variety: expected ${characters.length} characters, found more`);
  }
  return variety;
}

/** The same integers in the narrowest type that holds them. */
function narrow(values: Uint8Array | Uint16Array | Uint32Array): Uint8Array | Uint16Array | Uint32Array {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, values[i]);
  if (largest < 1 << 8) return Uint8Array.from(values);
  return largest < 1 << 16 ? Uint16Array.from(values) : values;
}

/** Integers that {@link narrow} may have narrowed. */
function integers<T extends Uint16Array | Uint32Array>(
  tensors: Readonly<Record<string, Tensor>>,
  name: string,
  type: new (values: ArrayLike<number>) => T,
): T {
  const { data } = tensors[name] ?? {};
  if (data instanceof type) return data;
  if (data instanceof Uint8Array || data instanceof Uint16Array) return new type(data);
  return tensor(tensors, name, type);
}

/** Integers of 16 bits, left narrow where {@link narrow} made them so. */
function bytesOrWords(tensors: Readonly<Record<string, Tensor>>, name: string): Uint8Array | Uint16Array {
  const { data } = tensors[name] ?? {};
  return data instanceof Uint8Array ? data : tensor(tensors, name, Uint16Array);
}

function tensor<T extends TypedArray>(
  tensors: Readonly<Record<string, Tensor>>,
  name: string,
  type: new (values: ArrayLike<number>) => T,
): T {
  const data = tensors[name]?.data;
  if (data === undefined) throw new Error(`tensor ${name} is missing`);
  if (!(data instanceof type)) throw new Error(`tensor ${name} has the wrong element type`);
  return data;
}
