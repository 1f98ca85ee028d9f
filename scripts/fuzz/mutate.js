// Seeded damage: what inputs look like after a bad copy, a wrong encoding, an editor, or an attacker.

const encode = (text) => new TextEncoder().encode(text);

/** What readers stumble over. Grouped, so that one long token is not as frequent as all short ones. */
const NASTY = [
  ['\0', '\ufeff', '\r', '\r\n', '\n\n', '\r\r\n', '\u001b[31m', '\u0007', '\u007f', '\u0085'],
  [
    '\u2028',
    '\u2029',
    '\u200b',
    '\u00a0',
    '\u3000',
    '\u202e',
    '\u2066',
    '\u200f',
    '\ufffd',
    '\uffff',
    '\u00ad',
  ],
  ['-DOCSTART- -X-', '\n-DOCSTART-\n', '\t', '  ', '\t\t', '#', '_', '|', '=', '\\p', '\\'],
  [
    '"',
    "''",
    '``',
    '\\u0000',
    '\\ud83d',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '{"text":"a b"}',
    '[[0,1,"X"]]',
    '\n{}\n',
  ],
  ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '"__proto__":', 'undefined', 'null', 'true'],
  [
    'NaN',
    '-1',
    '0',
    '-0',
    '1e999',
    '1e308',
    '4294967296',
    '99999999999999999999',
    '0x10',
    '1.5',
    '1-2',
    '1.1',
    '3',
  ],
  [
    'B-',
    'I-NP',
    'O',
    '-NP',
    'B-NP-X',
    'E-NP',
    'S-VP',
    'X-NP',
    'b-np',
    'B-\u2028',
    'Chunk=B-NP',
    'SpaceAfter=No',
  ],
  ['👩‍🚀🏽', '🇩🇪', 'e\u0301', '犬', 'İ', 'ß', 'ﬃ', '\u{1d400}', '\u{10ffff}', 'שלום', '\u0301'],
  ['http://', 'a@b', '...', '. . .', '--', '1.', 'U.S.', 'p.m.', "'s", "n't", '$', '%', '&amp;', '(', ')'],
  [
    '%x[0,0]',
    'U00:',
    'B',
    '*1:',
    '%m[0,0,"',
    'label[-1]',
    'word[0]',
    'bias',
    '.test("',
    '.match(")',
    '[9]',
    '.lower',
  ],
  [
    'x'.repeat(5000),
    'a.'.repeat(1000),
    '"'.repeat(300),
    `e${'\u0301'.repeat(2000)}`,
    '👩‍🚀'.repeat(300),
    '['.repeat(3000),
    '{"a":'.repeat(1000),
    'a b '.repeat(2000),
    '\n'.repeat(500),
    '-'.repeat(1500),
  ],
];
/** Seldom, since it makes a case slow. */
const HUGE = ['x', '.', '-', "'", '1,', 'é', 'A.', '👍'].map((part) => part.repeat(100_000 / part.length));

/** Bytes that are no UTF-8: lone surrogates, overlong forms, stray and impossible bytes, cut sequences, UTF-16. */
const NO_TEXT = [
  ...[[0xed, 0xa0, 0x80], [0xed, 0xb0, 0x80], [0xc0, 0xaf], [0xe0, 0x80, 0xaf], [0xc1, 0xbf], [0x80], [0xff]],
  ...[
    [0xfe, 0xff],
    [0xff, 0xfe, 0x61, 0],
    [0xf0, 0x9f],
    [0xe2, 0x80],
    [0xc3],
    [0xf4, 0x90, 0x80, 0x80],
    [0xf8, 0x88],
  ],
].map((bytes) => Uint8Array.from(bytes));

/** Strings that are no text: surrogates without the other half. */
const NO_STRING = ['\ud83d', '\udc00', '\udc00\ud83d', 'a\ud83db', '\ud83d\ud83d\ude00', '\ude00.'];

const LARGEST = 250_000;

/** One of a list. */
export function pick(random, list) {
  return list[random.below(list.length)];
}

/** Something that readers stumble over. */
export function nasty(random) {
  return random.below(150) === 0 ? pick(random, HUGE) : pick(random, pick(random, NASTY));
}

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
    if (bytes.length > LARGEST) bytes = bytes.subarray(0, LARGEST);
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
  (bytes, random) => replace(bytes, at(bytes, random), random.below(3), encode(nasty(random))),
  (bytes, random) => replace(bytes, at(bytes, random), random.below(3), pick(random, NO_TEXT)),
  (bytes, random) => {
    const i = at(bytes, random);
    const part = bytes.subarray(i, i + random.below(60));
    return replace(bytes, i, 0, concat(Array.from({ length: 1 + random.below(100) }, () => part)));
  },
  (bytes, random, samples) => {
    const other = pick(random, samples);
    return concat([bytes.subarray(0, at(bytes, random)), other.subarray(at(other, random))]);
  },
  (bytes, random) => overLines(bytes, random, (lines, i) => lines.splice(i, 1)),
  (bytes, random) => overLines(bytes, random, (lines, i) => lines.splice(i, 0, pick(random, lines))),
  (bytes, random) => overLines(bytes, random, (lines, i) => lines.splice(i, 1, '')),
  (bytes, random) => {
    return overLines(bytes, random, (lines, i) => {
      const other = random.below(lines.length);
      [lines[i], lines[other]] = [lines[other], lines[i]];
    });
  },
  // One cell, word or value of a line: most of the input stays well-formed.
  ...[/[^ \t]+/g, /[^ \t]+/g, /[^\t]+/g, /"[^"]*"|[\d.]+/g].map((cell) => (bytes, random) => {
    return overLines(bytes, random, (lines, i) => {
      const found = [...lines[i].matchAll(cell)];
      if (found.length === 0) return;
      const { index, 0: old } = pick(random, found);
      const text = Buffer.from(nasty(random)).toString('latin1');
      const by = cell.source.startsWith('"') && old[0] === '"' ? JSON.stringify(text) : text;
      lines[i] = lines[i].slice(0, index) + by + lines[i].slice(index + old.length);
    });
  }),
];

