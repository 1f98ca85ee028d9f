/**
 * The few names that Node, browsers and workers all provide and the ES library types leave out. The core compiles
 * against these instead of the Node or DOM types, so that a stray `process` or `document` is a type error.
 */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: string;
  decode(input?: ArrayBufferView | ArrayBuffer, options?: { stream?: boolean }): string;
}

declare class TextEncoder {
  encode(input: string): Uint8Array<ArrayBuffer>;
  encodeInto(input: string, destination: Uint8Array): { read: number; written: number };
}

declare function atob(data: string): string;

declare const performance: {
  /** Milliseconds since the program started. */
  now(): number;
};

declare class URL {
  constructor(address: string, base?: string | URL);
  readonly protocol: string;
  readonly href: string;
}

interface ImportMeta {
  readonly url: string;
}

declare function fetch(address: URL): Promise<{
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}>;
