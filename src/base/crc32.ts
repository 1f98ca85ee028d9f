/** [4 × 256] tables for four bytes a step (slicing-by-4). */
const TABLES = makeTables();

/**
 * CRC-32 (the reflected polynomial 0xEDB88320 of zip and PNG): detects every single flipped bit and every burst of
 * up to 32 bits.
 *
 * @param crc result for the bytes before, to go on from; 0 at the start.
 */
export function crc32(bytes: Uint8Array, crc = 0): number {
  const tables = TABLES;
  const whole = bytes.length - (bytes.length % 4);
  let value = ~crc;
  let i = 0;
  for (; i < whole; i += 4) {
    value ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    value =
      tables[768 + (value & 255)] ^
      tables[512 + ((value >>> 8) & 255)] ^
      tables[256 + ((value >>> 16) & 255)] ^
      tables[value >>> 24];
  }
  for (; i < bytes.length; i++) value = (value >>> 8) ^ tables[(value ^ bytes[i]) & 255];
  return ~value >>> 0;
}

function makeTables(): Uint32Array {
  const tables = new Uint32Array(1024);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
    tables[byte] = value;
  }
  for (let i = 256; i < 1024; i++) tables[i] = (tables[i - 256] >>> 8) ^ tables[tables[i - 256] & 255];
  return tables;
}
