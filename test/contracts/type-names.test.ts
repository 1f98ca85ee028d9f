import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.js';
import { readColumns } from '../../src/data/corpus.js';
import { ColumnLabeller } from '../../src/label/label-columns.js';
import { Tagger } from '../../src/tag/tagger.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';
import { columnFile, corpusOf, makeSentences, UNSEEN } from '../model/tiny.js';

/** The same sentences whose noun phrases have another name, one that sorts alike. */
const fileWith = (name: string) => columnFile(makeSentences(24, 5)).replaceAll('-NP', `-${name}`);

/** The same where no token is in no chunk. */
const coveredWith = (name: string) =>
  fileWith(name)
    .split('\n')
    .filter((line) => !line.endsWith(' O'))
    .join('\n');

const kinds: [string, object][] = [
  ['svm', {}],
  ['svm', { strategy: 'c-ova' }],
  ['hmm', {}],
  ['crf', { iterations: 20 }],
  ['structured-svm', { epochs: 3 }],
  ['mira', { epochs: 3 }],
  ['mira', { epochs: 3, scheme: 'iobes', decoder: 'semi-markov' }],
  ['mira', { epochs: 3, decoder: 'semi-markov', pairs: 'seen' }],
  ['perceptron', { epochs: 3 }],
];

describe('a type of chunks called O', () => {
  it.each(kinds)('is like any other: %s %o', async (learner, options) => {
    for (const file of [fileWith, coveredWith]) {
      const [named, other] = await Promise.all(
        ['O', 'OTHER'].map(async (name) => {
          const how = { 'cut-off': 1, learner, ...options };
          const model = await train(corpusOf(file(name)), configure({ task: 'chunking', options: how }));
          const tagger = new Tagger(model);
          const labelled = UNSEEN.map((columns) => tagger.label(columns));
          // By the kernel that writes tags, too.
          const labeller = new ColumnLabeller(tagger, {
            source: 'in',
            format: 'columns',
            confidence: false,
            onError: 'stop',
          });
          const bytes = encodeUtf8(file(name));
          const written = [labeller.push(bytes).slice(), labeller.finish()].map((part) =>
            new TextDecoder().decode(part),
          );
          const constrained = tagger.label(UNSEEN[0], {
            forbidden: [{ start: 0, end: 1, type: name }],
            required: [{ start: 1, end: 2, type: name }],
          });
          return { labelled, written: written.join(''), constrained };
        }),
      );
      const renamed = JSON.parse(JSON.stringify(other).replaceAll('OTHER', 'O'));
      expect(JSON.parse(JSON.stringify(named))).toEqual(renamed);
      expect(named.written).toContain(' B-O\n');
      expect(named.constrained.tags[1]).toBe('B-O');
    }
  });

  it('is a label of single tokens, which constraints require and forbid', async () => {
    const text = 'I O\nsee V\nhim O\n\nyou O\nsee V\nher O\n\n'.repeat(3);
    for (const learner of ['svm', 'crf', 'perceptron']) {
      const how = configure({ task: 'pos', options: { 'cut-off': 1, learner } });
      const tagger = new Tagger(await train(readColumns(encodeUtf8(text), how), how));
      const words = { word: ['you', 'see', 'him'] };
      const span = (start: number, type: string) => ({ start, end: start + 1, type });
      expect(tagger.label(words, { forbidden: [span(0, 'O')] }).tags).toEqual(['V', 'V', 'O']);
      expect(tagger.label(words, { required: [span(1, 'O')] }).tags).toEqual(['O', 'O', 'O']);
    }
  });
});