/** A string with damage that bytes of UTF-8 cannot have. */
export function mutateText(random, text) {
  let damaged = text;
  for (let rounds = random.below(4); rounds > 0; rounds--) {
    const i = random.below(damaged.length + 1);
    const part = random.below(2) > 0 ? pick(random, NO_STRING) : nasty(random);
    damaged = damaged.slice(0, i) + part + damaged.slice(i + random.below(3));
  }
  return damaged;
}

/** Values of the wrong type or size. What JSON cannot say is written as {@link revive} reads it. */
const VALUES = [
  ...[null, true, false, 0, 1, 2, -1, 0.5, 1e308, 1e-308, -1e308, 2 ** 31, 2 ** 32, 2 ** 53, 1e21],
  ...['', ' ', 'x', '2', '-1', '1e999', '0x10', 'NaN', '__proto__', 'constructor', 'label', '_', 'word,pos'],
  ...['\u202e\u0000\n', 'y'.repeat(3000), '\ud83d'],
  ...[[], {}, [[]], [1], ['word'], { toString: 1, valueOf: 1 }, { a: 'z'.repeat(3000) }, ['w'.repeat(2000)]],
  ...['forward', 'backward', 'iob1', 'iob2', 'ioe2', 'iobes', 'token', 'greedy', 'viterbi', 'beam', 'hybrid'],
  ...['svm', 'ova', 'int8', 'float32', '004', 'small', 'wide', 'pos', 'fast', 'default', 'chunking'],
];
const BEYOND_JSON = [
  '@NaN',
  '@Infinity',
  '@-Infinity',
  '@undefined',
  '@bigint',
  '@symbol',
  '@function',
  '@bare',
];
const BEYOND = {
  '@NaN': NaN,
  '@Infinity': Infinity,
  '@-Infinity': -Infinity,
  '@undefined': undefined,
  '@bigint': 10n,
  '@symbol': Symbol('s'),
  '@function': () => 1,
  '@bare': Object.create(null),
};

/** A JSON value in which {@link mutateJson} may have put what JSON cannot say. */
export function revive(value) {
  if (typeof value === 'string') return Object.hasOwn(BEYOND, value) ? BEYOND[value] : value;
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, revive(part)]));
}

/**
 * A JSON value with some of its parts replaced, left out, repeated or renamed.
 *
 * @param values what to put in, besides values of the wrong type or size.
 */
export function mutateJson(random, value, values = VALUES) {
  const root = { value: structuredClone(value) };
  for (let rounds = pick(random, [1, 1, 1, 2, 3]); rounds > 0; rounds--) {
    const places = [];
    const collect = (holder, depth) => {
      for (const key of Object.keys(holder)) {
        places.push([holder, key]);
        if (typeof holder[key] === 'object' && holder[key] !== null && depth < 8)
          collect(holder[key], depth + 1);
      }
    };
    collect(root, 0);
    // Deep places are many and alike; shallow ones are few and each of its own kind.
    const [holder, key] =
      random.below(3) === 0 ? places[random.below(Math.min(12, places.length))] : pick(random, places);
    if (holder === root && places.length > 1 && random.below(8) > 0) continue;
    if (holder === root) root.value = structuredClone(pick(random, values));
    else changeAt(random, holder, key, values);
  }
  return root.value;
}

function changeAt(random, holder, key, values) {
  const old = holder[key];
  const kind = random.below(7);
  if (kind < 3) holder[key] = structuredClone(pick(random, values));
  else if (kind === 3 && typeof old === 'number') {
    holder[key] = pick(random, [old + 1, old - 1, -old, old * 1e6, old + 0.5, 0, 255, 65535, 65536]);
  } else if (kind === 4 && Array.isArray(holder)) {
    if (random.below(2) > 0) holder.splice(Number(key), 1);
    else
      holder.splice(
        Number(key),
        0,
        ...Array.from({ length: pick(random, [1, 2, 70]) }, () => structuredClone(old)),
      );
  } else if (kind === 5 && !Array.isArray(holder)) {
    delete holder[key];
    if (random.below(2) > 0) {
      const name =
        random.below(3) > 0 ? nasty(random).slice(0, 3000) : pick(random, Object.keys(holder).concat('x'));
      Object.defineProperty(holder, name, {
        value: old,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  } else if (typeof old === 'string') holder[key] = mutateText(random, old);
  else if (Array.isArray(old)) old.push(structuredClone(pick(random, values)));
  else holder[key] = structuredClone(pick(random, values));
}

/** Values that {@link mutateJson} puts in where a program, not a file, gives them. */
export const ALL_VALUES = [...VALUES, ...BEYOND_JSON];

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

/** Byte arrays as one. */
export function concat(parts) {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    joined.set(part, end);
    end += part.length;
  }
  return joined;
}

/** Cuts bytes, or a string, at random. */
export function* piecesOf(input, random) {
  for (let start = 0; start < input.length; ) {
    const most = input.length > 20_000 ? pick(random, [5000, 100_000]) : pick(random, [3, 50, 100_000]);
    const end = start + 1 + random.below(most);
    yield input.slice(start, end);
    start = end;
  }
}
