// Everything that the SIMD module exports.
export { dualEpoch } from './dual-epoch';
export { extendPaths } from './extend-paths';
export { addPairs, sumRows } from './score-rows';
