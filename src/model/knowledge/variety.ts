import { Alphabet } from '../../data/alphabet.js';
import { columnIndex, columnStrings } from '../../data/corpus.js';
import { VarietyCounter } from '../../features/accessor-variety.js';
import { readsAccessorVariety } from '../../features/derived-columns.js';
import type { NgramVariety } from '../../features/ngram-variety.js';
import { packStrings } from '../tensors.js';
import type { KnowledgeKind } from './kind.js';

/** Accessor variety of n-grams in training data and raw text (Feng et al. 2004), where templates read it. */
export const variety: KnowledgeKind<NgramVariety> = {
  name: 'variety',
  title: 'n-grams with accessor variety',
  startsAnew: true,
  isRead: ({ columns }, templates) => readsAccessorVariety(templates, columns),
  learn({ corpus, rawText }) {
    const counter = new VarietyCounter();
    const column = columnIndex(corpus, 'word');
    for (let s = 0; s + 1 < corpus.starts.length; s++) counter.add(columnStrings(corpus, column, s));
    for (const line of rawText ?? []) counter.add(line);
    return counter.measure();
  },
  pack({ characters, children, last, values }, tensors) {
    tensors.addStrings('variety', packStrings(characters));
    tensors.addIntegers('variety.children', children);
    tensors.addIntegers('variety.last', last);
    tensors.add('variety.values', values);
  },
  unpack(tensors) {
    const knowledge = {
      characters: Alphabet.unpack(tensors.strings('variety')).toArray(),
      children: tensors.integers('variety.children', Uint32Array),
      last: tensors.integers('variety.last', Uint32Array),
      values: tensors.array('variety.values', Uint8Array),
    };
    const { characters, children, last, values } = knowledge;
    const size = children.reduce((sum, count) => sum + count, 0);
    if (children.length !== size + 1 || last.length !== size || values.length !== size) {
      throw new Error(`accessor variety: expected ${size} n-grams, found ${values.length}`);
    }
    if (last.some((character) => character >= characters.length)) {
      throw new Error(`accessor variety: expected ${characters.length} characters, found more`);
    }
    return knowledge;
  },
  size: ({ values }) => values.length,
};
