import { describe, expect, it } from 'vitest';
import type { Checkpoint, TrainingState } from '../../src/learn/checkpoint.js';
import type { LaneProblem, Learner, SequenceProblem } from '../../src/learn/learner.js';
import { LEARNERS } from '../../src/learn/learners.js';
import { separable, sequenceProblem } from './problems.js';

/** Keeps every state, and stops training after the pass that is said. */
class Stopping implements Checkpoint {
  readonly kept: TrainingState | undefined;
  readonly states: TrainingState[] = [];
  private readonly passes: number;

  constructor(passes: number, kept?: TrainingState) {
    this.passes = passes;
    this.kept = kept;
  }

  keep(state: TrainingState): void {
    this.states.push(structuredClone(state));
    if (this.states.length === this.passes) throw new Error('stopped');
  }
}

const lanes = separable(5, 60, 3);
const sequences = sequenceProblem(5, [4, 1, 0, 7, 5, 9, 3], 3);

// That of chunks is killed and resumed in test/cli/train.test.ts.
const RESUMABLE = Object.values(LEARNERS).filter(({ kind, name }) => kind !== 'chunk' && name !== 'hmm');

const crfAdf = LEARNERS['crf-adf'];
const onPieces = {
  ...crfAdf,
  name: 'crf-adf on pieces of sentences',
  options: crfAdf.options.map((option) =>
    option.name === 'piece-length' ? { ...option, default: 2 } : option,
  ),
} as Learner;

describe.each([...RESUMABLE, onPieces])('learner $name', (learner) => {
  const options = {
    ...Object.fromEntries(learner.options.map((option) => [option.name, option.default as number])),
    epsilon: 1e-9,
    tolerance: 0,
    ...(learner.name === 'arow' && { epochs: 6 }),
  };
  const train = async (checkpoint: Checkpoint, kernels: 'plain' | 'simd' = 'plain') =>
    learner.kind === 'binary'
      ? learner.trainBlock({ ...lanes, checkpoint, kernels } as LaneProblem, options)
      : (learner as { train(problem: SequenceProblem, o: typeof options): Promise<Float32Array> }).train(
          { ...sequences, checkpoint, kernels },
          options,
        );

  it('comes to the same weights from the state after any pass', async () => {
    const whole = new Stopping(Infinity);
    const weights = await train(whole);
    expect(whole.states.length).toBeGreaterThan(2);
    for (const passes of [1, 2, Math.ceil(whole.states.length / 2), whole.states.length]) {
      const stopped = new Stopping(passes);
      await expect(train(stopped)).rejects.toThrow('stopped');
      expect(stopped.states.at(-1)).toEqual(whole.states[passes - 1]);
      const resumed = new Stopping(Infinity, stopped.states.at(-1));
      expect(await train(resumed)).toEqual(weights);
      expect(resumed.states).toEqual(whole.states.slice(passes));
    }
  });
});
