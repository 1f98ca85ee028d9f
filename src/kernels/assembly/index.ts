// Everything that the SIMD module exports.
export { addDensePairs } from './dense-pairs';
export { dualStretch } from './dual-epoch';
export { extendPaths } from './extend-paths';
export { extendStretch } from './extend-stretch';
export { addStrings, addWindows, findStrings, findWindows, layOutSentences, moveStrings, takeColumn } from './find-ids';
export { findValues, mapStrings } from './find-values';
export { greedyPath } from './greedy-path';
export { addPairs, listRows, scaleSteps, sumRows } from './score-rows';
export { sumBlocks } from './sum-blocks';
export { addHistory } from './token-history';
export { appendTexts, encodeTags } from './append-tags';
export { findBadByte, scanColumns } from './scan-columns';
