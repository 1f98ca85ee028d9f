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
import { BOUND_SLACK, MARGIN_SLACK, ROUNDING } from './constants';
import { linkBound } from './extend-paths';
import { stepOf } from './legal-steps';
import { logSigmoid } from './log-sigmoid';
import { baseRowOf, laneOf, ownBoundOf, ownRowOf, takeBases, touchKinds, zeros } from './history-bases';
import { boundHistory } from './token-history';

/** Most lanes that there is room for here. */
const MOST_LANES: i32 = 512;
/** [classes] float32: the highest upper of the labels that those of a class may follow, but for the top. */
const ofClass = memory.data(MOST_LANES * sizeof<f32>(), 16);
/** [W] bound of what history adds where tokens bring none. */
const ofHistory = memory.data(MOST_LANES * sizeof<f32>(), 16);

/** Bound of rounding errors in an upper, relative to the terms that it sums. */
const UPPER_SLACK: f32 = 1e-6;
/** Bound of the error of the table of log σ. */
const LINK_SLACK: f64 = 1e-6;
/** What `known` says of a label: it was not looked into, */
const UNTRIED: u8 = 0;
/** its score is known, */
const KNOWN: u8 = 1;
/** or it was looked into once, and is not what was needed then; and so on, up to */
const FIRST_TRIED: u8 = 2;
/** this, after which it is found whatever is needed. */
const MOST_TRIED: u8 = 6;
/** Bound of rounding errors in a score that is needed, relative to it. */
const NEED_SLACK: f64 = 1e-9;
/** Larger than any score, and finite. */
const LARGE: f32 = 1e30;

let labels: i32 = 0;
let rowBytes: usize = 0;
let linked: bool = false;
let isHybrid: bool = false;
let rows: usize = 0;
let backs: usize = 0;
let uppers: usize = 0;
let gains: usize = 0;
let margins: usize = 0;
let others: usize = 0;
let bounds: usize = 0;
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
let mostBefore: usize = 0;
let range: f32 = 0;
let masks: usize = 0;
let sources: usize = 0;
let sourceMasks: usize = 0;
let sourceBytes: usize = 0;
let periodFrom: i32 = 0;
let again: i32 = 1;
let left: i32 = 0;
let cubics: usize = 0;
let hasHistory: bool = false;
let kinds: usize = 0;

