/**
 * Contributions of kinds of tokens joined with the label at −1, as `../extend-stretch.ts` has them. The rows of bases that have been
 * asked for are kept.
 */
import { addHistory, boundHistory, nextFeature } from './token-history';

/** Most lanes that there is room for here. */
const MOST_LANES: i32 = 512;
/** [W] bound of what a kind's own features add, */
const ofOwn = memory.data(MOST_LANES * sizeof<f32>(), 16);
/** and of what none add. */
export const zeros = memory.data(MOST_LANES * sizeof<f32>(), 16);
/** [W] the row of a kind with features of its own. */
const ownRow = memory.data(MOST_LANES * sizeof<f32>(), 16);
/** Bytes of a kept row's key. */
const KEY: usize = 16;
/** Keeps loads from being left out. */
let touched: u32 = 0;

let labels: i32 = 0;
let lanes: i32 = 0;
let rowBytes: usize = 0;
let mostHistory: usize = 0;
let range: f32 = 0;
let words: usize = 0;
let bases: usize = 0;
let kindRuns: i32 = 0;
let baseRuns: i32 = 0;
let runs: usize = 0;
let runsOfBases: usize = 0;
let keptSlots: usize = 0;
let keptMask: u32 = 0;
let keptRows: usize = 0;
let keptMost: u32 = 0;
let keptCount: usize = 0;
let lastRows: usize = 0;

/** Takes the arrays that the others read; pointers are bytes. */
export function takeBases(
  labelCount: i32,
  width: i32,
  mostHistoryAt: usize,
  historyRange: f32,
  featuresAt: usize,
  basesAt: usize,
  runsPerKind: i32,
  runsPerBase: i32,
  runsAt: usize,
  runsOfBasesAt: usize,
  keptSlotsAt: usize,
  keptCapacity: i32,
  keptRowsAt: usize,
  keptRoom: i32,
  keptCountAt: usize,
  lastRowsAt: usize,
): void {
  labels = labelCount;
  lanes = width;
  rowBytes = (<usize>width) << 2;
  mostHistory = mostHistoryAt;
  range = historyRange;
  words = featuresAt;
  bases = basesAt;
  kindRuns = runsPerKind;
  baseRuns = runsPerBase;
  runs = runsAt;
  runsOfBases = runsOfBasesAt;
  keptSlots = keptSlotsAt;
  keptMask = keptCapacity - 1;
  keptRows = keptRowsAt;
  keptMost = keptRoom;
  keptCount = keptCountAt;
  lastRows = lastRowsAt;
}

/** Touches what the tokens of a stretch bring before the first is looked at, so that memory is waited for once. */
export function touchKinds(kinds: usize, tokens: i32): void {
  let touch: u32 = 0;
  const end = kinds + ((<usize>tokens) << 2);
  for (let at = kinds; at < end; at += 4) {
    const kind = <usize>load<u32>(at);
    touch ^= load<u32>(bases + (kind << 2)) ^ load<u32>(runs + ((kind * kindRuns) << 3));
  }
  const stride: usize = 2 * rowBytes + KEY;
  for (let at = kinds; at < end; at += 4) {
    const kind = <usize>load<u32>(at);
    const base = <usize>load<u32>(bases + (kind << 2));
    const row = keptRows + <usize>load<u32>(lastRows + (base << 2));
    for (let line: usize = 0; line < stride; line += 64) touch ^= load<u32>(row + line);
    const own = runs + ((kind * kindRuns) << 3);
    for (let i: usize = 0; i < <usize>kindRuns; i++) touch ^= load<u32>(words + (<usize>load<u32>(own + (i << 3)) << 2));
  }
  touched = touch;
}

/** The row of a label and a token of some kind, that of its base given; it holds until the next one is asked for. */
export function ownRowOf(kind: u32, p: i32, row: usize): usize {
  const own = runs + <usize>(<i32>kind * kindRuns) * 8;
  let isEmpty = true;
  for (let i: i32 = 0; i < kindRuns; i++) {
    const run = own + ((<usize>i) << 3);
    if (load<u32>(run) != load<u32>(run, 4)) isEmpty = false;
  }
  if (isEmpty) return row;
  for (let at: usize = 0; at < rowBytes; at += 16) v128.store(ownRow + at, v128.load(row + at));
  addHistory(words, own, kindRuns, p, 1, lanes, ownRow);
  return ownRow;
}

