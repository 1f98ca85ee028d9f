import type { Corpus } from '../data/corpus.js';
import { sharedSentences, typesMissingInFolds, typesSeenOnce } from '../evaluate/data-checks.js';
import type { Pipeline } from '../label/pipeline.js';
import { unreachableChunks } from '../label/unreachable-chunks.js';
import type { Tagger } from '../model/tagger.js';
import type { ChunkScores } from '../score/conlleval.js';
import type { SchemeName } from '../tags/scheme.js';
import { counted, warn } from './render.js';

/** Warns where data to score on is partly data to train on. */
export function warnOfSharedSentences(
  training: Corpus,
  held: Corpus,
  trainFile: string,
  heldFile: string,
): void {
  const shared = sharedSentences(training, held);
  if (shared === 0) return;
  const all = counted(held.starts.length - 1, 'sentence');
  warn(
    `${shared} of the ${all} of ${heldFile} are in ${trainFile} too: scores on them say little about new text`,
  );
}

/** Warns of types that next to nothing can be learned of. All labels must be readable. */
export function warnOfTypesSeenOnce(corpus: Corpus, scheme: SchemeName, file: string): void {
  const types = typesSeenOnce(corpus, scheme);
  if (types.length > 0)
    warn(`${file}: ${counted(types.length, 'type')} with a single example: ${types.join(', ')}`);
}

/** Warns of types that some folds cannot score. */
export function warnOfMissingTypes(folds: readonly ChunkScores[]): void {
  const missing = [...typesMissingInFolds(folds)];
  if (missing.length === 0) return;
  const list = missing.map(([type, count]) => `${type} (${count} of ${counted(folds.length, 'fold')})`);
  warn(`types that some folds have no example of to score: ${list.join(', ')}`);
}

/** Warns of gold chunks that a model of whole chunks cannot find, whatever it has learned. */
export function warnOfUnreachableChunks(tagger: Tagger | Pipeline, corpus: Corpus): void {
  const { chunks, sentences } = unreachableChunks(tagger, corpus);
  if (chunks === 0) return;
  warn(
    `${counted(chunks, 'gold chunk')} in ${counted(sentences, 'sentence')} beyond the limits of chunks in training, ` +
      'which --lengths, --values, --pairs and --bigrams lift',
  );
}
