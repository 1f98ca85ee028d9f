import type { Kernels } from './kernels.js';

/** Windows of values ↔ ids 1, 2, 3 … in the kernels' memory; two arrays. */
export class WindowIds {
  /** Windows known. */
  size = 0;
  /** [(most + 1) × arity] the values of each. */
  readonly keys: Uint32Array;
  private readonly kernels: Kernels;
  private readonly most: number;
  /** [capacity] ids by hash. */
  private readonly slots: Uint32Array;

  /** Bytes of kernel memory for so many windows. */
  static bytes(most: number, arity: number): number {
    return 4 * ((most + 1) * arity + slotsFor(most));
  }

  /** @param kernels with room for {@link WindowIds.bytes}. */
  constructor(kernels: Kernels, most: number, arity: number) {
    this.kernels = kernels;
    this.most = most;
    this.keys = kernels.uint32((most + 1) * arity);
    this.slots = kernels.uint32(slotsFor(most));
  }

  /** Whether there might not be room for so many more. */
  isFull(more: number): boolean {
    return this.size + more > this.most;
  }

  /** Forgets all windows. */
  clear(): void {
    this.slots.fill(0);
    this.size = 0;
  }

  /** Finds the ids of some windows, as `findWindows` does: 0 for those that are not known; returns how many these are. */
  find(
    values: Uint32Array,
    parts: Uint32Array,
    step: number,
    count: number,
    ids: Uint32Array,
    at: number,
  ): number {
    return this.kernels.findWindows(values, parts, step, count, this.slots, this.keys, ids, at);
  }

  /** Gives ids to the windows that {@link find}, asked the same, did not find; returns how many are new. */
  add(
    values: Uint32Array,
    parts: Uint32Array,
    step: number,
    count: number,
    ids: Uint32Array,
    at: number,
  ): number {
    const { kernels, slots, keys, size } = this;
    this.size = kernels.addWindows(values, parts, step, count, slots, keys, ids, at, size + 1) - 1;
    return this.size - size;
  }
}

/** Slots of a table of so many windows that is at most half full. */
function slotsFor(most: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, 2 * most)));
}
