import { OptionError, quote } from '../base/errors.js';
import { Uint32List } from '../base/growable.js';
import type { Rows } from '../data/dataset.js';
import type { FeatureIndex } from '../features/feature-index.js';
import { readingOffset } from '../features/layout.js';
import { type Template, type TokenNode, templateName } from '../features/template.js';
import { laneCount } from '../kernels/lane-count.js';
import type { SequenceLearner, SequenceProblem } from './learner.js';

/**
 * Second-order hidden Markov model with specialised states (Molina & Pla 2002, "Shallow Parsing using Specialized
 * HMMs"). A token's state is its label joined with what is observed: its part of speech p and, for specialised words
 * only, the word w; so
 *
 *   P(labels, tokens) = ∏ P(p, c | states at −1 and −2) P(w | p, c),
 *
 * c being the label. The label at −2 is left out of its state, which leaves the search one of first order; it did not help on
 * held-out data. A word is specialised where knowing it makes the labels of its part of speech more likely by `gain` in
 * all, Σ log P(c | w, p) / P(c | p).
 *
 * The first factor is an n-gram model, interpolated by absolute discounting (Ney, Essen & Kneser 1994): with n the counts,
 * x a context, x′ the shorter one and D estimated from how many n-grams come once and twice,
 *
 *   P(p, c | x) = max(0, n(x, p, c) − D) / n(x) + γ(x) P(p, c | x′),   γ(x) = D · (kinds of p, c after x) / n(x).
 *
 * Since an n-gram not seen has γ(x) P(p, c | x′), its logarithm is a sum of weights of features: log γ(x) of every context, and
 * log P(p, c | x) − log γ(x) − log P(p, c | x′) of the n-grams seen. The model is linear like all others.
 */
export const hmm: SequenceLearner = {
  kind: 'sequence',
  name: 'hmm',
  help: 'second-order hidden Markov model with specialised states, trained in one pass',
  link: 'identity',
  memory: { weights: 6, scores: 0, entries: 0 },
  gives: 'first-order',
  startsAnew: true,
  readsGold: true,
  defaults: { templates: 'hmm', 'cut-off': 1, direction: 'forward', scheme: 'iobes' },
  options: [
    {
      name: 'gain',
      kind: 'number',
      default: 7,
      min: 0,
      help: 'lexicalise states for words that raise the log-likelihood of their labels by at least this',
    },
    {
      name: 'prior',
      kind: 'number',
      default: 1,
      above: 0,
      help: 'pseudo-count of each word with the labels of its part of speech',
    },
  ],
  train(problem, options, onIteration) {
    const counts = new Counts(problem);
    counts.specialise(options.gain as number);
    counts.countBases();
    counts.countWords(options.prior as number);
    counts.countTransitions();
    onIteration?.({ iteration: 1, iterations: 1, measures: { specialised: counts.specialised } });
    return counts.weights;
  },
};

/** A template of the model, in reading order. */
interface NGram {
  /** Number of the template that reads what is predicted as well, and of the one that reads the context only. */
  readonly predicting: number;
  readonly context: number;
  /** Where it reads more of a token than its part of speech, which takes a specialised word. */
  readonly lexical: readonly number[];
}

/** Which template says what. */
interface Roles {
  /** `pos[0]`, and `word[0] pos[0]`. */
  readonly base: number;
  readonly words: number;
  /** Contexts from the shortest. */
  readonly contexts: readonly NGram[];
}

