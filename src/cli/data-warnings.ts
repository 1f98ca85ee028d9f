import { listNames, shortened } from '../base/errors.js';
import type { OptionValues } from '../base/options.js';
import { decodeUtf8 } from '../base/utf8.js';
import { ANY_COLUMNS, type Corpus } from '../data/corpus.js';
import type { Encoding } from '../data/formats/transcoder.js';
import { sharedSentences, typesMissingInFolds, typesSeenOnce } from '../evaluate/data-checks.js';
import { DOCUMENT_MARKS } from '../kernels/scan-columns.js';
import type { Pipeline } from '../label/pipeline.js';
import { unreachableChunks } from '../label/unreachable-chunks.js';
import type { Configuration } from '../model/configuration.js';
import { fileSize, readChunks } from '../node/files.js';
import type { ChunkScores } from '../score/conlleval.js';
import type { Tagger } from '../tag/tagger.js';
import type { SchemeName } from '../tags/scheme.js';
import { encodingOf, importedFormat, inputFormatOf, layoutOf } from './options.js';
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

/** A warning of columns that a file has and nothing reads: the labels that were meant may be among them. */
export async function unreadColumns(
  path: string,
  options: OptionValues,
  { columns, task }: Configuration,
): Promise<string | undefined> {
  if (columns.includes(ANY_COLUMNS)) return undefined;
  // A pipe can be read only once.
  if ((await fileSize(path)) === 0 || inputFormatOf(options, path, task) !== 'columns') return undefined;
  if (await importedFormat(options, path)) return undefined;
  const found = await columnsIn(path, options);
  if (found <= columns.length) return undefined;
  const unread = Array.from({ length: found - columns.length }, (_, i) => String(columns.length + 1 + i));
  const list = listNames(unread).replace(' or ', ' and ');
  return (
    `${path}: ${unread.length === 1 ? `column ${list} of ${found} is` : `columns ${list} of ${found} are`} not read: ` +
    `columns are ${columns.join()}, and ${columns.at(-1)} holds the labels`
  );
}

/** How many columns the first token of a column file has. */
export async function columnsIn(path: string, options: OptionValues): Promise<number> {
  const bytes = await readStart(path, encodingOf(options));
  const { separator, comments, header = 0 } = layoutOf(options);
  const isToken = (text: string) =>
    text.trim() !== '' &&
    !DOCUMENT_MARKS.some((mark) => text.startsWith(mark)) &&
    !(comments !== undefined && text.startsWith(comments));
  const line = decodeUtf8(bytes).split(/\r?\n/).slice(header).find(isToken);
  return line === undefined ? 0 : line.trim().split(separator === 'tab' ? '\t' : /[ \t]+/).length;
}

async function readStart(path: string, encoding: Encoding | undefined): Promise<Uint8Array> {
  for await (const chunk of readChunks(path, encoding)) return chunk.slice();
  return new Uint8Array();
}

/** Warns of types that next to nothing can be learned of. All labels must be readable. */
export function warnOfTypesSeenOnce(corpus: Corpus, scheme: SchemeName, file: string): void {
  const types = typesSeenOnce(corpus, scheme);
  if (types.length > 0)
    warn(shortened(`${file}: ${counted(types.length, 'type')} with a single example: ${types.join(', ')}`));
}

/** Warns of types that some folds cannot score. */
export function warnOfMissingTypes(folds: readonly ChunkScores[]): void {
  const missing = [...typesMissingInFolds(folds)];
  if (missing.length === 0) return;
  const list = missing.map(([type, count]) => `${type} (${count} of ${counted(folds.length, 'fold')})`);
  warn(shortened(`types that some folds have no example of to score: ${list.join(', ')}`));
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
