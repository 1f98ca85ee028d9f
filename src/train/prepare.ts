import type { ProgressListener } from '../base/progress.js';
import { type Corpus, columnIndex, columnStrings, selectSentences } from '../data/corpus.js';
import type { Dataset } from '../data/dataset.js';
import { DOCUMENT_SIZE } from '../data/documents.js';
import { wordsOfSpans } from '../data/span.js';
import { DECODERS } from '../decode/decoders.js';
import type { CorpusViews } from '../features/corpus-views.js';
import { derivedColumnsOf, withDerivedColumns, wordColumnsOf } from '../features/derived-columns.js';
import { extract } from '../features/extractor.js';
import type { FeatureIndex } from '../features/feature-index.js';
import { maskCopies, randomParts } from '../features/mask.js';
import type { PossibleClasses } from '../features/possible-classes.js';
import { type TemplateSet, withinOrder } from '../features/template.js';
import type { ViewKnowledge } from '../features/views.js';
import { withWordColumns } from '../features/words/word-columns.js';
import type { Learner } from '../learn/learner.js';
import { LEARNERS } from '../learn/learners.js';
import type { Configuration } from '../model/configuration.js';
import { type Knowledge, learnKnowledge, viewKnowledge } from '../model/knowledge/kinds.js';
import { stageTypes, type TrainingRecord } from '../model/model.js';
import { checkTags } from '../tags/check-tags.js';
import { detectParsedScheme } from '../tags/detect-scheme.js';
import { GoldTags } from '../tags/gold-tags.js';
import { decodeParsedTags, type SchemeName } from '../tags/scheme.js';
import { withPlainTags } from '../tags/spelling.js';
import { TagSet } from '../tags/tag-set.js';
import type { TrainOptions } from './train-options.js';

/** Parts that training data are cut into where possible classes are jack-knifed and there is no mask. */
const JACKKNIFE_PARTS = 10;

/** Training data in the form that learners see, and what stands behind it. */
export interface PreparedData {
  /** Labels and which may follow which. */
  readonly tagSet: TagSet;
  /** All features at or above the cut-off. */
  readonly index: FeatureIndex;
  /** Rows and labels. */
  readonly dataset: Dataset;
  /** The values that features are made of. */
  readonly views: CorpusViews;
  /** Record of the data. */
  readonly record: TrainingRecord;
  /** Knowledge of the model besides weights. */
  readonly knowledge: Knowledge;
}

/**
 * Turns a corpus whose last column holds the labels, in any tag scheme, into training rows.
 *
 * @throws InputError naming file and line of a label that is no tag.
 */
export function prepare(
  given: Corpus,
  configuration: Configuration,
  { onProgress, rawText, init, first, resources }: TrainOptions = {},
): PreparedData {
  const { scheme, direction, decoder } = configuration;
  const corpus = withPlainTags(given, scheme);
  const gold = readGold(corpus, scheme);
  const chunked = LEARNERS[configuration.learner].kind === 'chunk' && scheme === 'iobes';
  const tagSet =
    init?.tagSet.extended(gold.sentences) ??
    (chunked ? TagSet.complete : TagSet.learn)(scheme, direction, gold.sentences);
  const labels = new Uint16Array(gold.tokens);
  gold.sentences.forEach(({ spans, length }, s) => {
    tagSet.encode(spans, length, labels.subarray(corpus.starts[s], corpus.starts[s + 1]));
  });
  const templates = withinOrder(configuration.templates, DECODERS[decoder].order(configuration.options));
  const words =
    configuration.tokens === 'characters'
      ? gold.sentences.map(({ spans }, s) =>
          wordsOfSpans(columnStrings(corpus, columnIndex(corpus, 'word'), s), spans),
        )
      : [];
  const parts = randomParts(gold.sentences.length, configuration.mask ?? JACKKNIFE_PARTS, configuration.seed);
  const derived = derivedColumnsOf(templates, configuration.columns);
  const ofWords = wordColumnsOf(templates, configuration);
  const stage = first && { types: stageTypes(first.model), spans: first.spans };
  const withWords = ({ gazetteers }: Knowledge) =>
    withWordColumns(corpus, ofWords, configuration.document ?? DOCUMENT_SIZE, stage, gazetteers);
  const examplesOf = ({ words: known = new Set(), variety, ...others }: Knowledge) =>
    withDerivedColumns(withWords(others), derived, { words: known, sentences: words, variety });
  const source = {
    corpus,
    examples: examplesOf,
    templates,
    tagSet,
    labels,
    parts,
    words,
    rawText: rawText?.lines,
    resources,
  };
  const knowledge = learnKnowledge(configuration, source, init?.knowledge);
  const extraction = extractExamples(
    {
      corpus: examplesOf(knowledge),
      labels,
      parts,
      tagSet,
      templates,
      classes: knowledge.classes,
      cluster: viewKnowledge(knowledge).cluster,
      known: init?.features,
    },
    configuration,
    onProgress,
  );
  const record: TrainingRecord = {
    sentences: gold.sentences.length,
    tokens: gold.tokens,
    sha256: corpus.sha256,
    fileScheme: gold.scheme,
    irregularTags: gold.irregular,
    ...(corpus.tagSpelling && { tagSpelling: corpus.tagSpelling }),
    ...(rawText && { rawText: { lines: rawText.lines.length, sha256: rawText.sha256 } }),
    ...(init && { init: init.training }),
  };
  return {
    tagSet,
    ...extraction,
    record,
    knowledge,
  };
}

