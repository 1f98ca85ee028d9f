import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { encodeUtf8 } from '../../src/base/utf8.js';
import type { SentenceColumns } from '../../src/data/corpus.js';
import { parseTemplates } from '../../src/features/template-syntax.js';
import { ColumnLabeller } from '../../src/label/label-columns.js';
import type { Model } from '../../src/model/model.js';
import { Tagger } from '../../src/tag/tagger.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';
import { corpusOf } from '../model/tiny.js';

const PARTS = [
  'word[0]',
  'pos[0]',
  'word[-1]',
  'pos[1]',
  'pos[-1]',
  'word.suffix2[0]',
  'word.type[1]',
  'label[-1]',
];
const CONFIGURATIONS = [
  { learner: 'svm', strategy: 'ova', decoder: 'hybrid' },
  { learner: 'svm', strategy: 'ova', decoder: 'greedy' },
  { learner: 'svm', strategy: 'ova', decoder: 'viterbi', order: 2 },
  { learner: 'svm', strategy: 'ova', decoder: 'beam' },
  { learner: 'perceptron', decoder: 'viterbi' },
  { learner: 'crf-adf', decoder: 'viterbi' },
];

/** Random templates of one to three parts. */
const templates = fc
  .uniqueArray(fc.uniqueArray(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 8,
    selector: (parts) => [...parts].sort().join(' '),
  })
  .map((lines) => ['word[0]', 'label[-1]', ...lines.map((parts) => parts.join(' '))])
  .map((lines) => [...new Set(lines)].join('\n'));

const shapes = fc.record({
  templates,
  configuration: fc.constantFrom(...CONFIGURATIONS),
  precision: fc.constantFrom('float32', 'int8'),
  direction: fc.constantFrom('forward', 'backward'),
  types: fc.integer({ min: 1, max: 11 }),
  words: fc.integer({ min: 2, max: 60 }),
  seed: fc.nat(),
});

/** Random sentences of a column file; the last one is longer than what is scored or searched at a time. */
function drawText(random: Random, types: number, words: number, longest: number): string {
  const tag = () =>
    random.below(3) === 0 ? 'O' : `${random.below(2) === 0 ? 'B' : 'I'}-T${random.below(types)}`;
  const word = () => `w${'x'.repeat(random.below(12))}${random.below(words)}`;
  const sentence = (length: number) =>
    Array.from({ length }, () => `${word()} P${random.below(7)} ${tag()}\n`).join('');
  const lengths = Array.from({ length: 20 }, () => 1 + random.below(9));
  return [...lengths, longest].map(sentence).join('\n');
}

/** Labels of a text as bytes, and scores of one of its sentences. */
function labelsOf(model: Model, text: string, sentence: SentenceColumns, kernels: 'simd' | 'plain') {
  const how = { source: 'x', format: 'columns', confidence: false, onError: 'stop' } as const;
  const labeller = new ColumnLabeller(new Tagger(model, { kernels }), how);
  const output = [labeller.push(encodeUtf8(text)).slice(), labeller.finish().slice()];
  const tagger = new Tagger(model, { kernels });
  const { tags, confidences } = tagger.label(sentence);
  return { output, tags, confidences, scores: tagger.labelScores(0) };
}

it('kernels write into their arrays alone, and label as the plain ones do, whatever the model and the text', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, async ({ configuration: options, types, words, seed, ...shape }) => {
      const random = new Random(seed);
      const own = parseTemplates(shape.templates, 'x', ['word', 'pos']);
      const { precision, direction } = shape;
      const configuration = configure({
        task: 'chunking',
        templates: own,
        options: { ...options, precision, direction, 'cut-off': 1 },
      });
      const model = await train(corpusOf(drawText(random, types, words, 30)), configuration);
      const text = drawText(random, types, 2 * words, 1100);
      const cells = text
        .split('\n')
        .slice(0, 8)
        .filter((line) => line !== '')
        .map((line) => line.split(' '));
      const sentence = { word: cells.map(([word]) => word), pos: cells.map(([, pos]) => pos) };
      const [plain, simd] = (['plain', 'simd'] as const).map((name) => labelsOf(model, text, sentence, name));
      expect(simd).toEqual(plain);
    }),
    { seed: 1, numRuns: 15 },
  );
});
