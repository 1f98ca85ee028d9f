// Seeded damage to bytes: what files look like after a bad copy, a wrong encoding, an editor, or an attacker.

const encode = (text) => new TextEncoder().encode(text);

/** What readers stumble over. */
const NASTY = [
  ...[
    '\0',
    '\ufeff',
    '\r',
    '\r\n',
    '\n\n',
    '\u2028',
    '\u0085',
    '\u200b',
    '\u00a0',
    '\u202e',
    '\ufffd',
    '\u001b[31m',
  ],
  ...[
    '-DOCSTART- -X-',
    '\t',
    '  ',
    '"',
    "''",
    '``',
    '\\',
    '\\u0000',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '#',
    '_',
    '|',
    '=',
  ],
  ...[
    '__proto__',
    'constructor',
    'NaN',
    '-1',
    '1e999',
    '99999999999999999999',
    'null',
    'B-',
    'I-NP',
    'O',
    '-NP',
    'B-NP-X',
  ],
  ...[
    '👩‍🚀🏽',
    '🇩🇪',
    'e\u0301\u0301\u0301',
    '犬',
    'İ',
    'ß',
    'http://',
    'a@b',
    '...',
    '--',
    '1.',
    'U.S.',
    '%x[0,0]',
    'U00:',
  ],
  'x'.repeat(5000),
  'a.'.repeat(1000),
  '"'.repeat(300),
].map(encode);

/** Bytes that are no UTF-8: a lone surrogate, an overlong slash, stray and impossible bytes, a cut sequence. */
const NO_TEXT = [[0xed, 0xa0, 0x80], [0xc0, 0xaf], [0x80], [0xff], [0xfe, 0xff], [0xf0, 0x9f]].map((bytes) =>
  Uint8Array.from(bytes),
);

/**
 * A damaged copy of one of the samples.
 *
 * @param random a Random.
 * @param samples byte arrays.
 */
export function mutate(random, samples) {
  let bytes = pick(random, samples);
  for (let rounds = pick(random, [1, 1, 1, 2, 4]); rounds > 0; rounds--) {
    bytes = pick(random, MUTATIONS)(bytes, random, samples);
    if (bytes.length > 200_000) bytes = bytes.subarray(0, 200_000);
  }
  return bytes;
}

const MUTATIONS = [
  (bytes, random) => replace(bytes, at(bytes, random), 1, Uint8Array.of(random.below(256))),
  (bytes, random) => {
    const i = at(bytes, random);
    return replace(bytes, i, 1, Uint8Array.of((bytes[i] ?? 0) ^ (1 << random.below(8))));
  },
  (bytes, random) => replace(bytes, at(bytes, random), 1 + random.below(20), new Uint8Array()),
  (bytes, random) => bytes.subarray(0, at(bytes, random)),
  (bytes, random) => bytes.subarray(at(bytes, random)),
  (bytes, random) => replace(bytes, at(bytes, random), random.below(3), pick(random, NASTY)),
  (bytes, random) => replace(bytes, at(bytes, random), random.below(3), pick(random, NASTY)),
  (bytes, random) => replace(bytes, at(bytes, random), random.below(3), pick(random, NO_TEXT)),
  (bytes, random) => {
    const i = at(bytes, random);
    const part = bytes.subarray(i, i + random.below(60));
    return replace(bytes, i, 0, concat(Array.from({ length: 1 + random.below(50) }, () => part)));
  },
  (bytes, random, samples) => {
    const other = pick(random, samples);
    return concat([bytes.subarray(0, at(bytes, random)), other.subarray(at(other, random))]);
  },
  (bytes, random) => overLines(bytes, random, (lines, i) => lines.splice(i, 1)),
  (bytes, random) =>
    overLines(bytes, random, (lines, i) => lines.splice(i, 0, lines[random.below(lines.length)])),
  (bytes, random) => overLines(bytes, random, (lines, i) => lines.splice(i, 1, '')),
];

function overLines(bytes, random, change) {
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  change(lines, random.below(lines.length));
  return Uint8Array.from(Buffer.from(lines.join('\n'), 'latin1'));
}

function at(bytes, random) {
  return bytes.length === 0 ? 0 : random.below(bytes.length);
}

function replace(bytes, start, count, by) {
  return concat([bytes.subarray(0, start), by, bytes.subarray(start + count)]);
}

export function concat(parts) {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    joined.set(part, end);
    end += part.length;
  }
  return joined;
}

export function pick(random, list) {
  return list[random.below(list.length)];
}
