/** Types of WebAssembly as far as they are used; only the DOM library declares them otherwise. */
declare namespace WebAssembly {
  /** Compiled code. */
  class Module {
    constructor(bytes: Uint8Array);
  }
  /** Memory in pages of 64 KB, all zeros. */
  class Memory {
    constructor(descriptor: { initial: number });
    /** Its bytes. */
    readonly buffer: ArrayBuffer;
  }
  /** Code with its memory. */
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, Memory>>);
    /** Its exports, by name. */
    readonly exports: Record<string, unknown>;
  }
}
