import { InputError, OptionError, quote } from '../../base/errors.js';
import { encodeUtf8 } from '../../base/utf8.js';

/** Name of an encoding that TextDecoder knows (WHATWG Encoding Standard), as {@link encodingNamed} gives it. */
export type Encoding = string;

const NEWLINE = 10;

/**
 * The encoding of a name, in any of its spellings: `windows-1252` of `latin1`.
 *
 * @throws OptionError for a name that TextDecoder does not know.
 */
export function encodingNamed(name: string): Encoding {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    const expected =
      'utf-8, utf-16le, windows-1252, iso-8859-15, gb18030, big5, euc-jp, shift_jis, euc-kr, koi8-r';
    throw new OptionError(
      'encoding',
      `--encoding: expected a name such as ${expected}, found ${quote(name)}`,
    );
  }
}

/**
 * Turns the bytes of text in another encoding into UTF-8 as they come. But for UTF-16 the byte of a line feed is part of no
 * other character, so that whole lines can be decoded on their own. Memory is bounded by a chunk and the longest line.
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
    const end = this.encoding.startsWith('utf-16')
      ? wholePairs(bytes, this.encoding)
      : bytes.lastIndexOf(NEWLINE) + 1;
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
      const text = decodeStrictly(bytes, encoding, false);
      const utf8 = encodeUtf8(consumed === 0 ? text.replace(/^\ufeff/, '') : text);
      this.consumed += bytes.length;
      return utf8;
    } catch {
      const at = consumed + firstUndecodable(bytes, encoding);
      throw new InputError({ source, byte: at }, `expected ${encoding} text, found bytes that are none`);
    }
  }
}

/** How many of the bytes of UTF-16 text are whole characters. */
function wholePairs(bytes: Uint8Array, encoding: Encoding): number {
  const even = bytes.length & ~1;
  const high = bytes[even - (encoding === 'utf-16be' ? 2 : 1)];
  return even > 0 && high >= 0xd8 && high <= 0xdb ? even - 2 : even;
}

/** @param isPart whether the bytes may end within a character. @throws TypeError where they are no text. */
function decodeStrictly(bytes: Uint8Array, encoding: Encoding, isPart: boolean): string {
  const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isPart });
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
