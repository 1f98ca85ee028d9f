/**
 * A p-value with its sign of relation: `= 0.0123`, `< 0.0001`, `≤ 0.0010`.
 *
 * @param leastP the least that its test can show: one that reaches it may be smaller.
 */
export function showP({ p, leastP = 0 }: { readonly p: number; readonly leastP?: number }): string {
  if (p < 0.0001) return '< 0.0001';
  return `${p <= leastP ? '≤' : '='} ${p.toFixed(4)}`;
}
