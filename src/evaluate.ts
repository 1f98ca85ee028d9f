/** Scores and compares labellings: scorers, cross-validation, significance tests, error analysis, calibration and reports. */

export {
  type ErrorCode,
  InputError,
  type InputPlace,
  ModelFileError,
  OptionError,
  SpanwrightError,
} from './base/errors.js';
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
export { type Fold, splitFolds } from './data/folds.js';
export type { ColumnLayout, ColumnWidth, InputPosition, Separator } from './data/formats/columns.js';
export type { UnitFormat } from './data/formats/input-formats.js';
export type { TokenUnit } from './data/formats/input-unit.js';
export { type Encoding, encodingNamed, Transcoder } from './data/formats/transcoder.js';
export type { MissedChunk, RatedSpan, Span } from './data/span.js';
export type { TagSpelling } from './data/tag-spelling.js';
export {
  bootstrapInterval,
  cohensKappa,
  gwetsAc1,
  type Interval,
  krippendorffsAlpha,
  type Ratings,
  type SpanAgreement,
  spanAgreement,
} from './evaluate/agreement.js';
export { type Calibration, type CalibrationBin, CalibrationTally } from './evaluate/calibration.js';
export {
  type CompareOptions,
  type Comparison,
  compareOutputs,
  type SystemOutput,
  type TestOutcome,
} from './evaluate/compare.js';
export {
  type CrossValidationOptions,
  crossValidate,
  type FoldListener,
  type FoldRunner,
  type FoldScores,
  type FoldWork,
  type MeanAndDeviation,
  meanAndDeviation,
  strataOf,
} from './evaluate/cross-validation.js';
export {
  analyseErrors,
  type Confusion,
  type ErrorAnalysis,
  type LengthTally,
  type OutputWithWords,
  type SeenShares,
  type SentenceErrors,
  type Share,
  type SpanFates,
  type WordErrors,
} from './evaluate/error-analysis.js';
export { type GridAxis, gridPoints, parseGrid, pointText, type Trial } from './evaluate/grid.js';
export { type CurveFold, curveFolds } from './evaluate/learning-curve.js';
export { type ModelCalibration, measureCalibration } from './evaluate/measure-calibration.js';
export {
  measureRobustness,
  PERTURBATIONS,
  type Perturbation,
  type PerturbationName,
  type PerturbedScore,
  type PerturbedSentence,
  perturb,
  type RandomSource,
} from './evaluate/perturb.js';
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
export { type ScoreOptions, scoreModel } from './label/score-model.js';
export { type NamedText, type ScoreSegmentedOptions, scoreSegmentedTexts } from './label/score-segmented.js';
export { scoreWords } from './label/score-words.js';
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
  type AverageScores,
  averageScores,
  MatchScorer,
  type MatchScores,
  type Rates,
} from './score/match-scores.js';
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
export { detectScheme, type SchemeDetection } from './tags/detect-scheme.js';
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