/** Reads the roles off the templates. @throws OptionError where they are not those of such a model. */
function rolesOf({ templates: { templates }, direction }: FeatureIndex): Roles {
  const refuse = (problem: string): never => {
    throw new OptionError(
      'templates',
      `--learner hmm: expected templates as --templates hmm has them, ${problem}`,
    );
  };
  const parts = templates.map((template) => {
    const tokens = template.nodes.filter((node): node is TokenNode => node.kind === 'token');
    const at = (offset: number) => tokens.filter((node) => readingOffset(node.offset, direction) === offset);
    return { template, tokens, now: at(0), reads: (offset: number) => at(offset).length };
  });
  const after = parts.find(({ tokens }) => tokens.some((node) => readingOffset(node.offset, direction) > 0));
  if (after) refuse(`found ${quote(templateName(after.template))}, which reads a token not yet read`);
  const plain = parts.filter(({ template, tokens, now }) => {
    return tokens.length > 0 && now.length === template.nodes.length;
  });
  const base = plain.find(({ now }) => now.length === 1);
  const words = plain.find(({ now }) => now.length === 2);
  if (!base || !words || plain.length !== 2)
    return refuse('found no pair like "pos[0]" and "word[0] pos[0]"');
  const keyOf = ({ nodes }: Template) =>
    nodes
      .map((node) => templateName({ nodes: [node] }))
      .sort()
      .join(' ');
  const predicted = base.now[0];
  const contexts = parts.flatMap((part): NGram[] => {
    if (plain.includes(part) || part.now.length === 0) return [];
    const { template, tokens } = part;
    const nodes = template.nodes.filter(
      (node) => node.kind !== 'token' || node.view !== predicted.view || node.offset !== 0,
    );
    const context = parts.findIndex((other) => keyOf(other.template) === keyOf({ nodes }));
    const readsLabel = template.nodes.some((node) => node.kind === 'label');
    if (part.now.length > 1 || !readsLabel || context < 0) {
      refuse(`found ${quote(templateName(template))} without its context ${quote(templateName({ nodes }))}`);
    }
    const lexical = [...new Set(tokens.map((node) => readingOffset(node.offset, direction)))].filter(
      (offset) => part.reads(offset) > 1,
    );
    return [{ predicting: parts.indexOf(part), context, lexical }];
  });
  contexts.sort((a, b) => templates[a.predicting].nodes.length - templates[b.predicting].nodes.length);
  return { base: parts.indexOf(base), words: parts.indexOf(words), contexts };
}

/**
 * Counts of features with labels, and the weights that they become. Only what is seen is counted: P pairs of a feature and
 * a label, by feature and then by label.
 */
class Counts {
  /** [D × W] */
  readonly weights: Float32Array;
  /** Number of specialised words. */
  specialised = 0;
  private readonly problem: SequenceProblem;
  private readonly width: number;
  private readonly roles: Roles;
  /** [D + 1] first pair of each feature. */
  private readonly starts: Uint32Array;
  /** [P] feature and label of each pair, and how often it is seen: n. */
  private readonly featureOf: Uint32Array;
  private readonly labelOf: Uint16Array;
  private readonly counts: Uint32Array;
  /** [P] P of the label after the context that the feature reads. */
  private readonly probabilities: Float32Array;
  /** [D] how often each feature is seen. */
  private readonly totals: Uint32Array;
  /** [templates][N] the pair of what each template reads at a token and of the gold label, −1 for none. */
  private readonly pairs: readonly Int32Array[];
  /** Features of parts of speech. */
  private readonly bases: Uint32Array;
  /** [D] the part of speech of a word; −1 for features that are no words. */
  private readonly baseOf: Int32Array;
  /** [D] 1 for the features of specialised words. */
  private readonly special: Uint8Array;

  constructor(problem: SequenceProblem) {
    const { index, rows, labels, labelCount } = problem;
    const { features } = rows;
    this.problem = problem;
    this.width = laneCount(labelCount);
    this.roles = rolesOf(index as FeatureIndex);
    this.weights = new Float32Array(features * this.width);
    this.special = new Uint8Array(features);
    this.baseOf = new Int32Array(features).fill(-1);
    const { starts, labelOf, counts } = countPairs(rows, labels, labelCount);
    this.starts = starts;
    this.labelOf = labelOf;
    this.counts = counts;
    this.featureOf = new Uint32Array(counts.length);
    this.probabilities = new Float32Array(counts.length);
    this.totals = new Uint32Array(features);
    for (let f = 0; f < features; f++) {
      for (let i = starts[f]; i < starts[f + 1]; i++) {
        this.featureOf[i] = f;
        this.totals[f] += counts[i];
      }
    }
    this.pairs = this.findPairs();
    const [bases, words] = [this.roles.base, this.roles.words].map((template) => this.pairs[template]);
    const isBase = new Uint8Array(features);
    for (let n = 0; n < labels.length; n++) {
      if (bases[n] < 0) continue;
      isBase[this.featureOf[bases[n]]] = 1;
      if (words[n] >= 0) this.baseOf[this.featureOf[words[n]]] = this.featureOf[bases[n]];
    }
    const seen = new Uint32List(64);
    for (let f = 0; f < features; f++) if (isBase[f] === 1) seen.push(f);
    this.bases = seen.toArray();
  }

  /** Decides which words are specialised: those that make their labels more likely by `gain`. */
  specialise(gain: number): void {
    const { starts, labelOf, counts, totals, baseOf, special } = this;
    for (let f = 0; f < special.length; f++) {
      const base = baseOf[f];
      if (base < 0) continue;
      const ratio = totals[base] / totals[f];
      let sum = 0;
      // A label that a word has, its part of speech has too.
      for (let i = starts[f], j = starts[base]; i < starts[f + 1]; i++) {
        while (labelOf[j] < labelOf[i]) j++;
        sum += counts[i] * Math.log((ratio * counts[i]) / counts[j]);
      }
      if (sum < gain) continue;
      special[f] = 1;
      this.specialised++;
    }
  }

