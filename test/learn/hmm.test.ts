import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { hmm } from '../../src/learn/hmm.js';
import type { SequenceProblem } from '../../src/learn/learner.js';
import { TRAINING, tinyProblem, trainTiny } from '../model/tiny.js';
import { chainScore, goldOf } from './problems.js';

const GAIN = 0.5;
const PRIOR = 2;

/** The model by its definition, on strings: log P(labels, tokens) of a sentence of {@link TRAINING}. */
class Definition {
  private readonly counts = new Map<string, number>();
  private readonly special = new Set<string>();

  constructor(problem: SequenceProblem) {
    TRAINING.forEach((_, s) => {
      goldOf(problem, s).forEach((c, t) => {
        const { w, p } = this.token(s, t);
        for (const key of ['all', `c ${c}`, `p ${p}`, `p ${p} ${c}`, `w ${w} ${p}`, `w ${w} ${p} ${c}`])
          this.add(key);
      });
    });
    for (const [word, count] of [...this.counts].filter(([key]) => /^w \S+ \S+$/.test(key))) {
      const p = word.split(' ')[2];
      let gain = 0;
      for (let c = 0; c < problem.labelCount; c++) {
        const n = this.n(`${word} ${c}`);
        if (n > 0) gain += n * Math.log(n / count / (this.n(`p ${p} ${c}`) / this.n(`p ${p}`)));
      }
      if (gain >= GAIN) this.special.add(word);
    }
    TRAINING.forEach((_, s) => {
      goldOf(problem, s).forEach((c, t, labels) => {
        for (const x of this.contexts(s, t, labels)) {
          this.add(x);
          this.add(`${x} → ${this.token(s, t).p} ${c}`);
        }
      });
    });
  }

  get specialised(): number {
    return this.special.size;
  }

  score(s: number, labels: readonly number[]): number {
    return labels.reduce((sum, c, t) => {
      const { w, p } = this.token(s, t);
      const contexts = this.contexts(s, t, labels);
      return sum + Math.log(this.transition(contexts, p, c)) + Math.log(this.emission(w, p, c));
    }, 0);
  }

  transition(contexts: readonly string[], p: string, c: number): number {
    const [x, ...shorter] = [...contexts].reverse();
    if (x === undefined) {
      const kinds = this.kinds(/^p \S+ \d+$/);
      const d = discount(kinds);
      const spread = (d * kinds.length * this.n(`p ${p}`) * this.n(`c ${c}`)) / this.n('all') ** 2;
      return (Math.max(0, this.n(`p ${p} ${c}`) - d) + spread) / this.n('all');
    }
    const below = this.transition(shorter.reverse(), p, c);
    if (this.n(x) === 0) return below;
    const [level] = x.split('|');
    const d = discount(this.kinds(new RegExp(`^${level}\\|.* →`)));
    const kinds = [...this.counts.keys()].filter((key) => key.startsWith(`${x} →`)).length;
    return (Math.max(0, this.n(`${x} → ${p} ${c}`) - d) + d * kinds * below) / this.n(x);
  }

  private emission(w: string, p: string, c: number): number {
    const special = [...this.special].filter((word) => word.endsWith(` ${p}`));
    const isSpecial = this.special.has(`w ${w} ${p}`);
    const inSpecial = (end: string) => special.reduce((sum, word) => sum + this.n(word + end), 0);
    const count = isSpecial ? this.n(`w ${w} ${p} ${c}`) : this.n(`p ${p} ${c}`) - inSpecial(` ${c}`);
    const share =
      (isSpecial ? this.n(`w ${w} ${p}`) : this.n(`p ${p}`) - inSpecial('') + 1) / (this.n(`p ${p}`) + 1);
    return (count + PRIOR * share) / (this.n(`p ${p} ${c}`) + PRIOR);
  }

  /** From the shortest. */
  private contexts(s: number, t: number, labels: readonly number[]): string[] {
    const before = t === 0 ? 'start' : String(labels[t - 1]);
    const one = this.token(s, t - 1);
    const two = this.token(s, t - 2);
    const contexts = [`one|${before} ${one.p}`, `two|${before} ${one.p} ${two.p}`];
    if (this.special.has(`w ${one.w} ${one.p}`)) contexts.push(`word|${before} ${one.p} ${two.p} ${one.w}`);
    return contexts;
  }

  private token(s: number, t: number) {
    const { word, pos } = TRAINING[s].columns;
    return { w: word[t] ?? `outside${t}`, p: pos[t] ?? `outside${t}` };
  }

  private kinds(pattern: RegExp): number[] {
    return [...this.counts].filter(([key]) => pattern.test(key)).map(([, count]) => count);
  }

  private n(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  private add(key: string): void {
    this.counts.set(key, this.n(key) + 1);
  }
}

/** n₁ / (n₁ + 2 n₂), each as if seen once more. */
function discount(counts: readonly number[]): number {
  const once = counts.filter((count) => count === 1).length;
  const twice = counts.filter((count) => count === 2).length;
  return (once + 1) / (once + 2 * twice + 2);
}

describe('hidden Markov model', () => {
  const problem = tinyProblem('hmm');
  /** The same features, those that read the label before split off. */
  const paths = tinyProblem('crf', hmm.defaults);
  const definition = new Definition(problem);

  it('has weights that add up to log P(labels, tokens) by its definition, for any labels', async () => {
    const weights = await hmm.train(problem, { gain: GAIN, prior: PRIOR });
    const random = new Random(1);
    expect(definition.specialised).toBeGreaterThan(2);
    TRAINING.forEach((_, s) => {
      const gold = goldOf(problem, s);
      const any = gold.map(() => random.below(problem.labelCount));
      for (const labels of [gold, any]) {
        expect(chainScore(paths, weights, s, labels)).toBeCloseTo(definition.score(s, labels), 3);
      }
    });
  });

  it('refuses templates that are no n-grams of states', async () => {
    await expect(trainTiny({ learner: 'hmm', templates: '004' })).rejects.toThrow(
      '--learner hmm: expected templates as --templates hmm has them, found',
    );
    await expect(trainTiny({ learner: 'hmm', direction: 'backward' })).rejects.toThrow(
      'reads a token not yet read',
    );
  });
});
