/**
 * Seeded random numbers: xoshiro128** (Blackman & Vigna 2018), its state filled from the seed and a stream number
 * by splitmix32-style mixing. Same seed and stream, same numbers, on every platform.
 */
export class Random {
  /** [4] what its next numbers depend on. */
  readonly state = new Uint32Array(4);

  /**
   * @param seed any integer; its low 32 bits count.
   * @param stream separates independent sequences of one seed (a lane block, a fold).
   */
  constructor(seed: number, stream = 0) {
    let mixed = (Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(stream | 0, 0x85ebca77)) | 0;
    for (let i = 0; i < 4; i++) {
      mixed = (mixed + 0x9e3779b9) | 0;
      let z = mixed;
      z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      this.state[i] = z ^ (z >>> 15);
    }
    if (this.state.every((word) => word === 0)) this.state[0] = 1;
  }

  /** The next 32 random bits, as an unsigned integer. */
  next(): number {
    const s = this.state;
    const scrambled = Math.imul(s[1], 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    const shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return result;
  }

  /** A random integer in `0 … bound − 1`, without bias (rejection); `bound` in 1 … 2³². */
  below(bound: number): number {
    const limit = 4294967296 - (4294967296 % bound);
    let value = this.next();
    while (value >= limit) value = this.next();
    return value % bound;
  }

  /** Shuffles the first `length` elements of an array in place (Fisher–Yates). */
  shuffle(values: Uint32Array, length: number = values.length): void {
    for (let i = length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const swapped = values[i];
      values[i] = values[j];
      values[j] = swapped;
    }
  }
}
