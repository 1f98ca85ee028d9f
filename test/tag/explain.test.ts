import { describe, expect, it } from 'vitest';
import { explain, strongestFeatures } from '../../src/tag/explain.js';
import { Tagger } from '../../src/tag/tagger.js';
import { TRAINING, trainTiny } from '../model/tiny.js';

describe('explain', () => {
  it.each(['forward', 'backward'])('adds up to the scores, read %s', async (direction) => {
    const tagger = new Tagger(await trainTiny({ direction, templates: 'wide' }));
    for (const { columns, spans } of TRAINING) {
      const explanations = explain(tagger, columns);
      const { tagSet } = tagger.model;
      const labels = new Uint16Array(columns.word.length);
      tagSet.encode(spans, labels.length, labels);
      expect(explanations.map(({ label }) => label)).toEqual(tagSet.tagStrings(labels, labels.length));
      explanations.forEach((token, t) => {
        expect(token.cells).toEqual([columns.word[t], columns.pos[t]]);
        const sum = token.features.reduce((total, { chosen }) => total + chosen, 0);
        expect(token.score).toBeCloseTo(-Math.log1p(Math.exp(-2 * sum)), 5);
        expect(token.features.some(({ feature }) => feature === `pos[0]=${columns.pos[t]}`)).toBe(true);
        if (token.rival === undefined) return;
        const rivalSum = token.features.reduce((total, { rival }) => total + (rival as number), 0);
        expect(token.rivalScore).toBeCloseTo(-Math.log1p(Math.exp(-2 * rivalSum)), 5);
        expect(token.rival).not.toBe(token.label);
        const gaps = token.features.map(({ chosen, rival }) => Math.abs(chosen - (rival as number)));
        expect(gaps).toEqual([...gaps].sort((a, b) => b - a));
      });
      expect(explanations.some(({ rival }) => rival !== undefined)).toBe(true);
    }
  });

  it('names the rival that scores best among the legal labels', async () => {
    const tagger = new Tagger(await trainTiny({ direction: 'forward' }));
    const explanations = explain(tagger, TRAINING[0].columns);
    const { tags } = tagger.model.tagSet;
    explanations.forEach(({ label, rival, rivalScore }, t) => {
      const others = [...tagger.labelScores(t)].filter((score, c) => tags[c] !== label && score > -Infinity);
      expect(rivalScore ?? -Infinity).toBe(Math.max(-Infinity, ...others));
      if (rival !== undefined) expect(tagger.labelScores(t)[tags.indexOf(rival)]).toBe(rivalScore);
    });
  });

  it('writes labels before the sentence, padding and the bias in words', async () => {
    const tagger = new Tagger(await trainTiny({ direction: 'backward', templates: 'wide' }));
    const { columns } = TRAINING[0];
    const last = explain(tagger, columns).at(-1);
    const texts = last?.features.map(({ feature }) => feature);
    expect(texts).toContain('bias');
    expect(texts).toContain('word[1]=<end+1>');
    expect(texts).toContain('label[-1]=<start>');
    const next = explain(tagger, columns).at(-2);
    expect(next?.features.map(({ feature }) => feature)).toContain(`label[-1]=${last?.label}`);
  });
});

describe('strongestFeatures', () => {
  it('lists the largest weights of a label, largest first', async () => {
    const model = await trainTiny();
    const label = model.tagSet.tags.indexOf('E-NP');
    const all = strongestFeatures(model, label, Infinity).map(({ chosen }) => chosen);
    const weights = Array.from({ length: model.features.size }, (_, f) => model.weights.weight(f, label));
    expect(all).toEqual(weights.sort((a, b) => b - a));
    const top = strongestFeatures(model, label, 3);
    expect(top.map(({ chosen }) => chosen)).toEqual(all.slice(0, 3));
    expect(top.every(({ feature }) => /^(\S+\[-?\d\]=\S+ ?)+$|^bias$/.test(feature))).toBe(true);
  });
});
