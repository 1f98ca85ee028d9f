import { SpanwrightError } from '../base/errors.js';

/** A vector; all of one minimisation are of one type. Sums over them are taken in 64 bits. */
export type Vector = Float32Array | Float64Array;

/** Writes the gradient of a smooth function at `x` into `gradient` and returns its value. */
export type Objective = (x: Vector, gradient: Vector) => number | Promise<number>;

/** How {@link minimise} works. */
export interface MinimiseOptions {
  /** Weight of the L1 norm; default 0. */
  readonly l1?: number;
  /** Most iterations. */
  readonly iterations: number;
  /** Stops when the value fell by less than this share of itself over {@link PERIOD} iterations. */
  readonly tolerance: number;
  /** Pairs of steps and gradient differences that are remembered; default 5. */
  readonly memory?: number;
  /** Told of every iteration, from 1. */
  readonly onIteration?: ((iteration: number, value: number, gradientNorm: number) => void) | undefined;
}

/** Iterations over which a decrease is judged. */
export const PERIOD = 10;

/** Share of the decrease a tangent promises that a step must give. */
const SUFFICIENT = 1e-4;
/** Share of the slope that may be left after a step. */
const CURVATURE = 0.9;
const MOST_TRIALS = 30;

/**
 * Limited-memory BFGS: minimises f(x) + l1 ‖x‖₁ over all x, f smooth. The result is in `x`, which is the start too.
 * Directions by the two-loop recursion (Nocedal & Wright 2006, Algorithm 7.4); steps that satisfy the weak Wolfe
 * conditions by bracketing (Lewis & Overton 2013). With l1 > 0 it is OWL-QN (Andrew & Gao 2007): pseudo-gradients,
 * steps that stay within one orthant, and sufficient decrease alone.
 *
 * @returns the value reached.
 * @throws SpanwrightError with code `not-finite` and the iteration if the value or its gradient is not a number.
 */
export async function minimise(x: Vector, objective: Objective, options: MinimiseOptions): Promise<number> {
  const { l1 = 0, iterations, tolerance, memory = 5, onIteration } = options;
  const size = x.length;
  const vector = () => (x instanceof Float32Array ? new Float32Array(size) : new Float64Array(size));
  const start = vector();
  const gradient = vector();
  const lastGradient = vector();
  const direction = vector();
  const steps = Array.from({ length: memory }, vector);
  const differences = Array.from({ length: memory }, vector);
  const products = new Float64Array(memory);
  const alphas = new Float64Array(memory);
  let remembered = 0;
  let next = 0;

  const valueAt = async () => {
    const smooth = await objective(x, gradient);
    return l1 > 0 ? smooth + l1 * oneNorm(x) : smooth;
  };
  let value = await valueAt();
  requireFinite(value, gradient, 0);
  const values = [value];
  for (let iteration = 1; iteration <= iterations; iteration++) {
    // The direction starts as the steepest descent and is bent by what is remembered.
    steepest(x, gradient, l1, direction);
    if (dot(direction, direction) === 0) break;
    if (l1 > 0) start.set(direction);
    for (let i = 1; i <= remembered; i++) {
      const k = (next - i + memory) % memory;
      alphas[k] = dot(steps[k], direction) / products[k];
      addScaled(direction, -alphas[k], differences[k]);
    }
    if (remembered > 0) {
      const k = (next - 1 + memory) % memory;
      scale(direction, products[k] / dot(differences[k], differences[k]));
    }
    for (let i = remembered; i >= 1; i--) {
      const k = (next - i + memory) % memory;
      addScaled(direction, alphas[k] - dot(differences[k], direction) / products[k], steps[k]);
    }
    if (l1 > 0) keepSigns(direction, start);

    steepest(x, gradient, l1, start);
    const slope = -dot(start, direction);
    if (!(slope < 0)) {
      if (remembered === 0) break;
      remembered = 0;
      iteration--;
      continue;
    }
    // `start` holds the steepest descent until the orthant of the step is known.
    const orthant = l1 > 0 ? orthantOf(x, start) : undefined;
    start.set(x);
    lastGradient.set(gradient);
    let step = remembered === 0 ? Math.min(1, 1 / Math.sqrt(dot(direction, direction))) : 1;
    let low = 0;
    let high = Infinity;
    let trialValue = Number.NaN;
    let found = false;
    for (let trial = 0; trial < MOST_TRIALS && !found; trial++) {
      move(start, direction, step, orthant, x);
      trialValue = await valueAt();
      const promised = orthant ? slopeTo(x, start, lastGradient, l1) : step * slope;
      if (!(trialValue <= value + SUFFICIENT * promised)) high = step;
      else if (!orthant && dot(gradient, direction) < CURVATURE * slope) low = step;
      else found = true;
      if (!found) step = high < Infinity ? (low + high) / 2 : 2 * step;
    }
    if (!found && !(trialValue < value)) {
      requireFinite(trialValue, gradient, iteration);
      x.set(start);
      gradient.set(lastGradient);
      // No step leads down: at the limit of precision, or because what is remembered misleads.
      if (remembered === 0) break;
      remembered = 0;
      iteration--;
      continue;
    }
    requireFinite(trialValue, gradient, iteration);
    value = trialValue;
    subtract(x, start, steps[next]);
    subtract(gradient, lastGradient, differences[next]);
    products[next] = dot(steps[next], differences[next]);
    if (products[next] > 1e-10 * dot(differences[next], differences[next])) {
      next = (next + 1) % memory;
      remembered = Math.min(remembered + 1, memory);
    }
    steepest(x, gradient, l1, direction);
    onIteration?.(iteration, value, Math.sqrt(dot(direction, direction)));
    values.push(value);
    const before = values[values.length - 1 - PERIOD];
    if (before !== undefined && before - value < tolerance * Math.abs(value)) break;
  }
  return value;
}

