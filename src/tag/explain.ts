import type { SentenceColumns } from '../data/corpus.js';
import type { Model } from '../model/model.js';
import { ova } from '../reduce/ova.js';
import { REDUCTIONS } from '../reduce/reductions.js';
import type { Tagger } from './tagger.js';

/** A feature with its weights for the label chosen and for its nearest rival. */
export interface ExplainedFeature {
  /** The feature in words. */
  readonly feature: string;
  /** Weight for the label chosen, summed over the problems that tell it from the rival; see {@link explain}. */
  readonly chosen: number;
  /** Weight for the rival, in the same problems; nothing where there is none. */
  readonly rival?: number;
}

/** Why a token got its label. */
export interface TokenExplanation {
  /** The token's cells, in the order of the tagger's input columns. */
  readonly cells: readonly string[];
  /** Label chosen, in the model's own scheme. */
  readonly label: string;
  /** Best other label that was legal there, if any. */
  readonly rival?: string;
  /** Log score of the label chosen. */
  readonly score: number;
  /** Log score of the rival. */
  readonly rivalScore?: number;
  /**
   * Features that fired, the one that most separates the two first. Of a chunk's first token, where whole chunks are
   * scored, also the chunk's features, which count for its type and not in the scores here.
   */
  readonly features: readonly ExplainedFeature[];
}

/**
 * Explains every label of a sentence by the features that fired, given the labels chosen before it. Where problem k
 * scores label k, a feature's weights for two labels are those of their problems; with other strategies they are summed
 * over the problems that have the two labels on different sides.
 *
 * @returns [T] explanations in text order.
 */
export function explain(tagger: Tagger, sentence: SentenceColumns): TokenExplanation[] {
  const { model } = tagger;
  tagger.decodeSentence(sentence);
  const { length } = tagger;
  const explanations: TokenExplanation[] = [];
  for (let t = 0; t < length; t++) {
    const chosen = tagger.labels[t];
    const scores = tagger.labelScores(t);
    let rival = -1;
    scores.forEach((score, label) => {
      if (label !== chosen && score > -Infinity && (rival < 0 || score > scores[rival])) rival = label;
    });
    const features = tagger.firedFeatures(t).map((f): ExplainedFeature => {
      return {
        feature: featureText(model, f),
        chosen: labelWeight(model, f, chosen, rival),
        ...(rival >= 0 && { rival: labelWeight(model, f, rival, chosen) }),
      };
    });
    const bias = { chosen: tagger.biasOf(chosen), ...(rival >= 0 && { rival: tagger.biasOf(rival) }) };
    if (bias.chosen !== 0 || (bias.rival ?? 0) !== 0) features.push({ feature: '(bias)', ...bias });
    features.push(...tagger.chunkFeatures(t).map(({ feature, weight }) => ({ feature, chosen: weight })));
    features.sort((a, b) => Math.abs(b.chosen - (b.rival ?? 0)) - Math.abs(a.chosen - (a.rival ?? 0)));
    const position = model.tagSet.direction === 'backward' ? length - 1 - t : t;
    explanations.push({
      cells: tagger.inputColumns.map((name) => sentence[name][position]),
      label: model.tagSet.tags[chosen],
      score: scores[chosen],
      ...(rival >= 0 && { rival: model.tagSet.tags[rival], rivalScore: scores[rival] }),
      features,
    });
  }
  return model.tagSet.direction === 'backward' ? explanations.reverse() : explanations;
}

/** The features of largest weight for a label, strongest first. */
export function strongestFeatures(model: Model, label: number, count: number): ExplainedFeature[] {
  const weight = (f: number) => labelWeight(model, f, label, -1);
  return Array.from({ length: model.features.size }, (_, f) => f)
    .sort((a, b) => weight(b) - weight(a) || a - b)
    .slice(0, count)
    .map((f) => ({ feature: featureText(model, f), chosen: weight(f) }));
}

/** A feature's weight for a label against a rival, or against all others where that is −1. */
function labelWeight(model: Model, feature: number, label: number, rival: number): number {
  const { code, weights, configuration } = model;
  // What probabilities can be read from has a problem per label.
  const { gives } = REDUCTIONS[configuration.strategy ?? ova.name];
  if (code === undefined || gives === 'margins') return weights.weight(feature, label);
  let sum = 0;
  for (let k = 0; k < code.problems; k++) {
    const sign = code.signs[label * code.problems + k];
    if (sign === 0 || (rival >= 0 && code.signs[rival * code.problems + k] !== -sign)) continue;
    sum += sign * weights.weight(feature, k);
  }
  return sum;
}

/** A feature as text: `word[-1]=the pos[0]=NN`. */
function featureText(model: Model, feature: number): string {
  const parts = model.features.describe(feature).map(({ node, value }) => {
    if (typeof value === 'string') return `${node}=${value}`;
    return `${node}=${value < 0 ? '<start>' : model.tagSet.tags[value]}`;
  });
  return parts.length === 0 ? 'bias' : parts.join(' ');
}
