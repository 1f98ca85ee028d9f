import { expect, it } from 'vitest';
import { ZstdFrames } from '../../src/node/zstd-frames.js';

/** A frame with a checksum: a raw block of 3 bytes, then a last one that repeats a byte 300 times. */
const FRAME = [
  0x28,
  0xb5,
  0x2f,
  0xfd,
  0x24,
  0xff,
  3 << 3,
  0,
  0,
  1,
  2,
  3,
  ...block(300, 1, true),
  9,
  1,
  1,
  1,
  1,
];
const SKIPPABLE = [0x53, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 7, 7];

function block(size: number, type: number, isLast: boolean): number[] {
  const value = (size << 3) | (type << 1) | (isLast ? 1 : 0);
  return [value & 255, (value >> 8) & 255, value >> 16];
}

it('tells of a zstd file cut anywhere, however its bytes come', () => {
  const whole = Uint8Array.from([...FRAME, ...SKIPPABLE, ...FRAME]);
  const ends = [FRAME.length, FRAME.length + SKIPPABLE.length, whole.length];
  for (const chunk of [1, 3, 100]) {
    for (let length = 1; length <= whole.length; length++) {
      const frames = new ZstdFrames();
      for (let at = 0; at < length; at += chunk)
        frames.push(whole.subarray(at, Math.min(length, at + chunk)));
      expect(frames.count).toBe(length < 4 ? 0 : length < FRAME.length + SKIPPABLE.length + 4 ? 1 : 2);
      expect(frames.isComplete).toBe(ends.includes(length));
    }
  }
  const other = new ZstdFrames();
  other.push(Uint8Array.from([...FRAME, 1, 2, 3, 4, 5]));
  expect(other.isComplete).toBe(false);
});
