// Everything that the SIMD module exports.
export { addDensePairs } from './dense-pairs';
export { dualEpoch } from './dual-epoch';
export { extendPaths } from './extend-paths';
export { extendStretch } from './extend-stretch';
export { findStrings, findWindows, takeColumn } from './find-ids';
export { greedyPath } from './greedy-path';
export {
  addPairs,
  addStepPairs,
  listRows,
  scaleSteps,
  sumBlock,
  sumRows,
  sumStepBlock,
  sumStepRows,
} from './score-rows';
export { historyRow, historyRows, largestOfRows } from './token-history';
