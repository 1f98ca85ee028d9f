import { describe, expect, it } from 'vitest';
import { ChunkCandidates } from '../../src/decode/chunk-candidates.js';
import { LimitLearner, UNPRUNED } from '../../src/decode/chunk-limits.js';

describe('limits on neighbours', () => {
  /** Ends of the candidates that begin at the first of three tokens whose values are 1, 2, 3. */
  const ends = (learner: LimitLearner, values = [1, 2, 3]) => {
    const roles = { alwaysSingle: Uint8Array.of(0), mayFollow: new Uint8Array(4).fill(1) };
    learner.add(1, 0, 3);
    const candidates = new ChunkCandidates(learner.finish(), roles);
    candidates.list(3, Uint32Array.from(values), 0, { ...UNPRUNED, pairs: true });
    return [...candidates.ends.subarray(0, candidates.starts[1])];
  };
  const learn = (times: number, type: number) => {
    const learner = new LimitLearner(1, 4);
    for (let i = 0; i < times; i++) learner.addPair(2, 3, -1);
    if (type >= 0) learner.addPair(2, 3, type);
    return learner;
  };

  it('part values that often were neighbours, but never in a chunk of the type', () => {
    expect(ends(learn(50, -1))).toEqual([1, 2]);
    expect(ends(learn(50, -1), [2, 3, 1])).toEqual([1]);
  });

  it('leave together what was seen seldom, once in a chunk, or never', () => {
    expect(ends(learn(49, -1))).toEqual([1, 2, 3]);
    expect(ends(learn(50, 0))).toEqual([1, 2, 3]);
    expect(ends(learn(50, -1), [3, 2, 1])).toEqual([1, 2, 3]);
  });
});
