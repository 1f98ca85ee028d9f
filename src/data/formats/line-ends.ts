const NEWLINE = 10;
const RETURN = 13;

/**
 * Reads inputs whose lines end in CR alone, as old Macintosh files do, as if they ended in LF: one byte for another, so that
 * offsets stay. Whether an input is one of them shows in its first chunk.
 */
export class LineEndReader {
  private isOfReturns: boolean | undefined;

  /** A chunk as it is to be read; a copy where it changes. */
  read(chunk: Uint8Array): Uint8Array {
    if (chunk.length === 0) return chunk;
    this.isOfReturns ??= endsLinesInReturns(chunk);
    return this.isOfReturns ? chunk.map((byte) => (byte === RETURN ? NEWLINE : byte)) : chunk;
  }
}

/** Whether the lines of an input end in CR alone, by its first chunk. */
export function endsLinesInReturns(chunk: Uint8Array): boolean {
  return !chunk.includes(NEWLINE) && chunk.subarray(0, -1).includes(RETURN);
}
