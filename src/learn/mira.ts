import { grown } from '../base/growable.js';
import type { OptionValues } from '../base/options.js';
import { Random } from '../base/random.js';
import { ChunkCandidates } from '../decode/chunk-candidates.js';
import { ChunkScorer } from '../decode/chunk-scorer.js';
import { SemiMarkov } from '../decode/semi-markov.js';
import { PADDING } from '../features/layout.js';
import { SentenceTuples } from '../features/sentence-tuples.js';
import { createMemory } from '../kernels/kernels.js';
import { laneCount } from '../kernels/lane-count.js';
import { float32, uint32 } from '../kernels/layout.js';
import { sumRows } from '../kernels/score-rows.js';
import { restore } from './checkpoint.js';
import { hildreth } from './hildreth.js';
import type { ChunkLearner, ChunkProblem, ChunkWeights, IterationReport } from './learner.js';

/**
 * k-best MIRA over whole chunks (Crammer et al. 2005, McDonald 2006, Zhou et al. 2012). For each sentence in turn
 *
 *   min ½ ‖w' − w‖²  such that  w' · (Φ(y) − Φ(y')) ≥ L(y, y')  for the k best y' by w
 *
 * by Hildreth's algorithm, each multiplier at most `cap`; the result is the mean of w over all steps.
 */
export const mira: ChunkLearner = {
  kind: 'chunk',
  name: 'mira',
  help: 'k-best MIRA on whole segmentations, averaged',
  link: 'identity',
  // Weights, weighted sums, and the mean; what chunks have of their own comes on top.
  memory: { weights: 4, scores: 0, entries: 1 },
  gives: 'chunks',
  startsAnew: true,
  options: [
    {
      name: 'k',
      kind: 'integer',
      default: 5,
      min: 1,
      max: 100,
      help: 'number of best segmentations in an update',
    },
    {
      name: 'margin',
      kind: 'choice',
      default: 'chunks',
      choices: ['chunks', 'f1', 'hamming'],
      help: 'loss that margins scale with: false and missed chunks, 1 − F1, or wrong tokens (hamming)',
    },
    { name: 'epochs', kind: 'integer', default: 10, min: 1, help: 'passes over the training data' },
    {
      name: 'cap',
      kind: 'number',
      default: 0.1,
      above: 0,
      help: 'largest weight of one segmentation in an update',
    },
    {
      name: 'update',
      kind: 'choice',
      default: 'mira',
      choices: ['mira', 'perceptron'],
      help: 'update: smallest change that satisfies the margins (mira), or a fixed step away from the best wrong segmentation',
    },
    {
      name: 'dictionary',
      kind: 'string',
      placeholder: 'VIEW|none',
      default: 'none',
      help: 'view whose values are recorded for each type, for pruning: one that chunk templates read',
    },
  ],
  train: (problem, options, onIteration) => new Mira(problem, options).train(onIteration),
};

/** Loss of an output from its numbers of chunks: gold, predicted, correct; and of tokens labelled wrongly. */
type Loss = (gold: number, predicted: number, correct: number, wrongTokens: number) => number;

const LOSSES: Readonly<Record<string, Loss>> = {
  chunks: (gold, predicted, correct) => gold + predicted - 2 * correct,
  f1: (gold, predicted, correct) => (gold + predicted === 0 ? 0 : 1 - (2 * correct) / (gold + predicted)),
  hamming: (_gold, _predicted, _correct, wrongTokens) => wrongTokens,
};

/** Φ(y) − Φ(y') of one output as a list; an index may come more than once. */
interface Difference {
  indices: Uint32Array;
  signs: Int8Array;
  count: number;
}

