import { isOutOfMemory, SpanwrightError } from '../base/errors.js';
import { appendTexts, encodeTags } from './append-tags.js';
import { addDensePairs } from './dense-pairs.js';
import { type DualState, dualEpoch } from './dual-epoch.js';
import { extendPaths, type PathExtension } from './extend-paths.js';
import { extendStretch, type StretchHistory } from './extend-stretch.js';
import {
  addStrings,
  addWindows,
  findStrings,
  findWindows,
  layOutSentences,
  moveStrings,
  takeColumn,
} from './find-ids.js';
import { findValues, mapStrings } from './find-values.js';
import { greedyPath } from './greedy-path.js';
import { CUBICS } from './log-sigmoid.js';
import { type ColumnScan, findBadByte, scanColumns } from './scan-columns.js';
import { addPairs, inSteps, listRows, scaleSteps, sumRows } from './score-rows.js';
import { SIMD_BINARY } from './simd-binary.js';
import { sumBlocks } from './sum-blocks.js';
import { addHistory } from './token-history.js';

/** Which implementation of the kernels: WebAssembly with four lanes at once, or its plain twin. */
export type KernelName = 'simd' | 'plain';

/** What arrays in the kernels' memory need. */
export interface Room {
  /** How many arrays there are, */
  readonly arrays: number;
  /** and their bytes together. */
  readonly bytes: number;
}

/** The kernels, and room for the arrays that they work on: those of one instance go with it alone. */
export interface Kernels {
  /** Which implementation this is. Results are the same to the bit. */
  readonly name: KernelName;
  /** A new array of zeros. */
  readonly float64: (length: number) => Float64Array<ArrayBuffer>;
  /** A new array of zeros. */
  readonly float32: (length: number) => Float32Array<ArrayBuffer>;
  /** A new array of zeros. */
  readonly int16: (length: number) => Int16Array<ArrayBuffer>;
  /** A new array of zeros. */
  readonly int32: (length: number) => Int32Array<ArrayBuffer>;
  /** A new array of zeros. */
  readonly uint32: (length: number) => Uint32Array<ArrayBuffer>;
  /** A new array of zeros. */
  readonly uint8: (length: number) => Uint8Array<ArrayBuffer>;
  /** A new array of zeros. */
  readonly uint16: (length: number) => Uint16Array<ArrayBuffer>;
  /** As {@link sumRows}; all arrays are of this instance. */
  readonly sumRows: typeof sumRows;
  /** As {@link scaleSteps}; all arrays are of this instance. */
  readonly scaleSteps: typeof scaleSteps;
  /** As {@link findStrings}; all arrays are of this instance. */
  readonly findStrings: typeof findStrings;
  /** As {@link findWindows}; all arrays are of this instance. */
  readonly findWindows: typeof findWindows;
  /** As {@link layOutSentences}; all arrays are of this instance. */
  readonly layOutSentences: typeof layOutSentences;
  /** As {@link addStrings}; all arrays are of this instance. */
  readonly addStrings: typeof addStrings;
  /** As {@link moveStrings}; all arrays are of this instance. */
  readonly moveStrings: typeof moveStrings;
  /** As {@link addWindows}; all arrays are of this instance. */
  readonly addWindows: typeof addWindows;
  /** As {@link findValues}; all arrays are of this instance. */
  readonly findValues: typeof findValues;
  /** As {@link mapStrings}; all arrays are of this instance. */
  readonly mapStrings: typeof mapStrings;
  /** As {@link sumBlocks}; all arrays are of this instance. */
  readonly sumBlocks: typeof sumBlocks;
  /** As {@link takeColumn}; all arrays are of this instance. */
  readonly takeColumn: typeof takeColumn;
  /** As {@link listRows}; all arrays are of this instance. */
  readonly listRows: typeof listRows;
  /** As {@link addPairs}; all arrays are of this instance. */
  readonly addPairs: typeof addPairs;
  /** As {@link addDensePairs}; all arrays are of this instance. */
  readonly addDensePairs: typeof addDensePairs;
  /** As {@link addHistory}; all arrays are of this instance. */
  readonly addHistory: typeof addHistory;
  /** As {@link extendPaths}; all arrays are of this instance. */
  readonly extendPaths: (extension: PathExtension, count: number) => void;
  /** As {@link extendStretch}; all arrays are of this instance. */
  readonly extendStretch: typeof extendStretch;
  /** As {@link greedyPath}; all arrays are of this instance. */
  readonly greedyPath: typeof greedyPath;
  /** As {@link dualEpoch}; all arrays of the state are of this instance. */
  readonly dualEpoch: (state: DualState, active: number) => number;
  /** As {@link scanColumns}; all arrays of the scan are of this instance. */
  readonly scanColumns: (scan: ColumnScan, end: number) => void;
  /** As {@link findBadByte}; the array is of this instance. */
  readonly findBadByte: typeof findBadByte;
  /** As {@link encodeTags}; all arrays are of this instance. */
  readonly encodeTags: typeof encodeTags;
  /** As {@link appendTexts}; all arrays are of this instance. */
  readonly appendTexts: typeof appendTexts;
}

