// Everything that the SIMD module exports.
export { addDensePairs } from './dense-pairs';
export { dualEpoch } from './dual-epoch';
export { extendPaths } from './extend-paths';
export { extendStretch } from './extend-stretch';
export { findStrings, findWindows, takeColumn } from './find-ids';
export { greedyPath } from './greedy-path';
export { addPairs, listRows, sumBlock, sumRows } from './score-rows';
export { addHistory } from './token-history';
