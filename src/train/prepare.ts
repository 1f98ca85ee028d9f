import { OptionError } from '../base/errors.js';
import type { ProgressListener } from '../base/progress.js';
import { type Corpus, columnIndex, columnStrings, selectSentences } from '../data/corpus.js';
import type { Dataset } from '../data/dataset.js';
import { wordsOfSpans } from '../data/span.js';
import { DECODERS } from '../decode/decoders.js';
import { VarietyCounter } from '../features/accessor-variety.js';
import type { CorpusViews } from '../features/corpus-views.js';
import { derivedColumnsOf, readsAccessorVariety, withDerivedColumns } from '../features/derived-columns.js';
import { extract } from '../features/extractor.js';
import type { FeatureIndex } from '../features/feature-index.js';
import { maskCopies, randomParts } from '../features/mask.js';
import type { NgramVariety } from '../features/ngram-variety.js';
import { PossibleClasses } from '../features/possible-classes.js';
import { type TemplateSet, withinOrder } from '../features/template.js';
import type { Learner } from '../learn/learner.js';
import { LEARNERS } from '../learn/learners.js';
import type { Configuration } from '../model/configuration.js';
import type { TrainingRecord } from '../model/model.js';
import { checkTags } from '../tags/check-tags.js';
import { GoldTags } from '../tags/gold-tags.js';
import { decodeParsedTags, detectParsedScheme, type SchemeName } from '../tags/scheme.js';
import { TagSet } from '../tags/tag-set.js';
import type { RawText, TrainOptions } from './train-options.js';

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
  /** What the data were. */
  readonly record: TrainingRecord;
  /** The words of the data where tokens are characters, else none. */
  readonly words: ReadonlySet<string>;
  /** Possible classes of the data's values, if templates read any. */
  readonly classes?: PossibleClasses | undefined;
  /** Accessor variety in the data and in raw text, where templates read it. */
  readonly variety?: NgramVariety | undefined;
}

/**
 * Turns a corpus whose last column holds the labels, in any tag scheme, into training rows.
 *
 * @throws InputError naming file and line of a label that is no tag.
 */
export function prepare(
  corpus: Corpus,
  configuration: Configuration,
  { onProgress, rawText, init }: TrainOptions = {},
): PreparedData {
  const { scheme, direction, decoder } = configuration;
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
  const derived = derivedColumnsOf(templates, configuration.columns);
  const readsVariety = readsAccessorVariety(templates, configuration.columns);
  if (init && (readsVariety || configuration.classes !== undefined)) {
    const what = readsVariety ? 'accessor variety' : 'possible classes';
    throw new OptionError(
      'init',
      `expected a model to go on from without ${what}, which all data were measured for`,
    );
  }
  const variety = readsVariety ? measureVariety(corpus, rawText) : undefined;
  const known = new Set(words.flat());
  const knowledge = { words: known, sentences: words, variety };
  const examples = withDerivedColumns(corpus, derived, knowledge);
  const extraction = extractExamples(
    examples,
    labels,
    tagSet,
    templates,
    configuration,
    onProgress,
    init?.features,
  );
  const record: TrainingRecord = {
    sentences: gold.sentences.length,
    tokens: gold.tokens,
    sha256: corpus.sha256,
    fileScheme: gold.scheme,
    irregularTags: gold.irregular,
    ...(rawText && { rawText: { lines: rawText.lines.length, sha256: rawText.sha256 } }),
    ...(init && { init: init.training }),
  };
  return {
    tagSet,
    ...extraction,
    record,
    words: new Set([...(init?.words ?? []), ...known]),
    ...(variety && { variety }),
  };
}

/** The features and rows of training data, then with a mask those of their masked copies; features count once. */
function extractExamples(
  corpus: Corpus,
  labels: Uint16Array,
  tagSet: TagSet,
  templates: TemplateSet,
  { direction, cutOff, wordCutOff, mask, classes: variant, learner, seed }: Configuration,
  onProgress?: ProgressListener,
  known?: FeatureIndex,
): Pick<PreparedData, 'index' | 'dataset' | 'views' | 'classes'> {
  const sentences = corpus.starts.length - 1;
  const parts = randomParts(sentences, mask ?? JACKKNIFE_PARTS, seed);
  const classes = variant && PossibleClasses.learn(corpus, templates, tagSet, labels, parts);
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
    splitHistory: splitsHistory(LEARNERS[learner]),
    known,
    onProgress,
  });
  if (mask === undefined) return { index, dataset, views, classes };
  // Words are the first column; what other columns say is not masked.
  const lexical = index.readingColumn(corpus.columns[0]);
  return { index, dataset: maskCopies(dataset, parts, lexical), views, classes };
}

/** Whether features that read the label before are kept out of the rows. */
function splitsHistory(learner: Learner): boolean {
  return learner.kind === 'sequence' && !learner.readsGold;
}

/** The accessor variety of n-grams in the sentences of a corpus and in raw text. */
function measureVariety(corpus: Corpus, rawText?: RawText): NgramVariety {
  const counter = new VarietyCounter();
  const column = columnIndex(corpus, 'word');
  for (let s = 0; s + 1 < corpus.starts.length; s++) counter.add(columnStrings(corpus, column, s));
  for (const line of rawText?.lines ?? []) counter.add(line);
  return counter.measure();
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
  return { sentences, ...detectParsedScheme(sentences), tokens };
}
