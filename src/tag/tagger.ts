import { checkArgument } from '../base/arguments.js';
import { ByteBuffer } from '../base/byte-buffer.js';
import { listNames, OptionError, show } from '../base/errors.js';
import { grown } from '../base/growable.js';
import type { SentenceColumns } from '../data/corpus.js';
import { DOCUMENT_SIZE } from '../data/documents.js';
import type { Span } from '../data/span.js';
import { BestPaths } from '../decode/best-paths.js';
import { tokenConfidences } from '../decode/confidence.js';
import { ConstrainedLegality } from '../decode/constrained-legality.js';
import type { Decode, PathSearch } from '../decode/decoder.js';
import { Legality } from '../decode/legality.js';
import { pathMarginals } from '../decode/marginals.js';
import { Scorer } from '../decode/scorer.js';
import { DerivedColumns, derivedColumnsOf, wordColumnsOf } from '../features/derived-columns.js';
import { SentenceTuples } from '../features/sentence-tuples.js';
import { parseView } from '../features/views.js';
import { bestKernels, type KernelName } from '../kernels/kernels.js';
import { laneCount } from '../kernels/lane-count.js';
import type { ChunkModel } from '../model/chunk-model.js';
import { viewKnowledge } from '../model/knowledge/kinds.js';
import { type DecoderChoice, type LabelBias, type Model, stageTypes } from '../model/model.js';
import { REDUCTIONS } from '../reduce/reductions.js';
import { SCHEMES, type TagScheme } from '../tags/scheme.js';
import { spellTag } from '../tags/spelling.js';
import { type ChunkFeature, ChunkLabeller, type RankedLabels } from './chunk-labeller.js';
import { numberConstraints, type SpanConstraints } from './constraints.js';
import { decoderFor } from './decoder-for.js';
import { DocumentCells } from './document-cells.js';
import { firedFeatures } from './fired-features.js';
import { FirstStage } from './first-stage.js';
import { historyRows } from './history-rows.js';
import { biasOfLanes } from './label-bias.js';
import { type Alternative, type LabelledSpan, type Labelling, spanConfidence } from './labelling.js';
import type { SentenceCells } from './stretch.js';
import { StretchScorer } from './stretch-scorer.js';

/** Most labellings of a sentence that can be asked for: ranks are kept as bytes. */
const MOST_ALTERNATIVES = 255;

/**
 * Labels sentences with a model: compiled once, then fast. It keeps buffers and a bounded memory of strings seen,
 * so one tagger must not be used from two places at once; results do not depend on what was labelled before.
 */
export class Tagger {
  /** The model. */
  readonly model: Model;
  /** Columns that a sentence must have, in the order of the training file. */
  readonly inputColumns: readonly string[];
  /** Column that its labels are. */
  readonly labelColumn: string;
  /** Kernels that it works with. */
  readonly kernels: KernelName;
  /** Label ids of the last sentences, one after another, in reading order; elements after these do not count. */
  labels = new Uint16Array(256);
  /** Number of tokens of the last sentence. */
  length = 0;
  /** Label ids of the last sentence, in reading order; only its first T elements count. */
  path: Uint16Array = this.labels;
  /** Sentences labelled last. */
  private sentences: SentenceCells | undefined;
  /** Number of the last of these sentences. */
  private sentence = 0;
  /** [2] where a single sentence starts and ends. */
  private readonly single = new Uint32Array(2);
  /** Cells of sentences given as strings, one after another. */
  private readonly text = new ByteBuffer();
  /** [T × inputColumns × 2] start and end of each of these cells. */
  private cells = new Uint32Array(256);
  /** [sentences + 1] first token of each of these sentences. */
  private starts = new Uint32Array(2);
  private readonly fixed: StretchScorer;
  /** Makes columns derived of words, if the model reads any. */
  private readonly documents: DocumentCells | undefined;
  /** First of two stages. */
  private readonly first: FirstStage | undefined;
  private readonly tuples: SentenceTuples;
  private readonly scorer: Scorer;
  private readonly legality: Legality;
  /** Which labels may follow which in the last sentence. */
  private legal: Legality;
  /** Constraints on the next sentence's spans. */
  private constraints: SpanConstraints | undefined;
  private readonly search: Decode;
  /** How the decoder searches; absent where whole chunks are scored. */
  private readonly pathSearch: PathSearch | undefined;
  private readonly decoderName: string;
  /** Labeller of models that score whole chunks. */
  private readonly chunks: ChunkLabeller | undefined;
  private readonly fileScheme: TagScheme;
  /** Temperature that scores are divided by where probabilities are made of them. */
  private readonly temperature: number | undefined;
  /** Whether scores are those of whole sequences rather than a label's own log probabilities. */
  private readonly ofSequences: boolean;

