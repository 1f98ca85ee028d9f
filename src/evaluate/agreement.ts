/** Agreement of people who annotated the same texts. */
import { Random } from '../base/random.js';
import type { Span } from '../data/span.js';

/** Labels of units by several people: `undefined` where somebody did not label a unit. */
export type Ratings = readonly (readonly (string | undefined)[])[];

/**
 * Cohen's κ of two people: how much more often they give the same label than they would if each drew labels at random as often
 * as they use them (Cohen 1960).
 *
 * @returns at most 1; 1 where both use one and the same label only, not a number where no unit is labelled by both.
 */
export function cohensKappa(
  first: readonly (string | undefined)[],
  second: readonly (string | undefined)[],
): number {
  const counts = new Map<string, [number, number]>();
  let both = 0;
  let same = 0;
  first.forEach((a, unit) => {
    const b = second[unit];
    if (a === undefined || b === undefined) return;
    both++;
    if (a === b) same++;
    for (const [side, label] of [a, b].entries()) {
      const own = counts.get(label) ?? [0, 0];
      own[side]++;
      counts.set(label, own);
    }
  });
  let chance = 0;
  for (const [a, b] of counts.values()) chance += (a / both) * (b / both);
  const observed = same / both;
  return chance === 1 ? 1 : (observed - chance) / (1 - chance);
}

/** Counts of each label at each unit that two people or more labelled. */
function unitCounts(ratings: Ratings): ReadonlyMap<string, number>[] {
  const units = Math.max(0, ...ratings.map(({ length }) => length));
  const counts: Map<string, number>[] = [];
  for (let unit = 0; unit < units; unit++) {
    const own = new Map<string, number>();
    for (const person of ratings) {
      const label = person[unit];
      if (label !== undefined) own.set(label, (own.get(label) ?? 0) + 1);
    }
    if (totalOf(own) > 1) counts.push(own);
  }
  return counts;
}

function totalOf(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

/**
 * Krippendorff's α of labels without order, for any number of people, some of whom may have left out some units (Krippendorff 2011).
 *
 * @param ratings [people][units].
 * @returns at most 1; 1 where there is one label only, not a number where no unit has two labels.
 */
export function krippendorffsAlpha(ratings: Ratings): number {
  const totals = new Map<string, number>();
  let pairable = 0;
  let observed = 0;
  for (const counts of unitCounts(ratings)) {
    const people = totalOf(counts);
    pairable += people;
    for (const [label, count] of counts) {
      totals.set(label, (totals.get(label) ?? 0) + count);
      observed += (count * (people - count)) / (people - 1);
    }
  }
  if (pairable === 0) return Number.NaN;
  let expected = 0;
  for (const count of totals.values()) expected += (count * (pairable - count)) / (pairable - 1);
  return expected === 0 ? 1 : 1 - observed / expected;
}

/**
 * Gwet's AC1 (Gwet 2008): as κ, but chance is that of somebody who guesses at hard units only, so that it stays stable where one label
 * is far more frequent than the others.
 *
 * @param ratings [people][units].
 * @param labels number of labels that there are; default those that occur.
 */
export function gwetsAc1(ratings: Ratings, labels?: number): number {
  const all = new Map<string, number>();
  let agreed = 0;
  const counted = unitCounts(ratings);
  for (const counts of counted) {
    const people = totalOf(counts);
    for (const count of counts.values()) agreed += (count * (count - 1)) / (people * (people - 1));
  }
  const units = ratings.length === 0 ? 0 : Math.max(...ratings.map(({ length }) => length));
  let labelled = 0;
  for (let unit = 0; unit < units; unit++) {
    const own = ratings.map((person) => person[unit]).filter((label) => label !== undefined);
    if (own.length === 0) continue;
    labelled++;
    for (const label of own) all.set(label, (all.get(label) ?? 0) + 1 / own.length);
  }
  const kinds = labels ?? all.size;
  if (counted.length === 0) return Number.NaN;
  if (kinds < 2) return 1;
  let chance = 0;
  for (const share of all.values()) chance += (share / labelled) * (1 - share / labelled);
  chance /= kinds - 1;
  return (agreed / counted.length - chance) / (1 - chance);
}

/** How two people's spans agree: F of one against the other, which is the same the other way round. */
export interface SpanAgreement {
  /** Spans with the same bounds and the same type, in percent. */
  readonly exact: number;
  /** Spans of the same type that overlap, in percent. */
  readonly overlapping: number;
  /** Spans with the same bounds, whatever their type, in percent. */
  readonly positions: number;
  /** κ of the types of spans with the same bounds. */
  readonly types: number;
}

/**
 * Agreement of two people's spans. With many places where no span is, F is what κ tends to (Hripcsak and Rothschild 2005).
 *
 * @param first [sentences] spans of each, in text order.
 */
export function spanAgreement(
  first: readonly (readonly Span[])[],
  second: readonly (readonly Span[])[],
): SpanAgreement {
  let exact = 0;
  let positions = 0;
  let overlapping = 0;
  let all = 0;
  const types: [string[], string[]] = [[], []];
  first.forEach((own, s) => {
    const others = second[s] ?? [];
    all += own.length + others.length;
    const touches = (a: Span, list: readonly Span[]) =>
      list.some((b) => a.type === b.type && a.start < b.end && b.start < a.end);
    overlapping +=
      own.filter((a) => touches(a, others)).length + others.filter((b) => touches(b, own)).length;
    for (const a of own) {
      const b = others.find(({ start, end }) => start === a.start && end === a.end);
      if (b === undefined) continue;
      positions++;
      if (a.type === b.type) exact++;
      types[0].push(a.type);
      types[1].push(b.type);
    }
  });
  const percent = (count: number) => (100 * count) / all;
  return {
    exact: percent(2 * exact),
    overlapping: percent(overlapping),
    positions: percent(2 * positions),
    types: cohensKappa(types[0], types[1]),
  };
}

/** Bounds of an interval. */
export interface Interval {
  /** Lower bound. */
  readonly low: number;
  /** Upper bound. */
  readonly high: number;
}

/**
 * The interval in which a measure lies for 95 in 100 samples of documents drawn with replacement (bootstrap).
 *
 * @param documents number of documents.
 * @param measure of some of them, given by number; a document may occur several times.
 * @param rounds number of samples.
 */
export function bootstrapInterval(
  documents: number,
  measure: (sample: readonly number[]) => number,
  rounds = 1000,
  seed = 1,
): Interval {
  const random = new Random(seed);
  const found: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const value = measure(Array.from({ length: documents }, () => random.below(documents)));
    if (Number.isFinite(value)) found.push(value);
  }
  found.sort((a, b) => a - b);
  const at = (share: number) =>
    found[Math.min(found.length - 1, Math.floor(share * found.length))] ?? Number.NaN;
  return { low: at(0.025), high: at(0.975) };
}
