import { grown } from '../base/growable.js';
import { BestCandidates } from './best-candidates.js';
import type { PathSearch } from './decoder.js';
import type { Legality } from './legality.js';
import type { Scorer } from './scorer.js';

/**
 * The k best paths of a decoder's search, under constraints too. Where decoders keep the best of the paths that they
 * merge, this keeps the k best, each with its own history: of Viterbi's algorithm these are the k best legal label
 * sequences, exactly; of `hybrid` each path's label at −2 is its own; of beam search they are the best of the beam.
 * Of equal scores the decoder's own choice comes first. With k = 1 the path is the decoder's, found at leisure (decoders
 * have faster ways); with more, `hybrid` may find a better one, which it had merged with another.
 */
export class BestPaths {
  /** [k] scores of the paths found, falling. */
  readonly scores: Float64Array;
  /** Number of paths found by the last call of {@link find}. */
  found = 0;
  private readonly search: PathSearch;
  private readonly k: number;
  /** Candidates among which the best stay, by what is merged. */
  private readonly groups: BestCandidates[] = [];
  /** Labels of the paths kept at each token, in falling order of score. */
  private labels = new Uint16Array(1024);
  /** Their states, as {@link Legality.after} gives them. */
  private states = new Uint32Array(1024);
  /** The paths that they extend. */
  private parents = new Uint32Array(1024);
  /** First path at the last token. */
  private last = 0;
  private length = 0;

  /** @param k how many paths are wanted, at least 1. */
  constructor(search: PathSearch, k: number) {
    this.search = search;
    this.k = k;
    this.scores = new Float64Array(k);
  }

  /** Finds the k best paths of the sentence that `scorer` holds, or as many as there are. */
  find(scorer: Scorer, legality: Legality, length: number): void {
    legality.requirePath(length);
    const { reads, merges } = this.search;
    const { labels: L } = scorer;
    const { states: S, rows } = legality;
    const everyLabel = new Uint8Array(L).fill(1);
    // Viterbi at order 0 scores a token by itself; all others among the labels that may follow.
    const alone = reads === 0 && merges !== undefined;
    const row = new Float64Array(L);
    let scores: number[] = [0];
    let from = 0;
    this.labels[0] = L;
    this.states[0] = S;
    this.parents[0] = 0;
    for (let t = 0; t < length; t++) {
      const remaining = length - 1 - t;
      scorer.moveTo(t);
      scores.forEach((pathScore, h) => {
        const entry = from + h;
        const last = this.labels[entry];
        const state = this.states[entry];
        const previous = reads > 0 ? last : L;
        const beforePrevious = reads > 1 ? this.labels[this.parents[entry]] : L;
        const legalAt = legality.mask(remaining, state);
        scorer.scores(previous, beforePrevious, alone ? everyLabel : rows, alone ? 0 : legalAt, row);
        for (let c = 0; c < L; c++) {
          if (rows[legalAt + c] === 0 || row[c] === -Infinity) continue;
          const next = legality.after(remaining, state, c);
          const group = merges === undefined ? 0 : merges === 1 ? next : last * S + next;
          this.groupOf(group).offer(pathScore + row[c], h * L + c);
        }
      });
      const to = from + scores.length;
      scores = this.keep(from, to, remaining, legality);
      from = to;
    }
    this.last = from;
    this.length = length;
    this.found = Math.min(this.k, scores.length);
    for (let rank = 0; rank < this.found; rank++) this.scores[rank] = scores[rank];
  }

  /**
   * Writes the labels of a path, in reading order, to `out` [≥ length].
   *
   * @param rank 0 … found − 1.
   */
  path(rank: number, out: Uint16Array): void {
    let entry = this.last + rank;
    for (let t = this.length - 1; t >= 0; t--) {
      out[t] = this.labels[entry];
      entry = this.parents[entry];
    }
  }

  /**
   * Makes paths of the best candidates of all groups, the best first, and empties the groups.
   *
   * @param from where the paths that they extend begin.
   * @param to where they go.
   * @returns their scores.
   */
  private keep(from: number, to: number, remaining: number, legality: Legality): number[] {
    const L = legality.labels;
    const kept: { score: number; key: number }[] = [];
    for (const group of this.groups) {
      const count = group?.sort() ?? 0;
      for (let i = 0; i < count; i++) kept.push({ score: group.scores[i], key: group.keys[i] });
    }
    kept.sort((a, b) => b.score - a.score);
    this.labels = grown(this.labels, to + kept.length);
    this.states = grown(this.states, to + kept.length);
    this.parents = grown(this.parents, to + kept.length);
    kept.forEach(({ key }, i) => {
      const label = key % L;
      const parent = from + (key - label) / L;
      this.labels[to + i] = label;
      this.states[to + i] = legality.after(remaining, this.states[parent], label);
      this.parents[to + i] = parent;
    });
    return kept.map(({ score }) => score);
  }

  private groupOf(group: number): BestCandidates {
    const { merges, width } = this.search;
    this.groups[group] ??= new BestCandidates(merges === undefined ? width : this.k);
    return this.groups[group];
  }
}
