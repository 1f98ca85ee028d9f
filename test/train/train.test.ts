import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.js';
import type { Progress } from '../../src/base/progress.js';
import { historyOrder } from '../../src/features/template.js';
import { parseTemplates } from '../../src/features/template-syntax.js';
import { laneCount } from '../../src/kernels/lane-count.js';
import { loadModel, saveModel } from '../../src/model/model-file.js';
import { SparseWeights } from '../../src/model/sparse-weights.js';
import { REDUCTIONS } from '../../src/reduce/reductions.js';
import { Tagger } from '../../src/tag/tagger.js';
import { detectScheme } from '../../src/tags/detect-scheme.js';
import { CHUNK_SCHEMES, SCHEMES, type SchemeName } from '../../src/tags/scheme.js';
import { train } from '../../src/train/train.js';
import type { BlockRunner } from '../../src/train/train-options.js';
import { featureTexts } from '../features/small-corpora.js';
import {
  columnFile,
  configuration,
  corpusOf,
  makeSentences,
  TRAINING,
  trainTiny,
  UNSEEN,
} from '../model/tiny.js';

const SCHEME_NAMES = Object.keys(CHUNK_SCHEMES) as SchemeName[];

describe('train', () => {
  it('learns what its data say', async () => {
    const model = await trainTiny();
    const tagger = new Tagger(model);
    for (const { columns, spans } of TRAINING) {
      expect(tagger.label(columns).spans.map(({ start, end, type }) => ({ start, end, type }))).toEqual(
        spans,
      );
    }
    const tokens = TRAINING.reduce((sum, { columns }) => sum + columns.word.length, 0);
    expect(model.training).toEqual({
      sentences: TRAINING.length,
      tokens,
      sha256: corpusOf(columnFile(TRAINING)).sha256,
      fileScheme: 'iob2',
      irregularTags: 0,
    });
    expect(model.problems).toBe(model.tagSet.tags.length);
    expect(model.weights.size).toBe(model.features.size);
  });

  it('keeps only features with a weight', async () => {
    const { weights, features } = await trainTiny();
    expect(weights.counts()).toHaveLength(features.size);
    expect(weights.counts()).not.toContain(0);
    expect(weights.values).not.toContain(0);
  });

  it('gives the same bytes for the same seed, and other weights for another', async () => {
    const first = await trainTiny({ seed: 7 });
    expect(saveModel(await trainTiny({ seed: 7 }))).toEqual(saveModel(first));
    expect((await trainTiny({ seed: 8 })).weights).not.toEqual(first.weights);
  });

  it('with a mask learns from the parts of speech what the words give away otherwise', async () => {
    const [plain, masked] = [await trainTiny({}), await trainTiny({ mask: 2 })];
    expect(saveModel(await trainTiny({ mask: 2 }))).toEqual(saveModel(masked));
    expect(loadModel(saveModel(masked)).configuration.mask).toBe(2);
    // The features are those of the originals, and the masked copies are no training sentences of their own.
    expect(masked.training).toEqual(plain.training);
    const sizeOf = (model: typeof plain, column: string) => {
      const reads = model.features.readingColumn(column);
      let sum = 0;
      for (let f = 0; f < model.features.size; f++) {
        for (let k = 0; k < model.problems; k++) if (reads[f]) sum += Math.abs(model.weights.weight(f, k));
      }
      return sum;
    };
    const share = (model: typeof plain) => sizeOf(model, 'pos') / sizeOf(model, 'word');
    expect(share(masked)).toBeGreaterThan(share(plain));
  });

  it('labels with the possible classes of all training data, and learns from those of other parts', async () => {
    const templates = parseTemplates('word.classes[0]', 'own', ['word', 'pos']);
    const model = await train(corpusOf('a A B-X\n\na A B-X\n\nb B O\n'), configuration({}, templates));
    // Of a word in one sentence training must not know more than that it is unknown.
    expect(featureTexts(model.features)).toEqual(['word.classes[0]=E-X', 'word.classes[0]=', '']);
    const tagger = new Tagger(model);
    expect(tagger.label({ word: ['a', 'c'], pos: ['A', 'C'] }).tags).toEqual(['B-X', 'O']);
    expect(model.knowledge.classes?.of('word', 'b')).toBe('O');
  });

  it('writes tags in the file’s scheme, whatever the scheme inside', async () => {
    for (const file of SCHEME_NAMES) {
      const corpus = corpusOf(columnFile(TRAINING, file));
      for (const scheme of SCHEME_NAMES) {
        const model = await train(
          corpus,
          configuration({ scheme, direction: 'forward', templates: 'small' }),
        );
        expect(model.training).toMatchObject({ fileScheme: file, irregularTags: 0 });
        expect(model.tagSet.scheme).toBe(scheme);
        const tagger = new Tagger(model);
        const found = TRAINING.map(({ columns }) => tagger.label(columns));
        expect(found.map(({ tags }) => tags)).toEqual(
          TRAINING.map(({ columns, spans }) => SCHEMES[file].encode(spans, columns.word.length)),
        );
        expect(detectScheme(found.map(({ tags }) => tags)).scheme).toBe(file);
      }
    }
  });

  it.each([
    ['greedy', 0],
    ['greedy', 1],
    ['beam', 0],
    ['beam', 1],
    ['viterbi', 0],
    ['viterbi', 1],
    ['viterbi', 2],
  ])('leaves out templates beyond %s of order %i, but not from the configuration', async (decoder, order) => {
    const model = await trainTiny({ decoder, order, templates: 'wide' });
    const orders = model.features.templates.templates.map(historyOrder);
    expect(Math.max(...orders)).toBe(order);
    expect(model.configuration.templates.templates.map(historyOrder)).toContain(2);
    const [first] = TRAINING;
    expect(new Tagger(model).label(first.columns).spans).toMatchObject(first.spans);
    const copy = loadModel(saveModel(model));
    expect(copy.features.templates).toEqual(model.features.templates);
    expect(copy.configuration.templates).toEqual(model.configuration.templates);
  });

  it('trains in blocks of lanes of their own and puts their weights together', async () => {
    // 12 types make 25 IOB2 tags: two blocks.
    const types = Array.from({ length: 12 }, (_, i) => `T${String(i).padStart(2, '0')}`);
    const text = types.map((type) => `a A B-${type}\nb B I-${type}\nc C O\n`).join('\n');
    const sizes: number[] = [];
    const runBlocks: BlockRunner = async (learner, problems, options) => {
      expect(learner).toBe('svm');
      expect(options.C).toBe(0.1);
      let firstLane = 0;
      return problems.map(({ problems: count, block, rows, signs, labelCount, seed }) => {
        expect(seed).toBe(5);
        expect(block).toBe(sizes.length);
        sizes.push(count);
        const width = laneCount(count);
        const weights = new Float32Array(rows.features * width);
        for (let k = 0; k < count; k++) {
          for (let label = 0; label < labelCount; label++) {
            expect(signs[label * count + k]).toBe(label === firstLane + k ? 1 : -1);
          }
          // Every third feature keeps no weight.
          for (let f = 0; f < rows.features; f++) {
            weights[f * width + k] = f % 3 === 0 ? 0 : f * 100 + firstLane + k;
          }
        }
        firstLane += count;
        return SparseWeights.ofRows(weights, count);
      });
    };
    const model = await train(corpusOf(text), configuration({ scheme: 'iob2', seed: 5 }), { runBlocks });
    expect(sizes).toEqual([12, 13]);
    for (let f = 0; f < model.features.size; f++) {
      const original = Math.floor(f / 2) * 3 + 1 + (f % 2);
      const row = new Float32Array(25);
      model.weights.addTo(f, row, 0);
      expect([...row]).toEqual(Array.from({ length: 25 }, (_, k) => original * 100 + k));
      expect(model.weights.weight(f, 24)).toBe(original * 100 + 24);
    }
  });

  it('puts each problem’s weights where the code has it, whatever its block', async () => {
    for (const strategy of ['ovo', 'hc-ova']) {
      let blocks = 0;
      /** What a problem’s column of signs says, as a number. */
      const nameOf = (signs: Int8Array, problems: number, k: number) =>
        signs.reduce((sum, sign, at) => (at % problems === k ? 3 * sum + sign + 1 : sum), 1);
      const runBlocks: BlockRunner = async (_, problems) => {
        blocks = problems.length;
        return problems.map(({ problems: count, signs, rows }) => {
          const width = laneCount(count);
          const weights = new Float32Array(rows.features * width);
          for (let k = 0; k < count; k++) {
            for (let f = 0; f < rows.features; f++) weights[f * width + k] = nameOf(signs, count, k);
          }
          return SparseWeights.ofRows(weights, count);
        });
      };
      const wanted = configuration({ strategy, scheme: 'iob2', decoder: 'greedy' });
      const model = await train(corpusOf(columnFile(TRAINING)), wanted, { runBlocks });
      expect(blocks).toBeGreaterThan(1);
      const { problems, signs } = model.code as NonNullable<typeof model.code>;
      const expected = Array.from({ length: problems }, (_, k) => Math.fround(nameOf(signs, problems, k)));
      for (let f = 0; f < model.features.size; f++) {
        const row = new Float32Array(problems);
        model.weights.addTo(f, row, 0);
        expect([...row]).toEqual(expected);
        const own = model.weights.lanes.subarray(model.weights.starts[f], model.weights.starts[f + 1]);
        expect([...own]).toEqual([...Array(problems).keys()]);
      }
    }
  });

  it('reports features, then epochs', async () => {
    const reports: Progress[] = [];
    await train(corpusOf(columnFile(TRAINING)), configuration({ epochs: 3, epsilon: 1e-9 }), {
      onProgress: (report) => reports.push(report),
    });
    expect(reports[0].kind).toBe('features');
    const epochs = reports.filter((report) => report.kind === 'epoch');
    expect(epochs.map(({ block, blocks, epoch, epochs }) => [block, blocks, epoch, epochs])).toEqual([
      [0, 1, 1, 3],
      [0, 1, 2, 3],
      [0, 1, 3, 3],
    ]);
  });

  it.each(['X-NP', 'b', 'NP', '-NP', 'B_NP'])('refuses the tag %j with its line', async (bad) => {
    const text = `a DT B-NP\nb NN I-NP\n\n\nc NN B-NP\nd NN ${bad}\n`;
    const training = train(corpusOf(text), configuration());
    await expect(training).rejects.toThrow(InputError);
    await expect(training).rejects.toThrow(`tiny.txt:6: expected a tag in column chunk: O, or `);
    await expect(training).rejects.toThrow(`found "${bad}"`);
  });

  it('counts tags that do not follow the file’s scheme', async () => {
    const text = columnFile(TRAINING, ({ spans, columns }) => {
      const tags = SCHEMES.iob2.encode(spans, columns.word.length);
      return tags.map((tag, t) => (t === 0 ? tag.replace('B-', 'I-') : tag));
    });
    const model = await train(corpusOf(text), configuration());
    expect(model.training.fileScheme).toBe('iob2');
    expect(model.training.irregularTags).toBe(TRAINING.filter(({ spans }) => spans[0]?.start === 0).length);
  });

  it('trains on the poorest data: one token, one tag', async () => {
    for (const tag of ['O', 'B-NP', 'E-NP', 'S']) {
      const model = await train(corpusOf(`a DT ${tag}\n`), configuration());
      const tagger = new Tagger(model);
      expect(tagger.label({ word: ['a'], pos: ['DT'] }).tags).toHaveLength(1);
      for (const sentence of UNSEEN) expect(tagger.label(sentence).tags).toHaveLength(sentence.word.length);
    }
  });

  it.each(Object.keys(REDUCTIONS))(
    'of strategy %s trains on a class with one example, or says why not',
    async (strategy) => {
      const options = { strategy, decoder: 'greedy' };
      const text = 'a A B-X\nb B I-X\n\nc C O\n\nd D B-Y\ne E O\n';
      const tagger = new Tagger(await train(corpusOf(text), configuration(options)));
      expect(tagger.label({ word: ['a', 'b'], pos: ['A', 'B'] }).tags).toEqual(['B-X', 'I-X']);
      const poor = train(corpusOf('a A O\n'), configuration(options));
      if (strategy === 'ova')
        expect(new Tagger(await poor).label({ word: ['a'], pos: ['A'] }).tags).toEqual(['O']);
      else await expect(poor).rejects.toThrow(/^--strategy \S+: expected .*labels .*, found /);
    },
  );

  it('trains where the cut-off leaves no feature', async () => {
    const model = await train(corpusOf('a DT B-NP\nb NN O\n'), configuration({ 'cut-off': 100 }));
    expect(model.features.size).toBe(0);
    const copy = new Tagger(loadModel(saveModel(model)));
    expect(copy.label({ word: ['a', 'b'], pos: ['DT', 'NN'] }).tags).toHaveLength(2);
  });

  it('reads templates of its own', async () => {
    const templates = parseTemplates('pos[0]\nlabel[-1] pos[0]', 'own', ['word', 'pos']);
    const model = await trainTiny({}, templates);
    expect(model.configuration.templates.name).toBe('own');
    expect(new Tagger(model).inputColumns).toEqual(['pos']);
    const [first] = makeSentences(1, 3);
    expect(new Tagger(model).label({ pos: first.columns.pos }).spans).toMatchObject(first.spans);
  });

  it('keeps int8 weights within half a step of the float32 ones, and no others', async () => {
    const exact = await trainTiny({});
    const coarse = await trainTiny({ precision: 'int8' });
    const { step } = coarse.weights;
    const largest = Math.max(...exact.weights.values.map(Math.abs));
    expect(step).toBeCloseTo(largest / 127, 6);
    const texts = featureTexts(exact.features);
    const kept = new Map(featureTexts(coarse.features).map((text, f) => [text, f]));
    texts.forEach((text, f) => {
      const other = kept.get(text);
      for (let lane = 0; lane < exact.problems; lane++) {
        const weight = other === undefined ? 0 : coarse.weights.weight(other, lane);
        expect(Math.abs(weight - exact.weights.weight(f, lane))).toBeLessThanOrEqual(step / 2 + 1e-6);
      }
    });
    expect(kept.size).toBeLessThanOrEqual(texts.length);
    expect(coarse.weights.values.every((value) => value !== 0)).toBe(true);
  });
});

it.each([{}, { precision: 'int8' }])('refuses weights that no model file may hold: %j', async (options) => {
  const extreme = trainTiny({ learner: 'crammer-singer', C: 1e308, ...options });
  await expect(extreme).rejects.toMatchObject({ code: 'not-finite' });
  await expect(extreme).rejects.toThrow(/expected finite weights, found NaN: --C 1e\+308 or .* too extreme/);
});