  /**
   * @param choice a decoder other than the model's, or other kernels than the best.
   * @throws OptionError when that decoder reads another number of earlier labels than the model was trained with.
   */
  constructor(model: Model, choice: DecoderChoice = {}) {
    checkArgument('model', model, 'model');
    checkArgument('choice', choice, 'object');
    const { configuration, tagSet, features } = model;
    const kernels = choice.kernels ?? bestKernels();
    this.model = model;
    this.kernels = kernels;
    this.temperature = model.temperature;
    this.labelColumn = configuration.columns[configuration.columns.length - 1];
    this.fileScheme = SCHEMES[model.training.fileScheme];
    const labels = tagSet.tags.length;
    const known = viewKnowledge(model.knowledge);
    const views = features.layout.views.map((name) => parseView(name, undefined, known));
    const read = new Set(views.map((view) => view.column));
    const derived = derivedColumnsOf(features.templates, configuration.columns);
    const { words = [], variety } = model.knowledge;
    const derivedColumns = derived.length > 0 ? new DerivedColumns(derived, { words, variety }) : undefined;
    const ofWords = wordColumnsOf(features.templates, configuration);
    if (derivedColumns || ofWords.length > 0) read.add('word');
    this.inputColumns = configuration.columns.filter((name) => read.has(name));
    this.first = model.first && new FirstStage(new Tagger(model.first, { kernels }), this.inputColumns);
    this.documents =
      ofWords.length > 0
        ? new DocumentCells(ofWords, this.inputColumns, {
            stageTypes: model.first && stageTypes(model.first),
            gazetteer: model.knowledge.gazetteers,
          })
        : undefined;
    this.tuples = new SentenceTuples(features.layout);
    const columns = {
      inputs: this.inputColumns,
      derived: derivedColumns,
      words: this.documents?.columns ?? [],
      views,
    };
    const kept = model.chunks?.index.views ?? [];
    this.fixed = new StretchScorer(model, { ...columns, kept }, this.tuples, kernels);
    this.legal = this.legality = new Legality(tagSet.allowed, labels);
    const { decoder, options: decoderOptions } = decoderFor(model, choice);
    if (decoder.unit === 'chunk') {
      const pruning = decoder.pruning(decoderOptions);
      const chunks = new ChunkLabeller(model, model.chunks as ChunkModel, this.tuples, pruning);
      this.chunks = chunks;
      this.search = (scorer, _legality, length, out) => chunks.decode(scorer, length, out);
    } else {
      this.search = decoder.create(decoderOptions, labels);
      this.pathSearch = decoder.search(decoderOptions);
    }
    this.decoderName = decoder.name;
    const { strategy, options } = configuration;
    const reduction = strategy === undefined ? undefined : REDUCTIONS[strategy];
    const { kind, link } = model.scores;
    this.ofSequences = kind === 'first-order';
    this.scorer = new Scorer({
      labels,
      lanes: laneCount(model.problems),
      link,
      decide: model.code && reduction?.decide?.(model.code, options),
      ...historyRows(model, this.tuples),
      kernels,
    });
    this.setBias(choice.bias ?? model.bias ?? 0);
  }

  /**
   * Gives labels another bias, from the next sentence on: one number for all types, or one each; see `fitBias`.
   *
   * @throws OptionError for types that the model does not have, and models whose labels can have no bias.
   */
  setBias(bias: number | LabelBias): void {
    this.fixed.bias = biasOfLanes(this.model, bias);
  }

  /** What the bias adds to a label's score. @internal */
  biasOf(label: number): number {
    return this.fixed.bias?.[label] ?? 0;
  }

