import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChunkScorer } from '../../src/score/conlleval.js';
import { averageScores, MatchScorer } from '../../src/score/match-scores.js';
import { SCHEMES } from '../../src/tags/scheme.js';
import { SCHEME_NAMES, sentences } from '../tags/sequences.js';

describe('MatchScorer', () => {
  const span = (start: number, end: number, type: string) => ({ start, end, type });

  it('matches as SemEval-2013 does', () => {
    const scorer = new MatchScorer();
    // Right; wrong type; shorter; overlaps with another type; missed; spurious.
    scorer.add(
      [span(0, 2, 'A'), span(3, 4, 'A'), span(5, 8, 'B')],
      [span(0, 2, 'A'), span(3, 4, 'B'), span(5, 7, 'B')],
    );
    scorer.add([span(0, 2, 'A'), span(6, 7, 'B')], [span(1, 3, 'B'), span(4, 5, 'A')]);
    const rates = (right: number) => ({ precision: 20 * right, recall: 20 * right, f1: 20 * right });
    expect(scorer.scores()).toEqual({
      strict: rates(1),
      exact: rates(2),
      partial: rates(3),
      type: rates(2),
    });
    scorer.addMissed(5);
    expect(scorer.scores().strict).toMatchObject({ precision: 20, recall: 10 });
  });

  it('has strict matches where conlleval has right chunks', () => {
    fc.assert(
      fc.property(sentences, sentences, (a, b) => {
        const length = Math.max(a.length, b.length);
        const chunks = new ChunkScorer('iob2');
        chunks.add(SCHEMES.iob2.encode(a.spans, length), SCHEMES.iob2.encode(b.spans, length));
        const matches = new MatchScorer();
        matches.add(a.spans, b.spans);
        const { precision, recall } = chunks.scores();
        expect(matches.scores().strict).toMatchObject({ precision, recall });
      }),
    );
  });
});

describe('strict scores', () => {
  it('count nothing but chunks that the scheme writes', () => {
    const scorer = new ChunkScorer('iob2', true);
    scorer.add(['B-X', 'I-X', 'O', 'B-Y'], ['B-X', 'I-X', 'O', 'I-Y']);
    expect(scorer.scores()).toMatchObject({ gold: 2, predicted: 1, correct: 1, accuracy: 75 });
    expect(() => new ChunkScorer(undefined, true)).toThrow('--strict: expected the scheme of the chunks');
  });

  it.each(SCHEME_NAMES)('%s: are those of conlleval where all tags are well-formed', (name) => {
    fc.assert(
      fc.property(sentences, sentences, (a, b) => {
        const length = Math.max(a.length, b.length);
        const tags = [a, b].map(({ spans }) => SCHEMES[name].encode(spans, length));
        const [plain, strict] = [new ChunkScorer(name), new ChunkScorer(name, true)];
        for (const scorer of [plain, strict]) scorer.add(tags[0], tags[1]);
        expect(strict.scores()).toEqual(plain.scores());
      }),
      { numRuns: 50 },
    );
  });

  it('are averaged over types, alike or by their gold chunks', () => {
    const scorer = new ChunkScorer('iob2');
    scorer.add(['B-X', 'B-X', 'B-X', 'B-Y'], ['B-X', 'B-X', 'B-X', 'O']);
    const { macro, weighted } = averageScores(scorer.scores());
    expect([macro.f1, weighted.f1]).toEqual([50, 75]);
  });
});
