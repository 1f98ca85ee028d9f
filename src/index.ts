/**
 * Everything of `spanwright/label`, `spanwright/train` and `spanwright/evaluate`. Runs in Node, browsers and workers alike; files
 * and threads are in `spanwright/node`.
 */

export * from './evaluate.js';
export * from './label.js';
export * from './train.js';