  /**
   * Labels a sentence given as strings.
   *
   * @param constraints what its spans must and must not be; for models of labels, and those of whole chunks in IOBES.
   * @throws OptionError when a column is missing or columns differ in length, and for constraints that no labelling
   *   can meet.
   */
  label(sentence: SentenceColumns, constraints?: SpanConstraints): Labelling {
    const { chunks, model } = this;
    if (constraints && chunks && model.tagSet.scheme !== 'iobes') {
      throw new OptionError(
        'constraints',
        `expected a model of chunks in the scheme iobes to constrain spans, found one in ${model.tagSet.scheme}`,
      );
    }
    this.constraints = constraints;
    if (chunks) chunks.constraints = constraints;
    try {
      this.decodeSentence(sentence);
    } finally {
      this.constraints = undefined;
      if (chunks) chunks.constraints = undefined;
    }
    const confidences = this.confidences();
    const spans = this.spans().map(
      (span): LabelledSpan => ({
        ...span,
        confidence: spanConfidence(span, confidences),
      }),
    );
    return { tags: this.tagStrings(spans), spans, confidences };
  }

  /** Labels a sentence given as strings; the result is in {@link labels}. */
  decodeSentence(sentence: SentenceColumns): void {
    this.decodeSentences([sentence]);
  }

  /**
   * Labels sentences given as strings, as {@link decodeMany} does.
   *
   * @throws OptionError as {@link label}, before any is labelled.
   */
  decodeSentences(
    sentences: readonly SentenceColumns[],
    each?: (sentence: number) => void,
    documents?: ArrayLike<number>,
  ): void {
    const { text } = this;
    text.clear();
    this.starts = grown(this.starts, sentences.length + 1);
    sentences.forEach((sentence, s) => {
      this.starts[s + 1] = this.addCells(sentence, this.starts[s]);
    });
    this.decodeMany(text.view(), this.cells, this.starts, sentences.length, each, documents);
  }

  /** Adds the cells of a sentence after those of the tokens before `start`; returns how many tokens there are then. */
  private addCells(sentence: SentenceColumns, start: number): number {
    const { text, inputColumns } = this;
    checkArgument('sentence', sentence, 'object');
    const columns = inputColumns.map((name) => {
      const strings = sentence[name];
      if (strings === undefined || strings === null) {
        throw new OptionError(
          'columns',
          `expected the columns ${listNames(inputColumns)}, found ${listNames(Object.keys(sentence)) || 'none'}`,
        );
      }
      return strings;
    });
    const length = columns[0]?.length ?? 0;
    columns.forEach((strings, c) => {
      if (strings.length !== length) {
        throw new OptionError(
          'columns',
          `expected columns of equal length, found ${length} in ${inputColumns[0]} and ${strings.length} in ` +
            inputColumns[c],
        );
      }
      for (let t = 0; t < length; t++)
        if (typeof strings[t] !== 'string') refuseCell(inputColumns[c], t, strings[t]);
    });
    let at = 2 * start * columns.length;
    this.cells = grown(this.cells, at + 2 * length * columns.length);
    for (let t = 0; t < length; t++) {
      for (const strings of columns) {
        this.cells[at++] = text.length;
        text.addText(strings[t]);
        this.cells[at++] = text.length;
      }
    }
    return start + length;
  }

  /**
   * Labels a sentence of a column file; the result is in {@link labels}.
   *
   * @param cells [T × inputColumns × 2] start and end of each cell in `bytes`; tokens stand there one after another.
   */
  decodeCells(bytes: Uint8Array, cells: Uint32Array, length: number): void {
    this.single[1] = length;
    this.decodeMany(bytes, cells, this.single, 1);
  }

