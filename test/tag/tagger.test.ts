import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import type { OptionValues } from '../../src/base/options.js';
import { encodeUtf8 } from '../../src/base/utf8.js';
import type { SentenceColumns } from '../../src/data/corpus.js';
import { ColumnScanner } from '../../src/data/formats/columns.js';
import { parseTemplates } from '../../src/features/template-syntax.js';
import { scoreModel } from '../../src/label/score-model.js';
import type { Model } from '../../src/model/model.js';
import { SparseWeights } from '../../src/model/sparse-weights.js';
import { inputCells, spanConfidence } from '../../src/tag/labelling.js';
import { Tagger } from '../../src/tag/tagger.js';
import { CHUNK_SCHEMES } from '../../src/tags/scheme.js';
import { featureText, sentenceFeatures } from '../features/small-corpora.js';
import { columnFile, corpusOf, makeSentences, TRAINING, trainTiny, UNSEEN } from '../model/tiny.js';

/** log σ(2f) */
const logSigmoid = (margin: number) => -Math.log1p(Math.exp(-2 * margin));

const labelsOf = (tagger: Tagger, sentence: SentenceColumns) => {
  tagger.decodeSentence(sentence);
  return [...tagger.labels.subarray(0, tagger.length)];
};

const SENTENCES: readonly SentenceColumns[] = [...UNSEEN, ...TRAINING.map(({ columns }) => columns)];

const DECODER_ORDERS: readonly OptionValues[] = [
  { decoder: 'greedy', order: 0 },
  { decoder: 'greedy', order: 1 },
  { decoder: 'greedy', order: 2 },
  { decoder: 'beam', order: 0 },
  { decoder: 'beam', order: 1 },
  { decoder: 'beam', order: 2 },
  { decoder: 'viterbi', order: 0 },
  { decoder: 'viterbi', order: 1 },
  { decoder: 'viterbi', order: 2 },
  { decoder: 'hybrid' },
];

