import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Span } from '../../src/data/span.js';
import type { Direction } from '../../src/tags/direction.js';
import { CHUNK_SCHEMES, type ChunkSchemeName } from '../../src/tags/scheme.js';

export const SCHEME_NAMES = Object.keys(CHUNK_SCHEMES) as ChunkSchemeName[];
export const DIRECTIONS: Direction[] = ['forward', 'backward'];

/** All tags of a scheme for the given types, O first. */
export function tagsOf(scheme: ChunkSchemeName, types: readonly string[]): string[] {
  return [
    'O',
    ...types.flatMap((type) => CHUNK_SCHEMES[scheme].leadingTags.map((leading) => `${leading}-${type}`)),
  ];
}

/** Every sequence over the tags, of lengths 1 to `longest`. */
export function* allSequences(tags: readonly string[], longest: number): Generator<string[]> {
  for (let length = 1; length <= longest; length++) {
    const digits = new Array<number>(length).fill(0);
    for (let place = 0; place >= 0; ) {
      yield digits.map((digit) => tags[digit]);
      for (place = length - 1; place >= 0 && ++digits[place] === tags.length; place--) digits[place] = 0;
    }
  }
}

/** Whether a table lets a sequence of labels (in reading order) through. */
export function isLegal(table: Uint8Array, labels: readonly number[], tagCount: number): boolean {
  const path = [tagCount, ...labels, tagCount];
  return path.slice(1).every((label, i) => table[path[i] * (tagCount + 1) + label] === 1);
}

/** A sentence of random spans over two types, adjacent ones included. */
export const sentences: fc.Arbitrary<{ spans: Span[]; length: number }> = fc
  .array(fc.record({ size: fc.integer({ min: 1, max: 4 }), type: fc.constantFrom('', 'NP', 'A-B') }), {
    maxLength: 12,
  })
  .map((parts) => {
    let length = 0;
    const spans: Span[] = [];
    for (const { size, type } of parts) {
      // The untyped parts stand for stretches of O.
      if (type !== '') spans.push({ start: length, end: length + size, type });
      length += size;
    }
    return { spans, length };
  });

/** Tags, the last column, of each sentence of a CoNLL file. */
export function readTags(path: string): string[][] {
  return readFileSync(path, 'utf8')
    .split('\n\n')
    .filter((block) => block.trim() !== '')
    .map((block) =>
      block
        .trim()
        .split('\n')
        .map((line) => line.slice(line.lastIndexOf(' ') + 1)),
    );
}