  /**
   * Labels many sentences, which takes less time than one after the other; the result is in {@link labels}, that of sentence s
   * from `starts[s]` on.
   *
   * @param cells [tokens × inputColumns × 2] start and end of each cell in `bytes`; tokens stand there one after another.
   * @param starts [count + 1] where each sentence starts among the tokens.
   * @param each called after each sentence, which is then the last one for everything else here.
   * @param documents first sentence of each document, ascending from 0; default all sentences are one. Matters to models for which
   *   {@link readsDocuments} is true.
   */
  decodeMany(
    bytes: Uint8Array,
    cells: Uint32Array,
    starts: Uint32Array,
    count: number,
    each?: (sentence: number) => void,
    documents: ArrayLike<number> = [0],
  ): void {
    const { fixed, scorer } = this;
    this.labels = grown(this.labels, starts[count]);
    const given = { bytes, cells, starts };
    const spans = this.first?.decode(given, count, documents);
    this.sentences = this.documents?.derive(given, count, documents, spans) ?? given;
    for (let s = 0; s < count; ) {
      for (const end = fixed.score(this.sentences, s, count); s < end; s++) {
        this.sentence = s;
        this.length = starts[s + 1] - starts[s];
        this.path = this.labels.subarray(starts[s]);
        fixed.take(s, scorer);
        this.findPath();
        each?.(s);
      }
    }
  }

  /** Whether labels depend on the document that a sentence is in, so that whole documents are to be labelled at a time. */
  get readsDocuments(): boolean {
    return this.documents !== undefined;
  }

  /** Sentences that count as a document where an input marks none. */
  get documentSize(): number {
    return this.model.configuration.document ?? DOCUMENT_SIZE;
  }

  /** Labels the sentence that the scorer has. */
  private findPath(): void {
    const { scorer, constraints, pathSearch, model, length, path } = this;
    this.legal = this.legality;
    if (constraints && pathSearch) {
      const { tagSet } = model;
      const numbered = numberConstraints(constraints, tagSet.types, length);
      this.legal = new ConstrainedLegality(tagSet, numbered, length);
      const paths = new BestPaths(pathSearch, 1);
      paths.find(scorer, this.legal, length);
      paths.path(0, path);
    } else this.search(scorer, this.legality, length, path);
  }

  /**
   * Margins that decisions have looked at so far, where the decoder decides token by token (greedy): what strategies
   * differ in.
   */
  get evaluations(): number {
    return this.scorer.evaluations;
  }

  /** Chunks of the last sentence, in text order. */
  spans(): Span[] {
    return this.model.tagSet.decode(this.path, this.length);
  }

  /**
   * Tags of the last sentence in text order, in the training file's scheme; `spans` are those of {@link spans}, or of
   * other labels that are given.
   */
  tagStrings(spans: readonly Span[], labels: ArrayLike<number> = this.path): string[] {
    if (this.fileScheme.name === 'token') return this.model.tagSet.tagStrings(labels, this.length);
    const tags = this.fileScheme.encode(spans, this.length);
    const { tagSpelling } = this.model.training;
    return tagSpelling ? tags.map((tag) => spellTag(tagSpelling, tag)) : tags;
  }

  /**
   * [T] confidences of the last sentence's labels in text order.
   *
   * @param temperature what scores are divided by; that of the model where absent.
   */
  confidences(temperature: number | undefined = this.temperature): Float32Array {
    const confidences = new Float32Array(this.length);
    if (this.chunks) this.chunks.confidences(this.path, this.length, confidences, temperature);
    else {
      const probabilities = this.ofSequences ? pathMarginals : tokenConfidences;
      probabilities(this.scorer, this.legal, this.path, this.length, confidences, temperature);
    }
    return this.model.tagSet.direction === 'backward' ? confidences.reverse() : confidences;
  }

  /**
   * [T × L] probabilities of all labels of the model at each token of the last sentence, in text order: exact marginals for
   * models of sequences and of whole chunks; for others those given the labels chosen before.
   *
   * @param temperature as for {@link confidences}.
   */
  marginals(temperature: number | undefined = this.temperature): Float32Array {
    const { length, chunks, path, ofSequences, scorer, legal } = this;
    const L = this.model.tagSet.tags.length;
    if (chunks) return chunks.marginals(L, length, temperature);
    const all = new Float32Array(length * L);
    const probabilities = ofSequences ? pathMarginals : tokenConfidences;
    probabilities(scorer, legal, path, length, new Float32Array(length), temperature, all);
    if (this.model.tagSet.direction === 'forward') return all;
    return Float32Array.from(all, (_, i) => all[(length - 1 - Math.floor(i / L)) * L + (i % L)]);
  }

