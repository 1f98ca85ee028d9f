import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.js';
import type { CharacterSpan } from '../../src/data/span.js';
import { OpenDocument } from '../../src/project/document.js';
import { EXPORTS, type ExportedDocument, type ExportName } from '../../src/project/export-documents.js';
import { importDocuments } from '../../src/project/import-documents.js';
import { HOSTILE_TEXTS } from './hostile-texts.js';

const FORMATS = Object.keys(EXPORTS) as ExportName[];
const LAYER = 'names';

const read = (name: string, content: string | Uint8Array, offsets?: 'code-points') => {
  const bytes = typeof content === 'string' ? encodeUtf8(content) : content;
  return importDocuments([{ name, bytes }], { tokenizer: 'english', layer: LAYER, isGold: true, offsets });
};

/** A text with a span over every third token, as long as two tokens where there are. */
function labelled(text: string): ExportedDocument {
  const how = { tokenizer: 'english', layer: LAYER, isGold: true, isText: true } as const;
  const [stored] = importDocuments([{ name: 'text.txt', bytes: encodeUtf8(text) }], how).documents;
  const document = new OpenDocument(stored);
  const spans: CharacterSpan[] = [];
  for (let s = 0; s < document.sentences; s++) {
    const tokens = document.tokens(s);
    for (let t = 0; 2 * t < tokens.length; t += 3) {
      const last = Math.min(t + 1, tokens.length / 2 - 1);
      spans.push({ start: tokens[2 * t], end: tokens[2 * last + 1], type: t % 2 === 0 ? 'PER' : 'LOC' });
    }
  }
  return { document, spans };
}

const again = (name: ExportName, content: string | Uint8Array): ExportedDocument[] => {
  const { extension, offsets } = EXPORTS[name];
  const { documents, problems } = read(`again${extension}`, content, offsets);
  expect(problems).toEqual([]);
  return documents.map((stored) => {
    const document = new OpenDocument(stored);
    return { document, spans: document.givenSpans(LAYER) };
  });
};

/** Words and spans of tokens: what formats of tokens keep. */
const ofTokens = ({ document, spans }: ExportedDocument) => {
  const texts = spans.map(
    ({ start, end, type }) =>
      `${type}:${document.stored.text.slice(start, end).replace(/[\s\p{Cf}_]+/gu, '')}`,
  );
  return { texts, tokens: document.length };
};

describe.each(FORMATS)('%s', (name) => {
  const format = EXPORTS[name];

  it.each(HOSTILE_TEXTS.map((text, i) => [i, text]))('gives hostile text %i back', (_, text) => {
    const before = labelled(text);
    if (name === 'inline-xml' && /[\r\n]/.test(text)) {
      expect(() => format.write([before])).toThrow(
        /the format inline-xml has no place for line ends in a text/,
      );
      return;
    }
    const written = format.write([before]);
    const [after, ...more] = again(name, written);
    expect(more).toEqual([]);
    expect(ofTokens(after).texts).toEqual(ofTokens(before).texts);
    if (name === 'jsonl')
      expect({ ...after.document.stored, isGold: 1 }).toEqual({
        ...before.document.stored,
        given: { [LAYER]: before.spans },
        isGold: 1,
      });
    if (format.isOfTokens) expect(ofTokens(after).tokens).toBe(before.document.length);
    else {
      expect(after.document.stored.text).toBe(text);
      expect(after.spans).toEqual(before.spans);
    }
    // What was imported is exported the same.
    const { document, spans } = after;
    const retitled = new OpenDocument({
      ...document.stored,
      title: before.document.stored.title,
      id: before.document.stored.id,
    });
    const second = format.write([{ document: retitled, spans }]);
    // Words stand one blank apart where a format has no text but them.
    const plain = (content: string | Uint8Array) =>
      Buffer.from(content)
        .toString()
        .replace(format.isOfTokens ? /\p{Cf}/gu : /(?!)/, ' ');
    expect(plain(second)).toBe(plain(written));
  });

  it('gives several documents back, in their order', () => {
    const documents = ['Ana ran.', 'Bob slept in Rome.', 'Eve 🦊 did not.'].map(labelled);
    const found = again(name, format.write(documents));
    expect(found.map(ofTokens)).toEqual(documents.map(ofTokens));
  });
});

describe('imports', () => {
  it('take a line of ten megabytes', () => {
    const { documents } = read('long.txt', '他在 word 🦊 '.repeat(900_000));
    expect(documents[0].text.length).toBe(9_900_000);
    const open = new OpenDocument(documents[0]);
    const text = open.stored.text.slice(open.bounds[2 * (open.length - 1)], open.bounds[2 * open.length - 1]);
    expect(text).toBe('🦊');
  });

  it('detect what files are by their content', () => {
    const detected = (name: string, content: string) => read(name, content).detected[0];
    expect(detected('a', 'The DT B-NP\ndog NN I-NP\n\nIt PRP B-NP\n')).toBe('a: columns, 1 document');
    expect(
      detected(
        'a.txt',
        '-DOCSTART- -X- O O\n\nEU NNP B-NP B-ORG\n\n-DOCSTART- -X- O O\n\nAna NNP B-NP B-PER\n',
      ),
    ).toBe('a.txt: columns, 2 documents');
    expect(detected('a.txt', 'The dog barks.\nIt did.')).toBe('a.txt: text, 1 document');
    expect(detected('a.txt', 'Ana_PER ran_O\nBob_PER slept_O\n')).toBe('a.txt: word-tag, 2 documents');
    expect(detected('a.txt', '{"text":"Ana ran.","spans":[]}\n')).toBe('a.txt: jsonl, 1 document');
  });

  it('leave out bad documents, and say where they are', () => {
    const { documents, problems } = read('a.jsonl', '{"text":"Ana"}\n{"text":3}\nnothing\n{"text":"Bob"}\n');
    expect(documents.map(({ text }) => text)).toEqual(['Ana', 'Bob']);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^a\.jsonl:2: expected a string "text", found 3/);
    expect(read('bad.txt', new Uint8Array([65, 255])).problems).toEqual([
      'bad.txt (byte 1): expected UTF-8, found another byte',
    ]);
  });

  it('keep further columns of a column file', () => {
    const content = '-DOCSTART- O\n\nEU NNP B-ORG\nrejects VBZ O\n\n-DOCSTART- O\n\nAna NNP B-PER\n\n';
    const found = again('columns', content);
    expect(found[0].document.cells('pos', 0)).toEqual(['NNP', 'VBZ']);
    expect(EXPORTS.columns.write(found)).toBe(content);
  });
});
