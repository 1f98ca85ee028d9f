import { expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { encodeUtf8 } from '../../src/base/utf8.js';
import { readColumns } from '../../src/data/corpus.js';
import { Tagger } from '../../src/tag/tagger.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';

/** Sentences of few words, half of them seen once: with weights in steps many margins are 0. */
function noisyColumns(count: number): string {
  const random = new Random(7);
  const line = () => {
    const word = random.below(12);
    const seenOnce = random.below(3) === 0;
    return `w${seenOnce ? 100 + random.below(900) : word} ${random.below(4) > 0 ? `B-T${word % 6}` : 'O'}\n`;
  };
  return Array.from({ length: count }, () => `${Array.from({ length: 9 }, line).join('')}\n`).join('');
}

it.each(['dag', 'hc-ova', 'tree'])(
  'the first alternative of %s is the labelling, margins of 0 included',
  async (strategy) => {
    const columns = ['word', 'ne'];
    const options = { strategy, decoder: 'greedy', precision: 'int8', templates: 'words', epochs: 2 };
    const corpus = readColumns(encodeUtf8(noisyColumns(150)), { columns });
    const tagger = new Tagger(await train(corpus, configure({ task: 'chunking', columns, options })));
    const words = noisyColumns(150).split('\n\n').slice(0, -1);
    for (const sentence of words) {
      const word = sentence.split('\n').map((line) => line.split(' ')[0]);
      const { tags } = tagger.label({ word });
      expect(tagger.alternatives(1)[0].tags).toEqual(tags);
    }
  },
);
