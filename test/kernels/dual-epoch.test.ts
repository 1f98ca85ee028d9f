import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { type DualState, dualEpoch, dualStretch } from '../../src/kernels/dual-epoch.js';
import { bestKernels, type KernelName } from '../../src/kernels/kernels.js';
import { rowsOf } from '../learn/problems.js';
import { placeCopies } from './place.js';

/**
 * One epoch by the textbook, a lane at a time: no groups of lanes, no hoisting. Rows are summed and written lane by
 * lane, and each example's lanes are done one after the other.
 */
function naiveEpoch(state: DualState, active: number): number {
  const { order, width, signs, labels, resting, largest, smallest } = state;
  largest.fill(-Infinity);
  smallest.fill(Infinity);
  let remaining = order.slice(0, active);
  const shrunk: number[] = [];
  for (let position = 0; position < remaining.length; ) {
    const example = remaining[position];
    let needed = false;
    for (let lane = 0; lane < width; lane++) {
      const sign = signs[labels[example] * width + lane];
      if (sign !== 0 && !resting[lane] && updateLane(state, example, lane, sign)) needed = true;
    }
    if (needed) {
      position++;
      continue;
    }
    // The last active example takes the place of the one that goes.
    shrunk.unshift(example);
    const last = remaining[remaining.length - 1];
    remaining[position] = last;
    remaining = remaining.slice(0, -1);
  }
  order.set([...remaining, ...shrunk]);
  return remaining.length;
}

/** Returns whether the lane still needs the example. */
function updateLane(state: DualState, example: number, lane: number, sign: number): boolean {
  const f32 = Math.fround;
  const { weights, alphas, width, largest, smallest } = state;
  const features = [...state.indices.slice(state.offsets[example], state.offsets[example + 1])];
  const diagonal = f32(state.diagonal);
  const upper = f32(state.upper);
  const alpha = alphas[example * width + lane];
  const score = features.reduce((sum, feature) => f32(sum + weights[feature * width + lane]), 0);
  const gradient = f32(f32(f32(sign * score) - 1) + f32(alpha * diagonal));
  const atZero = alpha === 0;
  const atUpper = !atZero && alpha === upper;
  if (atZero && gradient > state.shrinkAbove[lane]) return false;
  if (atUpper && gradient < state.shrinkBelow[lane]) return false;
  let projected = gradient;
  if (atZero) projected = Math.min(gradient, 0);
  if (atUpper) projected = Math.max(gradient, 0);
  largest[lane] = Math.max(largest[lane], projected);
  smallest[lane] = Math.min(smallest[lane], projected);
  if (projected === 0) return true;
  const moved = f32(alpha - f32(gradient / f32(f32(features.length) + diagonal)));
  const next = Math.min(Math.max(moved, 0), upper);
  const step = f32(f32(next - alpha) * sign);
  alphas[example * width + lane] = next;
  for (const feature of features) {
    weights[feature * width + lane] = f32(weights[feature * width + lane] + step);
  }
  return true;
}

interface Shape {
  seed: number;
  loss: 'l1' | 'l2';
  cost: number;
  groups: number;
  examples: number;
  /** Chance in percent of a zero sign and of a resting lane. */
  zeros: number;
  resting: number;
  shrinks: boolean;
}

const shapes: fc.Arbitrary<Shape> = fc.record({
  seed: fc.nat(),
  loss: fc.constantFrom('l1', 'l2'),
  cost: fc.constantFrom(0.1, 0.37, 1, 10),
  groups: fc.integer({ min: 1, max: 5 }),
  examples: fc.integer({ min: 1, max: 14 }),
  zeros: fc.constantFrom(0, 30, 70, 100),
  resting: fc.constantFrom(0, 30, 70, 100),
  shrinks: fc.boolean(),
});

/** A state in the middle of training: weights and alphas of any size, some at their bounds. */
function randomState(shape: Shape): DualState {
  const random = new Random(shape.seed);
  const chance = (percent: number) => random.below(100) < percent;
  const real = (span: number) => (random.next() / 2 ** 31 - 1) * span;
  const features = 9;
  const labelCount = 3;
  const width = 4 * shape.groups;
  const rows = rowsOf(
    Array.from({ length: shape.examples }, () =>
      Array.from({ length: features }, (_, f) => f).filter(() => chance(40)),
    ),
    features,
  );
  const upper = shape.loss === 'l2' ? Infinity : shape.cost;
  const alpha = () => {
    if (chance(30)) return 0;
    return chance(30) ? shape.cost : Math.abs(real(shape.cost));
  };
  const thresholds = (sign: number) =>
    Float32Array.from({ length: width }, () =>
      shape.shrinks && chance(80) ? sign * Math.abs(real(1)) : sign * Infinity,
    );
  const order = Uint32Array.from({ length: shape.examples }, (_, i) => i);
  random.shuffle(order);
  return {
    ...rows,
    labels: Uint16Array.from({ length: shape.examples }, () => random.below(labelCount)),
    signs: Float32Array.from({ length: labelCount * width }, () =>
      chance(shape.zeros) ? 0 : chance(50) ? 1 : -1,
    ),
    width,
    weights: Float32Array.from({ length: features * width }, () => real(0.7)),
    alphas: Float32Array.from({ length: shape.examples * width }, alpha),
    order,
    diagonal: shape.loss === 'l2' ? 1 / (2 * shape.cost) : 0,
    upper,
    resting: Int32Array.from({ length: width }, () => (chance(shape.resting) ? -1 : 0)),
    shrinkAbove: thresholds(1),
    shrinkBelow: thresholds(-1),
    largest: new Float32Array(width),
    smallest: new Float32Array(width),
  };
}