  /** Gives parts of speech their weights: log P(p, c), discounted towards P(p) P(c). */
  countBases(): void {
    const { problem, width, bases, starts, labelOf, counts, totals, weights, probabilities } = this;
    const { labels, labelCount: L } = problem;
    const tokens = labels.length;
    const ofLabel = new Float64Array(L);
    for (let n = 0; n < tokens; n++) ofLabel[labels[n]]++;
    const seen = new Uint32List(1024);
    for (const f of bases) for (let i = starts[f]; i < starts[f + 1]; i++) seen.push(i);
    const discount = this.discountOf(seen.toArray());
    const kinds = seen.length;
    for (const f of bases) {
      const share = totals[f] / tokens;
      for (let c = 0, i = starts[f]; c < L; c++) {
        const isSeen = i < starts[f + 1] && labelOf[i] === c;
        const spread = discount * kinds * share * (ofLabel[c] / tokens);
        const count = isSeen ? counts[i] : 0;
        const probability = Math.fround((Math.max(0, count - discount) + spread) / tokens);
        weights[f * width + c] = Math.log(probability);
        if (isSeen) probabilities[i++] = probability;
      }
    }
  }

  /**
   * Gives words their weights, log P(w | p, c), relative to that of "a word that is not specialised", which every part of
   * speech gets.
   *
   * @param prior how many times P(w | p) counts as seen with each label.
   */
  countWords(prior: number): void {
    const { problem, width, bases, starts, labelOf, counts, totals, baseOf, special, weights } = this;
    const { labelCount: L } = problem;
    const numberOf = new Uint32Array(special.length);
    bases.forEach((f, b) => {
      numberOf[f] = b;
    });
    /** [bases × L] how often a part of speech comes with a label, and with a word that is not specialised. */
    const all = new Uint32Array(bases.length * L);
    bases.forEach((f, b) => {
      for (let i = starts[f]; i < starts[f + 1]; i++) all[b * L + labelOf[i]] = counts[i];
    });
    const plain = all.slice();
    for (let f = 0; f < special.length; f++) {
      if (special[f] === 0) continue;
      const from = numberOf[baseOf[f]] * L;
      for (let i = starts[f]; i < starts[f + 1]; i++) plain[from + labelOf[i]] -= counts[i];
    }
    const logShare = (count: number, ofBase: number, share: number) =>
      Math.log((count + prior * share) / (ofBase + prior));
    /** [bases × L] log P(not specialised | p, c) */
    const others = new Float32Array(all.length);
    bases.forEach((f, b) => {
      let unspecial = 0;
      for (let c = 0; c < L; c++) unspecial += plain[b * L + c];
      // One more than was seen, since there are always words that were not.
      const share = (unspecial + 1) / (totals[f] + 1);
      for (let c = 0, at = b * L; c < L; c++, at++) {
        others[at] = logShare(plain[at], all[at], share);
        weights[f * width + c] += others[at];
      }
    });
    for (let f = 0; f < special.length; f++) {
      if (special[f] === 0) continue;
      const from = numberOf[baseOf[f]] * L;
      const share = totals[f] / (totals[baseOf[f]] + 1);
      for (let c = 0, i = starts[f]; c < L; c++) {
        const isSeen = i < starts[f + 1] && labelOf[i] === c;
        const count = isSeen ? counts[i++] : 0;
        weights[f * width + c] = logShare(count, all[from + c], share) - others[from + c];
      }
    }
  }

