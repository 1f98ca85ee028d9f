import type { HistoryTables } from '../kernels/extend-paths.js';
import { type Arrays, float32, float64 } from '../kernels/layout.js';
import { CUBICS } from '../kernels/log-sigmoid.js';
import type { ScorerParts } from './scorer-parts.js';

/**
 * Arrays of tables by earlier labels, with rows of `width` lanes.
 *
 * @hidden
 */
export function historyTablesLayout({ lanes, first, second, pair }: ScorerParts, width: number) {
  const padded = (table: Float32Array | undefined) => table && float32((table.length / lanes) * width);
  return {
    zeros: float32(width),
    first: padded(first),
    second: padded(second),
    pair: padded(pair),
    mostHistory: float32(width),
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
  let historyRange = 0;
  for (const table of [first, second, pair]) {
    addLargest(table, width, mostHistory);
    historyRange += table.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  }
  cubics.set(CUBICS);
  return {
    labels: parts.labels,
    width,
    link: parts.link === 'identity' ? 0 : 1,
    first,
    firstStride: parts.first ? width : 0,
    second,
    secondStride: parts.second ? width : 0,
    pair,
    pairStride: parts.pair ? width : 0,
    mostHistory,
    historyRange,
    cubics,
  };
}

/** Adds to `most` `[K]` the largest value of each lane in a table `[rows × K]`. */
function addLargest(table: Float32Array, lanes: number, most: Float32Array): void {
  for (let k = 0; k < lanes; k++) {
    let largest = table[k];
    for (let at = k + lanes; at < table.length; at += lanes) if (table[at] > largest) largest = table[at];
    most[k] += largest;
  }
}