/** One lane of the row of a label and a token of some kind. */
export function laneOf(kind: u32, p: i32, c: i32): f32 {
  const base = <i32>load<u32>(bases + ((<usize>kind) << 2));
  const sum = addLane(0, runsOfBases + <usize>(base * baseRuns) * 8, baseRuns, p, c);
  return addLane(sum, runs + <usize>(<i32>kind * kindRuns) * 8, kindRuns, p, c);
}

/** Adds to a lane of the row of a label what some runs bring. */
function addLane(start: f32, runsAt: usize, count: i32, p: i32, c: i32): f32 {
  let sum = start;
  // Touched before the first is read, so that memory is waited for once.
  let touch: u32 = 0;
  for (let i: i32 = 0; i < count; i++) touch ^= load<u32>(words + (<usize>load<u32>(runsAt + ((<usize>i) << 3)) << 2));
  touched = touch;
  for (let i: i32 = 0; i < count; i++) {
    const run = runsAt + ((<usize>i) << 3);
    const end = words + (<usize>load<u32>(run, 4) << 2);
    let word = words + (<usize>load<u32>(run) << 2);
    while (word < end && <i32>(load<u32>(word) >> 16) < p) word = nextFeature(word);
    if (word >= end || <i32>(load<u32>(word) >> 16) != p) continue;
    const next = nextFeature(word);
    if ((load<u32>(word) & 0xffff) == 0) sum += load<f32>(word, 4);
    else for (word += 4; word < next; word += 8) if (<i32>load<u32>(word) == c) sum += load<f32>(word, 4);
  }
  return sum;
}

@inline
function keptHash(base: u32, p: i32): u32 {
  const hash = (base * 0x9e3779b1) ^ ((<u32>p) * 0x85ebca6b);
  return (hash ^ (hash >> 16)) & keptMask;
}

/** The row of a label and a kind's base, and behind it a bound of those of other labels; it holds until the next one is asked for. */
export function baseRowOf(kind: u32, p: i32): usize {
  const base = load<u32>(bases + ((<usize>kind) << 2));
  const stride: usize = 2 * rowBytes + KEY;
  const last = lastRows + ((<usize>base) << 2);
  const guess = keptRows + <usize>load<u32>(last);
  if (load<u32>(guess) == base && <i32>load<u32>(guess, 4) == p) return guess + KEY;
  let slot = keptHash(base, p);
  let kept = load<u32>(keptSlots + ((<usize>slot) << 2));
  while (kept != 0) {
    const row = keptRows + <usize>kept * stride;
    if (load<u32>(row) == base && <i32>load<u32>(row, 4) == p) {
      store<u32>(last, <u32>(row - keptRows));
      return row + KEY;
    }
    slot = (slot + 1) & keptMask;
    kept = load<u32>(keptSlots + ((<usize>slot) << 2));
  }
  kept = load<u32>(keptCount) + 1;
  if (kept == keptMost) {
    memory.fill(keptSlots, 0, (<usize>keptMask + 1) << 2);
    slot = keptHash(base, p);
    kept = 1;
  }
  store<u32>(keptCount, kept);
  store<u32>(keptSlots + ((<usize>slot) << 2), kept);
  const key = keptRows + <usize>kept * stride;
  store<u32>(last, <u32>(key - keptRows));
  store<u32>(key, base);
  store<u32>(key, <u32>p, 4);
  const row = key + KEY;
  for (let at: usize = 0; at < rowBytes; at += 16) v128.store(row + at, f32x4.splat(0));
  const own = runsOfBases + <usize>(<i32>base * baseRuns) * 8;
  addHistory(words, own, baseRuns, p, 1, lanes, row);
  boundHistory(words, own, baseRuns, labels, p, lanes, mostHistory, range, row + rowBytes);
  return row;
}

/** Bound of what a kind's own features add with any label but one; it holds until the next one is asked for. */
export function ownBoundOf(kind: u32, p: i32): usize {
  const own = runs + <usize>(<i32>kind * kindRuns) * 8;
  for (let i: i32 = 0; i < kindRuns; i++) {
    const run = own + ((<usize>i) << 3);
    const end = words + (<usize>load<u32>(run, 4) << 2);
    let word = words + (<usize>load<u32>(run) << 2);
    if (word < end && <i32>(load<u32>(word) >> 16) == p) word = nextFeature(word);
    if (word >= end) continue;
    boundHistory(words, own, kindRuns, labels, p, lanes, zeros, 0, ofOwn);
    return ofOwn;
  }
  return zeros;
}