class Mira {
  private readonly problem: ChunkProblem;
  private readonly options: OptionValues;
  private readonly lanes: number;
  /** [D × W + chunk weights] token weights, then those of chunks. */
  private readonly weights: Float32Array;
  /** Where the weights of chunks start. */
  private readonly chunkStart: number;
  /** [weights] Σ (steps before) · change, from which the mean is made. */
  private readonly weighted: Float32Array;
  /** [weights] scratch for dot products, 0 between them. */
  private readonly scratch: Int16Array;
  private readonly tuples: SentenceTuples;
  private readonly candidates: ChunkCandidates;
  private readonly scorer: ChunkScorer;
  private readonly search: SemiMarkov;
  private readonly differences: Difference[];
  private readonly losses: Float64Array;
  private readonly products: Float64Array;
  private readonly gaps: Float64Array;
  private readonly alphas: Float64Array;
  /** [≥ n] gold chunks: token after the last one, and type. */
  private goldEnds = new Uint32Array(64);
  private goldTypes = new Uint16Array(64);
  private goldCount = 0;
  /** [≥ n] by first token: number + 1 of the gold chunk that begins there. */
  private goldAt = new Uint32Array(64);
  /** [≥ n] 1 for gold chunks that the output has. */
  private matched = new Uint8Array(64);
  private path = new Uint32Array(64);
  private readonly found: Uint32Array;
  /** [n × W] scores of a sentence's tokens. */
  private readonly tokenScores: (from: number, length: number) => Float32Array;

  constructor(problem: ChunkProblem, options: OptionValues) {
    this.problem = problem;
    this.options = options;
    const { rows, labelCount, index, limits, roles, starts } = problem;
    const k = options.update === 'perceptron' ? 1 : (options.k as number);
    this.lanes = laneCount(labelCount);
    this.chunkStart = rows.features * this.lanes;
    const size = this.chunkStart + index.rowStarts[index.size];
    let longest = 0;
    for (let s = 0; s + 1 < starts.length; s++) longest = Math.max(longest, starts[s + 1] - starts[s]);
    const { indices, offsets } = rows;
    const { arrays, bind } = createMemory(
      {
        weights: float32(size),
        indices: uint32(indices.length),
        offsets: uint32(longest + 1),
        scores: float32(longest * this.lanes),
      },
      problem.kernels,
    );
    const kernels = bind({ sumRows });
    this.weights = arrays.weights;
    arrays.indices.set(indices);
    this.tokenScores = (from, length) => {
      arrays.offsets.set(offsets.subarray(from, from + length + 1));
      kernels.sumRows({
        matrix: arrays.weights,
        width: this.lanes,
        rows: arrays.indices,
        starts: arrays.offsets,
        first: 0,
        tokens: length,
        out: arrays.scores,
      });
      return arrays.scores;
    };
    this.weighted = new Float32Array(size);
    this.scratch = new Int16Array(size);
    this.tuples = new SentenceTuples(problem.layout);
    this.candidates = new ChunkCandidates(limits, roles);
    const { weights, chunkStart } = this;
    const { rowStarts } = index;
    this.scorer = new ChunkScorer(index, roles, limits, {
      rows: weights.subarray(chunkStart),
      rowStarts,
      addTo(feature, out, at) {
        const from = chunkStart + rowStarts[feature];
        const width = rowStarts[feature + 1] - rowStarts[feature];
        for (let i = 0; i < width; i++) out[at + i] += weights[from + i];
      },
    });
    this.search = new SemiMarkov(roles.count, k);
    this.differences = Array.from({ length: k }, () => ({
      indices: new Uint32Array(1024),
      signs: new Int8Array(1024),
      count: 0,
    }));
    this.losses = new Float64Array(k);
    this.products = new Float64Array(k * k);
    this.gaps = new Float64Array(k);
    this.alphas = new Float64Array(k);
    this.found = new Uint32Array(index.templates.length);
  }

