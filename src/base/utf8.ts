const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The UTF-8 bytes of a string; lone surrogates become U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** Writes the UTF-8 bytes of a string into `out`, which must hold three bytes per UTF-16 unit; returns the count. */
export function encodeUtf8Into(text: string, out: Uint8Array): number {
  const length = text.length;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return encoder.encodeInto(text, out).written;
    out[i] = unit;
  }
  return length;
}

/** The string of UTF-8 bytes that are known to be valid. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Offset of the first byte that starts no valid UTF-8 sequence, or −1 when all are valid. */
export function findInvalidUtf8(bytes: Uint8Array): number {
  const { length } = bytes;
  let i = 0;
  // No decoder: it makes a string, which takes several times as long.
  while (i < length) {
    const lead = bytes[i];
    if (lead < 0x80) {
      i++;
      continue;
    }
    let extra = 0;
    let low = 0x80;
    let high = 0xbf;
    if (lead >= 0xe0 && lead <= 0xef) {
      extra = 2;
      if (lead === 0xe0) low = 0xa0;
      if (lead === 0xed) high = 0x9f;
    } else if (lead >= 0xc2 && lead <= 0xdf) extra = 1;
    else if (lead >= 0xf0 && lead <= 0xf4) {
      extra = 3;
      if (lead === 0xf0) low = 0x90;
      if (lead === 0xf4) high = 0x8f;
    } else return i;
    if (i + extra >= length) return i;
    const second = bytes[i + 1];
    if (second < low || second > high) return i;
    for (let k = 2; k <= extra; k++) if ((bytes[i + k] & 0xc0) !== 0x80) return i;
    i += extra + 1;
  }
  return -1;
}
