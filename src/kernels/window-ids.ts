import { addWindows, findWindows, type Windows } from './find-ids.js';
import type { Bound } from './kernel.js';
import type { KernelMemory } from './kernels.js';
import { type Arrays, uint32 } from './layout.js';

const KERNELS = { findWindows, addWindows };

/** Windows of values ↔ ids 1, 2, 3 … in a kernels' memory. */
export class WindowIds {
  /** Windows known. */
  size = 0;
  /** [(most + 1) × arity] the values of each. */
  readonly keys: Uint32Array;
  private readonly kernels: Bound<typeof KERNELS>;
  private readonly most: number;
  /** [capacity] ids by hash. */
  private readonly slots: Uint32Array;

  /**
   * Arrays for so many windows.
   *
   * @hidden
   */
  static layout(most: number, arity: number) {
    return { keys: uint32((most + 1) * arity), slots: uint32(slotsFor(most)) };
  }

  /**
   * @param most windows that the layout is for.
   * @param arrays of the memory.
   */
  constructor(memory: KernelMemory, most: number, arrays: Arrays<ReturnType<typeof WindowIds.layout>>) {
    this.kernels = memory.bind(KERNELS);
    this.most = most;
    this.keys = arrays.keys;
    this.slots = arrays.slots;
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

  /** Writes the ids of windows from `at` on, as `findWindows` does: 0 for those not known. Returns how many these are. */
  find(windows: Windows, ids: Uint32Array, at: number): number {
    const { kernels, slots, keys } = this;
    return kernels.findWindows({ windows, slots, keys, ids, at });
  }

  /** Gives ids to the windows that {@link find}, asked the same, did not find. Returns how many are new. */
  add(windows: Windows, ids: Uint32Array, at: number): number {
    const { kernels, slots, keys, size } = this;
    this.size = kernels.addWindows({ windows, slots, keys, ids, at, next: size + 1 }) - 1;
    return this.size - size;
  }
}

/** Slots of a table of so many windows that is at most half full. */
function slotsFor(most: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, 2 * most)));
}
