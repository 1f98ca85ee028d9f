/** Labels sentences, texts and files with trained models. Runs in Node, browsers and workers alike; imports no training code. */

export {
  type ErrorCode,
  InputError,
  type InputPlace,
  ModelFileError,
  OptionError,
  SpanwrightError,
} from './base/errors.js';
export type { OptionDeclaration, OptionValue, OptionValues } from './base/options.js';
export { VERSION } from './base/version.js';
export type { SentenceColumns } from './data/corpus.js';
export type { ColumnLayout, ColumnWidth, InputPosition, Separator } from './data/formats/columns.js';
export type { InputFormat, UnitFormat } from './data/formats/input-formats.js';
export type { TokenUnit } from './data/formats/input-unit.js';
export { type Encoding, encodingNamed, Transcoder } from './data/formats/transcoder.js';
export type { MissedChunk, RatedSpan, Span } from './data/span.js';
export type { TagSpelling } from './data/tag-spelling.js';
export type { Link } from './decode/link.js';
export { bestKernels, type KernelName } from './kernels/kernels.js';
export { LABEL_FORMATS, type LabelFormat, type OutputFormat, type SentenceWriter } from './label/formats.js';
export { ColumnLabeller } from './label/label-columns.js';
export { LineLabeller } from './label/label-lines.js';
export { UnitLabeller } from './label/label-units.js';
export type { LabelledChunk, LabelledSentence, LabelledToken, TextPlace } from './label/labelled-sentence.js';
export { type ErrorPolicy, Labeller, type LabelOptions } from './label/labeller.js';
export { entities, type ModelSource, pipeline, type TextLabeller } from './label/open-pipeline.js';
export { Pipeline, type SentencePlace, type TextLabelling } from './label/pipeline.js';
export { WHOLE_RUNS, type WholeRun } from './label/whole-runs.js';
export { BUNDLED_MODEL_NAMES } from './model/bundled-models.js';
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
export { JoiningLabeller } from './systems/joining-labeller.js';
export { UnknownWords } from './systems/unknown-words.js';
export type { ChunkFeature } from './tag/chunk-labeller.js';
export type { SpanConstraints, SpanStart } from './tag/constraints.js';
export type { Alternative, LabelledSpan, Labelling } from './tag/labelling.js';
export { tagMarginals } from './tag/tag-marginals.js';
export { Tagger } from './tag/tagger.js';
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
export type { OffsetUnit } from './text/code-points.js';
export { learnAbbreviations } from './text/learn-abbreviations.js';
export { type SentenceOptions, splitText, type TextLayout, TextScanner } from './text/text-scanner.js';
export { type TextSentence, tokenText } from './text/text-sentence.js';
export { TOKENIZERS, type Tokenizer, type TokenizerName } from './text/tokenizers.js';