function expectSameBits(found: DualState, expected: DualState): void {
  for (const name of ['weights', 'alphas', 'order', 'largest', 'smallest'] as const) {
    expect(found[name], name).toEqual(expected[name]);
  }
}

/** Runs an epoch with the named kernels, from and to arrays that are not theirs. */
function epochWith(name: KernelName): (state: DualState, active: number) => number {
  return (state, active) => {
    const isArray = (entry: [string, unknown]) => ArrayBuffer.isView(entry[1]);
    const own: Record<string, Float32Array> = Object.fromEntries(Object.entries(state).filter(isArray));
    const memory = placeCopies(own, name);
    expect(memory.name).toBe(name);
    const left = dualEpoch(memory.bind({ dualStretch }).dualStretch, { ...state, ...memory.arrays }, active);
    for (const [key, array] of Object.entries(own)) array.set(memory.arrays[key]);
    return left;
  };
}

it('has SIMD where these tests run', () => {
  expect(bestKernels()).toBe('simd');
});

describe.each(['plain', 'simd'] as const)('one epoch of dual coordinate descent: %s', (name) => {
  const runEpoch = epochWith(name);

  it('equals the textbook’s bit for bit', () => {
    // Counts what the random problems exercise, so that the comparison cannot become empty unnoticed.
    let moved = 0;
    let shrunk = 0;
    fc.assert(
      fc.property(shapes, (shape) => {
        const state = randomState(shape);
        const naive = structuredClone(state);
        const before = state.weights.slice();
        let active = shape.examples;
        for (let epoch = 0; epoch < 3; epoch++) {
          const left = runEpoch(state, active);
          expect(left).toBe(naiveEpoch(naive, active));
          expectSameBits(state, naive);
          active = left;
        }
        if (state.weights.some((weight, i) => weight !== before[i])) moved++;
        if (active < shape.examples) shrunk++;
      }),
      { numRuns: 600 },
    );
    expect(moved).toBeGreaterThan(100);
    expect(shrunk).toBeGreaterThan(100);
  });

  it('visits thousands of examples as it does a few, each once', () => {
    const shape: Shape = {
      seed: 5,
      loss: 'l1',
      cost: 0.37,
      groups: 1,
      examples: 9_000,
      zeros: 30,
      resting: 0,
      shrinks: true,
    };
    const state = randomState(shape);
    const naive = structuredClone(state);
    for (let active = shape.examples, epoch = 0; epoch < 2; epoch++) {
      const left = runEpoch(state, active);
      expect(left).toBe(naiveEpoch(naive, active));
      expectSameBits(state, naive);
      expect(left).toBeLessThan(active);
      active = left;
    }
  });

  it('keeps its invariants: order stays a permutation, α within bounds, resting lanes as they were', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const state = randomState(shape);
        const { width, resting } = state;
        const weights = state.weights.slice();
        const alphas = state.alphas.slice();
        const active = runEpoch(state, shape.examples);
        expect(active).toBeGreaterThanOrEqual(0);
        expect([...state.order].sort((a, b) => a - b)).toEqual(Array.from(state.order, (_, i) => i));
        const upper = Math.fround(state.upper);
        expect(state.alphas.every((alpha) => alpha >= 0 && alpha <= upper)).toBe(true);
        state.weights.forEach((weight, at) => {
          if (resting[at % width]) expect(weight).toBe(weights[at]);
        });
        state.alphas.forEach((alpha, at) => {
          const sign = state.signs[state.labels[Math.floor(at / width)] * width + (at % width)];
          if (sign === 0) expect(alpha).toBe(alphas[at]);
        });
      }),
    );
  });

  it('lowers the dual objective and keeps w = Σ α y x, from a start at zero', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const state = { ...randomState({ ...shape, resting: 0, shrinks: false }) };
        state.weights.fill(0);
        state.alphas.fill(0);
        let objective = dualObjective(state);
        expect(objective).toBe(0);
        for (let epoch = 0; epoch < 5; epoch++) {
          runEpoch(state, shape.examples);
          const next = dualObjective(state);
          expect(next).toBeLessThanOrEqual(objective + 1e-5 * Math.abs(objective));
          objective = next;
        }
        const expected = weightsOf(state);
        state.weights.forEach((weight, at) => {
          expect(Math.abs(weight - expected[at])).toBeLessThan(1e-4 * Math.max(1, shape.cost));
        });
      }),
    );
  });
});

/** Σ α y x [D × W], in 64-bit floats. */
function weightsOf({ offsets, indices, labels, signs, alphas, weights, width }: DualState): Float64Array {
  const sums = new Float64Array(weights.length);
  labels.forEach((label, n) => {
    for (let j = offsets[n]; j < offsets[n + 1]; j++) {
      for (let k = 0; k < width; k++) {
        sums[indices[j] * width + k] += alphas[n * width + k] * signs[label * width + k];
      }
    }
  });
  return sums;
}

/** The objective in the kernel's header, summed over lanes. */
function dualObjective(state: DualState): number {
  const squares = weightsOf(state).reduce((sum, weight) => sum + weight * weight, 0);
  const own = state.alphas.reduce((sum, alpha) => sum + (state.diagonal / 2) * alpha * alpha - alpha, 0);
  return squares / 2 + own;
}
