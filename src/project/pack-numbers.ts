/** Whole numbers as text, for JSON: small ones take one character, of six bits, the lowest five first. */

const FIRST = 0x30;
const BITS = 5;
const MORE = 1 << BITS;

/** Packs numbers from 0 to 2³² − 1. */
export function packNumbers(numbers: ArrayLike<number>): string {
  const parts: string[] = [];
  let codes: number[] = [];
  for (let i = 0; i < numbers.length; i++) {
    let rest = numbers[i];
    while (rest >= MORE) {
      codes.push(codeOf(MORE + (rest % MORE)));
      rest = Math.floor(rest / MORE);
    }
    codes.push(codeOf(rest));
    if (codes.length > 8000) {
      parts.push(String.fromCharCode(...codes));
      codes = [];
    }
  }
  parts.push(String.fromCharCode(...codes));
  return parts.join('');
}

/** Characters from 0 on, without the backslash, which JSON would escape. */
function codeOf(value: number): number {
  const code = FIRST + value;
  return code < 0x5c ? code : code + 1;
}

/** The numbers that were packed; nothing where the text is no such. */
export function unpackNumbers(packed: string): Uint32Array | undefined {
  const numbers = new Uint32Array(packed.length);
  let length = 0;
  let value = 0;
  let scale = 1;
  for (let i = 0; i < packed.length; i++) {
    const code = packed.charCodeAt(i);
    const bits = code - FIRST - (code > 0x5c ? 1 : 0);
    if (bits < 0 || bits >= 2 * MORE || code === 0x5c) return undefined;
    value += (bits % MORE) * scale;
    scale *= MORE;
    if (bits >= MORE) {
      if (scale > 2 ** 35) return undefined;
      continue;
    }
    if (value > 0xffffffff) return undefined;
    numbers[length++] = value;
    value = 0;
    scale = 1;
  }
  return scale === 1 ? numbers.slice(0, length) : undefined;
}
