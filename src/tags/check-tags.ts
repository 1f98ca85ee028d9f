import { InputError, lookUp, quote } from '../base/errors.js';
import { type Corpus, placeOf } from '../data/corpus.js';
import { LEADING_TAGS, SCHEMES, type SchemeName } from './scheme.js';

/**
 * Checks that the last column of a corpus holds tags of a scheme, or of any scheme of chunks.
 *
 * @throws InputError naming file and line of the first label that is no tag.
 */
export function checkTags(corpus: Corpus, scheme: SchemeName): void {
  const { parse } = lookUp(SCHEMES, scheme, 'scheme');
  const column = corpus.columns.length - 1;
  const isTag = corpus.alphabets[column].toArray().map((text) => parse(text) !== undefined);
  const ids = corpus.cells[column];
  const token = ids.findIndex((id) => !isTag[id]);
  if (token < 0) return;
  const sentence = corpus.starts.findLastIndex((start) => start <= token);
  throw new InputError(
    placeOf(corpus, sentence, token - corpus.starts[sentence]),
    `expected a tag in column ${corpus.columns[column]}: O, or ${LEADING_TAGS.join(', ')} followed by - and a type; ` +
      `found ${quote(corpus.alphabets[column].string(ids[token]))}`,
  );
}