/** What the module exports; pointers are bytes. */
interface Exports {
  readonly dualEpoch: (...numbers: number[]) => number;
  readonly extendPaths: (...numbers: number[]) => void;
  readonly extendStretch: (...numbers: number[]) => number;
  readonly greedyPath: (...numbers: number[]) => number;
  readonly sumRows: (...numbers: number[]) => void;
  readonly sumStepRows: (...numbers: number[]) => void;
  readonly scaleSteps: (...numbers: number[]) => void;
  readonly findStrings: (...numbers: number[]) => number;
  readonly findWindows: (...numbers: number[]) => number;
  readonly layOutSentences: (...numbers: number[]) => void;
  readonly addStrings: (...numbers: number[]) => number;
  readonly moveStrings: (...numbers: number[]) => void;
  readonly addWindows: (...numbers: number[]) => number;
  readonly findValues: (...numbers: number[]) => void;
  readonly mapStrings: (...numbers: number[]) => number;
  readonly sumBlocks: (...numbers: number[]) => number;
  readonly takeColumn: (...numbers: number[]) => void;
  readonly listRows: (...numbers: number[]) => void;
  readonly addPairs: (...numbers: number[]) => void;
  readonly addStepPairs: (...numbers: number[]) => void;
  readonly addDensePairs: (...numbers: number[]) => void;
  readonly addHistory: (...numbers: number[]) => void;
  readonly scanColumns: (...numbers: number[]) => void;
  readonly findBadByte: (...numbers: number[]) => number;
  readonly encodeTags: (...numbers: number[]) => void;
  readonly appendTexts: (...numbers: number[]) => number;
}

const PAGE = 1 << 16;
/** The module's own few kilobytes and the table of log σ, before the arrays. */
const RESERVED = PAGE;
const CUBICS_AT = PAGE / 2;
/** Most lanes that the module has room for in extending paths. */
const MOST_LANES = 512;
/** Most runs of features of a token that it has room for. */
const MOST_RUNS = 64;
/** WebAssembly's addresses end here. */
const MOST_BYTES = 2 ** 32 - PAGE;
/** Room that one array may need more than its bytes, so that each starts at a multiple of 16. */
const ALIGNMENT = 16;
/** Examples visited in one call of an epoch's kernel: its first calls run in code that the engine made in haste. */
const STRETCH = 4096;
/** A read past the end of the last array's last row stays within memory. */
const MARGIN = 64;

let compiled: WebAssembly.Module | undefined;
let best: KernelName | undefined;

/** The kernels that this machine can run best, found by trying. */
export function bestKernels(): KernelName {
  if (best === undefined) {
    try {
      simdModule();
      best = 'simd';
    } catch {
      best = 'plain';
    }
  }
  return best;
}

function simdModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(
    Uint8Array.from(atob(SIMD_BINARY), (character) => character.charCodeAt(0)),
  );
  return compiled;
}

/**
 * Makes an instance with room for some arrays.
 *
 * @param arrays number of arrays that will be made.
 * @param bytes of all of them together.
 * @throws SpanwrightError with code `no-memory` where there is not so much memory.
 */
export function createKernels(arrays: number, bytes: number, name: KernelName = bestKernels()): Kernels {
  try {
    const needed = RESERVED + bytes + arrays * ALIGNMENT + MARGIN;
    return (name === 'simd' && needed <= MOST_BYTES && simdKernelsIfRoom(needed)) || plainKernels(bytes);
  } catch (error) {
    throw noMemory(bytes, error);
  }
}

/** Engines reserve gigabytes of addresses for a memory of WebAssembly: where these are limited, plain arrays still fit. */
function simdKernelsIfRoom(bytes: number): Kernels | undefined {
  try {
    return simdKernels(bytes);
  } catch (error) {
    if (isOutOfMemory(error)) return undefined;
    throw error;
  }
}

/** An error for arrays that could not be made. */
function noMemory(bytes: number, cause: unknown): unknown {
  if (!isOutOfMemory(cause)) return cause;
  const megabytes = Math.ceil(bytes / 2 ** 20);
  return new SpanwrightError(
    'no-memory',
    `expected ${megabytes} MB of free memory, found less: ${cause.message}`,
  );
}

/** The plain kernels; `bytes` is what their arrays will take, for the error where that is too much. */
function plainKernels(bytes: number): Kernels {
  const made = <T>(make: () => T): T => {
    try {
      return make();
    } catch (error) {
      throw noMemory(bytes, error);
    }
  };
  return {
    name: 'plain',
    float64: (length) => made(() => new Float64Array(length)),
    float32: (length) => made(() => new Float32Array(length)),
    int16: (length) => made(() => new Int16Array(length)),
    int32: (length) => made(() => new Int32Array(length)),
    uint32: (length) => made(() => new Uint32Array(length)),
    uint8: (length) => made(() => new Uint8Array(length)),
    uint16: (length) => made(() => new Uint16Array(length)),
    findStrings,
    findWindows,
    layOutSentences,
    addStrings,
    moveStrings,
    addWindows,
    findValues,
    mapStrings,
    sumBlocks,
    takeColumn,
    listRows,
    sumRows,
    scaleSteps,
    addPairs,
    addDensePairs,
    addHistory,
    extendPaths,
    extendStretch,
    greedyPath,
    dualEpoch,
    scanColumns,
    findBadByte,
    encodeTags,
    appendTexts,
  };
}

/** What `extendStretch` is told of the history of tokens. */
function historyNumbers(history: StretchHistory | undefined, width: number): number[] {
  if (history === undefined) return NO_HISTORY;
  return [
    history.features.words.byteOffset,
    history.kinds.byteOffset,
    history.bases.byteOffset,
    history.kindRuns,
    history.baseRuns,
    history.runs.byteOffset,
    history.runsOfBases.byteOffset,
    history.keptSlots.byteOffset,
    history.keptSlots.length,
    history.keptRows.byteOffset,
    Math.floor(history.keptRows.length / (2 * width + 4)),
    history.keptCount.byteOffset,
    history.lastRows.byteOffset,
  ];
}

const NO_HISTORY = new Array<number>(13).fill(0);