describe('Tagger scores', () => {
  const directions = ['forward', 'backward'] as const;
  it.each(DECODER_ORDERS.flatMap((options) => directions.map((direction) => ({ ...options, direction }))))(
    'with %j are the link of the sums of the weights of the features that fire',
    async (options) => {
      const model = await trainTiny({ ...options, templates: 'wide' });
      const { tags, allowed } = model.tagSet;
      const known = new Set(
        Array.from({ length: model.features.size }, (_, f) => featureText(model.features, f)),
      );
      const tagger = new Tagger(model);
      const size = tags.length + 1;
      for (const sentence of SENTENCES) {
        const labels = labelsOf(tagger, sentence);
        for (let t = 0; t < labels.length; t++) {
          const fired = tagger.firedFeatures(t);
          const expected = sentenceFeatures(
            model.features.templates,
            options.direction,
            sentence,
            t,
            (at) => labels[at] ?? -1,
          );
          expect(fired.map((f) => featureText(model.features, f)).sort()).toEqual(
            expected.filter((feature) => known.has(feature)).sort(),
          );
          const previous = t > 0 ? labels[t - 1] : tags.length;
          const scores = tagger.labelScores(t);
          expect(scores).toHaveLength(tags.length);
          expect(scores[labels[t]]).toBeGreaterThan(-Infinity);
          scores.forEach((score, label) => {
            if (allowed[previous * size + label] === 0) expect(score).toBe(-Infinity);
            if (score === -Infinity) return;
            const margin = fired.reduce((sum, f) => sum + model.weights.weight(f, label), 0);
            expect(Math.abs(score - logSigmoid(margin))).toBeLessThan(1e-5);
          });
        }
      }
    },
  );

  it('are those sums where three views are joined and weights in bytes stand beside pairs', async () => {
    const lines = [
      'word.type[-1] pos[0] word.type[1]',
      'word.type[0] pos[1]',
      'pos[0]',
      'word.type[-1]',
      'word[0] word[1]',
      'word[-1] word[0]',
      'word[-2] word[-1]',
    ];
    const templates = parseTemplates(lines.join('\n'), 'x', ['word', 'pos']);
    for (const direction of ['forward', 'backward']) {
      const options = { decoder: 'viterbi', order: 0, precision: 'int8', 'cut-off': 1, direction };
      const model = await trainTiny(options, templates);
      const tagger = new Tagger(model);
      let largest = 0;
      for (const sentence of SENTENCES) {
        const { length } = labelsOf(tagger, sentence);
        for (let t = 0; t < length; t++) {
          const fired = tagger.firedFeatures(t);
          tagger.labelScores(t).forEach((score, label) => {
            if (score === -Infinity) return;
            const margin = fired.reduce((sum, f) => sum + model.weights.weight(f, label), 0);
            largest = Math.max(largest, Math.abs(margin));
            expect(Math.abs(score - logSigmoid(margin))).toBeLessThan(1e-5);
          });
        }
      }
      expect(largest).toBeGreaterThan(0.5);
    }
  });

  it('of models in bytes are whole sums of steps, rounded once, in any kernels', async () => {
    for (const direction of ['forward', 'backward']) {
      const options = { learner: 'perceptron', order: 0, precision: 'int8', direction };
      // With three views joined, sums would not be whole.
      const lines = ['word[0]', 'word[-1]', 'pos[0]', 'pos[1] pos[2]', 'word[0] word[1]', 'word[-1] pos[1]'];
      const templates = parseTemplates(lines.join('\n'), 'x', ['word', 'pos']);
      const model = await trainTiny(options, templates);
      const { weights } = model;
      const steps = new Set<number>();
      for (const kernels of ['plain', 'simd'] as const) {
        const tagger = new Tagger(model, { kernels });
        for (const sentence of SENTENCES) {
          const { length } = labelsOf(tagger, sentence);
          for (let t = 0; t < length; t++) {
            const fired = tagger.firedFeatures(t);
            tagger.labelScores(t).forEach((score, label) => {
              if (score === -Infinity) return;
              const whole = fired.reduce(
                (sum, f) => sum + Math.round(weights.weight(f, label) / weights.step),
                0,
              );
              expect(score).toBe(Math.fround(whole * weights.step));
              steps.add(whole);
            });
          }
        }
      }
      expect(steps.size).toBeGreaterThan(50);
    }
  });

  it('of models in bytes with so many features that sums do not fit into int16', async () => {
    const offsets = [-3, -2, -1, 0, 1, 2, 3];
    const views = ['word', 'pos', 'word.type', 'word.suffix2'];
    const lines = offsets.flatMap((a) =>
      offsets.flatMap((b) =>
        views.flatMap((left) =>
          views
            .filter((right) => left < right || (left === right && a < b))
            .map((right) => `${left}[${a}] ${right}[${b}]`),
        ),
      ),
    );
    expect(lines.length).toBeGreaterThan(255);
    const alone = offsets.flatMap((a) => views.map((view) => `${view}[${a}]`));
    const templates = parseTemplates([...lines, ...alone].join('\n'), 'x', ['word', 'pos']);
    const model = await trainTiny({ learner: 'perceptron', order: 0, precision: 'int8' }, templates);
    // Weights all as large as can be: scores are larger than 32,767 steps.
    const { starts, lanes, packed, step } = model.weights;
    const large = {
      ...model,
      weights: new SparseWeights(
        starts,
        lanes,
        Int8Array.from(packed, () => -128),
        step,
      ),
    };
    let least = 0;
    for (const kernels of ['plain', 'simd'] as const) {
      const tagger = new Tagger(large, { kernels });
      for (const { columns: sentence } of TRAINING.slice(0, 4)) {
        const { length } = labelsOf(tagger, sentence);
        for (let t = 0; t < length; t++) {
          const fired = tagger.firedFeatures(t);
          tagger.labelScores(t).forEach((score, label) => {
            if (score === -Infinity) return;
            const margin = fired.reduce((sum, f) => sum + large.weights.weight(f, label), 0);
            least = Math.min(least, margin / step);
            expect(Math.abs(score - margin)).toBeLessThan(1e-5 * Math.abs(margin) + 1e-9);
          });
        }
      }
    }
    expect(least).toBeLessThan(-32767);
  });

  it('differ by history only where the model reads it', async () => {
    const reads = async (options: OptionValues) => {
      const model = await trainTiny({ ...options, templates: 'wide' });
      return model.features.layout.conjunctions.some(({ placements }) =>
        placements.some(({ history }) => history !== 'none'),
      );
    };
    expect(await reads({ decoder: 'greedy', order: 0 })).toBe(false);
    expect(await reads({ decoder: 'greedy', order: 1 })).toBe(true);
  });

  it.each(DECODER_ORDERS)('let no label sequence through that is not legal: %j', async (options) => {
    const model = await trainTiny(options);
    const { tags, allowed } = model.tagSet;
    const tagger = new Tagger(model);
    for (const sentence of SENTENCES) {
      const path = [tags.length, ...labelsOf(tagger, sentence), tags.length];
      for (let i = 1; i < path.length && path.length > 2; i++) {
        expect(allowed[path[i - 1] * (tags.length + 1) + path[i]]).toBe(1);
      }
    }
  });
});

