// Everything that the SIMD module exports.
export { dualEpoch } from './dual-epoch';
export { extendPaths } from './extend-paths';
export { findStrings, findWindows, takeColumn } from './find-ids';
export { addPairs, listRows, sumBlock, sumRows } from './score-rows';
