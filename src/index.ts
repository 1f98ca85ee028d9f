/** The public API: runs in Node, browsers and workers alike. Files and threads are in `spanwright/node`. */

export { InputError, type InputPlace, ModelFileError, OptionError, SpanwrightError } from './base/errors.js';
export type { OptionDeclaration, OptionValue, OptionValues } from './base/options.js';
export type { Progress, ProgressListener } from './base/progress.js';
export { VERSION } from './base/version.js';
export { Alphabet, type PackedStrings } from './data/alphabet.js';
export {
  type Corpus,
  CorpusBuilder,
  columnStrings,
  type ReadColumnsOptions,
  readColumns,
} from './data/corpus.js';
export type { Rows } from './data/dataset.js';
export type { InputPosition, Separator } from './data/formats/columns.js';
export { type FeatureArrays, FeatureIndex, type FeaturePart } from './features/feature-index.js';
export type { Conjunction, History, Layout, Placement } from './features/layout.js';
export {
  type LabelNode,
  label,
  type Template,
  type TemplateNode,
  type TemplateSet,
  type TokenNode,
  template,
  templateSet,
  token,
} from './features/template.js';
export { formatTemplates, readTemplates } from './features/template-syntax.js';
export { TupleTable } from './features/tuple-table.js';
export type { EpochReport, LaneProblem } from './learn/learner.js';
export type { Configuration } from './model/configuration.js';
export {
  ColumnLabeller,
  type ErrorPolicy,
  type LabelColumnsOptions,
  type LabelFormat,
} from './model/label-columns.js';
export type { DecoderChoice, HeldOutScores, Model, TrainingRecord } from './model/model.js';
export { loadModel, MODEL_FORMAT_VERSION, saveModel } from './model/model-file.js';
export { scoreModel } from './model/score-model.js';
export { SparseWeights } from './model/sparse-weights.js';
export { type LabelledSpan, type Labelling, type SentenceColumns, Tagger } from './model/tagger.js';
export { type BlockRunner, type TrainOptions, train } from './model/train.js';
export {
  type ChunkCounts,
  ChunkScorer,
  type ChunkScores,
  type ChunkScoresJson,
  conllevalTable,
  scoresToJson,
} from './score/conlleval.js';
export {
  convertTags,
  decodeTags,
  detectScheme,
  SCHEMES,
  type SchemeDetection,
  type SchemeName,
  type TagScheme,
} from './tags/scheme.js';
export type { Direction, Span } from './tags/span.js';
export { type Legality, TagSet, type TagSetJson, UNKNOWN_LABEL } from './tags/tag-set.js';
export { type ConfigureOptions, configure } from './tasks/configure.js';
