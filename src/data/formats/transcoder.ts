import { InputError } from '../../base/errors.js';
import { encodeUtf8 } from '../../base/utf8.js';

/** Encodings of input files. */
export const ENCODINGS = ['utf-8', 'gb18030', 'big5'] as const;

/** Name of an encoding. */
export type Encoding = (typeof ENCODINGS)[number];

const NEWLINE = 10;

/**
 * Turns the bytes of GB18030 or Big5 text into UTF-8 as they come. In both, the byte of a line feed is part of no other
 * character, so that whole lines can be decoded on their own. Memory is bounded by a chunk and the longest line.
 */
export class Transcoder {
  private readonly encoding: Encoding;
  private readonly source: string;
  private rest = new Uint8Array(0);
  /** Offset of `rest` from the start of the input. */
  private consumed = 0;

  /** @param source names the input in messages. */
  constructor(encoding: Encoding, source: string) {
    this.encoding = encoding;
    this.source = source;
  }

  /** The UTF-8 bytes of the lines complete with this chunk. @throws InputError with the offset of what cannot be decoded. */
  push(chunk: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(this.rest.length + chunk.length);
    bytes.set(this.rest);
    bytes.set(chunk, this.rest.length);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.rest = bytes.slice(end);
    return this.decode(bytes.subarray(0, end));
  }

  /** The UTF-8 bytes of what is left. @throws InputError as {@link push}. */
  end(): Uint8Array {
    const { rest } = this;
    this.rest = new Uint8Array(0);
    return this.decode(rest);
  }

  private decode(bytes: Uint8Array): Uint8Array {
    const { encoding, source, consumed } = this;
    try {
      const utf8 = encodeUtf8(decodeStrictly(bytes, encoding, false));
      this.consumed += bytes.length;
      return utf8;
    } catch {
      const at = consumed + firstUndecodable(bytes, encoding);
      throw new InputError({ source, byte: at }, `expected ${encoding} text, found bytes that are none`);
    }
  }
}

/** @param isPart whether the bytes may end within a character. @throws TypeError where they are no text. */
function decodeStrictly(bytes: Uint8Array, encoding: Encoding, isPart: boolean): string {
  const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isPart });
  // The Big5 table of some platforms has these for the bytes 0x80 and 0xff, which are no characters.
  if (encoding === 'big5' && /[\x80\uf8f8]/.test(text)) throw new TypeError('no character');
  return text;
}

/** Offset of the byte with which a beginning of the bytes first cannot be continued to a text. */
function firstUndecodable(bytes: Uint8Array, encoding: Encoding): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    try {
      decodeStrictly(bytes.subarray(0, middle), encoding, true);
      good = middle;
    } catch {
      bad = middle;
    }
  }
  return Math.min(good, bytes.length - 1);
}