function requireFinite(value: number, gradient: Vector, iteration: number): void {
  if (Number.isFinite(value) && Number.isFinite(dot(gradient, gradient))) return;
  throw new SpanwrightError(
    'not-finite',
    `training, iteration ${iteration}: expected a finite objective and gradient, found ${value}: weights have ` +
      'probably grown beyond all bounds, which a larger --l2 prevents',
  );
}

/** The negative pseudo-gradient of f + l1 ‖x‖₁. */
function steepest(x: Vector, gradient: Vector, l1: number, out: Vector): void {
  for (let i = 0; i < x.length; i++) {
    const g = gradient[i];
    if (x[i] !== 0) out[i] = x[i] > 0 ? -g - l1 : l1 - g;
    else out[i] = g > l1 ? l1 - g : g < -l1 ? -g - l1 : 0;
  }
}

/** Zeroes the components whose sign is not that of `model`. */
function keepSigns(values: Vector, model: Vector): void {
  for (let i = 0; i < values.length; i++) if (values[i] * model[i] <= 0) values[i] = 0;
}

/** The sign that each component may have after a step. */
function orthantOf(x: Vector, descent: Vector): Int8Array {
  const orthant = new Int8Array(x.length);
  for (let i = 0; i < x.length; i++) orthant[i] = Math.sign(x[i] !== 0 ? x[i] : descent[i]);
  return orthant;
}

/** start + step · direction, components that leave the orthant put to 0. */
function move(
  start: Vector,
  direction: Vector,
  step: number,
  orthant: Int8Array | undefined,
  out: Vector,
): void {
  for (let i = 0; i < out.length; i++) out[i] = start[i] + step * direction[i];
  if (!orthant) return;
  for (let i = 0; i < out.length; i++) if (out[i] * orthant[i] <= 0) out[i] = 0;
}

/** The pseudo-gradient at `start` times the way from there to `x`. */
function slopeTo(x: Vector, start: Vector, gradient: Vector, l1: number): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) {
    const way = x[i] - start[i];
    if (way === 0) continue;
    sum += way * gradient[i] + l1 * Math.sign(start[i] !== 0 ? start[i] : way) * way;
  }
  return sum;
}

function dot(a: Vector, b: Vector): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function oneNorm(x: Vector): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += Math.abs(x[i]);
  return sum;
}

function addScaled(out: Vector, factor: number, values: Vector): void {
  for (let i = 0; i < out.length; i++) out[i] += factor * values[i];
}

function scale(out: Vector, factor: number): void {
  for (let i = 0; i < out.length; i++) out[i] *= factor;
}

function subtract(a: Vector, b: Vector, out: Vector): void {
  for (let i = 0; i < out.length; i++) out[i] = a[i] - b[i];
}
