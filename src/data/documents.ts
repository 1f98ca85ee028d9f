import type { Corpus } from './corpus.js';

/** Most sentences of a document, so that memory stays bounded; a longer one counts as several. */
export const LONGEST_DOCUMENT = 2000;

/** Sentences that count as a document where an input does not say where documents start. */
export const DOCUMENT_SIZE = 50;

/**
 * The first sentence of each document, and the number of sentences: [D + 1].
 *
 * @param size sentences of a document in the part of an input that marks none.
 */
export function documentStarts({ documents, starts }: Corpus, size: number): Uint32Array {
  const sentences = starts.length - 1;
  const firsts: number[] = [];
  let first = 0;
  for (let s = 0; s < sentences; s++) {
    const own = documents?.[s] ?? 0;
    const isNew = s === 0 || own !== (documents?.[s - 1] ?? 0);
    if (isNew || s - first >= (own === 0 ? size : LONGEST_DOCUMENT)) {
      firsts.push(s);
      first = s;
    }
  }
  return Uint32Array.from([...firsts, sentences]);
}

/**
 * The corpus with a number for the document of each sentence, so that parts of it know their documents.
 *
 * @param size as of {@link documentStarts}.
 */
export function withDocuments(corpus: Corpus, size: number): Corpus {
  const firsts = documentStarts(corpus, size);
  const documents = new Uint32Array(corpus.starts.length - 1);
  for (let d = 0; d + 1 < firsts.length; d++) documents.fill(d + 1, firsts[d], firsts[d + 1]);
  return { ...corpus, documents };
}
