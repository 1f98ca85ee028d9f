/**
 * How label values become the log scores that add up along a path.
 *
 * - `identity`: the value itself (CRF, structured models).
 * - `log-sigmoid`: log σ(2f), the probability that an SVM margin f stands for.
 * - `log-softmax`: f − log Σ exp f over all L labels, legal or not; with a decision rule, over the legal ones (multinomial models).
 */
export type Link = 'identity' | 'log-sigmoid' | 'log-softmax';

/** All links. */
export const LINKS: readonly Link[] = ['identity', 'log-sigmoid', 'log-softmax'];
