import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OptionValues } from '../../src/base/options.js';
import { encodeUtf8 } from '../../src/base/utf8.js';
import type { SentenceColumns } from '../../src/data/corpus.js';
import { parseTemplates } from '../../src/features/template-syntax.js';
import type { KernelName } from '../../src/kernels/kernels.js';
import { UnitCorpusBuilder } from '../../src/label/unit-corpus.js';
import { LEARNERS } from '../../src/learn/learners.js';
import type { Model } from '../../src/model/model.js';
import { Tagger } from '../../src/tag/tagger.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';
import { columnFile, corpusOf, makeSentences, TRAINING, trainTiny } from '../model/tiny.js';

/** Sentences of training and others; of 0, 1, 2 and more tokens, and around and above what is scored at a time. */
const SENTENCES: readonly SentenceColumns[] = [
  ...[0, 1, 2].flatMap((length) => TRAINING.slice(0, 4).map(({ columns }) => cut(columns, length))),
  ...TRAINING.map(({ columns }) => columns),
  ...makeSentences(20, 3).map(({ columns }) => columns),
  { word: ['Unknown', '', '👍'], pos: ['XY', 'NN', ''] },
  ...[1000, 1013, 1016, 1017, 1019, 1020, 1021, 1024, 1025, 2100].map((length) => long(length)),
];

function cut(columns: SentenceColumns, length: number): SentenceColumns {
  return Object.fromEntries(Object.entries(columns).map(([name, cells]) => [name, cells.slice(0, length)]));
}

function long(length: number): SentenceColumns {
  const many = makeSentences(length, length).map(({ columns }) => columns);
  return cut({ word: many.flatMap(({ word }) => word), pos: many.flatMap(({ pos }) => pos) }, length);
}

/** What a tagger says of its last sentence. */
const result = (tagger: Tagger) => ({
  labels: [...tagger.path.subarray(0, tagger.length)],
  confidences: tagger.confidences(),
  tags: tagger.tagStrings(tagger.spans()),
  scores: [0, 1, tagger.length - 1]
    .filter((t) => t >= 0 && t < tagger.length)
    .map((t) => tagger.labelScores(t)),
});

/** Labels batches of sentences, and holds what is said of each against what is said of it alone. */
function compare(
  model: Model,
  sentences: readonly SentenceColumns[],
  kernels: KernelName,
  runs: number,
): void {
  const single = new Tagger(model, { kernels });
  const alone = sentences.map((sentence) => {
    single.decodeSentence(sentence);
    return result(single);
  });
  for (const { scores } of alone) expect(scores.some((own) => own.some(Number.isNaN))).toBe(false);
  const tagger = new Tagger(model, { kernels });
  const some = fc.array(fc.nat({ max: sentences.length - 1 }), { maxLength: 60 });
  fc.assert(
    fc.property(some, (numbers) => {
      const told: number[] = [];
      const batch = numbers.map((s) => sentences[s]);
      tagger.decodeSentences(batch, (i) => {
        told.push(i);
        expect(result(tagger)).toEqual(alone[numbers[i]]);
      });
      expect(told).toEqual([...numbers.keys()]);
      const labels = numbers.flatMap((s) => alone[s].labels);
      expect([...tagger.labels.subarray(0, labels.length)]).toEqual(labels);
    }),
    { numRuns: runs },
  );
}

/** Templates of all shapes; one of them reads only what is read after a token. */
const wide = (direction: string) =>
  parseTemplates(
    [
      'word.type[-1] pos[0] word.type[1]',
      'word[-3] pos[0] word[3]',
      'pos[-2] pos[-1] pos[0]',
      'pos[-1] pos[0]',
      'pos[0]',
      'word[0] word[1]',
      'word[-4] word[0]',
      'label[-1] pos[0]',
      'word[0]',
      'word[2]',
      direction === 'forward' ? 'pos[1] word[2] word.type[3]' : 'word.type[-3] word[-2] pos[-1]',
    ].join('\n'),
    'x',
    ['word', 'pos'],
  );

const OPTIONS: readonly OptionValues[] = [
  ...Object.values(LEARNERS)
    .filter(({ kind }) => kind !== 'chunk')
    .map(({ name }) => ({ learner: name })),
  ...['forward', 'backward'].flatMap((direction) => [
    { decoder: 'greedy', order: 0, direction },
    { decoder: 'greedy', order: 2, direction },
    { decoder: 'beam', order: 1, direction },
    { decoder: 'viterbi', order: 1, precision: 'int8', direction },
    { decoder: 'hybrid', templates: 'wide', direction },
    { strategy: 'ovo', decoder: 'greedy', order: 1, direction },
  ]),
];

describe('Tagger.decodeMany', () => {
  it.each(OPTIONS)('says of each sentence of a batch what is said of it alone: %j', async (options) => {
    compare(await trainTiny(options), SENTENCES, 'simd', 8);
  });

  it.each(['forward', 'backward'])(
    'does so with the plain kernels and all shapes of templates, %s',
    async (direction) => {
      const model = await trainTiny({ decoder: 'viterbi', order: 1, direction }, wide(direction));
      compare(model, SENTENCES, 'plain', 3);
      compare(model, SENTENCES, 'simd', 8);
    },
  );

  it('does so for models of whole chunks', async () => {
    const configuration = configure({
      task: 'chunking',
      preset: 'chunk-level',
      options: { 'cut-off': 1, epochs: 5 },
    });
    const model = await train(corpusOf(columnFile(TRAINING)), configuration);
    compare(
      model,
      SENTENCES.filter(({ word }) => word.length < 1100),
      'simd',
      3,
    );
  });

  it('does so where columns are derived from characters', async () => {
    const words = ['我们', '他', '北京', '天安门广场', '喜欢', '在', '学习', '。', '大学生', '好好'];
    const line = (s: number) =>
      Array.from({ length: 3 + (s % 7) }, (_, i) => words[(s * 7 + i * i * 3) % 10]);
    const lines = Array.from({ length: 60 }, (_, s) => line(s));
    const configuration = configure({ task: 'segmentation', preset: 'fast', options: { 'cut-off': 1 } });
    const builder = new UnitCorpusBuilder('segmented', {
      columns: configuration.columns,
      scheme: configuration.scheme,
      source: 'x',
      tokens: 'characters',
    });
    builder.push(encodeUtf8(lines.map((own) => `${own.join(' ')}\n`).join('')));
    const corpus = builder.finish();
    const model = await train(corpus, configuration);
    const sentences = [
      ...lines.map((own) => own.join('')),
      '',
      '我',
      '生人',
      lines.flat().join('').repeat(3),
    ];
    compare(
      model,
      sentences.map((text) => ({ word: [...text] })),
      'simd',
      10,
    );
  });

  it('does so where it forgets what it remembered in the middle of a batch', async () => {
    const tagger = new Tagger(await trainTiny());
    const known = SENTENCES.slice(0, 30);
    const alone = known.map((sentence) => {
      tagger.decodeSentence(sentence);
      return result(tagger);
    });
    // Strings as long as are remembered fill the memory for them; longer ones do not fit into what kernels read at a time.
    const batch = Array.from({ length: 6000 }, (_, i) =>
      i % 3 === 0
        ? known[(i / 3) % known.length]
        : { word: [`${i}`.padEnd(i % 2 === 0 ? 1000 : 3000, 'x')], pos: ['NN'] },
    );
    tagger.decodeSentences(batch, (i) => {
      if (i % 3 === 0) expect(result(tagger)).toEqual(alone[(i / 3) % known.length]);
    });
  });
});
