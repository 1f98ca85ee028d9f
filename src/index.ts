/** The public API: runs in Node, browsers and workers alike. Files and threads are in `spanwright/node`. */

export { InputError, type InputPlace, ModelFileError, OptionError, SpanwrightError } from './base/errors.js';
export type { OptionDeclaration, OptionValue, OptionValues } from './base/options.js';
export type { Progress, ProgressListener } from './base/progress.js';
export type { TypedArray } from './base/typed-array.js';
export { VERSION } from './base/version.js';
export { Alphabet } from './data/alphabet.js';
export {
  type Corpus,
  CorpusBuilder,
  columnStrings,
  type ReadColumnsOptions,
  readColumns,
  replaceColumn,
  type SentenceColumns,
  selectSentences,
} from './data/corpus.js';
export type { Rows } from './data/dataset.js';
export type { InputPosition, Separator } from './data/formats/columns.js';
export { ENCODINGS, type Encoding, Transcoder } from './data/formats/transcoder.js';
export type { TokenUnit, UnitFormat } from './data/formats/unit-readers.js';
export type { RatedSpan, Span } from './data/span.js';
export type { ChunkLimits, ValuePairs } from './decode/chunk-limits.js';
export { type Calibration, type CalibrationBin, CalibrationTally } from './evaluate/calibration.js';
export {
  type CompareOptions,
  type Comparison,
  compareOutputs,
  type SystemOutput,
  type TestOutcome,
} from './evaluate/compare.js';
export { type CrossLabelOptions, crossLabel } from './evaluate/cross-label.js';
export {
  type CrossValidationOptions,
  crossValidate,
  type Fold,
  type FoldListener,
  type FoldRunner,
  type FoldScores,
  type FoldWork,
  type MeanAndDeviation,
  meanAndDeviation,
  splitFolds,
  strataOf,
} from './evaluate/cross-validation.js';
export {
  analyseErrors,
  type ErrorAnalysis,
  type LengthTally,
  type OutputWithWords,
  type SeenShares,
  type SentenceErrors,
  type Share,
  type SpanFates,
  type WordErrors,
} from './evaluate/error-analysis.js';
export { fitTemperature } from './evaluate/fit-temperature.js';
export { fitUnknownWords } from './evaluate/fit-unknown-words.js';
export { type GridAxis, gridPoints, parseGrid, pointText, type Trial } from './evaluate/grid.js';
export { type CurveFold, curveFolds } from './evaluate/learning-curve.js';
export { type ModelCalibration, measureCalibration } from './evaluate/measure-calibration.js';
export {
  type AnovaResult,
  anova,
  binomialTest,
  type Discordant,
  type Distributions,
  mcNemarTest,
  proportionTest,
  type RandomisationResult,
  randomisationTest,
  type SentenceCounts,
  signTest,
} from './evaluate/significance.js';
export { type ChunkDependence, ChunkIndex, type ChunkIndexArrays } from './features/chunk-index.js';
export { type FeatureArrays, FeatureIndex, type FeaturePart } from './features/feature-index.js';
export type { Conjunction, History, Layout, Placement } from './features/layout.js';
export type { NgramVariety } from './features/ngram-variety.js';
export { type PackedClasses, PossibleClasses } from './features/possible-classes.js';
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
export { TupleTable } from './features/tuple-table.js';
export type { HashedStrings, PackedStrings } from './kernels/find-values.js';
export { bestKernels, type KernelName } from './kernels/kernels.js';
export { LABEL_FORMATS, type LabelFormat, type OutputFormat, type SentenceWriter } from './label/formats.js';
export { ColumnLabeller } from './label/label-columns.js';
export { LineLabeller } from './label/label-lines.js';
export { UnitLabeller } from './label/label-units.js';
export type {
  LabelledChunk,
  LabelledSentence,
  LabelledToken,
  TextPlace,
} from './label/labelled-sentence.js';
export { type ErrorPolicy, type InputFormat, Labeller, type LabelOptions } from './label/labeller.js';
export { Pipeline, type SentencePlace, type TextLabelling } from './label/pipeline.js';
export { scoreModel } from './label/score-model.js';
export { type NamedText, type ScoreSegmentedOptions, scoreSegmentedTexts } from './label/score-segmented.js';
export { scoreWords } from './label/score-words.js';
export { UnitCorpusBuilder, type UnitCorpusOptions } from './label/unit-corpus.js';
export type { Checkpoint, TrainingState } from './learn/checkpoint.js';
export type { EpochReport, LaneProblem } from './learn/learner.js';
export type { ChunkModel } from './model/chunk-model.js';
export type { ClassVariant, Configuration, Precision } from './model/configuration.js';
export type {
  DecoderChoice,
  HeldOutScores,
  Model,
  RawTextRecord,
  TrainingRecord,
  UnknownWordThresholds,
} from './model/model.js';
export { loadModel, MODEL_FORMAT_VERSION, saveModel } from './model/model-file.js';
export { SparseWeights } from './model/sparse-weights.js';
export type { CodeMatrix } from './reduce/reduction.js';
export { calibrationReport } from './report/calibration-report.js';
export {
  type BarChart,
  type Chart,
  type ChartBars,
  type ChartLine,
  type ChartPoint,
  chartToSvg,
  type LineChart,
} from './report/chart.js';
export { type CurvePoint, curveReport, type LearningCurve } from './report/curve-report.js';
export { type ErrorReportOptions, errorReport } from './report/error-report.js';
export {
  type Block,
  type Cell,
  type Figure,
  type Report,
  type Run,
  reportToHtml,
  reportToMarkdown,
  reportToText,
  type Table,
  type TextBlock,
} from './report/report.js';
export { tuneReport } from './report/tune-report.js';
export {
  accuracyTable,
  type ChunkCounts,
  ChunkScorer,
  type ChunkScores,
  type ChunkScoresJson,
  type ChunkTally,
  conllevalTable,
  scoresToJson,
} from './score/conlleval.js';
export {
  type SegmentedSentence,
  type WordRates,
  WordScorer,
  type WordScores,
  wordTable,
} from './score/word-scores.js';
export {
  type FoundWords,
  findCorpusWords,
  findWords,
  type GoldWords,
  scoreJoinedWords,
  unknownWordsOf,
} from './systems/found-words.js';
export { JoiningLabeller } from './systems/joining-labeller.js';
export { learn } from './systems/learn.js';
export { UnknownWords } from './systems/unknown-words.js';
export type { ChunkFeature } from './tag/chunk-labeller.js';
export type { SpanConstraints, SpanStart } from './tag/constraints.js';
export { type Alternative, type LabelledSpan, type Labelling, Tagger } from './tag/tagger.js';
export type { Direction } from './tags/direction.js';
export {
  CHUNK_SCHEMES,
  type ChunkSchemeName,
  convertTags,
  decodeTags,
  detectScheme,
  type ParsedTag,
  SCHEMES,
  type SchemeDetection,
  type SchemeName,
  type TagScheme,
} from './tags/scheme.js';
export { type Legality, TagSet, type TagSetJson, UNKNOWN_LABEL } from './tags/tag-set.js';
export { type ConfigureOptions, configure } from './tasks/configure.js';
export type { OffsetUnit } from './text/code-points.js';
export { splitText, TextScanner } from './text/text-scanner.js';
export { type TextSentence, tokenText } from './text/text-sentence.js';
export { train } from './train/train.js';
export type { BlockProblem, BlockRunner, RawText, TrainOptions } from './train/train-options.js';
