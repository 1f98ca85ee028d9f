/** The parts of Node, Bun and Deno that read files; a browser has none of them. */
interface FileSystems {
  readonly process?: {
    getBuiltinModule?(name: 'node:fs'): {
      readFileSync(path: URL): Uint8Array;
      statSync(path: string, options: { throwIfNoEntry: false }): { isFile(): boolean } | undefined;
    };
    getBuiltinModule?(name: 'node:fs/promises'): { readFile(path: URL): Promise<Uint8Array> };
    getBuiltinModule?(name: 'node:url'): { pathToFileURL(path: string): URL };
  };
  readonly location?: { readonly href: string };
}

const { process, location } = globalThis as FileSystems;

/**
 * The address that a string stands for: an address as it is; else a path, in browsers relative to the page.
 *
 * @throws TypeError where a browser's page has no address to start from.
 */
export function addressOf(source: string): URL {
  // A single letter before a colon is a drive.
  if (/^[a-z][a-z\d+.-]+:/i.test(source)) return new URL(source);
  const paths = process?.getBuiltinModule?.('node:url');
  return paths ? paths.pathToFileURL(source) : new URL(source, location?.href);
}

/** Whether a path is that of a file; never where there is no file system. */
export function isFile(path: string): boolean {
  const files = process?.getBuiltinModule?.('node:fs');
  return files?.statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/**
 * Reads a file at once.
 *
 * @throws Error of the file system, or where there is none.
 */
export function readFileNow(address: URL): Uint8Array {
  const files = address.protocol === 'file:' ? process?.getBuiltinModule?.('node:fs') : undefined;
  if (files) return files.readFileSync(address);
  throw new Error('expected its bytes, since nothing can be read at once here');
}

/**
 * Reads what stands at an address: of a file through the file system, where there is one, else over the network.
 *
 * @throws Error in words of the file system or the server.
 */
export async function readAddress(address: URL): Promise<Uint8Array> {
  const files = address.protocol === 'file:' ? process?.getBuiltinModule?.('node:fs/promises') : undefined;
  if (files) return files.readFile(address);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.href}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}
