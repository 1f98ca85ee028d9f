/** Guards between the arrays of a memory, for tests: a kernel that writes beyond an array changes one. */
import type { Place } from './layout.js';

/** Fills guards: as a float it is not a number, as an index it is beyond any array, and no kernel writes it. */
const PATTERN = 0xffffdead;

/** Bytes of a memory that belong to no array. */
export interface Gap {
  /** First byte. */
  readonly start: number;
  /** Byte after the last. */
  readonly end: number;
  /** Name of the array before it. */
  readonly before: string;
  /** Name of the array after it. */
  readonly after: string;
}

/** Lists what lies between arrays, before the first and after the last, from byte `start` on up to `end`. */
export function listGaps(places: readonly Place[], start: number, end: number): Gap[] {
  const gaps: Gap[] = [];
  let at = start;
  let before = 'the start';
  for (const place of [...places, { start: end, end, name: 'the end' }]) {
    gaps.push({ start: at, end: place.start, before, after: place.name });
    at = place.end;
    before = place.name;
  }
  return gaps;
}

/** Writes and checks the guards of a memory. */
export class Guards {
  private readonly gaps: readonly Gap[];
  private readonly bytes: Uint8Array;
  private readonly words: Uint32Array;

  /** Fills gaps with guards. */
  constructor(buffer: ArrayBuffer, gaps: readonly Gap[]) {
    this.gaps = gaps;
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer);
    for (const { start, end } of gaps) {
      for (let i = start; i < end; i++) this.bytes[i] = patternAt(i);
    }
  }

  /** The first gap whose guard has changed. */
  findBroken(): Gap | undefined {
    return this.gaps.find(({ start, end }) => {
      const firstWord = Math.ceil(start / 4);
      const endWord = Math.floor(end / 4);
      for (let i = start; i < 4 * firstWord; i++) if (this.bytes[i] !== patternAt(i)) return true;
      for (let i = firstWord; i < endWord; i++) if (this.words[i] !== PATTERN) return true;
      for (let i = 4 * endWord; i < end; i++) if (this.bytes[i] !== patternAt(i)) return true;
      return false;
    });
  }
}

/** Byte of a guard by its address. */
function patternAt(address: number): number {
  return (PATTERN >>> (8 * (address % 4))) & 0xff;
}
