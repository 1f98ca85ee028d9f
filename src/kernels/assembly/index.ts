// Everything that the SIMD module exports.
export { dualEpoch } from './dual-epoch';
export { extendPaths } from './extend-paths';
export { addPairs, addTuple, sumRows } from './score-rows';
