/** Largest violation of the optimality conditions at which {@link hildreth} stops. */
const TOLERANCE = 1e-8;
/** Most steps it takes. */
const MOST_STEPS = 10_000;

/**
 * Hildreth's algorithm (Censor & Zenios 1997) for the smallest change of a weight vector that meets some linear
 * constraints:
 *
 *   min ½ ‖Σ α_i d_i‖²  such that  d_i · Σ_j α_j d_j ≥ b_i,  0 ≤ α_i ≤ C
 *
 * by its dual, one α at a time: the one whose optimality condition is violated most. A constraint with d_i = 0 cannot be
 * met by any change and is left alone.
 *
 * @param products [n × n] d_i · d_j.
 * @param gaps [n] b_i; what remains of them afterwards.
 * @param alphas [n] written.
 * @param cap C, which bounds the change where constraints contradict each other.
 */
export function hildreth(
  products: Float64Array,
  gaps: Float64Array,
  alphas: Float64Array,
  count: number,
  cap: number,
): void {
  alphas.fill(0, 0, count);
  for (let step = 0; step < MOST_STEPS; step++) {
    let chosen = -1;
    let largest = TOLERANCE;
    for (let i = 0; i < count; i++) {
      if (products[i * count + i] === 0) continue;
      const gap = gaps[i];
      const violation = gap > 0 ? (alphas[i] < cap ? gap : 0) : alphas[i] > 0 ? -gap : 0;
      if (violation > largest) {
        largest = violation;
        chosen = i;
      }
    }
    if (chosen < 0) return;
    const row = chosen * count;
    const wanted = alphas[chosen] + gaps[chosen] / products[row + chosen];
    const next = Math.min(cap, Math.max(0, wanted));
    const change = next - alphas[chosen];
    alphas[chosen] = next;
    for (let i = 0; i < count; i++) gaps[i] -= change * products[row + i];
  }
}
