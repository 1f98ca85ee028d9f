/**
 * The twin of `../extend-stretch.ts`, which finds the same best path without looking at most others (CarpeDiem: Esposito &
 * Radicioni 2009). Of each token only the label of the highest upper bound is scored; the others keep the bound
 *
 *   max(upper of the best path so far + its own margin, upper of the best other source + fixed + most history)
 *
 * and are scored ("opened") only where the bound says that the best path of a later token might come from them.
 *
 * Uppers are float32, relative to a float64 score of the token before, so that they stay small; scores are float64.
 */
import { MARGIN_SLACK, ROUNDING } from './constants';
import { linkBound } from './extend-paths';
import { stepOf } from './legal-steps';
import { logSigmoid } from './log-sigmoid';
import { historyRow } from './token-history';

/** Most lanes that there is room for here. */
const MOST_LANES: i32 = 512;
/** [W] float32: the highest upper of a label's sources but for the token's top, */
const others = memory.data(MOST_LANES * sizeof<f32>(), 16);
/** [classes] the same by class of labels. */
const ofClass = memory.data(MOST_LANES * sizeof<f32>(), 16);

/** What rounding can add to an upper, relative to what it is the sum of. */
const UPPER_SLACK: f32 = 1e-6;
/** Larger than any score, and finite. */
const LARGE: f32 = 1e30;

let labels: i32 = 0;
let rowBytes: usize = 0;
let linked: bool = false;
let isHybrid: bool = false;
let rows: usize = 0;
let backs: usize = 0;
let uppers: usize = 0;
let scores: usize = 0;
let known: usize = 0;
let references: usize = 0;
let tops: usize = 0;
let first: usize = 0;
let second: usize = 0;
let pair: usize = 0;
let firstBytes: usize = 0;
let secondBytes: usize = 0;
let pairBytes: usize = 0;
let mostHistory: usize = 0;
let range: f32 = 0;
let masks: usize = 0;
let sources: usize = 0;
/** The token whose sources `others` is about. */
let othersAt: i32 = 0;
let sourceBytes: usize = 0;
let start: i32 = 0;
let again: i32 = 1;
let left: i32 = 0;
let cubics: usize = 0;
let lanes: i32 = 0;
let runCount: i32 = 0;
let words: usize = 0;
let places: usize = 0;
let runs: usize = 0;
let mosts: usize = 0;
let kinds: usize = 0;
let keptKinds: usize = 0;
let keptRows: usize = 0;
let keptMask: u32 = 0;