describe('Tagger', () => {
  it('gives confidences relative to the legal labels, in text order', async () => {
    for (const direction of ['forward', 'backward']) {
      const tagger = new Tagger(await trainTiny({ direction }));
      for (const sentence of SENTENCES) {
        const { confidences, spans } = tagger.label(sentence);
        const { length } = tagger;
        expect(confidences).toHaveLength(length);
        for (let t = 0; t < length; t++) {
          const scores = tagger.labelScores(t);
          const share =
            Math.exp(scores[tagger.labels[t]]) / scores.reduce((sum, score) => sum + Math.exp(score), 0);
          const found = confidences[direction === 'backward' ? length - 1 - t : t];
          expect(found).toBeCloseTo(share, 5);
          expect(found).toBeGreaterThan(0);
          expect(found).toBeLessThanOrEqual(1);
        }
        for (const span of spans) {
          expect(span.confidence).toBe(Math.min(...confidences.subarray(span.start, span.end)));
        }
      }
    }
    expect(spanConfidence({ start: 1, end: 3, type: '' }, Float32Array.of(0.1, 0.75, 0.5))).toBe(0.5);
  });

  it('gives results that do not depend on what was labelled before', async () => {
    const model = await trainTiny();
    const alone = SENTENCES.map((sentence) => new Tagger(model).label(sentence));
    const tagger = new Tagger(model);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: SENTENCES.length - 1 }), { maxLength: 12 }), (order) => {
        for (const s of order) expect(tagger.label(SENTENCES[s])).toEqual(alone[s]);
      }),
      { numRuns: 40 },
    );
  });

  it('forgets strings on endless input without changing a result', async () => {
    const tagger = new Tagger(await trainTiny({ decoder: 'greedy', order: 0, templates: 'small' }));
    const before = SENTENCES.map((sentence) => tagger.label(sentence));
    for (let i = 0; i < 3; i++) {
      const word = Array.from({ length: 50_000 }, (_, t) => `${i}.${t}`);
      tagger.decodeSentence({ word, pos: word.map(() => 'NN') });
      expect(SENTENCES.map((sentence) => tagger.label(sentence))).toEqual(before);
    }
  });

  it('labels bytes as it labels strings', async () => {
    const tagger = new Tagger(await trainTiny());
    const text = fc.string({
      unit: fc.constantFrom('d', 'o', 'g', 'T', 'h', 'e', 'ß', '犬', '👍', '5', '.'),
      minLength: 1,
      maxLength: 5,
    });
    const token = fc.record({
      word: fc.oneof(text, fc.constantFrom('the', 'dog', 'Straße', '犬')),
      pos: fc.constantFrom('DT', 'NN', 'VB', 'XY'),
    });
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 10 }), (tokens) => {
        const word = tokens.map(({ word }) => word);
        const pos = tokens.map(({ pos }) => pos);
        const expected = labelsOf(tagger, { word, pos });
        const scanner = new ColumnScanner({ cells: inputCells(tagger), source: 'f' });
        scanner.push(encodeUtf8(tokens.map(({ word, pos }) => `${word}\t${pos}\n`).join('')));
        scanner.end();
        const sentence = scanner.next();
        if (sentence === undefined) return false;
        tagger.decodeCells(sentence.bytes, sentence.cells, sentence.length);
        expect([...tagger.labels.subarray(0, tagger.length)]).toEqual(expected);
        return true;
      }),
    );
  });

  it('labels sentences of no token, of unknown words, and long ones', async () => {
    const tagger = new Tagger(await trainTiny());
    expect(tagger.label({ word: [], pos: [] })).toEqual({
      tags: [],
      spans: [],
      confidences: new Float32Array(0),
    });
    expect(tagger.label({ word: ['', '\ud800', '👍'], pos: ['', '', '?'] }).tags).toHaveLength(3);
    const [{ columns }] = TRAINING;
    const repeat = (strings: string[]) => Array.from({ length: 2000 }, () => strings).flat();
    const { tags } = tagger.label({ word: repeat(columns.word), pos: repeat(columns.pos) });
    expect(tags).toHaveLength(2000 * columns.word.length);
    expect(new Set(tags).size).toBeGreaterThan(1);
  });

  it('refuses a sentence without a column, or with columns of different length', async () => {
    const tagger = new Tagger(await trainTiny());
    expect(() => tagger.label({ word: ['a'] })).toThrow(
      new OptionError('columns', 'expected the columns word or pos, found word'),
    );
    expect(() => tagger.label({})).toThrow('expected the columns word or pos, found none');
    expect(() => tagger.label({ word: ['a', 'b'], pos: ['DT'] })).toThrow(
      'expected columns of equal length, found 2 in word and 1 in pos',
    );
  });

  it('has its input columns in the file’s order, not the templates’', async () => {
    const templates = parseTemplates('pos[0]\nword[0]', 'x', ['word', 'pos']);
    const tagger = new Tagger(await trainTiny({}, templates));
    expect(tagger.inputColumns).toEqual(['word', 'pos']);
    expect(inputCells(tagger)).toEqual([0, 1]);
  });
});

