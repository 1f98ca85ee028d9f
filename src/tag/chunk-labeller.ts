import { OptionError } from '../base/errors.js';
import { grown } from '../base/growable.js';
import type { Alphabet } from '../data/alphabet.js';
import type { Span } from '../data/span.js';
import { ChunkCandidates, type NumberedConstraints } from '../decode/chunk-candidates.js';
import { type Pruning, UNPRUNED } from '../decode/chunk-limits.js';
import { chunkMarginals } from '../decode/chunk-marginals.js';
import { type ChunkFeatureWeights, ChunkScorer } from '../decode/chunk-scorer.js';
import type { Scorer } from '../decode/scorer.js';
import { SemiMarkov } from '../decode/semi-markov.js';
import { PADDING } from '../features/layout.js';
import type { SentenceTuples } from '../features/sentence-tuples.js';
import type { ChunkModel } from '../model/chunk-model.js';
import type { Model } from '../model/model.js';
import { ChunkRoles } from '../tags/chunk-roles.js';
import { numberConstraints, type SpanConstraints } from './constraints.js';

/** A feature of a whole chunk. */
export interface ChunkFeature {
  /** The feature in words. */
  readonly feature: string;
  /** Its weight for the chunk's type. */
  readonly weight: number;
}

/** One of several labellings of a sentence. */
export interface RankedLabels {
  /** [T] label ids in reading order. */
  readonly labels: Uint16Array;
  /** Its probability. */
  readonly probability: number;
}

/** Labels sentences by their best segmentation into chunks. */
export class ChunkLabeller {
  private readonly chunks: ChunkModel;
  /** Strings of the views. */
  private readonly values: readonly Alphabet[];
  private readonly roles: ChunkRoles;
  /** Names of the types that chunks may have. */
  private readonly types: readonly string[];
  private readonly tuples: SentenceTuples;
  private readonly pruning: Pruning;
  /** View that limits on values are of. */
  private readonly dictionary: number;
  private readonly candidates: ChunkCandidates;
  private readonly scorer: ChunkScorer;
  private readonly search: SemiMarkov;
  /** Spans that the next sentences must or must not have. */
  constraints: SpanConstraints | undefined;
  private path = new Uint32Array(64);
  /** Number of chunks of the last sentence. */
  private count = 0;

  /** @param tuples where the values of each sentence are. */
  constructor(model: Model, chunks: ChunkModel, tuples: SentenceTuples, pruning: Pruning) {
    const { features, tagSet, configuration } = model;
    this.chunks = chunks;
    this.values = features.values;
    this.roles = new ChunkRoles(tagSet);
    this.types = tagSet.types;
    this.tuples = tuples;
    this.dictionary = Math.max(0, features.layout.views.indexOf(String(configuration.options.dictionary)));
    this.pruning = pruning;
    this.candidates = new ChunkCandidates(chunks.limits, this.roles);
    this.scorer = new ChunkScorer(chunks.index, this.roles, chunks.limits, spreadRows(chunks));
    this.search = new SemiMarkov(this.roles.count, 1);
  }

  /**
   * As `Decode` does.
   *
   * @throws OptionError for constraints that no segmentation meets.
   */
  decode({ fixed, lanes }: Scorer, length: number, out: Uint16Array): number {
    const { search } = this;
    const constraints = this.constraints && numberConstraints(this.constraints, this.types, length);
    this.tryAll(fixed, lanes, length, this.pruning, constraints);
    // Where no segmentation is as those of the training data were, any will do.
    if (search.found === 0) this.tryAll(fixed, lanes, length, UNPRUNED, constraints);
    if (search.found === 0) this.refuse(length);
    this.path = grown(this.path, length);
    this.count = search.path(this.candidates, 0, this.path);
    this.writeLabels(this.path, this.count, out);
    return search.scores[0];
  }

  /** The k best segmentations of the last sentence, or as many as there are; see `Tagger.alternatives`. */
  alternatives(k: number, length: number, temperature = 1): RankedLabels[] {
    const { candidates, scorer, roles } = this;
    const search = new SemiMarkov(roles.count, k);
    search.decode(candidates, scorer.bigrams);
    const { total } = chunkMarginals(candidates, scorer.bigrams, roles.count, temperature);
    const path = new Uint32Array(length);
    return Array.from(search.scores.subarray(0, search.found), (score, rank) => {
      const labels = new Uint16Array(length);
      this.writeLabels(path, search.path(candidates, rank, path), labels);
      return { labels, probability: Math.min(1, Math.exp(score / temperature - total)) };
    });
  }

  /**
   * How sure the model is of each label of the last sentence: the probability, by `chunkMarginals`, of the chunks that
   * give a token this label.
   *
   * @param labels [≥ length] the labels chosen.
   * @param out [length]
   * @param temperature what scores are divided by.
   */
  confidences(labels: Uint16Array, length: number, out: Float32Array, temperature?: number): void {
    const { candidates, roles, scorer } = this;
    const { marginals } = chunkMarginals(candidates, scorer.bigrams, roles.count, temperature);
    for (let c = 0; c < marginals.length; c++) {
      const begin = candidates.begins[c];
      const end = candidates.ends[c];
      for (let t = begin; t < end; t++) {
        if (labels[t] === roles.labelOf(candidates.types[c], begin, end, t)) out[t] += marginals[c];
      }
    }
    // Sums of many small parts may be a rounding above 1.
    for (let t = 0; t < length; t++) out[t] = Math.min(1, out[t]);
  }

