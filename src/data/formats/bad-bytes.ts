import { findInvalidUtf8 } from '../../base/utf8.js';

/** A byte that no text has. */
export interface BadByte {
  /** Its offset. */
  readonly at: number;
  /** What was expected and what it is. */
  readonly problem: string;
}

/** The first NUL byte or start of what is not UTF-8, if there is one. */
export function findBadByte(bytes: Uint8Array): BadByte | undefined {
  const zero = bytes.indexOf(0);
  const invalid = findInvalidUtf8(bytes);
  const at = zero >= 0 && (invalid < 0 || zero < invalid) ? zero : invalid;
  if (at < 0) return undefined;
  const value = bytes[at];
  if (value === 0) {
    return { at, problem: 'expected text, found a NUL byte; is this a binary file, or UTF-16?' };
  }
  const problem =
    `expected UTF-8 text, found the invalid byte 0x${value.toString(16).padStart(2, '0')}` +
    (value >= 0xfe ? '; the file may be UTF-16' : '');
  return { at, problem };
}