/** Training data as features are extracted from them. */
interface Examples {
  /** The corpus, with derived columns. */
  readonly corpus: Corpus;
  /** [N] label ids. */
  readonly labels: Uint16Array;
  /** [S] part of the data that each sentence is in. */
  readonly parts: Uint16Array;
  readonly tagSet: TagSet;
  readonly templates: TemplateSet;
  /** Possible classes, where templates read them. */
  readonly classes: PossibleClasses | undefined;
  /** Clusters of words, where templates read them. */
  readonly cluster: ViewKnowledge['cluster'];
  /** Features that keep their numbers. */
  readonly known: FeatureIndex | undefined;
}

/** The features and rows of training data, then with a mask those of their masked copies; features count once. */
function extractExamples(
  { corpus, labels, parts, tagSet, templates, classes, cluster, known }: Examples,
  { direction, cutOff, wordCutOff, mask, classes: variant, learner }: Configuration,
  onProgress?: ProgressListener,
): Pick<PreparedData, 'index' | 'dataset' | 'views'> {
  const sentences = corpus.starts.length - 1;
  const times = mask === undefined ? 1 : 2;
  const repeated = Uint32Array.from({ length: times * sentences }, (_, s) => s % sentences);
  const hiddenFrom = Int16Array.from(repeated, (s, i) =>
    variant === 'full' && i < sentences ? -1 : parts[s],
  );
  const gold = new Uint16Array(times * labels.length);
  for (let at = 0; at < gold.length; at += labels.length) gold.set(labels, at);
  const { index, dataset, views } = extract(times === 1 ? corpus : selectSentences(corpus, repeated), gold, {
    templates,
    direction,
    labels: tagSet.tags.length,
    cutOff,
    wordCutOff,
    counted: sentences,
    ...(classes && { classes, hiddenFrom }),
    cluster,
    splitHistory: splitsHistory(LEARNERS[learner]),
    known,
    onProgress,
  });
  if (mask === undefined) return { index, dataset, views };
  // Words are the first column; what other columns say is not masked.
  const lexical = index.readingColumn(corpus.columns[0]);
  return { index, dataset: maskCopies(dataset, parts, lexical), views };
}

/** Whether features that read the label before are kept out of the rows. */
function splitsHistory(learner: Learner): boolean {
  return learner.kind === 'sequence' && !learner.readsGold;
}

function readGold(corpus: Corpus, scheme: SchemeName) {
  checkTags(corpus, scheme);
  const gold = new GoldTags(corpus, scheme);
  const sentences = Array.from({ length: corpus.starts.length - 1 }, (_, s) => {
    const tags = gold.tags(s);
    return { tags, spans: decodeParsedTags(tags), length: tags.length };
  });
  const tokens = corpus.lines.length;
  if (scheme === 'token') return { sentences, scheme, irregular: 0, tokens };
  if (corpus.tagSpelling?.form === 'type') return { sentences, scheme: 'io' as const, irregular: 0, tokens };
  return { sentences, ...detectParsedScheme(sentences), tokens };
}
