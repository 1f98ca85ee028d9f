import { isOutOfMemory, OptionError, SpanwrightError, show } from '../base/errors.js';
import { Guards, listGaps } from './guards.js';
import { arraysOf, type Bound, bindTwin, bindTwinTo, type Kernel, type Twin } from './kernel.js';
import { type Arrays, type Layout, makeArrays, type Place, placeArrays } from './layout.js';
import { SIMD_BINARY } from './simd-binary.js';

/** Implementation of the kernels: WebAssembly with four lanes at once, or its plain twin. */
export type KernelName = 'simd' | 'plain';

/** Memory that kernels run over. */
export interface KernelMemory {
  /** Implementation of the kernels. Results are the same to the bit. */
  readonly name: KernelName;
  /** Makes functions of kernels. The arrays that these are given must all be of this memory. */
  readonly bind: <K extends Readonly<Record<string, AnyKernel>>>(kernels: K) => Bound<K>;
  /** Makes a function of a kernel and the one struct that it is always given; only the struct's numbers may change. */
  readonly bindTo: <S, R>(kernel: Kernel<S, R>, struct: S) => () => R;
}

/** Memory with the arrays of a layout. */
export interface LaidOutMemory<A> extends KernelMemory {
  /** The arrays, in the records and lists of the layout. */
  readonly arrays: A;
}

/** A kernel of any struct. */
// biome-ignore lint/suspicious/noExplicitAny: a struct is read and written by its own kernel only.
type AnyKernel = Kernel<any>;

const PAGE = 1 << 16;
/** The module's own few kilobytes, before the arrays. */
const RESERVED = PAGE;
/** WebAssembly's addresses end here. */
const MOST_BYTES = 2 ** 32 - PAGE;
/** A read past the end of the last array's last row stays within memory. */
const MARGIN = 64;
/** Bytes of a guard at least. */
const GUARD_BYTES = 64;

let compiled: WebAssembly.Module | undefined;
let best: KernelName | undefined;
let isGuarded = false;

/** The kernels that this machine can run best, found by trying. */
export function bestKernels(): KernelName {
  if (best === undefined) {
    try {
      simdModule();
      best = 'simd';
    } catch {
      best = 'plain';
    }
  }
  return best;
}

/**
 * Says, for tests, whether memories made from now on have guards between their arrays. A kernel then checks the guards after
 * each call, and before it that it was given arrays of its own memory alone.
 */
export function guardArrays(isOn: boolean): void {
  isGuarded = isOn;
}

function simdModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(decodeBase64(SIMD_BINARY));
  return compiled;
}

/** Decodes base64. A loop in place of a callback: this runs once, in code that no engine has optimised yet. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/**
 * Makes a memory with the arrays of a layout, all zeros. Its size is fixed, and it goes when its arrays do.
 *
 * @throws OptionError for kernels that do not exist, SpanwrightError with code `no-memory` where there is not so much memory.
 */
export function createMemory<L extends Layout>(
  layout: L,
  name: KernelName = bestKernels(),
): LaidOutMemory<Arrays<L>> {
  if (name !== 'simd' && name !== 'plain') {
    throw new OptionError('kernels', `kernels: expected simd or plain, found ${show(name)}`);
  }
  const { places, end } = placeArrays(layout, RESERVED, isGuarded ? GUARD_BYTES : 0);
  const simd = name === 'simd' && end + MARGIN <= MOST_BYTES;
  const memory = (simd && simdMemory(layout, places, end)) || plainMemory(layout, end - RESERVED);
  return memory as LaidOutMemory<Arrays<L>>;
}

/** Arrays with buffers of their own, and plain kernels; `bytes` is the size of all arrays together. */
function plainMemory(layout: Layout, bytes: number): LaidOutMemory<unknown> {
  try {
    return {
      name: 'plain',
      arrays: makeArrays(layout, (spec) => spec.make()),
      bind: (kernels) => mapKernels(kernels, ({ plain }) => plain),
      bindTo:
        ({ plain }, struct) =>
        () =>
          plain(struct),
    };
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    const megabytes = Math.ceil(bytes / 2 ** 20);
    throw new SpanwrightError(
      'no-memory',
      `expected ${megabytes} MB of free memory, found less: ${error.message}`,
    );
  }
}

/** A memory of WebAssembly of `end` bytes with arrays at these places; nothing where there is no room for one. */
function simdMemory(
  layout: Layout,
  places: readonly Place[],
  end: number,
): LaidOutMemory<unknown> | undefined {
  const memory = allocate(Math.ceil((end + MARGIN) / PAGE));
  if (memory === undefined) return undefined;
  const { buffer } = memory;
  const { exports } = new WebAssembly.Instance(simdModule(), { env: { memory } });
  const guards = isGuarded ? new Guards(buffer, listGaps(places, RESERVED, end)) : undefined;
  const twinOf = ({ name }: AnyKernel) => exports[name] as Twin;
  /** Has a call checked before and after, where there are guards. */
  const guard = <S, R>(kernel: Kernel<S, R>, call: (struct: S) => R): ((struct: S) => R) =>
    guards === undefined
      ? call
      : (struct) => {
          for (const { name, array } of arraysOf(kernel, struct)) {
            if (array.length === 0 || array.buffer === buffer) continue;
            throw new Error(`${kernel.name}: expected an array of its own memory as ${name}, found another`);
          }
          const result = call(struct);
          const gap = guards.findBroken();
          if (gap === undefined) return result;
          throw new Error(
            `${kernel.name}: expected writes into arrays alone, found one between ${gap.before} and ${gap.after}`,
          );
        };
  let next = 0;
  return {
    name: 'simd',
    arrays: makeArrays(layout, (spec) => spec.viewOf(buffer, places[next++].start)),
    bind: (kernels) => mapKernels(kernels, (kernel) => guard(kernel, bindTwin(kernel, twinOf(kernel)))),
    bindTo: (kernel, struct) => {
      const call = guard(kernel, bindTwinTo(kernel, twinOf(kernel), struct));
      return () => call(struct);
    },
  };
}

/** Engines reserve gigabytes of addresses for a memory of WebAssembly: where these are limited, there may be none. */
function allocate(pages: number): WebAssembly.Memory | undefined {
  try {
    return new WebAssembly.Memory({ initial: pages });
  } catch (error) {
    if (isOutOfMemory(error)) return undefined;
    throw error;
  }
}

function mapKernels<K extends Readonly<Record<string, AnyKernel>>>(
  kernels: K,
  bind: (kernel: AnyKernel) => unknown,
): Bound<K> {
  return Object.fromEntries(
    Object.entries(kernels).map(([name, kernel]) => [name, bind(kernel)]),
  ) as Bound<K>;
}