  /** [T × L] probabilities of all L labels at each token of the last sentence. */
  marginals(labels: number, length: number, temperature?: number): Float32Array {
    const all = new Float32Array(length * labels);
    for (let c = 0; c < labels; c++) {
      const own = new Float32Array(length);
      this.confidences(new Uint16Array(length).fill(c), length, own, temperature);
      for (let t = 0; t < length; t++) all[t * labels + c] = own[t];
    }
    return all;
  }

  /** Features of the chunk of the last sentence that begins at a token, with their weights for its type. */
  features(token: number): ChunkFeature[] {
    const { candidates, roles, path, count } = this;
    const { index, weights } = this.chunks;
    const place = path.subarray(0, count).findIndex((c) => candidates.begins[c] === token);
    if (place < 0) return [];
    const c = path[place];
    const type = candidates.types[c];
    const previous = place === 0 ? roles.count : candidates.types[path[place - 1]];
    const before = roles.names[previous] ?? '<start>';
    const found = new Uint32Array(index.templates.length);
    return (['begin', 'both', 'end', 'previous', 'bigram'] as const).flatMap((dependence) => {
      const features = found.subarray(0, index.find(dependence, token, candidates.ends[c], found, 0));
      const reads = dependence === 'previous' || dependence === 'bigram';
      return Array.from(features, (f) => ({
        feature: `${reads ? `label[-1]=${before} ` : ''}${index.describe(f, this.values)}`.trimEnd(),
        weight: weights.weight(f, reads ? previous * roles.count + type : type),
      }));
    });
  }

  /**
   * How many of these spans no segmentation of the last sentence has: those that are no candidates, and those that must
   * not stand where they do, after the span before them.
   *
   * @param spans in text order.
   */
  unreachable(spans: readonly Span[]): number {
    const { roles, candidates, scorer } = this;
    const { starts, ends, types } = candidates;
    let count = 0;
    spans.forEach(({ start, end, type: name }, i) => {
      const type = roles.numberOf(name);
      let c = starts[start];
      while (c < starts[start + 1] && (ends[c] !== end || types[c] !== type)) c++;
      const before = i > 0 && spans[i - 1].end === start ? roles.numberOf(spans[i - 1].type) : roles.outside;
      const previous = start === 0 ? roles.count : before;
      const bigram = (start * (roles.count + 1) + previous) * roles.count + type;
      if (c === starts[start + 1] || scorer.bigrams[bigram] === -Infinity) count++;
    });
    return count;
  }

  /** Says which forbidden spans leave no segmentation: those over the last token that one gets to. */
  private refuse(length: number): never {
    const { starts, ends } = this.candidates;
    const reached = new Uint8Array(length + 1);
    reached[0] = 1;
    for (let b = 0; b < length; b++) {
      for (let c = starts[b]; c < starts[b + 1] && reached[b] === 1; c++) reached[ends[c]] = 1;
    }
    const token = reached.lastIndexOf(1, length - 1);
    const spans = (this.constraints?.forbidden ?? [])
      .filter(({ start, end }) => start <= token && token < end)
      .map(({ start, end, type }) => `${start}-${end} ${type}`);
    throw new OptionError(
      'constraints',
      'expected a segmentation that meets the constraints, found none: ' +
        `nothing is left for token ${token} without the forbidden ${spans.join(', ')}`,
    );
  }

  /** Writes the labels of the first `count` chunks of a path. */
  private writeLabels(path: Uint32Array, count: number, out: Uint16Array): void {
    const { candidates, roles } = this;
    for (let i = 0; i < count; i++) {
      const begin = candidates.begins[path[i]];
      const end = candidates.ends[path[i]];
      for (let t = begin; t < end; t++) out[t] = roles.labelOf(candidates.types[path[i]], begin, end, t);
    }
  }

  private tryAll(
    fixed: Float32Array,
    lanes: number,
    length: number,
    pruning: Pruning,
    constraints: NumberedConstraints | undefined,
  ): void {
    const { candidates, scorer, tuples, search } = this;
    candidates.list(length, tuples.values, this.dictionary * tuples.stride + PADDING, pruning, constraints);
    scorer.score(tuples, fixed, lanes, candidates, pruning.bigrams);
    search.decode(candidates, scorer.bigrams);
  }
}

/** The weights as scoring reads them: by type in rows; the many by type before and type as they are. */
function spreadRows({ index, weights }: ChunkModel): ChunkFeatureWeights {
  const { rowStarts: widths, types } = index;
  const rowStarts = new Uint32Array(index.size);
  let rows = 0;
  for (let f = 0; f < index.size; f++) if (widths[f + 1] - widths[f] === types) rowStarts[f] = types * rows++;
  const spread = new Float32Array(types * rows);
  for (let f = 0; f < index.size; f++) {
    if (widths[f + 1] - widths[f] === types) weights.addTo(f, spread, rowStarts[f]);
  }
  return { rows: spread, rowStarts, addTo: (feature, out, at) => weights.addTo(feature, out, at) };
}