  /** Gives contexts and n-grams their weights. */
  countTransitions(): void {
    const { problem, width, roles, pairs, featureOf, labelOf, counts, special, weights, probabilities } =
      this;
    const { labels, labelCount: L, starts } = problem;
    const words = pairs[roles.words];
    /** [N] the longest n-gram so far that is seen at a token. */
    const longest = pairs[roles.base].slice();
    const position = new Uint32Array(labels.length);
    for (let s = 0; s + 1 < starts.length; s++) {
      for (let n = starts[s]; n < starts[s + 1]; n++) position[n] = n - starts[s];
    }
    /** [D] how often a context comes before a specialised state, or any, and before how many kinds. */
    const totals = new Uint32Array(special.length);
    const kinds = new Uint32Array(special.length);
    /** [P] */
    const isSeen = new Uint8Array(counts.length);
    for (const { predicting, context, lexical } of roles.contexts) {
      const grams = pairs[predicting];
      const contexts = pairs[context];
      /** The n-grams seen, the contexts that they come after, and the next shorter ones. */
      const seen = new Uint32List(1024);
      const contextOf = new Uint32List(1024);
      const shorterOf = new Uint32List(1024);
      const seenContexts = new Uint32List(1024);
      for (let n = 0; n < labels.length; n++) {
        const gram = grams[n];
        let used = gram >= 0;
        for (let i = 0; i < lexical.length && used; i++) {
          const word = position[n] + lexical[i] < 0 ? -1 : words[n + lexical[i]];
          used = word >= 0 && special[featureOf[word]] === 1;
        }
        if (!used) continue;
        const x = featureOf[contexts[n]];
        if (isSeen[gram] === 0) {
          isSeen[gram] = 1;
          seen.push(gram);
          contextOf.push(x);
          shorterOf.push(longest[n]);
          kinds[x]++;
        }
        longest[n] = gram;
        if (totals[x]++ === 0) seenContexts.push(x);
      }
      const distinct = seen.toArray();
      const discount = this.discountOf(distinct);
      for (const x of seenContexts.toArray()) {
        weights.fill(Math.log((discount * kinds[x]) / totals[x]), x * width, x * width + L);
      }
      const contextsSeen = contextOf.toArray();
      const shorter = shorterOf.toArray();
      for (let i = 0; i < distinct.length; i++) {
        const gram = distinct[i];
        const x = contextsSeen[i];
        const left = (discount * kinds[x]) / totals[x];
        const lower = left * probabilities[shorter[i]];
        probabilities[gram] = (counts[gram] - discount) / totals[x] + lower;
        weights[featureOf[gram] * width + labelOf[gram]] = Math.log(probabilities[gram]) - Math.log(lower);
      }
    }
  }

  /** D of some pairs: n₁ / (n₁ + 2 n₂). */
  private discountOf(pairs: Uint32Array): number {
    const { counts } = this;
    let once = 0;
    let twice = 0;
    for (let i = 0; i < pairs.length; i++) {
      const count = counts[pairs[i]];
      if (count === 1) once++;
      else if (count === 2) twice++;
    }
    return (once + 1) / (once + 2 * twice + 2);
  }

  private findPairs(): Int32Array[] {
    const { starts, labelOf } = this;
    const { rows, labels, index } = this.problem;
    const { templates } = index as FeatureIndex;
    const templateOf = (index as FeatureIndex).templateNumbers();
    const pairs = templates.templates.map(() => new Int32Array(labels.length).fill(-1));
    const { offsets, indices } = rows;
    for (let n = 0; n < labels.length; n++) {
      for (let j = offsets[n]; j < offsets[n + 1]; j++) {
        const f = indices[j];
        let pair = starts[f];
        while (labelOf[pair] !== labels[n]) pair++;
        pairs[templateOf[f]][n] = pair;
      }
    }
    return pairs;
  }
}

/** The pairs of a feature and a label that rows have: where those of each feature start [D + 1], labels and counts [P]. */
function countPairs({ offsets, indices, features }: Rows, labels: Uint16Array, labelCount: number) {
  const ends = new Uint32Array(features + 1);
  for (let j = 0; j < indices.length; j++) ends[indices[j] + 1]++;
  for (let f = 0; f < features; f++) ends[f + 1] += ends[f];
  const occurrences = new Uint16Array(indices.length);
  for (let n = 0; n < labels.length; n++) {
    for (let j = offsets[n]; j < offsets[n + 1]; j++) occurrences[ends[indices[j]]++] = labels[n];
  }
  // Filling has moved each start to where the feature's occurrences end.
  const starts = new Uint32Array(features + 1);
  const labelOf = new Uint16Array(indices.length);
  const counts = new Uint32Array(indices.length);
  const ofFeature = new Uint32Array(labelCount);
  let pairs = 0;
  for (let f = 0, i = 0; f < features; f++) {
    let lowest = labelCount;
    let highest = 0;
    for (; i < ends[f]; i++) {
      ofFeature[occurrences[i]]++;
      lowest = Math.min(lowest, occurrences[i]);
      highest = Math.max(highest, occurrences[i]);
    }
    for (let c = lowest; c <= highest; c++) {
      if (ofFeature[c] === 0) continue;
      labelOf[pairs] = c;
      counts[pairs++] = ofFeature[c];
      ofFeature[c] = 0;
    }
    starts[f + 1] = pairs;
  }
  return { starts, labelOf: labelOf.slice(0, pairs), counts: counts.slice(0, pairs) };
}