  /**
   * The best labellings of the last sentence, under the constraints it was labelled with: the k of highest score, or as
   * many as there are. Exact for the decoder viterbi and for models of whole chunks. The first is the labelling itself,
   * but for `hybrid`, which may find a better one when it keeps more than one path to each label.
   *
   * @throws OptionError when the decoder does not keep that many.
   */
  alternatives(k: number): Alternative[] {
    const { length, pathSearch, scorer, legal, chunks, temperature } = this;
    this.checkAlternatives(k);
    if (chunks) return chunks.alternatives(k, length, temperature).map((best) => this.alternative(best));
    const paths = new BestPaths(pathSearch as PathSearch, k);
    paths.find(scorer, legal, length);
    const ratings = new Float32Array(length);
    const total = this.ofSequences
      ? pathMarginals(scorer, legal, this.path, length, ratings, temperature)
      : 0;
    return Array.from(paths.scores.subarray(0, paths.found), (score, rank) => {
      const labels = new Uint16Array(length);
      paths.path(rank, labels);
      if (this.ofSequences)
        return this.alternative({
          labels,
          probability: Math.min(1, Math.exp(score / (temperature ?? 1) - total)),
        });
      tokenConfidences(scorer, legal, labels, length, ratings, temperature);
      return this.alternative({
        labels,
        probability: ratings.reduce((product, rating) => product * rating, 1),
      });
    });
  }

  /**
   * Whether {@link alternatives} can be asked for so many.
   *
   * @throws OptionError where it cannot.
   */
  checkAlternatives(k: number): void {
    const most = Math.min(this.pathSearch?.width ?? Infinity, MOST_ALTERNATIVES);
    if (Number.isInteger(k) && k >= 1 && k <= most) return;
    throw new OptionError(
      'kbest',
      `--kbest ${k}: expected a number from 1 to ${most}, as many labellings as the decoder ${this.decoderName} can give`,
    );
  }

  private alternative({ labels, probability }: RankedLabels): Alternative {
    const spans = this.model.tagSet.decode(labels, this.length);
    return { tags: this.tagStrings(spans, labels), spans, probability };
  }

  /**
   * Label scores of the last sentence at position t in reading order, given the labels chosen before it; −Infinity
   * for labels not legal there. For explanations.
   */
  labelScores(t: number): Float64Array {
    const { path: labels, length, legality, scorer } = this;
    const start = scorer.labels;
    const previous = t > 0 ? labels[t - 1] : start;
    const scores = new Float64Array(start);
    const at = legality.mask(length - 1 - t, previous);
    scorer.moveTo(t);
    scorer.scores(previous, t > 1 ? labels[t - 2] : start, legality.rows, at, scores);
    return scores;
  }

  /**
   * Features of the last sentence, given as strings, that fired at position t in reading order, given the labels chosen
   * before it.
   */
  firedFeatures(t: number): number[] {
    const { path: labels, tuples, model } = this;
    const before = (distance: number) => (t >= distance ? labels[t - distance] : this.scorer.labels);
    if (this.sentences) this.fixed.fillValues(this.sentences, this.sentence);
    return firedFeatures(model.features, tuples, t, before(1), before(2));
  }

  /**
   * Features of the chunk of the last sentence that begins at position t in reading order, with their weights for its
   * type; none where none begins, and for models that do not score whole chunks.
   */
  chunkFeatures(t: number): ChunkFeature[] {
    return this.chunks?.features(t) ?? [];
  }

  /** Whether the model scores whole chunks. */
  get scoresChunks(): boolean {
    return this.chunks !== undefined && this.model.tagSet.scheme === 'iobes';
  }

  /** How many of these spans of the last sentence its limits kept from being tried; 0 for models of labels. */
  unreachable(spans: readonly Span[]): number {
    return this.scoresChunks ? (this.chunks as ChunkLabeller).unreachable(spans) : 0;
  }
}

function refuseCell(column: string, token: number, found: unknown): never {
  throw new OptionError(
    'columns',
    `column ${column}, token ${token}: expected a string, found ${show(found)}`,
  );
}
