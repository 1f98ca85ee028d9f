import { describe, expect, it } from 'vitest';
import { logSigmoid } from '../../src/kernels/log-sigmoid.js';

const exact = (margin: number) =>
  margin < 0 ? 2 * margin - Math.log1p(Math.exp(2 * margin)) : -Math.log1p(Math.exp(-2 * margin));

describe('logSigmoid', () => {
  const margins = Array.from({ length: 60_001 }, (_, i) => -30 + i / 1000 + 0.00037);

  it('is within 1e-8 of the definition', () => {
    for (const margin of margins) expect(Math.abs(logSigmoid(margin) - exact(margin))).toBeLessThan(1e-8);
  });

  it('rises, and stays below min(0, 2f)', () => {
    let before = -Infinity;
    for (const margin of margins) {
      const value = logSigmoid(margin);
      expect(value).toBeGreaterThanOrEqual(before);
      expect(value).toBeLessThanOrEqual(Math.min(0, 2 * margin));
      before = value;
    }
  });

  it('is exact far out', () => {
    expect(logSigmoid(1000)).toBe(0);
    expect(logSigmoid(-1000)).toBe(-2000);
    expect(logSigmoid(-Infinity)).toBe(-Infinity);
    expect(logSigmoid(0)).toBeCloseTo(-Math.LN2, 12);
  });
});