/** Pointers are bytes, strides are floats; without history of tokens `historyRuns` is 0. */
export function extendStretch(
  labelCount: i32,
  width: i32,
  link: i32,
  rowsAt: usize,
  tokens: i32,
  remaining: i32,
  hybrid: i32,
  isLast: i32,
  backsAt: usize,
  uppersAt: usize,
  scoresAt: usize,
  knownAt: usize,
  referencesAt: usize,
  topsAt: usize,
  firstAt: usize,
  firstStride: i32,
  secondAt: usize,
  secondStride: i32,
  pairAt: usize,
  pairStride: i32,
  mostHistoryAt: usize,
  historyRange: f32,
  masksAt: usize,
  sourcesAt: usize,
  periodStart: i32,
  period: i32,
  best: usize,
  cubicsAt: usize,
  historyRuns: i32,
  wordsAt: usize,
  placesAt: usize,
  runsAt: usize,
  mostsAt: usize,
  kindsAt: usize,
  keptKindsAt: usize,
  keptRowsAt: usize,
  keptCount: i32,
): i32 {
  lanes = width;
  runCount = historyRuns;
  words = wordsAt;
  places = placesAt;
  runs = runsAt;
  mosts = mostsAt;
  kinds = kindsAt;
  keptKinds = keptKindsAt;
  keptRows = keptRowsAt;
  keptMask = keptCount - 1;
  labels = labelCount;
  rowBytes = (<usize>width) << 2;
  linked = link == 1;
  isHybrid = hybrid == 1;
  rows = rowsAt;
  backs = backsAt;
  uppers = uppersAt;
  scores = scoresAt;
  known = knownAt;
  references = referencesAt;
  tops = topsAt;
  first = firstAt;
  second = secondAt;
  pair = pairAt;
  firstBytes = (<usize>firstStride) << 2;
  secondBytes = (<usize>secondStride) << 2;
  pairBytes = (<usize>pairStride) << 2;
  mostHistory = mostHistoryAt;
  range = historyRange;
  masks = masksAt;
  sources = sourcesAt;
  sourceBytes = (<usize>(labels * labels + 2 * labels + 2)) << 2;
  start = periodStart;
  again = period;
  left = remaining;
  cubics = cubicsAt;
  othersAt = 0;
  takeBest(best);
  memory.fill(known + <usize>labels, 0, <usize>(tokens * labels));
  for (let at: usize = 0; at < rowBytes; at += 16) v128.store(others + at, f32x4.splat(-Infinity));

  for (let t: i32 = 1; t <= tokens; t++) {
    const step = stepOf(start, again, left - (t - 1));
    const p = <i32>load<u16>(tops + ((<usize>(t - 1)) << 1));
    const reference = load<f64>(scores + ((<usize>((t - 1) * labels + p)) << 3));
    store<f64>(references + ((<usize>t) << 3), reference);
    // The reference of the uppers before was another one.
    const shift = <f32>(load<f64>(references + ((<usize>(t - 1)) << 3)) - reference);
    findOthers(t - 1, step, p);
    othersAt = t;
    boundAll(t, p, shift, masks + <usize>(step * (labels + 1) + p) * rowBytes);
    let top = highest(t);
    while (load<u8>(known + <usize>(t * labels + top)) == 0) {
      open(t, top);
      top = highest(t);
    }
    store<u16>(tops + ((<usize>t) << 1), <u16>top);
  }

  let top = <i32>load<u16>(tops + ((<usize>tokens) << 1));
  let most = load<f64>(scores + ((<usize>(tokens * labels + top)) << 3));
  for (let c: i32 = 0; c < labels; c++) {
    const node = tokens * labels + c;
    if (load<u8>(known + <usize>node) == 0) {
      // At the end of the sentence only what may be the best matters.
      if (isLast && upperOf(tokens, c) < most) continue;
      open(tokens, c);
    }
    const score = load<f64>(scores + ((<usize>node) << 3));
    store<f64>(best + ((<usize>c) << 3), score);
    if (score > most || (score == most && c < top)) {
      most = score;
      top = c;
    }
  }
  return top;
}

/** Makes the paths that reach the token before the stretch its row 0. */
function takeBest(best: usize): void {
  let top: i32 = 0;
  for (let c: i32 = 0; c < labels; c++) {
    if (load<f64>(best + ((<usize>c) << 3)) > load<f64>(best + ((<usize>top) << 3))) top = c;
  }
  const reference = load<f64>(best + ((<usize>top) << 3));
  store<f64>(references, reference);
  store<u16>(tops, <u16>top);
  for (let at: usize = 0; at < rowBytes; at += 16) v128.store(uppers + at, f32x4.splat(-Infinity));
  for (let c: i32 = 0; c < labels; c++) {
    const score = load<f64>(best + ((<usize>c) << 3));
    store<f64>(scores + ((<usize>c) << 3), score);
    store<f32>(uppers + ((<usize>c) << 2), raised(<f32>(score - reference)));
    store<u8>(known + <usize>c, 1);
  }
}

/** Finds for every label the highest upper of the labels that it may follow, but for the top. */
function findOthers(t: i32, step: i32, top: i32): void {
  const row = uppers + <usize>t * rowBytes;
  const topAt = row + ((<usize>top) << 2);
  const ofTop = load<f32>(topAt);
  store<f32>(topAt, -Infinity);
  const block = sources + <usize>step * sourceBytes;
  const classes = load<u32>(block);
  const starts = block + ((<usize>(labels + 1)) << 2);
  const lists = block + ((<usize>(2 * labels + 2)) << 2);
  let at = lists;
  for (let k: u32 = 0; k < classes; k++) {
    const end = lists + ((<usize>load<u32>(starts + ((<usize>(k + 1)) << 2))) << 2);
    let most: f32 = -Infinity;
    for (; at < end; at += 4) {
      const upper = load<f32>(row + ((<usize>load<u32>(at)) << 2));
      most = select<f32>(upper, most, upper > most);
    }
    store<f32>(ofClass + ((<usize>k) << 2), most);
  }
  for (let c: usize = 0; c < (<usize>labels) << 2; c += 4) {
    store<f32>(others + c, load<f32>(ofClass + ((<usize>load<u32>(block + c, 4)) << 2)));
  }
  store<f32>(topAt, ofTop);
}

