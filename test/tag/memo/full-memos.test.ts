import { expect, it } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { readColumns } from '../../../src/data/corpus.js';
import { parseTemplates } from '../../../src/features/template-syntax.js';
import { Tagger } from '../../../src/tag/tagger.js';
import { configure } from '../../../src/tasks/configure.js';
import { train } from '../../../src/train/train.js';

const VALUES = 72;

/** Sentences of tokens at random, so that hardly any three in a row come twice; their labels depend on the middle one. */
function* randomSentences(count: number, seed: number, words: number) {
  const random = new Random(seed);
  for (let s = 0; s < count; s++) {
    const pos = Array.from({ length: 1000 }, () => random.below(VALUES));
    yield {
      word: pos.map(() => `w${random.below(words)}`),
      pos: pos.map((value) => `P${value}`),
      chunk: pos.map((value) => (value % 3 === 0 ? 'B-X' : 'O')),
    };
  }
}

it('labels and scores are those of the weights when memos are full, and after', async () => {
  const templates = parseTemplates(
    'word[0]\nword.suffix2[0]\npos[0]\npos[-1] pos[0]\npos[-1] pos[0] pos[1]\nword[0] pos[1]',
    'windows',
    ['word', 'pos'],
  );
  const text = [...randomSentences(2, 1, 300)]
    .map(({ word, pos, chunk }) => word.map((each, t) => `${each} ${pos[t]} ${chunk[t]}\n`).join(''))
    .join('\n');
  const corpus = readColumns(text, { columns: ['word', 'pos', 'chunk'] });
  const options = { decoder: 'greedy', order: 0, 'cut-off': 1, epochs: 2 };
  const model = await train(
    corpus,
    configure({ task: 'chunking', columns: ['word', 'pos', 'chunk'], templates, options }),
  );
  const used = new Tagger(model);
  // More than 2^16 windows and 2^17 strings are remembered, forgotten, and remembered again.
  let checked = 0;
  for (const { word, pos } of randomSentences(110, 2, 1_000_000)) {
    const { tags } = used.label({ word, pos });
    checked++;
    if (checked % 15 !== 1 && checked < 108) continue;
    for (let t = 0; t < tags.length; t += checked < 108 ? 50 : 1) {
      const fired = used.firedFeatures(t);
      used.labelScores(t).forEach((score, label) => {
        if (score === -Infinity) return;
        const margin = fired.reduce((sum, f) => sum + model.weights.weight(f, label), 0);
        const expected = -Math.log1p(Math.exp(-2 * margin));
        expect(Math.abs(score - expected)).toBeLessThan(1e-5);
      });
    }
  }
});
