import { OptionError, quote } from '../../base/errors.js';
import { encodeUtf8 } from '../../base/utf8.js';
import type { Bound } from '../../kernels/kernel.js';
import type { KernelName } from '../../kernels/kernels.js';
import { createMemory } from '../../kernels/kernels.js';
import { int32, uint8, uint32 } from '../../kernels/layout.js';
import { type ColumnScan, findBadByte, STATE_NUMBERS, scanColumns } from '../../kernels/scan-columns.js';
import type { ColumnLayout } from './column-layout.js';

/** Bytes that are read beyond the last. */
export const MARGIN = 64;
/** Room for sentences is made for as short ones as this: where they are shorter, fewer tokens are scanned at a time. */
const TOKENS_PER_SENTENCE = 4;

/** Kernels that read column files. */
export const SCAN_KERNELS = { scanColumns, findBadByte };

interface ScanOptions extends ColumnLayout {
  readonly cells: readonly number[];
  readonly kernels?: KernelName | undefined;
}

/** First bytes of comment lines as a number, and the bits of it that count. @throws OptionError for none or too many. */
function commentStart(comments: string | undefined): { comment: number; commentMask: number } {
  if (comments === undefined) return { comment: 0, commentMask: 0 };
  const bytes = encodeUtf8(comments);
  if (bytes.length < 1 || bytes.length > 4) {
    throw new OptionError(
      'comments',
      `--comments: expected 1 to 4 bytes, such as #, found ${quote(comments)}`,
    );
  }
  const value = bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
  return { comment: value | 0, commentMask: (256 ** bytes.length - 1) | 0 };
}

/** A scan and what reads it. */
interface ScanMemory {
  /** The kernels. */
  readonly kernels: Bound<typeof SCAN_KERNELS>;
  /** The arrays. */
  readonly scan: ColumnScan;
}

/** A scan with room for so many bytes and tokens, and the kernels that it is of. */
export function makeScan(
  { cells: wanted, separator, comments, kernels: name }: ScanOptions,
  room: number,
  tokens: number,
): ScanMemory {
  const needed = Math.max(1, ...wanted.map((cell) => (cell < 0 ? -cell : cell + 1)));
  let last = 1;
  while (last < needed) last *= 2;
  const sentences = Math.floor(tokens / TOKENS_PER_SENTENCE);
  const { arrays, bind } = createMemory(
    {
      bytes: uint8(room + MARGIN),
      wanted: int32(wanted.length),
      bounds: uint32(2 * (needed + last)),
      cells: uint32(2 * tokens * wanted.length),
      lines: uint32(2 * tokens),
      starts: uint32(sentences + 1),
      ends: uint32(sentences),
      firstLines: uint32(sentences + 1),
      state: uint32(STATE_NUMBERS),
    },
    name,
  );
  arrays.wanted.set(wanted);
  return {
    kernels: bind(SCAN_KERNELS),
    scan: { ...arrays, ...commentStart(comments), tabs: separator === 'tab', needed, end: 0 },
  };
}
