import { grown } from '../base/growable.js';
import type { ChunkCandidates } from './chunk-candidates.js';

/**
 * The k best segmentations of a sentence into typed chunks (Sarawagi & Cohen 2004; Zhou et al. 2012), exactly. A
 * segmentation is a row of candidates that covers every token; its score is the sum of theirs and of one bigram a
 * candidate, which reads the type before, the type, and where the candidate begins. V(b, e, t) of Zhou et al. collapses
 * under such bigrams: with V(e, t) the best score of what ends before token e with type t,
 *
 *   U(b, t) = max over t' of V(b, t') + bigram(b, t', t)
 *   V(e, t) = max over candidates (b, e, t) of U(b, t) + score(b, e, t)
 *
 * that is O(n T² + candidates) instead of O(n M² T²). Every V and U keeps its k best with back-pointer and rank. Of
 * equal scores the one found first is better: earlier begin, lower type before.
 */
export class SemiMarkov {
  /** Number of types T. */
  readonly types: number;
  /** Most segmentations found. */
  readonly k: number;
  /** [k] scores of those found, falling. */
  readonly scores: Float64Array;
  /** Number of segmentations found by the last call of {@link decode}; 0 where the candidates leave none. */
  found = 0;
  /** [(n + 1) × (T + 1) × k] V; type T is the sentence's start. */
  private ends = new Float64Array(0);
  /** [(n + 1) × (T + 1)] how many each has. */
  private endCounts = new Uint8Array(0);
  /** [(n + 1) × (T + 1) × k] the candidate that ends there. */
  private endCandidates = new Uint32Array(0);
  /** [(n + 1) × (T + 1) × k] which of U's it continues. */
  private endRanks = new Uint8Array(0);
  /** [n × T × k] U. */
  private begins = new Float64Array(0);
  /** [n × T] how many each has. */
  private beginCounts = new Uint8Array(0);
  /** [n × T × k] type before. */
  private beginTypes = new Uint16Array(0);
  /** [n × T × k] which of V's it continues. */
  private beginRanks = new Uint8Array(0);
  /** [T + 1] types of what ends before a token. */
  private readonly alive: Uint16Array;
  /** [T] the last token at which U was found. */
  private readonly startedAt: Int32Array;
  /** [k] type of the last chunk. */
  private readonly lastTypes: Uint16Array;
  /** [k] its rank. */
  private readonly lastRanks: Uint8Array;

  /** @param k 1 … 255. */
  constructor(types: number, k: number) {
    this.types = types;
    this.k = k;
    this.scores = new Float64Array(k);
    this.alive = new Uint16Array(types + 1);
    this.startedAt = new Int32Array(types);
    this.lastTypes = new Uint16Array(k);
    this.lastRanks = new Uint8Array(k);
  }

  /**
   * Finds the k best segmentations, or as many as there are.
   *
   * @param bigrams [n × (T + 1) × T] score of a type after another (T: sentence start) by where it begins; −Infinity
   *   where the pair is not to be.
   */
  decode(candidates: ChunkCandidates, bigrams: Float64Array): void {
    const { types, k } = this;
    const { length, starts, ends: endOf, types: typeOf, scores: scoreOf } = candidates;
    const rows = types + 1;
    this.reserve(length);
    const { ends, endCounts, endCandidates, endRanks } = this;
    const { begins, beginCounts, alive, startedAt } = this;
    startedAt.fill(-1);
    endCounts.fill(0, 0, (length + 1) * rows);
    ends[types * k] = 0;
    endCounts[types] = 1;
    for (let b = 0; b < length; b++) {
      const first = starts[b];
      const last = starts[b + 1];
      let living = 0;
      for (let previous = 0; previous <= types; previous++) {
        if (endCounts[b * rows + previous] > 0) alive[living++] = previous;
      }
      for (let c = first; c < last; c++) {
        const from = b * types + typeOf[c];
        // Candidates of one type lie apart, but few types begin at a token.
        if (startedAt[typeOf[c]] !== b) {
          startedAt[typeOf[c]] = b;
          this.continueBest(b, typeOf[c], living, bigrams);
        }
        const count = beginCounts[from];
        const to = endOf[c] * rows + typeOf[c];
        const at = to * k;
        for (let rank = 0; rank < count; rank++) {
          const score = begins[from * k + rank] + scoreOf[c];
          let known = endCounts[to];
          if (known === k && !(score > ends[at + k - 1])) break;
          if (known < k) endCounts[to] = ++known;
          let place = at + known - 1;
          for (; place > at && score > ends[place - 1]; place--) {
            ends[place] = ends[place - 1];
            endCandidates[place] = endCandidates[place - 1];
            endRanks[place] = endRanks[place - 1];
          }
          ends[place] = score;
          endCandidates[place] = c;
          endRanks[place] = rank;
        }
      }
    }
    this.mergeLast(length);
  }

