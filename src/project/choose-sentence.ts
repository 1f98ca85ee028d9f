import { Random } from '../base/random.js';
import { spanKey } from '../data/span.js';
import type { Decision, ShownSuggestion } from './decisions.js';
import type { Strategy } from './project.js';

/** Sentences annotated up to which `mixed` takes others at random: a model that knows little chooses badly. */
const RANDOM_UP_TO = 300;
/** One sentence in so many is taken at random, whatever the strategy does else: what shows how good the model is. */
const ONE_RANDOM_IN = 5;
/** One sentence in so many is shown without suggestions: what shows how much these sway people. */
const ONE_BLIND_IN = 20;

/** What the next sentence is chosen by. */
export interface ChoiceState {
  /** Order. */
  readonly strategy: Strategy;
  /** Seed: the same for the same person and project. */
  readonly seed: number;
  /** Number of sentences annotated. */
  readonly annotated: number;
  /** Numbers of sentences that are open, ascending. */
  readonly open: ArrayLike<number>;
  /** Number of the sentence before. */
  readonly before: number;
  /** Log probabilities of sentences by number, divided by length; what has none is not a number. */
  readonly scores?: ArrayLike<number> | undefined;
}

/** A sentence that comes next. */
export interface ChosenSentence {
  /** Its number. */
  readonly sentence: number;
  /** Why it was chosen. */
  readonly pick: ShownSuggestion['pick'];
  /** Whether it is to be shown without suggestions. */
  readonly isBlind: boolean;
}

/** Chooses the next sentence; nothing where none is open. The same state gives the same sentence. */
export function chooseSentence(state: ChoiceState): ChosenSentence | undefined {
  const { strategy, seed, annotated, open, before, scores } = state;
  if (open.length === 0) return undefined;
  const random = new Random(seed, annotated);
  const isBlind = random.below(ONE_BLIND_IN) === 0;
  const isRandom = random.below(ONE_RANDOM_IN) === 0;
  if (strategy === 'document') {
    const next = Array.prototype.find.call(open, (sentence: number) => sentence > before);
    return { sentence: (next as number | undefined) ?? open[0], pick: 'document', isBlind };
  }
  const isEarly = strategy === 'mixed' && annotated < RANDOM_UP_TO;
  const least = strategy === 'random' || isEarly || isRandom ? undefined : leastSure(open, scores);
  if (least !== undefined) return { sentence: least, pick: 'unsure', isBlind };
  return { sentence: open[random.below(open.length)], pick: 'random', isBlind };
}

function leastSure(open: ArrayLike<number>, scores: ArrayLike<number> = []): number | undefined {
  let least: number | undefined;
  for (let i = 0; i < open.length; i++) {
    const score = scores[open[i]];
    if (score === undefined || Number.isNaN(score)) continue;
    if (least === undefined || score < scores[least]) least = open[i];
  }
  return least;
}

/** How good suggestions were. */
export interface SuggestionScores {
  /** Sentences counted. */
  readonly sentences: number;
  /** F of their suggestions against what was decided, in percent; not a number where there are no spans. */
  readonly f1: number;
}

/**
 * How good suggestions were for sentences that came up at random, the last ones first: an estimate of F for the project's texts,
 * which sentences that the model chose would not give.
 *
 * @param most how many sentences are looked at.
 */
export function scoreSuggestions(decisions: readonly Decision[], most = 200): SuggestionScores {
  let sentences = 0;
  let right = 0;
  let all = 0;
  for (let d = decisions.length - 1; d >= 0 && sentences < most; d--) {
    const { kind, shown, spans = [] } = decisions[d];
    if (kind !== 'accept' || shown?.pick !== 'random') continue;
    sentences++;
    const keys = new Set(spans.map(spanKey));
    right += shown.spans.filter((span) => keys.has(spanKey(span))).length;
    all += spans.length + shown.spans.length;
  }
  return { sentences, f1: (200 * right) / all };
}
