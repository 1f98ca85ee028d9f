import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '../../src/base/utf8.js';
import { Transcoder } from '../../src/data/formats/transcoder.js';

// 中文 and a line feed; the second character of Big5 ends in an ASCII letter's byte.
const GB18030 = [0xd6, 0xd0, 0xce, 0xc4, 0x0a];
const BIG5 = [0xa4, 0xa4, 0xa4, 0xe5, 0x0a];

describe('Transcoder', () => {
  it.each([
    ['gb18030', GB18030],
    ['big5', BIG5],
  ] as const)('%s: decodes however the bytes are cut', (encoding, bytes) => {
    const all = Uint8Array.from([...bytes, ...bytes, ...bytes.slice(0, 4)]);
    for (let cut = 0; cut <= all.length; cut++) {
      const transcoder = new Transcoder(encoding, 'f');
      const parts = [all.subarray(0, cut), all.subarray(cut)].map((part) => transcoder.push(part));
      expect([...parts, transcoder.end()].map(decodeUtf8).join('')).toBe('中文\n中文\n中文');
    }
  });

  it('decodes four-byte characters of GB18030', () => {
    const transcoder = new Transcoder('gb18030', 'f');
    transcoder.push(Uint8Array.of(0x95, 0x32, 0x82, 0x36));
    expect(decodeUtf8(transcoder.end())).toBe('𠀀');
  });

  it('names the offset of bytes that are none', () => {
    const transcoder = new Transcoder('big5', 'f');
    transcoder.push(Uint8Array.from(BIG5));
    const bad = Uint8Array.from([...BIG5.slice(0, 2), 0xfe, 0x20, 0x0a]);
    expect(() => transcoder.push(bad)).toThrow('f (byte 8): expected big5 text, found bytes that are none');
  });

  it.each([0x80, 0xff])('takes no byte %i for a character of Big5, as some tables do', (byte) => {
    const transcoder = new Transcoder('big5', 'f');
    transcoder.push(Uint8Array.from([...BIG5, ...BIG5.slice(0, 2), byte]));
    expect(() => transcoder.end()).toThrow('f (byte 7): expected big5 text');
  });
});
