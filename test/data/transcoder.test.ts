import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '../../src/base/utf8.js';
import { encodingNamed, Transcoder } from '../../src/data/formats/transcoder.js';

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

  it.each([
    ['utf-16le', '\ufeffäö 🦊\n犬\n'],
    ['utf-16be', '\ufeffäö 🦊\n犬\n'],
  ] as const)('%s: decodes however the bytes are cut, without the byte order mark', (encoding, text) => {
    const all = new Uint8Array(Buffer.from(text, 'utf16le'));
    if (encoding === 'utf-16be') Buffer.from(all.buffer).swap16();
    for (let cut = 0; cut <= all.length; cut++) {
      const transcoder = new Transcoder(encoding, 'f');
      const parts = [all.subarray(0, cut), all.subarray(cut)].map((part) => transcoder.push(part));
      expect([...parts, transcoder.end()].map(decodeUtf8).join('')).toBe(text.slice(1));
    }
  });

  it.each([
    ['latin1', [0x4a, 0xe9], 'Jé'],
    ['iso-8859-15', [0xa4], '€'],
    ['euc-jp', [0xc6, 0xfc], '日'],
    ['shift_jis', [0x93, 0xfa], '日'],
    ['koi8-r', [0xc4, 0xc1], 'да'],
  ] as const)('%s: decodes', (name, bytes, text) => {
    const transcoder = new Transcoder(encodingNamed(name), 'f');
    transcoder.push(Uint8Array.from(bytes));
    expect(decodeUtf8(transcoder.end())).toBe(text);
  });

  it('knows no other names', () => {
    expect(() => encodingNamed('latin-one')).toThrow('--encoding: expected a name such as utf-8, utf-16le');
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
