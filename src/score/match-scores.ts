import type { Span } from '../data/span.js';
import type { ChunkScores } from './conlleval.js';

/** Precision, recall and F in percent. */
export interface Rates {
  /** 100 · right / predicted. */
  readonly precision: number;
  /** 100 · right / gold. */
  readonly recall: number;
  /** Harmonic mean of the two. */
  readonly f1: number;
}

/** Ways to match predicted and gold chunks: those of MUC-5 (Chinchor & Sundheim 1993) as SemEval-2013 task 9 took them up. */
export interface MatchScores {
  /** Bounds and type must be right. */
  readonly strict: Rates;
  /** Bounds must be right, whatever the type. */
  readonly exact: Rates;
  /** Chunks that overlap count half, with the right bounds whole, whatever the type. */
  readonly partial: Rates;
  /** Chunks that overlap must have the right type. */
  readonly type: Rates;
}

/** Means over types. */
export interface AverageScores {
  /** Each type counts alike. */
  readonly macro: Rates;
  /** Each type counts by its gold chunks. */
  readonly weighted: Rates;
}

/** Matches chunks sentence by sentence. */
export class MatchScorer {
  private gold = 0;
  private predicted = 0;
  private readonly right = { strict: 0, exact: 0, partial: 0, type: 0 };

  /**
   * Adds a sentence. Each chunk is matched once: with one of the same bounds and type, else of the same bounds, else with the
   * first that overlaps.
   *
   * @param gold in text order.
   * @param predicted in text order.
   */
  add(gold: readonly Span[], predicted: readonly Span[]): void {
    this.gold += gold.length;
    this.predicted += predicted.length;
    const { right } = this;
    const left = new Set(gold);
    const rest = predicted.filter((span) => {
      const same = gold.find(
        (other) => left.has(other) && other.start === span.start && other.end === span.end,
      );
      if (same === undefined) return true;
      left.delete(same);
      right.exact++;
      right.partial++;
      if (same.type === span.type) {
        right.strict++;
        right.type++;
      }
      return false;
    });
    for (const span of rest) {
      const overlaps = gold.filter(
        (other) => left.has(other) && other.start < span.end && span.start < other.end,
      );
      const match = overlaps.find(({ type }) => type === span.type) ?? overlaps[0];
      if (match === undefined) continue;
      left.delete(match);
      right.partial += 0.5;
      if (match.type === span.type) right.type++;
    }
  }

  /** Adds gold chunks that no tokens are. */
  addMissed(chunks: number): void {
    this.gold += chunks;
  }

  /** The scores of the sentences added so far. */
  scores(): MatchScores {
    const { gold, predicted, right } = this;
    const of = (count: number) => ratesOf(percent(count, predicted), percent(count, gold));
    return {
      strict: of(right.strict),
      exact: of(right.exact),
      partial: of(right.partial),
      type: of(right.type),
    };
  }
}

/** Means of the scores of types; types without gold chunks count in the macro average too. */
export function averageScores({ types }: ChunkScores): AverageScores {
  const all = [...types.values()];
  const mean = (weight: (gold: number) => number): Rates => {
    const total = all.reduce((sum, { gold }) => sum + weight(gold), 0);
    const of = (rate: keyof Rates) =>
      total === 0 ? 0 : all.reduce((sum, own) => sum + weight(own.gold) * own[rate], 0) / total;
    return { precision: of('precision'), recall: of('recall'), f1: of('f1') };
  };
  return { macro: mean(() => 1), weighted: mean((gold) => gold) };
}

/** Averages and matches as lines for reading. */
export function detailsTable(averages: AverageScores, matches: MatchScores): string {
  const line = (name: string, { precision, recall, f1 }: Rates) =>
    `${name.padStart(17)}: precision: ${shown(precision)}%; recall: ${shown(recall)}%; FB1: ${shown(f1)}\n`;
  const names = Object.entries({ 'macro average': averages.macro, 'weighted average': averages.weighted });
  const ways = Object.entries(matches).map(([name, rates]): [string, Rates] => [`${name} match`, rates]);
  return `\n${[...names, ...ways].map(([name, rates]) => line(name, rates)).join('')}`;
}

function shown(rate: number): string {
  return rate.toFixed(2).padStart(6);
}

function ratesOf(precision: number, recall: number): Rates {
  return {
    precision,
    recall,
    f1: precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0,
  };
}

function percent(part: number, whole: number): number {
  return whole > 0 ? (100 * part) / whole : 0;
}
