/** What is used of WebAssembly, which no type library but that of the DOM declares. */
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
    /** What it offers, by name. */
    readonly exports: Record<string, unknown>;
  }
}
