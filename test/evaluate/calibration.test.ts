import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { splitFolds } from '../../src/data/folds.js';
import { CalibrationTally } from '../../src/evaluate/calibration.js';
import { fitTemperature } from '../../src/evaluate/fit-temperature.js';
import { measureCalibration } from '../../src/evaluate/measure-calibration.js';
import { calibrationReport } from '../../src/report/calibration-report.js';
import { chartsOf, reportToText } from '../../src/report/report.js';
import { Tagger } from '../../src/tag/tagger.js';
import { SCHEMES } from '../../src/tags/scheme.js';
import { train } from '../../src/train/train.js';
import { columnFile, configuration, corpusOf, makeSentences } from '../model/tiny.js';

/** Chunks that words do not quite tell: every seventh sentence has none. */
const NOISY = makeSentences(60, 5).map((sentence, i) =>
  i % 7 === 0 ? { ...sentence, spans: [] } : sentence,
);

describe('CalibrationTally', () => {
  it('finds no error where shares are as confidences say, and else their distance', () => {
    const tally = new CalibrationTally();
    for (let i = 0; i < 100; i++) tally.add(0.75, i < 75);
    for (let i = 0; i < 100; i++) tally.add(1, i < 90);
    const { count, confidence, accuracy, expectedError, bins } = tally.calibration();
    expect({ count, confidence, accuracy }).toEqual({ count: 200, confidence: 0.875, accuracy: 0.825 });
    expect(expectedError).toBeCloseTo(0.05, 12);
    expect(bins.map((bin) => [bin.count, bin.confidence, bin.accuracy])).toEqual([
      [100, 0.75, 0.75],
      [100, 1, 0.9],
    ]);
    expect(new CalibrationTally().calibration()).toMatchObject({ count: 0, expectedError: 0, bins: [] });
  });

  it('has a small error for outcomes drawn as confidences say', () => {
    const random = new Random(1);
    const tally = new CalibrationTally();
    for (let i = 0; i < 20_000; i++) {
      const confidence = random.next() / 4294967296;
      tally.add(confidence, random.next() / 4294967296 < confidence);
    }
    expect(tally.calibration().expectedError).toBeLessThan(0.02);
  });
});

describe('measureCalibration', () => {
  it.each(['forward', 'backward'])('counts labels and chunks, %s', async (direction) => {
    const corpus = corpusOf(columnFile(NOISY));
    const tagger = new Tagger(await train(corpus, configuration({ direction, scheme: 'ioe2' })));
    const { tokens, chunks } = measureCalibration(tagger, corpus);
    let right = 0;
    let found = 0;
    let rightChunks = 0;
    for (const { columns, spans } of NOISY) {
      const labelling = tagger.label(columns);
      const tags = SCHEMES.ioe2.encode(labelling.spans, columns.word.length);
      right += SCHEMES.ioe2.encode(spans, columns.word.length).filter((tag, t) => tag === tags[t]).length;
      found += labelling.spans.length;
      rightChunks += labelling.spans.filter((span) =>
        spans.some((gold) => gold.start === span.start && gold.end === span.end && gold.type === span.type),
      ).length;
    }
    expect(tokens.accuracy).toBeCloseTo(right / tokens.count, 12);
    expect(chunks).toMatchObject({ count: found });
    expect(chunks?.accuracy).toBeCloseTo(rightChunks / found, 12);
    const report = calibrationReport({ tokens, chunks });
    expect(chartsOf(report)).toHaveLength(1);
    expect(reportToText(report)).toContain('expected calibration error');
  });
});

describe('fitTemperature', () => {
  it.each(['svm', 'maxent', 'crf', 'perceptron'])(
    'has the least log loss on what is held out: %s',
    async (learner) => {
      const corpus = corpusOf(columnFile(NOISY));
      const settings = configuration({ learner, seed: 3, ...(learner !== 'svm' && { 'cut-off': 1 }) });
      const temperature = await fitTemperature(corpus, settings);
      expect(await fitTemperature(corpus, settings)).toBe(temperature);
      const [{ training, heldOut }] = splitFolds(NOISY.length, 10, 3);
      const part = corpusOf(columnFile(Array.from(training, (s) => NOISY[s])));
      const model = await train(part, settings);
      const { scheme } = model.configuration;
      const loss = (candidate: number) => {
        const tagger = new Tagger({ ...model, temperature: candidate });
        return Array.from(heldOut).reduce((sum, s) => {
          const { columns, spans } = NOISY[s];
          const { confidences } = tagger.label(columns);
          const tags = model.tagSet.tagStrings(tagger.labels, tagger.length);
          const gold = SCHEMES[scheme].encode(spans, tags.length);
          return tags.reduce((own, tag, t) => {
            const p = Math.min(1 - 1e-6, Math.max(1e-6, confidences[t]));
            return own - Math.log(tag === gold[t] ? p : 1 - p);
          }, sum);
        }, 0);
      };
      const least = loss(temperature);
      for (let exponent = -6; exponent <= 6; exponent += 0.25) {
        expect(loss(2 ** exponent)).toBeGreaterThan(least - 1e-3 * Math.abs(least));
      }
    },
  );

  it('of equally good values is the one nearest 1, where all that is held out is right', async () => {
    // A word of its own for each type: nothing is wrong, and all confidences come as near 1 as counts.
    const sentences = Array.from({ length: 20 }, () => 'in IN B-PP\nit PRP B-NP\n. . O\n');
    const corpus = corpusOf(sentences.join('\n'));
    const settings = configuration({ epochs: 20 });
    const temperature = await fitTemperature(corpus, settings);
    const [{ training }] = splitFolds(sentences.length, 10, settings.seed);
    const part = corpusOf(Array.from(training, (s) => sentences[s]).join('\n'));
    const tagger = new Tagger(await train(part, settings));
    const doubt = (candidate: number) => {
      tagger.decodeSentence({ word: ['in', 'it', '.'], pos: ['IN', 'PRP', '.'] });
      return Math.max(...[...tagger.confidences(candidate)].map((confidence) => 1 - confidence));
    };
    expect(temperature).toBeLessThan(1);
    // Doubt that counts as none, 1e-6, up to confidences in float32 — and no less.
    expect(doubt(temperature * 0.98)).toBeLessThan(1e-6);
    expect(doubt(temperature * 1.1)).toBeGreaterThan(1e-6);
  });

  it('needs two sentences', async () => {
    const corpus = corpusOf(columnFile(NOISY.slice(0, 1)));
    await expect(fitTemperature(corpus, configuration())).rejects.toThrow(
      '--calibrate: expected two sentences or more, found 1',
    );
  });
});
