/** How far apart two distributions of labels are. */
export interface LabelDivergence {
  /** Weighted divergence, in nats. */
  readonly nats: number;
  /** Labels that only one side has, which are left out, sorted. */
  readonly oneSided: readonly string[];
}

/**
 * Weighted Jensen–Shannon divergence as Wu et al. (2008) define it (Eq. 7): n_P/(n_P + n_Q) · KL(P‖Q) + n_Q/(n_P + n_Q) · KL(Q‖P), over
 * the labels that occur on both sides.
 *
 * @param first how often each label occurs.
 * @param second the same of the other data.
 */
export function labelDivergence(
  first: ReadonlyMap<string, number>,
  second: ReadonlyMap<string, number>,
): LabelDivergence {
  const total = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, n) => sum + n, 0);
  const [all, otherAll] = [total(first), total(second)];
  let nats = 0;
  for (const [label, count] of first) {
    const p = count / all;
    const q = (second.get(label) ?? 0) / otherAll;
    if (q > 0) nats += (Math.log(p / q) * (all * p - otherAll * q)) / (all + otherAll);
  }
  const oneSided = [...first.keys(), ...second.keys()].filter(
    (label) => !first.has(label) || !second.has(label),
  );
  return { nats, oneSided: oneSided.sort() };
}