  /**
   * Writes the candidates of a segmentation, in order, to `out` [≥ n] and returns how many there are.
   *
   * @param rank 0 … found − 1.
   */
  path(candidates: ChunkCandidates, rank: number, out: Uint32Array): number {
    const { types, k } = this;
    const { length, begins, types: typeOf } = candidates;
    let end = length;
    let type = length === 0 ? types : this.lastTypes[rank];
    let place = this.lastRanks[rank];
    let count = 0;
    while (end > 0) {
      const at = (end * (types + 1) + type) * k + place;
      const c = this.endCandidates[at];
      out[count++] = c;
      end = begins[c];
      const before = (end * types + typeOf[c]) * k + this.endRanks[at];
      type = this.beginTypes[before];
      place = this.beginRanks[before];
    }
    out.subarray(0, count).reverse();
    return count;
  }

  /** U: the k best of what ends before a token, for a chunk of a type to continue. */
  private continueBest(b: number, type: number, living: number, bigrams: Float64Array): void {
    const { types, k, ends, endCounts, begins, beginCounts, beginTypes, beginRanks, alive } = this;
    const to = b * types + type;
    const at = to * k;
    let known = 0;
    for (let i = 0; i < living; i++) {
      const previous = alive[i];
      const from = b * (types + 1) + previous;
      const bigram = bigrams[from * types + type];
      if (bigram === -Infinity) continue;
      const count = endCounts[from];
      for (let rank = 0; rank < count; rank++) {
        const score = ends[from * k + rank] + bigram;
        if (known === k && !(score > begins[at + k - 1])) break;
        if (known < k) known++;
        let place = at + known - 1;
        for (; place > at && score > begins[place - 1]; place--) {
          begins[place] = begins[place - 1];
          beginTypes[place] = beginTypes[place - 1];
          beginRanks[place] = beginRanks[place - 1];
        }
        begins[place] = score;
        beginTypes[place] = previous;
        beginRanks[place] = rank;
      }
    }
    beginCounts[to] = known;
  }

  /** The k best of everything that ends with the sentence. */
  private mergeLast(length: number): void {
    const { types, k, ends, endCounts, scores, lastTypes, lastRanks } = this;
    const states = length * (types + 1);
    let found = 0;
    for (let t = 0; t <= types; t++) {
      for (let rank = 0; rank < endCounts[states + t]; rank++) {
        const score = ends[(states + t) * k + rank];
        if (found === k && !(score > scores[k - 1])) break;
        if (found < k) found++;
        let place = found - 1;
        for (; place > 0 && score > scores[place - 1]; place--) {
          scores[place] = scores[place - 1];
          lastTypes[place] = lastTypes[place - 1];
          lastRanks[place] = lastRanks[place - 1];
        }
        scores[place] = score;
        lastTypes[place] = t;
        lastRanks[place] = rank;
      }
    }
    this.found = found;
  }

  private reserve(length: number): void {
    const { types, k } = this;
    const states = (length + 1) * (types + 1);
    this.ends = grown(this.ends, states * k);
    this.endCounts = grown(this.endCounts, states);
    this.endCandidates = grown(this.endCandidates, states * k);
    this.endRanks = grown(this.endRanks, states * k);
    this.begins = grown(this.begins, length * types * k);
    this.beginCounts = grown(this.beginCounts, length * types);
    this.beginTypes = grown(this.beginTypes, length * types * k);
    this.beginRanks = grown(this.beginRanks, length * types * k);
  }
}