describe('a decoder other than the model’s', () => {
  it.each([
    ['hybrid', {}, { decoder: 'viterbi', options: { order: 1 } }, 1, 2],
    ['hybrid', {}, { decoder: 'greedy', options: { order: 0 } }, 0, 2],
    ['viterbi', { order: 1 }, { options: { order: 0 } }, 0, 1],
    ['greedy', { order: 2 }, { decoder: 'viterbi', options: { order: 1 } }, 1, 2],
  ])(
    'of a %s model with %j is refused when it reads less: %j',
    async (decoder, options, choice, reads, trained) => {
      const model = await trainTiny({ decoder, ...options });
      expect(() => new Tagger(model, choice)).toThrow(OptionError);
      expect(() => new Tagger(model, choice)).toThrow(
        `reads ${reads} earlier labels, but the model was trained with ${trained}`,
      );
    },
  );

  it('reads as many labels as the model was trained with where nothing else is said', async () => {
    const model = await trainTiny({ decoder: 'hybrid' });
    const given = new Tagger(model, { decoder: 'viterbi', options: { order: 2 } });
    const left = new Tagger(model, { decoder: 'viterbi' });
    for (const sentence of SENTENCES) expect(labelsOf(left, sentence)).toEqual(labelsOf(given, sentence));
  });

  it('labels when it reads as much or more, and then as a model of its own would', async () => {
    const model = await trainTiny({ decoder: 'viterbi', order: 1 });
    const own = SENTENCES.map((sentence) => labelsOf(new Tagger(model), sentence));
    // Both are exact.
    const wider = new Tagger(model, { options: { order: 2 } });
    expect(SENTENCES.map((sentence) => labelsOf(wider, sentence))).toEqual(own);
    const greedy = new Tagger(model, { decoder: 'greedy', options: { order: 1 } });
    const asTrained = new Tagger({
      ...model,
      configuration: { ...model.configuration, decoder: 'greedy', options: { order: 1 } },
    } as Model);
    for (const sentence of SENTENCES)
      expect(labelsOf(greedy, sentence)).toEqual(labelsOf(asTrained, sentence));
    expect(
      new Tagger(model, { decoder: 'beam', options: { beam: 2 } }).label(TRAINING[0].columns).spans,
    ).toMatchObject(TRAINING[0].spans);
  });

  it('is refused with options of another decoder', async () => {
    const model = await trainTiny();
    expect(() => new Tagger(model, { decoder: 'greedy', options: { beam: 3 } })).toThrow(
      '--beam does not go with --decoder greedy: expected order',
    );
  });
});

describe('scoreModel', () => {
  const sentences = makeSentences(8, 5);

  it('scores perfect labels as such, in any scheme', async () => {
    const tagger = new Tagger(await trainTiny());
    const scores = scoreModel(tagger, corpusOf(columnFile(TRAINING)));
    expect(scores).toMatchObject({ accuracy: 100, f1: 100, sentences: TRAINING.length });
    expect(scores.gold).toBe(TRAINING.reduce((sum, { spans }) => sum + spans.length, 0));
  });

  it.each(Object.values(CHUNK_SCHEMES))('scores them as such on gold tags in $name', async ({ encode }) => {
    const tagger = new Tagger(await trainTiny());
    const gold = columnFile(TRAINING, ({ columns, spans }) => encode(spans, columns.pos.length));
    expect(scoreModel(tagger, corpusOf(gold))).toMatchObject({ accuracy: 100, f1: 100 });
  });

  it('gives the tagger no sight of the gold column', async () => {
    const tagger = new Tagger(await trainTiny());
    const decode = vi.spyOn(tagger, 'decodeSentences');
    const write = vi.spyOn(tagger, 'spans');
    const written = () => write.mock.results.map(({ value }) => value).splice(0);
    scoreModel(tagger, corpusOf(columnFile(sentences)));
    const expected = written();
    const given = decode.mock.calls.flatMap(([columns]) => columns);
    expect(given).toHaveLength(sentences.length);
    for (const columns of given) expect(Object.keys(columns)).toEqual(['word', 'pos']);
    write.mockClear();
    const scrambled = columnFile(sentences, ({ columns }) =>
      columns.pos.map((_, t) => (t % 2 ? 'B-XX' : 'O')),
    );
    const scores = scoreModel(tagger, corpusOf(scrambled));
    expect(written()).toEqual(expected);
    expect(expected).toHaveLength(sentences.length);
    expect(scores.types.get('XX')).toMatchObject({ correct: 0, predicted: 0 });
  });

  it('names the line of a gold label that is no tag', async () => {
    const tagger = new Tagger(await trainTiny());
    expect(() => scoreModel(tagger, corpusOf('a DT B-NP\n\nb NN O\nc NN ?\n'))).toThrow(
      'tiny.txt:4: expected a tag in column chunk: O, or B, I, E, S, L, U, M, W, B2, B3, BI, IE followed by - and a type; found "?"',
    );
  });
});
