import { OptionError } from '../base/errors.js';
import { Random } from '../base/random.js';
import type { Corpus } from './corpus.js';
import { documentStarts, LONGEST_DOCUMENT } from './documents.js';

/** Sentences to train on and to score on, both ascending. */
export interface Fold {
  /** Sentences of all other folds. */
  readonly training: Uint32Array;
  /** Sentences of this fold. */
  readonly heldOut: Uint32Array;
}

/**
 * A random split into folds whose sizes differ by at most one.
 *
 * @param strata [S] the types in each sentence, once for each chunk: each fold then gets its share of each type, as
 *   far as sizes allow.
 * @throws OptionError when `folds` is no integer from 2 to the number of sentences.
 */
export function splitFolds(
  sentences: number,
  folds: number,
  seed: number,
  strata?: readonly (readonly string[])[],
): Fold[] {
  if (!(Number.isInteger(folds) && folds >= 2 && folds <= sentences)) {
    throw new OptionError(
      'folds',
      `--folds: expected an integer from 2 to the ${sentences} sentences, found ${folds}`,
    );
  }
  const order = Uint32Array.from({ length: sentences }, (_, i) => i);
  new Random(seed).shuffle(order);
  const foldOf = strata ? stratify(order, folds, strata) : new Uint32Array(sentences);
  if (!strata) {
    order.forEach((sentence, i) => {
      foldOf[sentence] = i % folds;
    });
  }
  return Array.from({ length: folds }, (_, fold) => ({
    training: order.filter((sentence) => foldOf[sentence] !== fold).sort(),
    heldOut: order.filter((sentence) => foldOf[sentence] === fold).sort(),
  }));
}

/**
 * Iterative stratification (Sechidis, Tsoumakas and Vlahavas 2011): sentences with the rarest type are dealt first,
 * each to the fold that still lacks most of that type, of equals to the one with most room, of equals to the first.
 *
 * @returns [S] the fold of each sentence.
 */
function stratify(order: Uint32Array, folds: number, strata: readonly (readonly string[])[]): Uint32Array {
  const totals = new Map<string, number>();
  for (const types of strata) for (const type of types) totals.set(type, (totals.get(type) ?? 0) + 1);
  const wanted = new Map(
    [...totals].map(([type, total]) => [type, new Float64Array(folds).fill(total / folds)]),
  );
  const room = Uint32Array.from({ length: folds }, (_, fold) =>
    Math.floor((order.length + folds - 1 - fold) / folds),
  );
  const rarestFirst = [...totals].sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1)).map(([type]) => type);
  const byRarest = new Map<string | undefined, number[]>(rarestFirst.map((type) => [type, []]));
  byRarest.set(undefined, []);
  const rank = new Map(rarestFirst.map((type, i) => [type, i]));
  for (const sentence of order) {
    const ranks = strata[sentence].map((type) => rank.get(type) as number);
    byRarest.get(ranks.length > 0 ? rarestFirst[Math.min(...ranks)] : undefined)?.push(sentence);
  }
  const foldOf = new Uint32Array(order.length);
  for (const [type, sentences] of byRarest) {
    const lack = type === undefined ? undefined : wanted.get(type);
    for (const sentence of sentences) {
      let best = -1;
      for (let fold = 0; fold < folds; fold++) {
        if (room[fold] === 0) continue;
        const more = best < 0 ? 1 : (lack?.[fold] ?? 0) - (lack?.[best] ?? 0) || room[fold] - room[best];
        if (more > 0) best = fold;
      }
      foldOf[sentence] = best;
      room[best]--;
      for (const own of strata[sentence]) (wanted.get(own) as Float64Array)[best]--;
    }
  }
  return foldOf;
}

/** How {@link splitCorpus} splits. */
export interface SplitOptions {
  /** Number of folds, 2 … number of sentences or documents. */
  readonly folds: number;
  /** Decides which sentence is in which fold. */
  readonly seed: number;
  /** Whether folds are of whole documents; default no. */
  readonly byDocument?: boolean | undefined;
  /** Types of each sentence, as {@link splitFolds} takes them; of no effect on folds of documents. */
  readonly strata?: readonly (readonly string[])[] | undefined;
}

/**
 * A random split of a corpus whose sentences have the numbers of their documents, by sentences or by documents.
 *
 * @throws OptionError as {@link splitFolds} and {@link splitDocuments}.
 */
export function splitCorpus(corpus: Corpus, { folds, seed, byDocument, strata }: SplitOptions): Fold[] {
  return byDocument
    ? splitDocuments(documentStarts(corpus, LONGEST_DOCUMENT), folds, seed)
    : splitFolds(corpus.starts.length - 1, folds, seed, strata);
}

/**
 * A random split into folds of whole documents, whose numbers of documents differ by at most one.
 *
 * @param documents first sentence of each document, and the number of sentences [D + 1].
 * @throws OptionError when `folds` is no integer from 2 to the number of documents.
 */
export function splitDocuments(documents: Uint32Array, folds: number, seed: number): Fold[] {
  const count = documents.length - 1;
  if (!(Number.isInteger(folds) && folds >= 2 && folds <= count)) {
    throw new OptionError(
      'folds',
      `--folds: expected an integer from 2 to the ${count} documents, found ${folds}`,
    );
  }
  const sentencesOf = (numbers: Uint32Array) =>
    Uint32Array.from(
      [...numbers].flatMap((d) =>
        Array.from({ length: documents[d + 1] - documents[d] }, (_, s) => documents[d] + s),
      ),
    );
  return splitFolds(count, folds, seed).map(({ training, heldOut }) => ({
    training: sentencesOf(training),
    heldOut: sentencesOf(heldOut),
  }));
}
