import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.js';
import { formatSpansLine, parseSpansLine, relabelSpansLine } from '../../src/data/formats/spans-jsonl.js';
import type { OffsetUnit } from '../../src/text/code-points.js';

const PLACE = { source: 'f.jsonl', line: 3 };
const parse = (value: unknown, unit: 'utf16' | 'code-points' = 'utf16') =>
  parseSpansLine(typeof value === 'string' ? value : JSON.stringify(value), PLACE, unit);

const TEXT = '🦊 The old dog';

describe('parseSpansLine', () => {
  const expected = [
    { start: 3, end: 10, type: 'NP' },
    { start: 11, end: 14, type: 'X' },
  ];

  it.each([
    [
      'label',
      {
        spans: [
          { start: 11, end: 14, label: 'X' },
          { start: 3, end: 10, label: 'NP' },
        ],
      },
    ],
    [
      'type',
      {
        spans: [
          { start: 3, end: 10, type: 'NP' },
          { start: 11, end: 14, type: 'X' },
        ],
      },
    ],
    [
      'code points beside others',
      {
        spans: [
          { start: 99, end: 100, startCodePoint: 2, endCodePoint: 9, label: 'NP' },
          { start: 11, end: 14, label: 'X' },
        ],
      },
    ],
    [
      'triples under label',
      {
        label: [
          [3, 10, 'NP'],
          [11, 14, 'X'],
        ],
      },
    ],
    [
      'triples under labels',
      {
        labels: [
          [3, 10, 'NP'],
          [11, 14, 'X'],
        ],
      },
    ],
    [
      'triples under entities',
      {
        entities: [
          [3, 10, 'NP'],
          [11, 14, 'X'],
        ],
      },
    ],
  ])('reads spans with %s', (_name, spans) => {
    expect(parse({ text: TEXT, ...spans })).toMatchObject({ text: TEXT, spans: expected });
  });

  it('counts as it is told', () => {
    const spans = [{ start: 2, end: 9, label: 'NP' }];
    expect(parse({ text: TEXT, spans }, 'code-points').spans).toEqual([{ start: 3, end: 10, type: 'NP' }]);
  });

  it('takes documents without spans, and reads tokens with their fields', () => {
    for (const nothing of [{}, { spans: null, tokens: null }, { label: ['news'], labels: 'x' }]) {
      expect(parse({ text: 'a b', ...nothing })).toMatchObject({ spans: undefined, tokens: undefined });
    }
    for (const none of [{ spans: [], label: ['news'] }, { labels: [] }, { entities: [], relations: [] }]) {
      expect(parse({ text: 'a b', ...none })).toMatchObject({ spans: [] });
    }
    const tokens = [
      { text: 'a', start: 0, end: 1, id: 0, pos: 'DT', ws: true },
      { start: 2, end: 3, pos: 'NN' },
    ];
    expect(parse({ text: 'a b', tokens }).tokens).toEqual([
      { start: 0, end: 1, fields: new Map([['pos', 'DT']]) },
      { start: 2, end: 3, fields: new Map([['pos', 'NN']]) },
    ]);
  });

  it.each([
    ['{"text', /^f\.jsonl:3: expected a JSON object, found "\{\\"text": /],
    ['[1]', 'f.jsonl:3: expected a JSON object, found "[1]"'],
    [{ spans: [] }, 'f.jsonl:3: expected a string "text", found none'],
    [{ text: 5 }, 'f.jsonl:3: expected a string "text", found 5'],
    [{ text: 'a', spans: 'x' }, 'f.jsonl:3: expected a list "spans", found "x"'],
    [{ text: 'a', spans: [5] }, 'f.jsonl:3: expected a span with start, end and label, found 5'],
    [
      { text: 'ab', spans: [{ start: 0, label: 'X' }] },
      'span: expected an integer from 0 as its end, found none',
    ],
    [
      { text: 'ab', spans: [{ start: -1, end: 1, label: 'X' }] },
      'expected an integer from 0 as its start, found -1',
    ],
    [{ text: 'ab', spans: [{ start: 1, end: 1, label: 'X' }] }, 'span 1–1: expected an end after the start'],
    [
      { text: 'ab', spans: [{ start: 1, end: 3, label: 'X' }] },
      "span 1–3: expected offsets up to 2, the text's length in UTF-16 units",
    ],
    [
      { text: '🦊 a', spans: [{ start: 1, end: 3, label: 'X' }] },
      'span 1–3: 1 is inside a character of two UTF-16 units; do offsets count code points (--offsets code-points)?',
    ],
    [{ text: 'ab', spans: [{ start: 0, end: 1 }] }, 'span 0–1: expected a label without blanks, found none'],
    [
      { text: 'ab', spans: [{ start: 0, end: 1, label: 'X Y' }] },
      'expected a label without blanks, found "X Y"',
    ],
    [
      {
        text: 'abc',
        labels: [
          [0, 2, 'X'],
          [1, 3, 'Y'],
        ],
      },
      'span 1–3 (Y) overlaps span 0–2 (X); chunks do not overlap',
    ],
    [{ text: 'ab', tokens: 5 }, 'expected a list "tokens", found 5'],
    [{ text: 'ab', tokens: [5] }, 'expected a token with start and end, found 5'],
    [{ text: 'ab', tokens: [{ start: 0, end: 1, text: 'x' }] }, 'token 0–1: says "x", but the text has "a"'],
    [
      { text: 'a  b', tokens: [{ start: 1, end: 2 }] },
      'token 1–2: expected characters, found only white space',
    ],
    [
      {
        text: 'ab',
        tokens: [
          { start: 1, end: 2 },
          { start: 0, end: 1 },
        ],
      },
      'token 0–1: expected tokens in text order that do not overlap',
    ],
  ])('refuses %j', (value, message) => {
    expect(() => parse(value)).toThrow(InputError);
    expect(() => parse(value)).toThrow(message);
    expect(() => parse(value)).toThrow(/^f\.jsonl:3: /);
  });
});

describe('parseSpansLine, in code points', () => {
  it.each([
    [
      { spans: [{ start: 2, end: 99, label: 'X' }] },
      "span 2–99: expected offsets up to 13, the text's length in code points",
    ],
    [{ spans: [{ start: 2, end: 9, label: ' ' }] }, 'span 2–9: expected a label without blanks, found " "'],
    [
      {
        spans: [
          { start: 6, end: 13, label: 'B' },
          { start: 2, end: 9, label: 'A' },
        ],
      },
      'span 6–13 (B) overlaps span 2–9 (A); chunks do not overlap',
    ],
    [{ tokens: [{ start: 2, end: 5, text: 'old' }] }, 'token 2–5: says "old", but the text has "The"'],
  ])('names offsets of %j as they are given', (value, message) => {
    expect(() => parse({ text: TEXT, ...value }, 'code-points')).toThrow(message);
  });
});

describe('hostile documents', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  it('are refused where they nest too deep, wherever that is', () => {
    for (const depth of [600, 200_000]) {
      for (const key of ['text', 'spans', 'tokens', 'other']) {
        const line = `{"text":"a","${key}":${nested(depth)}}`;
        expect(() => parse(line)).toThrow('f.jsonl:3: expected values nested up to 500 deep, found more');
      }
    }
    expect(parse(`{"text":"a","other":${nested(499)}}`).text).toBe('a');
  });

  it('may hold lone surrogates, and keys that objects have', () => {
    const line =
      '{"text":"\\ud800 a","spans":[{"start":2,"end":3,"label":"X"}],"__proto__":{"text":1},"toString":2}';
    const document = parse(line);
    expect(document.text).toBe('\ud800 a');
    expect(document.spans).toEqual([{ start: 2, end: 3, type: 'X' }]);
    expect(formatSpansLine({ ...document, spans: [] })).toContain('"text":"\\ud800 a"');
    const written = relabelSpansLine(document, { tokens: [] });
    expect(written).toContain('"__proto__":{"text":1},"toString":2,"tokens":[]}');
  });
});

