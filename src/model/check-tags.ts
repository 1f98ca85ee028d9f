import { InputError, quote } from '../base/errors.js';
import { type Corpus, placeOf } from '../data/corpus.js';
import { parseTag, SCHEMES } from '../tags/scheme.js';

/**
 * Checks that the last column of a corpus holds tags.
 *
 * @throws InputError naming file and line of the first label that is no tag.
 */
export function checkTags(corpus: Corpus): void {
  const column = corpus.columns.length - 1;
  const isTag = corpus.alphabets[column].toArray().map((text) => parseTag(text) !== undefined);
  const ids = corpus.cells[column];
  const token = ids.findIndex((id) => !isTag[id]);
  if (token < 0) return;
  const sentence = corpus.starts.findLastIndex((start) => start <= token);
  const leading = [...new Set(Object.values(SCHEMES).flatMap((scheme) => scheme.leadingTags))];
  throw new InputError(
    placeOf(corpus, sentence, token - corpus.starts[sentence]),
    `expected a tag in column ${corpus.columns[column]}: O, or ${leading.join(', ')} followed by - and a type; ` +
      `found ${quote(corpus.alphabets[column].string(ids[token]))}`,
  );
}
