import { platform, totalmem } from 'node:os';

/**
 * Bytes that the machine has free; macOS does not say what its caches would give back.
 *
 * @param parts number of things under way at a time that share them.
 */
export function freeMemory(parts = 1): number {
  return (platform() === 'darwin' ? totalmem() : process.availableMemory()) / parts;
}