  train(onIteration?: (report: IterationReport) => void): ChunkWeights {
    const { starts, seed, checkpoint } = this.problem;
    const epochs = this.options.epochs as number;
    const order = Uint32Array.from({ length: starts.length - 1 }, (_, s) => s);
    const random = new Random(seed);
    /** Epochs and steps done. */
    const progress = new Float64Array(2);
    const state = { weights: this.weights, weighted: this.weighted, order, random: random.state, progress };
    restore(checkpoint, state);
    let steps = progress[1];
    for (let epoch = progress[0] + 1; epoch <= epochs; epoch++) {
      random.shuffle(order);
      let wrong = 0;
      for (let i = 0; i < order.length; i++) if (this.step(order[i], steps++)) wrong++;
      onIteration?.({ iteration: epoch, iterations: epochs, measures: { 'wrong sentences': wrong } });
      progress.set([epoch, steps]);
      checkpoint?.keep(state);
    }
    const { weights, weighted, chunkStart } = this;
    for (let i = 0; i < weights.length; i++) weights[i] -= weighted[i] / steps;
    return { tokens: weights.slice(0, chunkStart), chunks: weights.slice(chunkStart) };
  }

  /** One sentence; returns whether the best segmentation was wrong. */
  private step(sentence: number, stepsBefore: number): boolean {
    const { problem, tuples, candidates, search, losses, options } = this;
    const { starts, views, dictionary, pruning } = problem;
    const from = starts[sentence];
    const length = starts[sentence + 1] - from;
    views.fill(sentence, tuples);
    const valuesAt = dictionary * tuples.stride + PADDING;
    candidates.list(length, tuples.values, valuesAt, pruning);
    this.scorer.score(tuples, this.tokenScores(from, length), this.lanes, candidates, pruning.bigrams);
    search.decode(candidates, this.scorer.bigrams);
    this.cutGold(from, length);
    const loss = LOSSES[options.margin as string];
    let constraints = 0;
    let wrong = false;
    for (let rank = 0; rank < search.found; rank++) {
      const value = this.compare(rank, from, this.differences[constraints], loss);
      // The gold segmentation itself: nothing to keep apart.
      if (value < 0) continue;
      if (rank === 0) wrong = true;
      losses[constraints++] = value;
    }
    if (constraints === 0 || (options.update === 'perceptron' && !wrong)) return wrong;
    if (options.update === 'perceptron') this.alphas[0] = 1;
    else this.solve(constraints);
    this.change(constraints, stepsBefore);
    return wrong;
  }

  private cutGold(from: number, length: number): void {
    this.goldEnds = grown(this.goldEnds, length);
    this.goldTypes = grown(this.goldTypes, length);
    this.goldAt = grown(this.goldAt, length);
    this.matched = grown(this.matched, length);
    this.path = grown(this.path, length);
    const { goldEnds, goldAt } = this;
    this.goldCount = this.problem.roles.cut(this.problem.labels, from, length, goldEnds, this.goldTypes);
    goldAt.fill(0, 0, length);
    for (let g = 0; g < this.goldCount; g++) goldAt[g === 0 ? 0 : goldEnds[g - 1]] = g + 1;
  }

  /**
   * Writes what sets the gold segmentation apart from an output: features of chunks that only one of them has, and of
   * pairs of types. Returns the output's loss; −1 where it is the gold one.
   */
  private compare(rank: number, from: number, difference: Difference, loss: Loss): number {
    const { candidates, path, goldEnds, goldTypes, goldCount, goldAt, matched } = this;
    const { roles, labels } = this.problem;
    const { begins, ends, types } = candidates;
    const start = roles.count;
    const count = this.search.path(candidates, rank, path);
    difference.count = 0;
    matched.fill(0, 0, goldCount);
    let correct = 0;
    let outside = 0;
    let wrongTokens = 0;
    for (let i = 0; i < count; i++) {
      const c = path[i];
      const type = types[c];
      const previous = i === 0 ? start : types[path[i - 1]];
      const g = goldAt[begins[c]] - 1;
      if (roles.isOutside(type)) outside++;
      if (g >= 0 && goldEnds[g] === ends[c] && goldTypes[g] === type) {
        matched[g] = 1;
        if (!roles.isOutside(type)) correct++;
        const goldPrevious = g === 0 ? start : goldTypes[g - 1];
        if (goldPrevious === previous) continue;
        this.addBigram(difference, begins[c], previous, type, -1);
        this.addBigram(difference, begins[c], goldPrevious, type, 1);
        continue;
      }
      this.addChunk(difference, begins[c], ends[c], type, -1);
      this.addBigram(difference, begins[c], previous, type, -1);
      // Tokens whose label is the same in both set nothing apart.
      for (let t = begins[c]; t < ends[c]; t++) {
        const label = roles.labelOf(type, begins[c], ends[c], t);
        if (label === labels[from + t]) continue;
        wrongTokens++;
        this.addToken(difference, from + t, label, labels[from + t]);
      }
    }
    let goldOutside = 0;
    for (let g = 0; g < goldCount; g++) {
      if (roles.isOutside(goldTypes[g])) goldOutside++;
      if (matched[g] === 1) continue;
      const begin = g === 0 ? 0 : goldEnds[g - 1];
      this.addChunk(difference, begin, goldEnds[g], goldTypes[g], 1);
      this.addBigram(difference, begin, g === 0 ? start : goldTypes[g - 1], goldTypes[g], 1);
    }
    return wrongTokens === 0 ? -1 : loss(goldCount - goldOutside, count - outside, correct, wrongTokens);
  }

