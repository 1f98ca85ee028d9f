/** Trains models: corpora, configurations, templates, training itself and learning from corrections. */

export {
  type ErrorCode,
  InputError,
  type InputPlace,
  ModelFileError,
  OptionError,
  SpanwrightError,
} from './base/errors.js';
export type { OptionDeclaration, OptionValue, OptionValues } from './base/options.js';
export type { Progress, ProgressListener } from './base/progress.js';
export type { TypedArray } from './base/typed-array.js';
export { VERSION } from './base/version.js';
export { Alphabet } from './data/alphabet.js';
export {
  type Corpus,
  CorpusBuilder,
  columnStrings,
  type MissedInSentence,
  type ReadColumnsOptions,
  readColumns,
  replaceColumn,
  type SentenceColumns,
  selectSentences,
} from './data/corpus.js';
export type { ColumnLayout, ColumnWidth, InputPosition, Separator } from './data/formats/columns.js';
export type { UnitFormat } from './data/formats/input-formats.js';
export type { TokenUnit } from './data/formats/input-unit.js';
export { type Encoding, encodingNamed, Transcoder } from './data/formats/transcoder.js';
export type { PhraseKind } from './data/formats/tree-phrases.js';
export type { CharacterSpan, MissedChunk, RatedSpan, Span } from './data/span.js';
export type { TagSpelling } from './data/tag-spelling.js';
export type { Link } from './decode/link.js';
export { type FittedBias, fitBias } from './evaluate/fit-bias.js';
export { fitTemperature } from './evaluate/fit-temperature.js';
export { fitUnknownWords } from './evaluate/fit-unknown-words.js';
export type { ResourceFile, Resources } from './features/resource.js';
export {
  all,
  type ChunkNode,
  type EdgeNode,
  first,
  type LabelNode,
  type LengthNode,
  label,
  last,
  length,
  type SequenceNode,
  type SymmetryNode,
  some,
  symmetry,
  type Template,
  type TemplateNode,
  type TemplateSet,
  type TokenNode,
  template,
  templateSet,
  token,
} from './features/template.js';
export { formatTemplates, readTemplates } from './features/template-syntax.js';
export {
  type CorpusOfOptions,
  corpusOf,
  readConllu,
  readJsonl,
  readTrees,
  type TextRecord,
  type TokensRecord,
} from './label/corpus-of.js';
export { UnitCorpusBuilder, type UnitCorpusOptions } from './label/unit-corpus.js';
export type { Checkpoint, TrainingState } from './learn/checkpoint.js';
export type { ClassVariant, Configuration, Precision } from './model/configuration.js';
export type {
  DecoderChoice,
  HeldOutScores,
  LabelBias,
  Model,
  ModelScores,
  RawTextRecord,
  TrainingRecord,
  UnknownWordThresholds,
} from './model/model.js';
export { loadModel, MODEL_FORMAT_VERSION, saveModel } from './model/model-file.js';
export type { ScoreKind } from './reduce/score-kind.js';
export { type CrossLabelOptions, crossLabel } from './systems/cross-label.js';
export { learn } from './systems/learn.js';
export { trainStages as train } from './systems/stages.js';
export { detectScheme, type SchemeDetection } from './tags/detect-scheme.js';
export type { Direction } from './tags/direction.js';
export {
  CHUNK_SCHEMES,
  type ChunkSchemeName,
  convertTags,
  decodeTags,
  type ParsedTag,
  SCHEMES,
  type SchemeName,
  type TagScheme,
} from './tags/scheme.js';
export { withPlainTags } from './tags/spelling.js';
export { type LegalitySource, TagSet, type TagSetJson, UNKNOWN_LABEL } from './tags/tag-set.js';
export { type ConfigureOptions, configure } from './tasks/configure.js';
export { BigramCounter, type BigramCounts, type BigramRows } from './train/clusters/bigrams.js';
export type { PassListener } from './train/clusters/exchange.js';
export { type ClusteredWord, type ClusterOptions, learnClusters } from './train/clusters/learn-clusters.js';
export type { BlockRunner, FirstStageResult, RawText, TrainOptions } from './train/train-options.js';
