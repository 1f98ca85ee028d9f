// Everything that the SIMD module exports.
export { addDensePairs } from './dense-pairs';
export { dualEpoch } from './dual-epoch';
export { extendPaths } from './extend-paths';
export { extendStretch } from './extend-stretch';
export { addStrings, addWindows, findStrings, findWindows, moveStrings, takeColumn } from './find-ids';
export { findValues, mapStrings } from './find-values';
export { greedyPath } from './greedy-path';
export { addPairs, listRows, sumBlock, sumRows } from './score-rows';
export { sumBlocks } from './sum-blocks';
export { historyRow, historyRows, largestOfRows } from './token-history';
