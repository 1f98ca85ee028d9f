import { OptionError, quote } from '../base/errors.js';
import { Uint32List } from '../base/growable.js';
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
  help: 'second-order hidden Markov model with specialised states: one look at the data',
  link: 'identity',
  decoders: ['viterbi'],
  startsAnew: true,
  readsGold: true,
  defaults: { templates: 'hmm', 'cut-off': 1, direction: 'forward', scheme: 'iobes' },
  options: [
    {
      name: 'gain',
      kind: 'number',
      default: 7,
      min: 0,
      help: 'words become part of the states where they make their labels more likely by this, as a logarithm',
    },
    {
      name: 'prior',
      kind: 'number',
      default: 1,
      above: 0,
      help: 'how many times each word counts as seen with the labels that its part of speech has',
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

/** Counts of features and labels, and the weights that they become. */
class Counts {
  /** [D × W] */
  readonly weights: Float32Array;
  /** Number of specialised words. */
  specialised = 0;
  private readonly problem: SequenceProblem;
  private readonly width: number;
  private readonly roles: Roles;
  /** [templates][N] the feature of each template that fires at a token after its gold label₋₁, −1 for none. */
  private readonly features: readonly Int32Array[];
  /** [N] those of the part of speech and of the word. */
  private readonly bases: Int32Array;
  private readonly words: Int32Array;
  /** [D × W] n */
  private readonly counts: Float32Array;
  /** [D × W] P of what is seen. */
  private readonly probabilities: Float32Array;
  /** [D] the part of speech of a word; −1 for features that are no words. */
  private readonly baseOf: Int32Array;
  /** [D] 1 for the features of specialised words. */
  private readonly special: Uint8Array;

  constructor(problem: SequenceProblem) {
    const { index, rows, labelCount } = problem;
    const width = laneCount(labelCount);
    this.problem = problem;
    this.width = width;
    this.roles = rolesOf(index as FeatureIndex);
    this.weights = new Float32Array(rows.features * width);
    this.counts = new Float32Array(rows.features * width);
    this.probabilities = new Float32Array(rows.features * width);
    this.special = new Uint8Array(rows.features);
    this.baseOf = new Int32Array(rows.features).fill(-1);
    this.features = this.firedFeatures();
    this.bases = this.features[this.roles.base];
    this.words = this.features[this.roles.words];
    const { labels } = problem;
    for (const fired of this.features) {
      for (let n = 0; n < labels.length; n++) {
        if (fired[n] >= 0) this.counts[fired[n] * width + labels[n]]++;
      }
    }
  }

  /** Decides which words are specialised: those that make their labels more likely by `gain`. */
  specialise(gain: number): void {
    const { problem, width, counts, words, bases, baseOf, special } = this;
    for (let n = 0; n < words.length; n++) if (words[n] >= 0) baseOf[words[n]] = bases[n];
    for (let f = 0; f < special.length; f++) {
      const base = baseOf[f];
      if (base < 0) continue;
      const ratio = this.total(base) / this.total(f);
      let sum = 0;
      for (let c = 0; c < problem.labelCount; c++) {
        const count = counts[f * width + c];
        if (count > 0) sum += count * Math.log((ratio * count) / counts[base * width + c]);
      }
      if (sum < gain) continue;
      special[f] = 1;
      this.specialised++;
    }
  }

  /** Gives parts of speech their weights: log P(p, c), discounted towards P(p) P(c). */
  countBases(): void {
    const { problem, width, counts, bases, weights, probabilities } = this;
    const { labels, labelCount: L } = problem;
    const tokens = labels.length;
    const ofLabel = new Float64Array(L);
    for (let n = 0; n < tokens; n++) ofLabel[labels[n]]++;
    const seen = distinctOf(bases, this.special.length);
    const places = new Uint32List(1024);
    for (const f of seen) {
      for (let c = 0; c < L; c++) if (counts[f * width + c] > 0) places.push(f * width + c);
    }
    const discount = this.discountOf(places.toArray());
    const kinds = places.length;
    for (const f of seen) {
      const share = this.total(f) / tokens;
      for (let c = 0; c < L; c++) {
        const at = f * width + c;
        const spread = discount * kinds * share * (ofLabel[c] / tokens);
        probabilities[at] = (Math.max(0, counts[at] - discount) + spread) / tokens;
        weights[at] = Math.log(probabilities[at]);
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
    const { problem, width, counts, bases, baseOf, special, weights } = this;
    const { labelCount: L } = problem;
    /** [D × W] how often a part of speech comes with a word that is not specialised. */
    const plain = new Float32Array(counts.length);
    const seen = distinctOf(bases, this.special.length);
    for (const f of seen) for (let c = 0; c < L; c++) plain[f * width + c] = counts[f * width + c];
    for (let f = 0; f < special.length; f++) {
      for (let c = 0; special[f] === 1 && c < L; c++) plain[baseOf[f] * width + c] -= counts[f * width + c];
    }
    const logShare = (count: number, ofBase: number, share: number) =>
      Math.log((count + prior * share) / (ofBase + prior));
    /** [D × W] log P(not specialised | p, c) */
    const others = new Float32Array(counts.length);
    for (const f of seen) {
      let unspecial = 0;
      for (let c = 0; c < L; c++) unspecial += plain[f * width + c];
      for (let c = 0; c < L; c++) {
        const at = f * width + c;
        // One more than was seen, since there are always words that were not.
        others[at] = logShare(plain[at], counts[at], (unspecial + 1) / (this.total(f) + 1));
        weights[at] += others[at];
      }
    }
    for (let f = 0; f < special.length; f++) {
      if (special[f] === 0) continue;
      const base = baseOf[f];
      const share = this.total(f) / (this.total(base) + 1);
      for (let c = 0; c < L; c++) {
        const at = base * width + c;
        weights[f * width + c] = logShare(counts[f * width + c], counts[at], share) - others[at];
      }
    }
  }

  /** Gives contexts and n-grams their weights. */
  countTransitions(): void {
    const { problem, width, roles, features, words, bases, counts, special, weights, probabilities } = this;
    const { labels, labelCount: L, starts } = problem;
    /** [N] the longest n-gram so far that fires at a token. */
    const longest = bases.slice();
    const position = new Uint32Array(labels.length);
    for (let s = 0; s + 1 < starts.length; s++) {
      for (let n = starts[s]; n < starts[s + 1]; n++) position[n] = n - starts[s];
    }
    const totals = new Float64Array(special.length);
    const kinds = new Float64Array(special.length);
    /** [D × W] */
    const isSeen = new Uint8Array(counts.length);
    for (const { predicting, context, lexical } of roles.contexts) {
      const grams = features[predicting];
      const contexts = features[context];
      const used = new Uint8Array(labels.length);
      for (let n = 0; n < labels.length; n++) {
        if (grams[n] < 0) continue;
        used[n] = 1;
        for (let i = 0; i < lexical.length; i++) {
          const word = position[n] + lexical[i] < 0 ? -1 : words[n + lexical[i]];
          if (word < 0 || special[word] === 0) used[n] = 0;
        }
      }
      /** [n-grams] where those seen stand in the counts, the contexts that they come after, and the next shorter ones. */
      const seen = new Uint32List(1024);
      const contextOf = new Uint32List(1024);
      const shorterOf = new Uint32List(1024);
      const seenContexts = new Uint32List(1024);
      for (let n = 0; n < labels.length; n++) {
        if (used[n] === 0) continue;
        const at = grams[n] * width + labels[n];
        const x = contexts[n];
        if (isSeen[at] === 0) {
          isSeen[at] = 1;
          seen.push(at);
          contextOf.push(x);
          shorterOf.push(longest[n] * width + labels[n]);
          kinds[x]++;
        }
        longest[n] = grams[n];
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
        const at = distinct[i];
        const x = contextsSeen[i];
        const left = (discount * kinds[x]) / totals[x];
        const lower = left * probabilities[shorter[i]];
        probabilities[at] = (counts[at] - discount) / totals[x] + lower;
        weights[at] = Math.log(probabilities[at]) - Math.log(lower);
      }
    }
  }

  /** How often a feature fires. */
  private total(f: number): number {
    const { counts, width, problem } = this;
    let sum = 0;
    for (let c = 0; c < problem.labelCount; c++) sum += counts[f * width + c];
    return sum;
  }

  /** D of what stands at some places of the counts: n₁ / (n₁ + 2 n₂). */
  private discountOf(places: Uint32Array): number {
    const { counts } = this;
    let once = 0;
    let twice = 0;
    for (let i = 0; i < places.length; i++) {
      const count = counts[places[i]];
      if (count === 1) once++;
      else if (count === 2) twice++;
    }
    return (once + 1) / (once + 2 * twice + 2);
  }

  private firedFeatures(): Int32Array[] {
    const { rows, labels, index } = this.problem;
    const { templates } = index as FeatureIndex;
    const templateOf = (index as FeatureIndex).templateNumbers();
    const fired = templates.templates.map(() => new Int32Array(labels.length).fill(-1));
    const { offsets, indices } = rows;
    for (let n = 0; n < labels.length; n++) {
      for (let j = offsets[n]; j < offsets[n + 1]; j++) fired[templateOf[indices[j]]][n] = indices[j];
    }
    return fired;
  }
}

/** Features that fire somewhere, each once, of D. */
function distinctOf(fired: Int32Array, features: number): Uint32Array {
  const isSeen = new Uint8Array(features);
  const seen = new Uint32List(64);
  for (let n = 0; n < fired.length; n++) {
    if (fired[n] < 0 || isSeen[fired[n]] === 1) continue;
    isSeen[fired[n]] = 1;
    seen.push(fired[n]);
  }
  return seen.toArray();
}
