import { type HistoryTables, MOST_LANES } from '../kernels/extend-paths.js';
import { type Arrays, float32, float64 } from '../kernels/layout.js';
import { CUBICS } from '../kernels/log-sigmoid.js';
import type { ScorerParts } from './scorer-parts.js';

/**
 * Arrays of tables by earlier labels, with rows of `width` lanes.
 *
 * @hidden
 */
export function historyTablesLayout({ labels, lanes, first, second, pair }: ScorerParts, width: number) {
  const padded = (table: Float32Array | undefined) => table && float32((table.length / lanes) * width);
  return {
    zeros: float32(width),
    first: padded(first),
    second: padded(second),
    pair: padded(pair),
    mostHistory: float32(width),
    mostBefore: float32(width <= MOST_LANES ? labels * width : 0),
    cubics: float64(CUBICS.length),
  };
}

/**
 * Tables by earlier labels as kernels read them. An absent table is one row of zeros read with stride 0, which spares the sums a
 * branch per table.
 */
export function fillHistoryTables(
  parts: ScorerParts,
  width: number,
  arrays: Arrays<ReturnType<typeof historyTablesLayout>>,
): HistoryTables {
  const { zeros, mostHistory, cubics } = arrays;
  const { lanes } = parts;
  const tableOf = (name: 'first' | 'second' | 'pair') => {
    const table = parts[name];
    const copy = arrays[name];
    if (table === undefined || copy === undefined) return zeros;
    for (let row = 0; row < table.length / lanes; row++) {
      copy.set(table.subarray(row * lanes, (row + 1) * lanes), row * width);
    }
    return copy;
  };
  const first = tableOf('first');
  const second = tableOf('second');
  const pair = tableOf('pair');
  const historyRange = [first, second, pair].reduce((sum, table) => sum + largestSize(table), 0);
  cubics.set(CUBICS);
  const tables = {
    labels: parts.labels,
    width,
    link: parts.link === 'identity' ? (0 as const) : (1 as const),
    first,
    firstStride: parts.first ? width : 0,
    second,
    secondStride: parts.second ? width : 0,
    pair,
    pairStride: parts.pair ? width : 0,
    mostHistory,
    mostBefore: arrays.mostBefore,
    historyRange,
    cubics,
  };
  fillBounds(tables);
  return tables;
}

/** Fills in the most that tables give each label, over all earlier labels and by the one before it. */
function fillBounds(tables: HistoryTables): void {
  const { labels, width, first, second, pair, firstStride, secondStride, pairStride } = tables;
  const { mostHistory, mostBefore } = tables;
  const size = labels + 1;
  mostHistory.fill(-Infinity, 0, labels);
  // Before the first label there is none, and none before that.
  for (let p = 0; p <= labels; p++) {
    const most = new Float32Array(labels).fill(-Infinity);
    for (let b = p < labels && secondStride + pairStride > 0 ? 0 : labels; b <= labels; b++) {
      for (let c = 0; c < labels; c++) {
        const sum =
          first[p * firstStride + c] + second[b * secondStride + c] + pair[(p * size + b) * pairStride + c];
        if (sum > most[c]) most[c] = sum;
      }
    }
    for (let c = 0; c < labels; c++) {
      if (most[c] > mostHistory[c]) mostHistory[c] = most[c];
      if (p < labels && mostBefore.length > 0) mostBefore[c * width + p] = most[c];
    }
  }
}

/** How far the numbers of a table are from 0 at most. */
function largestSize(table: Float32Array): number {
  return table.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}