/** Pointers are bytes, strides are floats; without history of tokens `featuresAt` is 0. */
export function extendStretch(
  labelCount: i32,
  width: i32,
  link: i32,
  rowsAt: usize,
  tokens: i32,
  remaining: i32,
  isStart: i32,
  hybrid: i32,
  isLast: i32,
  backsAt: usize,
  uppersAt: usize,
  gainsAt: usize,
  marginsAt: usize,
  othersAt: usize,
  boundsAt: usize,
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
  mostBeforeAt: usize,
  historyRange: f32,
  masksAt: usize,
  sourcesAt: usize,
  sourceMasksAt: usize,
  periodStart: i32,
  period: i32,
  best: usize,
  cubicsAt: usize,
  featuresAt: usize,
  kindsAt: usize,
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
): i32 {
  labels = labelCount;
  rowBytes = (<usize>width) << 2;
  linked = link == 1;
  isHybrid = hybrid == 1;
  rows = rowsAt;
  backs = backsAt;
  uppers = uppersAt;
  gains = gainsAt;
  margins = marginsAt;
  others = othersAt;
  bounds = boundsAt;
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
  mostBefore = mostBeforeAt;
  range = historyRange;
  masks = masksAt;
  sources = sourcesAt;
  sourceMasks = sourceMasksAt;
  sourceBytes = (<usize>(labels * labels + 2 * labels + 2)) << 2;
  periodFrom = periodStart;
  again = period;
  left = remaining;
  cubics = cubicsAt;
  hasHistory = featuresAt != 0;
  kinds = kindsAt;
  if (hasHistory) {
    takeBases(
      labelCount,
      width,
      mostHistoryAt,
      historyRange,
      featuresAt,
      basesAt,
      runsPerKind,
      runsPerBase,
      runsAt,
      runsOfBasesAt,
      keptSlotsAt,
      keptCapacity,
      keptRowsAt,
      keptRoom,
      keptCountAt,
      lastRowsAt,
    );
    touchKinds(kindsAt, tokens);
  } else boundHistory(0, 0, 0, labels, -1, width, mostHistoryAt, range, ofHistory);
  if (isStart == 1) takeStart();
  else takeBest(best);
  memory.fill(known + <usize>labels, 0, <usize>(tokens * labels));

  for (let t: i32 = 1; t <= tokens; t++) {
    const step = stepOf(periodFrom, again, left - (t - 1));
    const p = <i32>load<u16>(tops + ((<usize>(t - 1)) << 1));
    const reference = scoreOf(t - 1, p);
    store<f64>(references + ((<usize>t) << 3), reference);
    // The reference of the uppers before was another one.
    const shift = <f32>(load<f64>(references + ((<usize>(t - 1)) << 3)) - reference);
    if (p < labels) findOthers(t, step, p, shift);
    let peak = boundAll(t, p, masks + <usize>(step * (labels + 1) + p) * rowBytes);
    const upperRow = uppers + <usize>t * rowBytes;
    let top = laneOfPeak(upperRow, peak);
    while (load<u8>(known + <usize>(t * labels + top)) != KNOWN) {
      open(t, top, -Infinity);
      if (load<f32>(upperRow + ((<usize>top) << 2)) >= peak) break;
      peak = highestOf(upperRow);
      top = laneOfPeak(upperRow, peak);
    }
    store<u16>(tops + ((<usize>t) << 1), <u16>top);
  }

  let top = <i32>load<u16>(tops + ((<usize>tokens) << 1));
  let most = scoreOf(tokens, top);
  for (let c: i32 = 0; c < labels; c++) {
    const node = tokens * labels + c;
    if (load<u8>(known + <usize>node) != KNOWN) {
      // At the end of the sentence only what may be the best matters.
      if (isLast && upperOf(tokens, c) < most) continue;
      open(tokens, c, isLast ? most : -Infinity);
      if (load<u8>(known + <usize>node) != KNOWN) continue;
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

/** Makes the start of the sentence, a path of score 0 whose last label is L, what stands before the stretch. */
function takeStart(): void {
  store<f64>(references, 0);
  store<u16>(tops, <u16>labels);
  for (let at: usize = 0; at < rowBytes; at += 16) v128.store(uppers + at, f32x4.splat(-Infinity));
  for (let c: usize = 0; c < <usize>labels; c++) store<f64>(scores + (c << 3), -Infinity);
  memory.fill(known, 1, <usize>labels);
  for (let at: usize = 0; at < rowBytes; at += 16) v128.store(others + rowBytes + at, f32x4.splat(-Infinity));
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
  }
  memory.fill(known, 1, <usize>labels);
}

/** Finds for every label of a token the highest upper of the labels that it may follow, but for the top; relative to the top's score. */
function findOthers(t: i32, step: i32, top: i32, shift: f32): void {
  const row = uppers + <usize>(t - 1) * rowBytes;
  const topAt = row + ((<usize>top) << 2);
  const ofTop = load<f32>(topAt);
  store<f32>(topAt, -Infinity);
  const block = sources + <usize>step * sourceBytes;
  const classes = load<u32>(block);
  const starts = block + ((<usize>(labels + 1)) << 2);
  const lists = block + ((<usize>(2 * labels + 2)) << 2);
  const still: f32 = (abs(shift) + 1) * UPPER_SLACK;
  let at = lists;
  for (let k: u32 = 0; k < classes; k++) {
    const end = lists + ((<usize>load<u32>(starts + ((<usize>(k + 1)) << 2))) << 2);
    let most: f32 = -Infinity;
    for (; at < end; at += 4) {
      const upper = load<f32>(row + ((<usize>load<u32>(at)) << 2));
      most = select<f32>(upper, most, upper > most);
    }
    // A sum with −∞ must stay that.
    const slack = min(abs(most), LARGE) * (2 * UPPER_SLACK) + still;
    store<f32>(ofClass + ((<usize>k) << 2), most + shift + slack);
  }
  const end = block + 4 + ((<usize>labels) << 2);
  let to = others + <usize>t * rowBytes;
  // Lanes beyond the labels never win.
  for (let at = (<usize>labels >> 2) << 4; at < rowBytes; at += 16) v128.store(to + at, f32x4.splat(-Infinity));
  for (let from = block + 4; from < end; from += 4) {
    store<f32>(to, load<f32>(ofClass + ((<usize>load<u32>(from)) << 2)));
    to += 4;
  }
  store<f32>(topAt, ofTop);
}

/** Bounds all labels of a token; the top before it, p, has the score 0 here. Returns the highest upper. */
function boundAll(t: i32, p: i32, legal: usize): f32 {
  const own = rows + <usize>(t - 1) * rowBytes;
  const out = uppers + <usize>t * rowBytes;
  const gain = gains + <usize>t * rowBytes;
  const margin = margins + <usize>t * rowBytes;
  const other = others + <usize>t * rowBytes;
  const b = beforeOf(t - 1, p);
  let history = ofHistory;
  let ofKind = zeros;
  let tokenRow = zeros;
  if (hasHistory) {
    const kind = load<u32>(kinds + ((<usize>(t - 1)) << 2));
    const row = baseRowOf(kind, p);
    tokenRow = ownRowOf(kind, p, row);
    history = row + rowBytes;
    ofKind = ownBoundOf(kind, p);
  }
  if ((firstBytes | secondBytes | pairBytes) != 0) {
    const firstRow = first + <usize>p * firstBytes;
    const secondRow = second + <usize>b * secondBytes;
    const pairRow = pair + <usize>(p * (labels + 1) + b) * pairBytes;
    for (let at: usize = 0; at < rowBytes; at += 16) {
      let sum = f32x4.add(v128.load(own + at), v128.load(firstRow + at));
      sum = f32x4.add(sum, v128.load(secondRow + at));
      sum = f32x4.add(sum, v128.load(pairRow + at));
      v128.store(margin + at, f32x4.add(sum, v128.load(tokenRow + at)));
    }
  } else {
    for (let at: usize = 0; at < rowBytes; at += 16) {
      v128.store(margin + at, f32x4.add(v128.load(own + at), v128.load(tokenRow + at)));
    }
  }
  const lowest = f32x4.splat(-Infinity);
  let peaks = lowest;
  for (let at: usize = 0; at < rowBytes; at += 16) {
    const fixed = v128.load(own + at);
    let most = f32x4.add(f32x4.add(fixed, v128.load(history + at)), v128.load(ofKind + at));
    most = f32x4.add(most, f32x4.mul(f32x4.abs(fixed), f32x4.splat(BOUND_SLACK)));
    let ofTop = v128.load(margin + at);
    if (linked) {
      ofTop = linkBound(ofTop);
      most = linkBound(f32x4.add(most, f32x4.splat(MARGIN_SLACK)));
      most = f32x4.mul(most, f32x4.splat(1 - UPPER_SLACK));
    }
    v128.store(gain + at, most);
    ofTop = v128.bitselect(ofTop, lowest, v128.load(legal + at));
    const upper = f32x4.pmax(ofTop, f32x4.add(most, v128.load(other + at)));
    v128.store(out + at, upper);
    peaks = f32x4.pmax(peaks, upper);
  }
  return highestLane(peaks);
}

@inline
function highestLane(peaks: v128): f32 {
  let all = f32x4.pmax(peaks, v128.shuffle<f32>(peaks, peaks, 2, 3, 0, 1));
  all = f32x4.pmax(all, v128.shuffle<f32>(all, all, 1, 0, 3, 2));
  return f32x4.extract_lane(all, 0);
}

/** The highest number of a row. */
function highestOf(row: usize): f32 {
  let peaks = v128.load(row);
  for (let at: usize = 16; at < rowBytes; at += 16) peaks = f32x4.pmax(peaks, v128.load(row + at));
  return highestLane(peaks);
}

/** The first label that has the highest number of a row. */
function laneOfPeak(row: usize, peak: f32): i32 {
  const peaks = f32x4.splat(peak);
  for (let at: usize = 0; at < rowBytes; at += 16) {
    const same = i32x4.bitmask(f32x4.eq(peaks, v128.load(row + at)));
    if (same != 0) return min(<i32>(at >> 2) + ctz(same), labels - 1);
  }
  return 0;
}

/**
 * Finds the best path that reaches a label of a token. Where no path's score is as high as `need`, the label stays unknown, with a bound
 * that says so: what would not be used is not found. A label that was asked for five times is found whatever is needed, so
 * that search stays linear in labels.
 */
function open(t: i32, c: i32, needed: f64): void {
  const node = t * labels + c;
  const tried = load<u8>(known + <usize>node);
  const need = tried == MOST_TRIED ? -Infinity : needed;
  const lane = (<usize>c) << 2;
  const fixed = load<f32>(rows + <usize>(t - 1) * rowBytes + lane);
  const bound = <f64>load<f32>(gains + <usize>t * rowBytes + lane);
  const kind = hasHistory ? load<u32>(kinds + ((<usize>(t - 1)) << 2)) : 0;
  const step = stepOf(periodFrom, again, left - (t - 1));
  const top = <i32>load<u16>(tops + ((<usize>(t - 1)) << 1));
  let most: f64 = -Infinity;
  let path: i32 = 0;
  let pathScore: f64 = -Infinity;
  // The top first: what it gives mostly spares the others.
  if (load<i32>(masks + <usize>(step * (labels + 1) + top) * rowBytes + lane) != 0) {
    pathScore = scoreOf(t - 1, top);
    const margin = <f64>load<f32>(margins + <usize>t * rowBytes + lane);
    most = pathScore + (linked ? logSigmoid(margin, cubics) : margin);
    path = top;
  }
  const other = <f64>load<f32>(others + <usize>t * rowBytes + lane) + load<f64>(references + ((<usize>t) << 3)) + bound;
  if (other >= most && other != -Infinity) {
    const list = load<u32>(sources + <usize>step * sourceBytes + lane, 4);
    const mask = sourceMasks + <usize>(step * labels + <i32>list) * rowBytes;
    boundSources(t, c, top, fixed, <f32>bound, mask);
    const row = bounds + <usize>t * rowBytes;
    const reference = load<f64>(references + ((<usize>(t - 1)) << 3));
    // The likeliest source first: what it gives mostly spares opening the others, which would go on back to the start.
    for (;;) {
      const peak = highestOf(row);
      if (peak == -Infinity || <f64>peak + reference < max(most, need)) break;
      const p = laneOfPeak(row, peak);
      store<f32>(row + ((<usize>p) << 2), -Infinity);
      const least = max(most, need);
      const before = (t - 1) * labels + p;
      let gain: f64 = Infinity;
      if (load<u8>(known + <usize>before) != KNOWN) {
        // What it gains is known before it is, unless that reads the label before it: then it has a bound.
        const mostGain = isHybrid ? mostGainOf(p, c, fixed, kind) : gainOf(t, p, c, fixed, kind);
        if (upperOf(t - 1, p) + mostGain < least) continue;
        if (!isHybrid) gain = mostGain;
        const itsNeed = least - mostGain;
        open(t - 1, p, itsNeed - (abs(itsNeed) + 1) * NEED_SLACK);
        if (load<u8>(known + <usize>before) != KNOWN) continue;
      }
      const score = load<f64>(scores + ((<usize>before) << 3));
      if (score == -Infinity || score + bound < least) continue;
      if (gain == Infinity) gain = gainOf(t, p, c, fixed, kind);
      const total = score + gain;
      // Of equals the path of higher score, then the first.
      if (total > most || (total == most && (score > pathScore || (score == pathScore && p < path)))) {
        most = total;
        path = p;
        pathScore = score;
      }
    }
  }
  const upperAt = uppers + <usize>t * rowBytes + lane;
  const reference = load<f64>(references + ((<usize>t) << 3));
  if (most < need) {
    store<f32>(upperAt, min(load<f32>(upperAt), raised(<f32>(need - reference))));
    store<u8>(known + <usize>node, tried == UNTRIED ? FIRST_TRIED : tried + 1);
    return;
  }
  store<f64>(scores + ((<usize>node) << 3), most);
  store<u16>(backs + ((<usize>node) << 1), <u16>path);
  store<u8>(known + <usize>node, KNOWN);
  store<f32>(upperAt, raised(<f32>(most - reference)));
}

/** Gain of a path of the known label p at −1 by a label. */
@inline
function gainOf(t: i32, p: i32, c: i32, fixed: f32, kind: u32): f64 {
  const b = beforeOf(t - 1, p);
  const lane = (<usize>c) << 2;
  let margin = fixed + load<f32>(first + <usize>p * firstBytes + lane);
  margin += load<f32>(second + <usize>b * secondBytes + lane);
  margin += load<f32>(pair + <usize>(p * (labels + 1) + b) * pairBytes + lane);
  if (hasHistory) margin += laneOf(kind, p, c);
  return linked ? logSigmoid(<f64>margin, cubics) : <f64>margin;
}

/**
 * Bounds the paths to a label by the label before it, relative to the reference of the token before: −∞ for the top, and for what it
 * may not follow.
 */
function boundSources(t: i32, c: i32, top: i32, fixed: f32, bound: f32, mask: usize): void {
  const from = uppers + <usize>(t - 1) * rowBytes;
  const most = mostBefore + <usize>c * rowBytes;
  const to = bounds + <usize>t * rowBytes;
  const lowest = f32x4.splat(-Infinity);
  const own = f32x4.splat(fixed);
  const slack = f32x4.splat(linked ? MARGIN_SLACK : ROUNDING * (1 + abs(fixed) + range));
  for (let at: usize = 0; at < rowBytes; at += 16) {
    const legal = v128.load(mask + at);
    if (!v128.any_true(legal)) {
      v128.store(to + at, lowest);
      continue;
    }
    let gain = f32x4.splat(bound);
    if (!hasHistory) {
      gain = f32x4.add(f32x4.add(own, v128.load(most + at)), slack);
      if (linked) gain = linkBound(gain);
    }
    const upper = f32x4.add(v128.load(from + at), gain);
    const size = f32x4.add(f32x4.pmin(f32x4.abs(upper), f32x4.splat(LARGE)), f32x4.splat(1));
    const raised = f32x4.add(upper, f32x4.mul(size, f32x4.splat(2 * UPPER_SLACK)));
    v128.store(to + at, v128.bitselect(raised, lowest, legal));
  }
  store<f32>(to + ((<usize>top) << 2), -Infinity);
}

/** Bound of the gain of paths of the label p at −1 by a label, whatever label is before p. */
@inline
function mostGainOf(p: i32, c: i32, fixed: f32, kind: u32): f64 {
  const most = load<f32>(mostBefore + <usize>c * rowBytes + ((<usize>p) << 2));
  const token = hasHistory ? laneOf(kind, p, c) : 0;
  const margin = <f64>(fixed + most + token);
  if (linked) return min(0, logSigmoid(margin + MARGIN_SLACK, cubics) + LINK_SLACK);
  return margin + <f64>(ROUNDING * (1 + abs(fixed) + abs(token) + range));
}

/** The score of a known label, or of the start. */
@inline
function scoreOf(t: i32, p: i32): f64 {
  return p == labels ? 0 : load<f64>(scores + ((<usize>(t * labels + p)) << 3));
}

/** Upper bound of the score of paths to a label. */
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
  return isHybrid && p < labels ? <i32>load<u16>(backs + ((<usize>(t * labels + p)) << 1)) : labels;
}
