/** A p-value with its sign of relation: `= 0.0123`, `< 0.0001`. */
export function showP(p: number): string {
  return p < 0.0001 ? '< 0.0001' : `= ${p.toFixed(4)}`;
}