/** Bounds all labels of a token; the top before it has the score 0 here. */
function boundAll(t: i32, p: i32, shift: f32, legal: usize): void {
  const own = rows + <usize>(t - 1) * rowBytes;
  const out = uppers + <usize>t * rowBytes;
  const b = beforeOf(t - 1, p);
  const firstRow = first + <usize>p * firstBytes;
  const secondRow = second + <usize>b * secondBytes;
  const pairRow = pair + <usize>(p * (labels + 1) + b) * pairBytes;
  const shifts = f32x4.splat(shift);
  const kind = runCount > 0 ? load<u32>(kinds + ((<usize>(t - 1)) << 2)) : 0;
  const tokenRow = runCount > 0 ? tokenRowOf(kind, p) : 0;
  const mostToken = mosts + <usize>kind * rowBytes;
  for (let at: usize = 0; at < rowBytes; at += 16) {
    const fixed = v128.load(own + at);
    let margin = f32x4.add(fixed, v128.load(firstRow + at));
    margin = f32x4.add(margin, v128.load(secondRow + at));
    margin = f32x4.add(margin, v128.load(pairRow + at));
    let most = f32x4.add(fixed, v128.load(mostHistory + at));
    let sizes = f32x4.abs(fixed);
    if (runCount > 0) {
      margin = f32x4.add(margin, v128.load(tokenRow + at));
      const ofToken = v128.load(mostToken + at);
      most = f32x4.add(most, ofToken);
      sizes = f32x4.add(sizes, f32x4.abs(ofToken));
    }
    if (linked) {
      margin = linkBound(margin);
      most = linkBound(f32x4.add(most, f32x4.splat(MARGIN_SLACK)));
    } else {
      sizes = f32x4.add(sizes, f32x4.splat(1 + range));
      most = f32x4.add(most, f32x4.mul(sizes, f32x4.splat(ROUNDING)));
    }
    margin = v128.bitselect(margin, f32x4.splat(-Infinity), v128.load(legal + at));
    const other = v128.load(others + at);
    // A sum with −∞ must stay that.
    sizes = f32x4.add(f32x4.pmin(f32x4.abs(other), f32x4.splat(LARGE)), f32x4.abs(most));
    const slack = f32x4.mul(f32x4.add(sizes, f32x4.splat(1 + abs(shift))), f32x4.splat(UPPER_SLACK));
    most = f32x4.add(f32x4.add(f32x4.add(other, shifts), most), slack);
    v128.store(out + at, f32x4.pmax(margin, most));
  }
}

/** The label of the highest upper. */
function highest(t: i32): i32 {
  const row = uppers + <usize>t * rowBytes;
  let mosts = v128.load(row);
  for (let at: usize = 16; at < rowBytes; at += 16) mosts = f32x4.pmax(mosts, v128.load(row + at));
  mosts = f32x4.pmax(mosts, v128.shuffle<f32>(mosts, mosts, 2, 3, 0, 1));
  mosts = f32x4.pmax(mosts, v128.shuffle<f32>(mosts, mosts, 1, 0, 3, 2));
  for (let at: usize = 0; at < rowBytes; at += 16) {
    const same = i32x4.bitmask(f32x4.eq(mosts, v128.load(row + at)));
    if (same != 0) return min(<i32>(at >> 2) + ctz(same), labels - 1);
  }
  return 0;
}