describe('formatSpansLine', () => {
  it('writes offsets in both units, and which tokens a span covers', () => {
    const line = formatSpansLine({
      text: TEXT,
      spans: [{ start: 3, end: 10, type: 'NP', confidence: 0.5 }],
      tokens: [
        { start: 0, end: 2, fields: new Map([['pos', 'S']]) },
        { start: 3, end: 6, fields: new Map([['pos', 'DT']]) },
        { start: 7, end: 10, fields: new Map([['pos', 'JJ']]) },
      ],
    });
    expect(JSON.parse(line)).toEqual({
      text: TEXT,
      tokens: [
        { text: '🦊', start: 0, end: 2, startCodePoint: 0, endCodePoint: 1, id: 0, pos: 'S' },
        { text: 'The', start: 3, end: 6, startCodePoint: 2, endCodePoint: 5, id: 1, pos: 'DT' },
        { text: 'old', start: 7, end: 10, startCodePoint: 6, endCodePoint: 9, id: 2, pos: 'JJ' },
      ],
      spans: [
        {
          ...{ start: 3, end: 10, startCodePoint: 2, endCodePoint: 9, label: 'NP' },
          ...{ firstToken: 1, lastToken: 2, confidence: 0.5 },
        },
      ],
    });
  });

  it('writes what parseSpansLine reads, whatever it takes offsets to count', () => {
    const words = fc.array(fc.constantFrom('a', 'dog', '🦊', '犬x'), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(words, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (parts, isSpan) => {
        let text = '';
        const tokens = parts.map((part) => {
          const start = text.length;
          text += `${part} `;
          return { start, end: start + part.length, fields: new Map([['pos', 'X']]) };
        });
        const spans = tokens.flatMap(({ start, end }, t) => (isSpan[t] ? [{ start, end, type: 'N' }] : []));
        const document = { text, spans, tokens };
        for (const unit of ['utf16', 'code-points'] as const) {
          expect(parse(formatSpansLine(document), unit)).toMatchObject(document);
        }
      }),
    );
  });
});

