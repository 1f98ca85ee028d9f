import { grown } from './growable.js';
import { encodeUtf8Into } from './utf8.js';

/** Bytes that are collected and handed out. */
export class ByteBuffer {
  /** Longer than {@link length}; may be replaced by any call. */
  bytes = new Uint8Array(1 << 16);
  /** Number of bytes. */
  length = 0;

  /** Forgets all bytes. */
  clear(): void {
    this.length = 0;
  }

  /** The bytes, a view that holds until the next change. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  /** Makes room for so many more bytes, for callers that write {@link bytes} and {@link length} themselves. */
  reserve(count: number): void {
    this.bytes = grown(this.bytes, this.length + count);
  }

  /** Adds one byte. */
  addByte(byte: number): void {
    this.bytes = grown(this.bytes, this.length + 1);
    this.bytes[this.length++] = byte;
  }

  /** Adds bytes. */
  add(bytes: Uint8Array): void {
    this.bytes = grown(this.bytes, this.length + bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Adds a text. */
  addText(text: string): void {
    this.bytes = grown(this.bytes, this.length + 3 * text.length);
    this.length += encodeUtf8Into(text, this.bytes.subarray(this.length));
  }
}
