import { Alphabet } from '../../data/alphabet.js';
import { packStrings } from '../tensors.js';
import type { KnowledgeKind } from './kind.js';

/** The words of training data whose tokens are characters: for derived columns, rates of unknown words and joining these. */
export const words: KnowledgeKind<ReadonlySet<string>> = {
  name: 'words',
  title: 'training words',
  isRead: ({ tokens }) => tokens === 'characters',
  learn: ({ words: sentences }, earlier) => new Set([...(earlier ?? []), ...sentences.flat()]),
  pack(knowledge, tensors) {
    tensors.addStrings('words', packStrings([...knowledge].sort()));
  },
  unpack(tensors) {
    return tensors.has('words.offsets')
      ? new Set(Alphabet.unpack(tensors.strings('words')).toArray())
      : undefined;
  },
  size: (knowledge) => knowledge.size,
};
