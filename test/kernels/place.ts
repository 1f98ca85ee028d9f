import { createMemory, type KernelName, type LaidOutMemory } from '../../src/kernels/kernels.js';
import { ArraySpec, type ElementType, type Layout } from '../../src/kernels/layout.js';

/** Arrays, or records of them. */
type Contents = { readonly [name: string]: Contents | Content };

type Content = Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Uint8Array;

/** Makes a memory that holds copies of some arrays. */
export function placeCopies<C extends Contents>(contents: C, name: KernelName): LaidOutMemory<C> {
  const memory = createMemory<Layout>(layoutOf(contents), name);
  copy(contents, memory.arrays as Contents);
  return memory as LaidOutMemory<C>;
}

function layoutOf(contents: Contents): { [name: string]: Layout } {
  return Object.fromEntries(
    Object.entries(contents).map(([name, content]) => [
      name,
      isContent(content)
        ? new ArraySpec(
            content.constructor.name.replace('Array', '').toLowerCase() as ElementType,
            content.length,
          )
        : layoutOf(content),
    ]),
  );
}

function copy(from: Contents, to: Contents): void {
  for (const [name, content] of Object.entries(from)) {
    if (isContent(content)) (to[name] as Content).set(content);
    else copy(content, to[name] as Contents);
  }
}

function isContent(content: Contents | Content): content is Content {
  return ArrayBuffer.isView(content);
}
