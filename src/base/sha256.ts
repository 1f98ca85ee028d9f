/** SHA-256 (FIPS 180-4) of bytes that come in pieces. */
export class Sha256 {
  /** Signed, as are all sums: words above 2³¹ would not be small integers to an engine. */
  private readonly state = Int32Array.from(INITIAL);
  private readonly schedule = new Int32Array(64);
  private readonly block = new Uint8Array(64);
  private filled = 0;
  private total = 0;

  /** Adds bytes. */
  update(bytes: Uint8Array): void {
    this.total += bytes.length;
    let at = 0;
    if (this.filled > 0) {
      at = Math.min(64 - this.filled, bytes.length);
      this.block.set(bytes.subarray(0, at), this.filled);
      this.filled += at;
      if (this.filled < 64) return;
      this.compress(this.block, 0);
    }
    for (; at + 64 <= bytes.length; at += 64) this.compress(bytes, at);
    this.block.set(bytes.subarray(at));
    this.filled = bytes.length - at;
  }

  /** The digest as 64 hexadecimal digits; nothing may be added after it. */
  hex(): string {
    const { block } = this;
    block[this.filled++] = 0x80;
    if (this.filled > 56) {
      block.fill(0, this.filled);
      this.compress(block, 0);
      this.filled = 0;
    }
    block.fill(0, this.filled);
    const view = new DataView(block.buffer);
    view.setUint32(56, Math.floor(this.total / 0x20000000));
    view.setUint32(60, (this.total << 3) >>> 0);
    this.compress(block, 0);
    return Array.from(this.state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }

  private compress(bytes: Uint8Array, start: number): void {
    const { schedule: w, state } = this;
    for (let i = 0, at = start; i < 16; i++, at += 4) {
      w[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    }
    for (let i = 16; i < 64; i++) {
      const before15 = w[i - 15];
      const before2 = w[i - 2];
      const s0 = rotate(before15, 7) ^ rotate(before15, 18) ^ (before15 >>> 3);
      const s1 = rotate(before2, 17) ^ rotate(before2, 19) ^ (before2 >>> 10);
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
    }
    let a = state[0];
    let b = state[1];
    let c = state[2];
    let d = state[3];
    let e = state[4];
    let f = state[5];
    let g = state[6];
    let h = state[7];
    for (let i = 0; i < 64; i++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + (g ^ (e & (f ^ g))) + ROUND[i] + w[i]) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (c & (a ^ b)))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return primes;
}

/** The first 32 bits of the fractional part, as the standard derives its constants. */
function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 0x100000000);
}

const PRIMES = firstPrimes(64);
const ROUND = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
