// Everything that the SIMD module exports.
export { addDensePairs } from './dense-pairs';
export { dualEpoch } from './dual-epoch';
export { extendPaths } from './extend-paths';
export { extendStretch } from './extend-stretch';
export { findStrings, findWindows, takeColumn } from './find-ids';
export { greedyPath } from './greedy-path';
export { addPairs, listRows, scaleSteps, sumBlock, sumRows, sumStepRows } from './score-rows';
export { historyRow, historyRows, largestOfRows } from './token-history';
