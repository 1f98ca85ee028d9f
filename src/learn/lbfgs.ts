import { type Checkpoint, restore, type TrainingState } from './checkpoint.js';
import { notFinite } from './not-finite.js';

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
  /** Where the state is kept between iterations; default nowhere. */
  readonly checkpoint?: Checkpoint | undefined;
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
  const { l1 = 0, iterations, tolerance, checkpoint, onIteration } = options;
  const past = new StepMemory(x, options.memory ?? 5);
  const start = vectorLike(x);
  const gradient = vectorLike(x);
  const lastGradient = vectorLike(x);
  const direction = vectorLike(x);
  const descent = l1 > 0 ? vectorLike(x) : undefined;
  const orthant = l1 > 0 ? new Int8Array(x.length) : undefined;
  const evaluate = async () => {
    const smooth = await objective(x, gradient);
    return l1 > 0 ? smooth + l1 * oneNorm(x) : smooth;
  };
  /** [iterations + 1] values reached. */
  const values = new Float64Array(iterations + 1);
  /** Iterations done, and whether they are enough. */
  const progress = new Uint32Array(2);
  const state = { x, gradient, values, progress, ...past.state };
  if (!restore(checkpoint, state)) {
    values[0] = await evaluate();
    requireFinite(values[0], gradient, 0);
  }
  let value = values[progress[0]];
  let iteration = progress[0] + 1;
  while (progress[1] === 0 && iteration <= iterations) {
    steepest(x, gradient, l1, direction);
    const squared = dot(direction, direction);
    if (squared === 0) break;
    descent?.set(direction);
    past.bend(direction);
    if (descent && orthant) {
      keepSigns(direction, descent);
      for (let i = 0; i < x.length; i++) orthant[i] = Math.sign(x[i] === 0 ? descent[i] : x[i]);
    }
    const slope = descent ? -dot(descent, direction) : dot(gradient, direction);
    start.set(x);
    lastGradient.set(gradient);
    // Steps between low and high are left to try.
    let low = 0;
    let high = Infinity;
    let step = past.size === 0 ? 1 / Math.sqrt(squared) : 1;
    let trial = value;
    let accepted = false;
    for (let trials = 0; trials < MOST_TRIALS && slope < 0 && !accepted; trials++) {
      move(start, direction, step, orthant, x);
      trial = await evaluate();
      const promised = orthant ? slopeTo(x, start, lastGradient, l1) : step * slope;
      if (!(trial <= value + SUFFICIENT * promised)) high = step;
      else if (!orthant && dot(gradient, direction) < CURVATURE * slope) low = step;
      else accepted = true;
      if (!accepted) step = high < Infinity ? (low + high) / 2 : 2 * step;
    }
    if (!accepted && !(trial < value)) {
      if (slope < 0) requireFinite(trial, gradient, iteration);
      x.set(start);
      gradient.set(lastGradient);
      // What is remembered misleads, or there is no way down within the precision of the numbers.
      if (past.size === 0) break;
      past.forget();
      continue;
    }
    requireFinite(trial, gradient, iteration);
    value = trial;
    past.add(x, start, gradient, lastGradient);
    onIteration?.(iteration, value, Math.sqrt(dot(gradient, gradient)));
    values[iteration] = value;
    const before = iteration < PERIOD ? Infinity : values[iteration - PERIOD];
    progress[0] = iteration;
    progress[1] = before - value < tolerance * Math.abs(value) ? 1 : 0;
    checkpoint?.keep(state);
    iteration++;
  }
  return value;
}

/** The last few steps and what they changed in the gradient: an approximation of the inverse Hessian. */
class StepMemory {
  private readonly steps: readonly Vector[];
  private readonly changes: readonly Vector[];
  /** step · change */
  private readonly products: Float64Array;
  /** How many steps are remembered, where the next one goes, and change · change of the last one. */
  private readonly numbers = new Float64Array(3);

  constructor(like: Vector, capacity: number) {
    this.steps = Array.from({ length: capacity }, () => vectorLike(like));
    this.changes = Array.from({ length: capacity }, () => vectorLike(like));
    this.products = new Float64Array(capacity);
  }

  /** Number of steps remembered. */
  get size(): number {
    return this.numbers[0];
  }

  /** The arrays that it consists of. */
  get state(): TrainingState {
    const { steps, changes, products, numbers } = this;
    const named = (name: string, arrays: readonly Vector[]) =>
      arrays.map((array, i) => [`${name}.${i}`, array]);
    return {
      products,
      numbers,
      ...Object.fromEntries([...named('steps', steps), ...named('changes', changes)]),
    };
  }

  /** Remembers the step from `start` to `x`, unless the curvature along it is not positive. */
  add(x: Vector, start: Vector, gradient: Vector, lastGradient: Vector): void {
    let product = 0;
    let square = 0;
    for (let i = 0; i < x.length; i++) {
      const changed = gradient[i] - lastGradient[i];
      product += (x[i] - start[i]) * changed;
      square += changed * changed;
    }
    if (!(product > 1e-10 * square)) return;
    // Only now: the place of the next pair may be that of the oldest one remembered.
    const [size, next] = this.numbers;
    const step = this.steps[next];
    const change = this.changes[next];
    for (let i = 0; i < x.length; i++) {
      step[i] = x[i] - start[i];
      change[i] = gradient[i] - lastGradient[i];
    }
    this.products[next] = product;
    this.numbers.set([Math.min(size + 1, this.steps.length), (next + 1) % this.steps.length, square]);
  }

  /** Multiplies the direction by the approximation. */
  bend(direction: Vector): void {
    const { steps, changes, products } = this;
    const [size, next, lastSquare] = this.numbers;
    const capacity = steps.length;
    if (size === 0) return;
    const alphas = new Float64Array(size);
    for (let i = 0; i < size; i++) {
      const k = (next - 1 - i + capacity) % capacity;
      alphas[i] = dot(steps[k], direction) / products[k];
      addScaled(direction, -alphas[i], changes[k]);
    }
    scale(direction, products[(next - 1 + capacity) % capacity] / lastSquare);
    for (let i = size - 1; i >= 0; i--) {
      const k = (next - 1 - i + capacity) % capacity;
      addScaled(direction, alphas[i] - dot(changes[k], direction) / products[k], steps[k]);
    }
  }

  forget(): void {
    this.numbers[0] = 0;
  }
}

function requireFinite(value: number, gradient: Vector, iteration: number): void {
  if (Number.isFinite(value) && Number.isFinite(dot(gradient, gradient))) return;
  throw notFinite(iteration, value);
}

function vectorLike(x: Vector): Vector {
  return x instanceof Float32Array ? new Float32Array(x.length) : new Float64Array(x.length);
}

/** The negative pseudo-gradient of f + l1 ‖x‖₁. */
function steepest(x: Vector, gradient: Vector, l1: number, out: Vector): void {
  if (l1 === 0) {
    for (let i = 0; i < x.length; i++) out[i] = -gradient[i];
    return;
  }
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

/** start + step · direction, components that would leave the orthant put to 0. */
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
    sum += way * gradient[i] + l1 * Math.sign(start[i] === 0 ? way : start[i]) * way;
  }
  return sum;
}

function dot(a: Vector, b: Vector): number {
  let even = 0;
  let odd = 0;
  const last = a.length - 1;
  for (let i = 0; i < last; i += 2) {
    even += a[i] * b[i];
    odd += a[i + 1] * b[i + 1];
  }
  return even + odd + ((a.length & 1) === 1 ? a[last] * b[last] : 0);
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
