import { findBadByte as kernel } from '../../kernels/scan-columns.js';

/** A byte that no text has. */
export interface BadByte {
  /** Its offset. */
  readonly at: number;
  /** Problem in words: what was expected, what was found. */
  readonly problem: string;
}

/** The first NUL byte or start of what is not UTF-8, if there is one. */
export function findBadByte(bytes: Uint8Array): BadByte | undefined {
  const at = kernel.plain({ bytes, start: 0, end: bytes.length });
  return at < 0 ? undefined : { at, problem: badByteProblem(bytes[at]) };
}

/** Describes a byte that no text has. */
export function badByteProblem(value: number): string {
  if (value === 0)
    return 'expected text, found a NUL byte; is this a binary file, or UTF-16 (--encoding utf-16le)?';
  return (
    `expected UTF-8 text, found the invalid byte 0x${value.toString(16).padStart(2, '0')}` +
    (value >= 0xfe
      ? '; the file may be UTF-16 (--encoding utf-16le)'
      : '; is it in another encoding, such as --encoding windows-1252?')
  );
}
