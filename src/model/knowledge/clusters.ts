import { Alphabet } from '../../data/alphabet.js';
import { type ClusterFamily, parseClusters } from '../../features/clusters.js';
import { packStrings } from '../tensors.js';
import type { KnowledgeKind } from './kind.js';

/** Clusters of words, from files that training is given. */
export const clusters: KnowledgeKind<readonly ClusterFamily[]> = {
  name: 'clusters',
  title: 'words in clusters',
  isRead: ({ clusters: families = 0 }) => families > 0,
  learn: ({ resources }, earlier) => earlier ?? (resources?.clusters ?? []).map(parseClusters),
  pack(knowledge, tensors) {
    knowledge.forEach(({ words, clusters: numbers, paths }, f) => {
      tensors.addStrings(`clusters.${f}`, words.pack());
      tensors.addIntegers(`clusters.${f}.numbers`, numbers);
      tensors.addStrings(`clusters.${f}.paths`, packStrings(paths));
    });
  },
  unpack(tensors, _templates, _tagSet, { clusters: families = 0 }) {
    if (!tensors.has('clusters.0.numbers')) return undefined;
    return Array.from({ length: families }, (_, f) => {
      const words = Alphabet.unpack(tensors.strings(`clusters.${f}`));
      const numbers = tensors.integers(`clusters.${f}.numbers`, Uint16Array);
      const paths = Alphabet.unpack(tensors.strings(`clusters.${f}.paths`)).toArray();
      if (numbers.length !== words.size || numbers.some((number) => number >= paths.length)) {
        throw new Error(
          `clusters.${f}: expected the number of one of ${paths.length} clusters for each word`,
        );
      }
      return { words, clusters: numbers, paths };
    });
  },
  size: (knowledge) => knowledge.reduce((sum, { words }) => sum + words.size, 0),
};