function simdKernels(bytes: number): Kernels {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
  const instance = new WebAssembly.Instance(simdModule(), { env: { memory } });
  const exports = instance.exports as unknown as Exports;
  const { buffer } = memory;
  new Float64Array(buffer, CUBICS_AT, CUBICS.length).set(CUBICS);
  let end = RESERVED;
  const reserve = (length: number, size: number) => {
    const start = end;
    end = Math.ceil((start + length * size) / ALIGNMENT) * ALIGNMENT;
    // Memory comes in pages: without this, room for too few bytes would be noticed now and then only.
    if (end > bytes) throw new Error(`expected arrays of ${bytes} bytes together, found ${end} or more`);
    return start;
  };
  const dualStretch = (state: DualState, from: number, count: number, active: number) =>
    exports.dualEpoch(
      state.offsets.byteOffset,
      state.indices.byteOffset,
      state.labels.byteOffset,
      state.signs.byteOffset,
      state.width,
      state.weights.byteOffset,
      state.alphas.byteOffset,
      state.order.byteOffset,
      state.diagonal,
      state.upper,
      state.resting.byteOffset,
      state.shrinkAbove.byteOffset,
      state.shrinkBelow.byteOffset,
      state.largest.byteOffset,
      state.smallest.byteOffset,
      from,
      count,
      active,
    );
  return {
    name: 'simd',
    float64: (length) => new Float64Array(buffer, reserve(length, 8), length),
    float32: (length) => new Float32Array(buffer, reserve(length, 4), length),
    int16: (length) => new Int16Array(buffer, reserve(length, 2), length),
    int32: (length) => new Int32Array(buffer, reserve(length, 4), length),
    uint32: (length) => new Uint32Array(buffer, reserve(length, 4), length),
    uint8: (length) => new Uint8Array(buffer, reserve(length, 1), length),
    uint16: (length) => new Uint16Array(buffer, reserve(length, 2), length),
    sumRows: (matrix, width, rows, starts, tokens, out) => {
      const sum = inSteps(matrix) ? exports.sumStepRows : exports.sumRows;
      sum(matrix.byteOffset, width, rows.byteOffset, starts.byteOffset, tokens, out.byteOffset);
    },
    scaleSteps: (steps, length, step, out) =>
      exports.scaleSteps(steps.byteOffset, length, step, out.byteOffset),
    findStrings: ({ entries, pool, starts }, bytes, base, cells, cell, step, count, ids, at) =>
      exports.findStrings(
        entries.byteOffset,
        entries.length / 4 - 1,
        pool.byteOffset,
        starts.byteOffset,
        bytes.byteOffset - base,
        cells.byteOffset + 4 * cell,
        step,
        count,
        ids.byteOffset + 4 * at,
      ),
    findWindows: (values, parts, step, count, slots, keys, ids, at) =>
      exports.findWindows(
        values.byteOffset,
        parts.byteOffset,
        parts.length,
        step,
        count,
        slots.byteOffset,
        slots.length - 1,
        keys.byteOffset,
        ids.byteOffset + 4 * at,
      ),
    layOutSentences: (found, first, starts, sentences, margin, end, backward, ids, at) =>
      exports.layOutSentences(
        found.byteOffset + 4 * first,
        starts.byteOffset,
        sentences,
        margin,
        end,
        backward ? 1 : 0,
        ids.byteOffset + 4 * at,
      ),
    addStrings: (table, longest, bytes, base, cells, cell, step, count, ids, at, next, added) =>
      exports.addStrings(
        table.entries.byteOffset,
        table.entries.length / 4 - 1,
        table.pool.byteOffset,
        table.starts.byteOffset,
        longest,
        bytes.byteOffset,
        bytes.byteOffset - base,
        cells.byteOffset + 4 * cell,
        step,
        count,
        ids.byteOffset + 4 * at,
        next,
        added.byteOffset,
      ),
    moveStrings: (entries, larger) =>
      exports.moveStrings(entries.byteOffset, entries.length / 4, larger.byteOffset, larger.length / 4 - 1),
    addWindows: (values, parts, step, count, slots, keys, ids, at, next) =>
      exports.addWindows(
        values.byteOffset,
        parts.byteOffset,
        parts.length,
        step,
        count,
        slots.byteOffset,
        slots.length - 1,
        keys.byteOffset,
        ids.byteOffset + 4 * at,
        next,
      ),
    findValues: ({ slots, offsets, pool }, bytes, spans, count, part, first, out, at) =>
      exports.findValues(
        slots.byteOffset,
        slots.length - 1,
        offsets.byteOffset,
        pool.byteOffset,
        bytes.byteOffset,
        spans.byteOffset,
        count,
        part,
        first,
        out.byteOffset + 4 * at,
      ),
    mapStrings: (bytes, spans, count, map, longestRun, out, outSpans) =>
      exports.mapStrings(
        bytes.byteOffset,
        spans.byteOffset,
        count,
        map.byteOffset,
        longestRun,
        out.byteOffset,
        out.length,
        outSpans.byteOffset,
      ),
    sumBlocks: (list, runs, parts, tuples, count, { words }, matrix, width, next, places, blocks, at) =>
      exports.sumBlocks(
        list.starts.byteOffset,
        list.ends.byteOffset,
        list.tables.byteOffset,
        list.placeOf.byteOffset,
        runs.starts.byteOffset,
        runs.ends.byteOffset,
        parts.tuplesAt.byteOffset,
        parts.runsAt.byteOffset,
        parts.tables.byteOffset,
        parts.tables.length,
        tuples.byteOffset,
        count,
        words.byteOffset,
        matrix.byteOffset,
        width,
        next,
        places,
        blocks.byteOffset + 4 * at,
        inSteps(matrix) ? 1 : 0,
      ),
    takeColumn: (ids, first, count, table, width, column, out, at) =>
      exports.takeColumn(
        ids.byteOffset + 4 * first,
        count,
        table.byteOffset + 4 * column,
        width,
        out.byteOffset + 4 * at,
      ),
    listRows: (ids, first, offsets, rowsOf, tokens, out, column, stride) =>
      exports.listRows(
        ids.byteOffset + 4 * first,
        offsets.byteOffset,
        offsets.length,
        rowsOf.byteOffset,
        tokens,
        out.byteOffset + 4 * column,
        stride,
      ),
    addPairs: (values, left, right, positions, { entries }, { words }, width, out, at) =>
      (inSteps(out) ? exports.addStepPairs : exports.addPairs)(
        values.byteOffset + 4 * left,
        values.byteOffset + 4 * right,
        positions,
        entries.byteOffset,
        entries.length / 4 - 1,
        words.byteOffset,
        width,
        out.byteOffset + out.BYTES_PER_ELEMENT * at,
      ),
    addDensePairs: (values, left, right, positions, { entries, capacity, groups, token }, width, out, at) =>
      exports.addDensePairs(
        values.byteOffset + 4 * left,
        values.byteOffset + 4 * right,
        positions,
        entries.byteOffset,
        capacity,
        groups,
        width,
        out.byteOffset + 2 * (at + token * width),
      ),
    addHistory: ({ words }, runs, runsAt, count, first, labels, width, out, at) =>
      exports.addHistory(
        words.byteOffset,
        runs.byteOffset + 4 * runsAt,
        count,
        first,
        labels,
        width,
        out.byteOffset + 4 * at,
      ),
    extendPaths: (extension, count) =>
      extension.width > MOST_LANES
        ? extendPaths(extension, count)
        : exports.extendPaths(
            count,
            extension.labels,
            extension.width,
            extension.link,
            extension.scores.byteOffset,
            extension.previous.byteOffset,
            extension.beforePrevious.byteOffset,
            extension.fixed.byteOffset,
            extension.first.byteOffset,
            extension.firstStride,
            extension.second.byteOffset,
            extension.secondStride,
            extension.pair.byteOffset,
            extension.pairStride,
            extension.token.byteOffset,
            extension.tokenStride,
            extension.mostHistory.byteOffset,
            extension.historyRange,
            extension.legal.byteOffset,
            extension.best.byteOffset,
            extension.from.byteOffset,
            CUBICS_AT,
          ),
    extendStretch: (tables, steps, stretch) =>
      tables.width > MOST_LANES ||
      (stretch.history && Math.max(stretch.history.kindRuns, stretch.history.baseRuns) > MOST_RUNS)
        ? extendStretch(tables, steps, stretch)
        : exports.extendStretch(
            tables.labels,
            tables.width,
            tables.link,
            stretch.rows.byteOffset,
            stretch.tokens,
            stretch.remaining,
            stretch.isStart ? 1 : 0,
            stretch.hybrid ? 1 : 0,
            stretch.remaining < stretch.tokens ? 1 : 0,
            stretch.backs.byteOffset,
            stretch.uppers.byteOffset,
            stretch.gains.byteOffset,
            stretch.margins.byteOffset,
            stretch.others.byteOffset,
            stretch.pathScores.byteOffset,
            stretch.known.byteOffset,
            stretch.references.byteOffset,
            stretch.tops.byteOffset,
            tables.first.byteOffset,
            tables.firstStride,
            tables.second.byteOffset,
            tables.secondStride,
            tables.pair.byteOffset,
            tables.pairStride,
            tables.mostHistory.byteOffset,
            tables.historyRange,
            steps.masks.byteOffset,
            steps.sources.byteOffset,
            steps.periodStart,
            steps.period,
            tables.best.byteOffset,
            CUBICS_AT,
            ...historyNumbers(stretch.history, tables.width),
          ),
    greedyPath: (tables, { masks, periodStart, period }, stretch) =>
      exports.greedyPath(
        tables.labels,
        tables.width,
        tables.link,
        stretch.rows.byteOffset,
        stretch.tokens,
        stretch.remaining,
        stretch.previous,
        stretch.beforePrevious,
        tables.first.byteOffset,
        tables.firstStride,
        tables.second.byteOffset,
        tables.secondStride,
        tables.pair.byteOffset,
        tables.pairStride,
        masks.byteOffset,
        periodStart,
        period,
        stretch.labels.byteOffset,
        CUBICS_AT,
      ),
    dualEpoch: (state, active) => {
      let remaining = active;
      let position = 0;
      do {
        const visited = Math.min(STRETCH, remaining - position);
        const before = remaining;
        remaining = dualStretch(state, position, visited, before);
        // In the place of an example that went stands one that was not visited.
        position += visited - (before - remaining);
      } while (position < remaining);
      return remaining;
    },
    scanColumns: (scan, end) =>
      exports.scanColumns(
        scan.bytes.byteOffset,
        scan.tabs ? 1 : 0,
        scan.wanted.byteOffset,
        scan.wanted.length,
        scan.needed,
        scan.bounds.byteOffset,
        scan.bounds.length / 2 - scan.needed - 1,
        scan.cells.byteOffset,
        scan.lines.byteOffset,
        scan.lines.length / 2,
        scan.starts.byteOffset,
        scan.ends.byteOffset,
        scan.ends.length,
        scan.firstLines.byteOffset,
        scan.state.byteOffset,
        end,
      ),
    findBadByte: (bytes, start, end) => exports.findBadByte(bytes.byteOffset, start, end),
    encodeTags: ({ types, opens, leadingTags, leading, backward }, labels, starts, count, tags) =>
      exports.encodeTags(
        types.byteOffset,
        types.length - 1,
        opens.byteOffset,
        leadingTags,
        leading.byteOffset,
        backward ? 1 : 0,
        labels.byteOffset,
        starts.byteOffset,
        count,
        tags.byteOffset,
      ),
    appendTexts: (bytes, start, end, lines, tokens, texts, table, out) =>
      exports.appendTexts(
        bytes.byteOffset,
        start,
        end,
        lines.byteOffset,
        tokens,
        texts.byteOffset,
        table.bytes.byteOffset,
        table.starts.byteOffset,
        out.byteOffset,
      ),
  };
}