describe('relabelSpansLine', () => {
  const spans = [{ start: 3, end: 6, type: 'NP' }];
  const relabel = (line: string, unit: OffsetUnit = 'utf16', fields = new Map<string, string>()) => {
    const document = parse(line, unit);
    const tokens = (document.tokens ?? []).map((token) => ({ ...token, fields }));
    return relabelSpansLine(document, { spans, tokens });
  };

  it('keeps the characters of everything that it does not replace', () => {
    const rest =
      '"id":12345678901234567890,"score":1.0,"meta":{"big":1e400,"t":"\\u0041 } ] \\""},"empty":[ ]';
    const line = `{ "text" : "🦊 The", ${rest}, "label" : ["news"] }`;
    const written = relabel(line);
    for (const part of rest.split(/,(?=")/)) expect(written).toContain(part);
    expect(written).toContain('"label":["news"]');
    expect(parse(written).spans).toEqual(spans);
  });

  it('keeps what tokens say, and replaces a field where it stands', () => {
    const tokens =
      '[{"start":0,"end":2,"lemma":"fox","pos":"X","ws":true,"n":1.0},{"start":3,"end":6,"ws":false}]';
    const written = relabel(`{"text":"🦊 The","tokens":${tokens}}`, 'utf16', new Map([['pos', 'DT']]));
    expect(written).toContain('{"start":0,"end":2,"lemma":"fox","pos":"DT","ws":true,"n":1.0}');
    expect(written).toContain('{"start":3,"end":6,"ws":false,"pos":"DT"}');
  });

  it('writes spans where and as they were', () => {
    const shapes = [
      ['"label":[[0,2,"X"]]', '"label":[[3,6,"NP"]]'],
      ['"label":[]', '"label":[[3,6,"NP"]]'],
      ['"entities":[],"relations":[]', '"entities":[{"start_offset":3,"end_offset":6,"label":"NP"}]'],
      [
        '"entities":[{"id":7,"start_offset":0,"end_offset":2,"label":"X"}]',
        '"entities":[{"start_offset":3,"end_offset":6,"label":"NP"}]',
      ],
      ['"labels":[{"start":0,"end":2,"type":"X"}]', '"labels":[{"start":3,"end":6,"type":"NP"}]'],
    ];
    for (const [before, after] of shapes) {
      const written = relabel(`{"text":"🦊 The",${before}}`);
      expect(written).toContain(after);
      expect(written).not.toContain('"spans"');
      expect(parse(written).spans).toEqual(spans);
    }
  });

  it('keeps all that was said of a span that is there already', () => {
    for (const own of [
      '"label":[[3, 6, "NP"]]',
      '"entities":[{"id":7,"start_offset":3,"end_offset":6,"label":"NP"}]',
      '"labels":[{"type":"NP","start":3,"end":6,"score":1.50}]',
    ]) {
      expect(relabel(`{"text":"🦊 The",${own}}`)).toContain(own);
    }
    expect(relabel('{"text":"🦊 The","spans":[{"id":"a","start":3,"end":6,"label":"NP"}]}')).toContain(
      '"spans":[{"start":3,"end":6,"startCodePoint":2,"endCodePoint":5,"label":"NP","id":"a"}]',
    );
  });

  it('gives confidences a place beside lists', () => {
    const document = parse('{"text":"🦊 The","label":[]}');
    const rated = [{ ...spans[0], confidence: 0.5 }];
    expect(relabelSpansLine(document, { spans: rated, tokens: [] })).toContain('"confidence":[0.5]');
  });

  it('counts as the document does', () => {
    const line = relabel('{"text":"🦊 The","tokens":[{"start":2,"end":5}]}', 'code-points');
    expect(JSON.parse(line)).toMatchObject({
      tokens: [{ start: 2, end: 5 }],
      spans: [{ start: 2, end: 5, startCodePoint: 2, endCodePoint: 5 }],
    });
  });

  it('leaves spans alone that are not to be replaced', () => {
    const line =
      '{"text":"a b","spans":[{"start":0,"end":1,"label":"X","by":"me"}],"tokens":[{"start":0,"end":1}]}';
    const document = parse(line);
    expect(relabelSpansLine(document, { tokens: [{ start: 0, end: 1, fields: new Map() }] })).toBe(line);
  });
});

describe('spans under several keys', () => {
  it('are refused', () => {
    const value = { text: TEXT, spans: [{ start: 3, end: 6, label: 'A' }], entities: [[3, 6, 'B']] };
    expect(() => parse(value)).toThrow('expected spans under one key, found some under spans and entities');
  });

  it('are read from the one that has some', () => {
    expect(parse({ text: TEXT, spans: [], label: ['news'], entities: [[3, 6, 'B']] }).spans).toEqual([
      { start: 3, end: 6, type: 'B' },
    ]);
  });
});