  private addToken(difference: Difference, row: number, label: number, goldLabel: number): void {
    const { lanes } = this;
    const { offsets, indices } = this.problem.rows;
    for (let i = offsets[row]; i < offsets[row + 1]; i++) {
      push(difference, indices[i] * lanes + label, -1);
      push(difference, indices[i] * lanes + goldLabel, 1);
    }
  }

  private addChunk(difference: Difference, begin: number, end: number, type: number, sign: number): void {
    const { found, chunkStart } = this;
    const { index } = this.problem;
    let count = index.find('begin', begin, end, found, 0);
    count = index.find('both', begin, end, found, count);
    count = index.find('end', begin, end, found, count);
    for (let i = 0; i < count; i++) push(difference, chunkStart + index.rowStarts[found[i]] + type, sign);
  }

  private addBigram(
    difference: Difference,
    begin: number,
    previous: number,
    type: number,
    sign: number,
  ): void {
    const { found, chunkStart } = this;
    const { index, roles } = this.problem;
    const cell = previous * roles.count + type;
    let count = index.find('previous', begin, begin + 1, found, 0);
    count = index.find('bigram', begin, begin + 1, found, count);
    for (let i = 0; i < count; i++) push(difference, chunkStart + index.rowStarts[found[i]] + cell, sign);
  }

  /** Finds the multipliers of the first `count` differences. */
  private solve(count: number): void {
    const { differences, weights, scratch, products, gaps, losses, alphas } = this;
    for (let i = 0; i < count; i++) {
      const { indices, signs, count: own } = differences[i];
      let margin = 0;
      for (let n = 0; n < own; n++) {
        margin += signs[n] * weights[indices[n]];
        scratch[indices[n]] += signs[n];
      }
      gaps[i] = losses[i] - margin;
      for (let j = i; j < count; j++) {
        const other = differences[j];
        let product = 0;
        for (let n = 0; n < other.count; n++) product += other.signs[n] * scratch[other.indices[n]];
        products[i * count + j] = product;
        products[j * count + i] = product;
      }
      for (let n = 0; n < own; n++) scratch[indices[n]] = 0;
    }
    hildreth(products, gaps, alphas, count, this.options.cap as number);
  }

  private change(count: number, stepsBefore: number): void {
    const { differences, weights, weighted, alphas } = this;
    for (let i = 0; i < count; i++) {
      const alpha = alphas[i];
      if (alpha === 0) continue;
      const { indices, signs, count: own } = differences[i];
      for (let n = 0; n < own; n++) {
        const change = alpha * signs[n];
        weights[indices[n]] += change;
        weighted[indices[n]] += stepsBefore * change;
      }
    }
  }
}

function push(difference: Difference, index: number, sign: number): void {
  const at = difference.count++;
  if (at === difference.indices.length) {
    difference.indices = grown(difference.indices, at + 1);
    const signs = new Int8Array(difference.indices.length);
    signs.set(difference.signs);
    difference.signs = signs;
  }
  difference.indices[at] = index;
  difference.signs[at] = sign;
}
