import { Alphabet } from '../../data/alphabet.js';
import { type Corpus, columnIndex } from '../../data/corpus.js';
import { type Gazetteer, makeGazetteer } from '../../features/words/lists.js';
import { packStrings } from '../tensors.js';
import type { KnowledgeKind } from './kind.js';

/** Lists of names, from files that training is given. */
export const gazetteers: KnowledgeKind<Gazetteer> = {
  name: 'gazetteers',
  title: 'words of list entries',
  isRead: ({ lists = [] }) => lists.length > 0,
  learn: ({ resources, corpus }, earlier) =>
    earlier ?? makeGazetteer(resources?.gazetteers ?? [], commonWords(corpus)),
  pack({ lists, words, children, last, ends, edges }, tensors) {
    tensors.addStrings('gazetteers.lists', packStrings(lists));
    tensors.addStrings('gazetteers', words.pack());
    tensors.addIntegers('gazetteers.children', children);
    tensors.addIntegers('gazetteers.last', last);
    tensors.addIntegers('gazetteers.ends', ends);
    tensors.addIntegers('gazetteers.edges', edges);
  },
  unpack(tensors) {
    if (!tensors.has('gazetteers.children')) return undefined;
    const knowledge = {
      lists: Alphabet.unpack(tensors.strings('gazetteers.lists')).toArray(),
      words: Alphabet.unpack(tensors.strings('gazetteers')),
      children: tensors.integers('gazetteers.children', Uint32Array),
      last: tensors.integers('gazetteers.last', Uint32Array),
      ends: tensors.integers('gazetteers.ends', Uint32Array),
      edges: tensors.integers('gazetteers.edges', Uint32Array),
    };
    const { words, children, last, ends, edges } = knowledge;
    const states = children.reduce((sum, count) => sum + count, 1);
    if (children.length !== states || last.length !== states - 1 || ends.length !== states) {
      throw new Error(`gazetteers: expected ${states} states, found ${children.length}`);
    }
    if (edges.length !== words.size || last.some((word) => word >= words.size)) {
      throw new Error(`gazetteers: expected ${words.size} words, found others`);
    }
    return knowledge;
  },
  size: ({ words }) => words.size,
};

/** Whether training data have a word in small letters more often than otherwise. */
function commonWords(corpus: Corpus): (lower: string) => boolean {
  const column = columnIndex(corpus, 'word');
  const words = corpus.alphabets[column];
  const counts = new Uint32Array(words.size);
  for (const id of corpus.cells[column]) counts[id]++;
  const excess = new Map<string, number>();
  words.toArray().forEach((text, id) => {
    const lower = text.toLowerCase();
    excess.set(lower, (excess.get(lower) ?? 0) + (text === lower ? counts[id] : -counts[id]));
  });
  return (lower) => (excess.get(lower) ?? 0) > 0;
}