/** Finds the best path that reaches a label of a token. */
function open(t: i32, c: i32): void {
  const node = t * labels + c;
  const fixed = load<f32>(rows + <usize>(t - 1) * rowBytes + ((<usize>c) << 2));
  let bound = fixed + load<f32>(mostHistory + ((<usize>c) << 2));
  let size = abs(fixed) + 1 + range;
  const kind = runCount > 0 ? load<u32>(kinds + ((<usize>(t - 1)) << 2)) : 0;
  if (runCount > 0) {
    const most = load<f32>(mosts + <usize>kind * rowBytes + ((<usize>c) << 2));
    bound += most;
    size += abs(most);
  }
  if (linked) bound = f32x4.extract_lane(linkBound(f32x4.splat(bound + MARGIN_SLACK)), 0);
  else bound += size * ROUNDING;
  const step = stepOf(start, again, left - (t - 1));
  const top = <i32>load<u16>(tops + ((<usize>(t - 1)) << 1));
  let most: f64 = -Infinity;
  let path: i32 = 0;
  let pathScore: f64 = -Infinity;
  // The top first: what it gives mostly spares the others.
  if (load<i32>(masks + <usize>(step * (labels + 1) + top) * rowBytes + ((<usize>c) << 2)) != 0) {
    pathScore = load<f64>(scores + ((<usize>((t - 1) * labels + top)) << 3));
    most = pathScore + gainOf(t, top, c, fixed, kind);
    path = top;
  }
  let other = Infinity;
  if (othersAt == t) {
    other = <f64>load<f32>(others + ((<usize>c) << 2)) + load<f64>(references + ((<usize>(t - 1)) << 3)) + <f64>bound;
  }
  if (other >= most && other != -Infinity) {
    const block = sources + <usize>step * sourceBytes;
    const starts = block + ((<usize>(labels + 1 + load<u32>(block + ((<usize>c) << 2), 4))) << 2);
    const lists = block + ((<usize>(2 * labels + 2)) << 2);
    const to = lists + ((<usize>load<u32>(starts, 4)) << 2);
    for (let at = lists + ((<usize>load<u32>(starts)) << 2); at < to; at += 4) {
      const p = <i32>load<u32>(at);
      if (p == top || upperOf(t - 1, p) + <f64>bound < most) continue;
      const before = (t - 1) * labels + p;
      if (load<u8>(known + <usize>before) == 0) {
        // What it gains is known before it is, unless that reads the label before it.
        if (!isHybrid && upperOf(t - 1, p) + gainOf(t, p, c, fixed, kind) < most) continue;
        open(t - 1, p);
      }
      const score = load<f64>(scores + ((<usize>before) << 3));
      if (score == -Infinity || score + <f64>bound < most) continue;
      const total = score + gainOf(t, p, c, fixed, kind);
      // Of equals the path of higher score, then the first.
      if (total > most || (total == most && (score > pathScore || (score == pathScore && p < path)))) {
        most = total;
        path = p;
        pathScore = score;
      }
    }
  }
  store<f64>(scores + ((<usize>node) << 3), most);
  store<u16>(backs + ((<usize>node) << 1), <u16>path);
  store<u8>(known + <usize>node, 1);
  const upper = <f32>(most - load<f64>(references + ((<usize>t) << 3)));
  store<f32>(uppers + <usize>t * rowBytes + ((<usize>c) << 2), raised(upper));
}

/** What a path of the known label p at −1 gains by a label. */
@inline
function gainOf(t: i32, p: i32, c: i32, fixed: f32, kind: u32): f64 {
  const b = beforeOf(t - 1, p);
  const lane = (<usize>c) << 2;
  let margin = fixed + load<f32>(first + <usize>p * firstBytes + lane);
  margin += load<f32>(second + <usize>b * secondBytes + lane);
  margin += load<f32>(pair + <usize>(p * (labels + 1) + b) * pairBytes + lane);
  if (runCount > 0) margin += load<f32>(tokenRowOf(kind, p) + lane);
  return linked ? logSigmoid(<f64>margin, cubics) : <f64>margin;
}

/** The row of a label and a token of some kind; it holds until the next one is asked for. */
function tokenRowOf(kind: u32, p: i32): usize {
  const hash = (kind * 0x9e3779b1) ^ ((<u32>p) * 0x85ebca6b);
  const place = (hash ^ (hash >> 16)) & keptMask;
  const row = keptRows + <usize>place * rowBytes;
  const key = keptKinds + ((<usize>place) << 3);
  // Kind 0 with label 0 would be found in an empty place.
  if (load<u32>(key) != kind + 1 || load<u32>(key, 4) != <u32>p) {
    store<u32>(key, kind + 1);
    store<u32>(key, <u32>p, 4);
    historyRow(words, places, runCount, runs + (<usize>(kind * runCount) << 3), p, lanes, row);
  }
  return row;
}

/** What no path to a label scores more than. */
@inline
function upperOf(t: i32, c: i32): f64 {
  return <f64>load<f32>(uppers + <usize>t * rowBytes + ((<usize>c) << 2)) + load<f64>(references + ((<usize>t) << 3));
}

/** An upper that no rounding to float32 has lowered. */
@inline
function raised(upper: f32): f32 {
  return upper + (min(abs(upper), LARGE) + 1) * UPPER_SLACK;
}

/** The label before a label whose path is known, as scores are told it. */
@inline
function beforeOf(t: i32, p: i32): i32 {
  return isHybrid ? <i32>load<u16>(backs + ((<usize>(t * labels + p)) << 1)) : labels;
}
