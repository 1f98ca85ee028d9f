import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.js';
import {
  ConlluScanner,
  type ConlluSentence,
  conlluValue,
  formatConlluSentence,
  setConlluValue,
} from '../../src/data/formats/conllu.js';
import { rawLines } from '../../src/data/formats/line-reader.js';

function scan(chunks: readonly Uint8Array[]): ConlluSentence[] {
  const scanner = new ConlluScanner('f');
  const found: ConlluSentence[] = [];
  const take = () => {
    for (let sentence = scanner.next(); sentence; sentence = scanner.next()) found.push(sentence);
  };
  for (const chunk of chunks) {
    scanner.push(chunk);
    take();
  }
  scanner.end();
  take();
  return found;
}
const scanText = (text: string) => scan([encodeUtf8(text)]);
const word = (id: string, form: string, misc = '_') => `${id}\t${form}\t_\t_\tNN\t_\t_\t_\t_\t${misc}\n`;

const FILE =
  `# newdoc\n\n# text = du bois\n${word('1-2', 'du')}${word('1', 'de')}${word('2', 'le')}${word('2.1', 'x')}` +
  `${word('3', 'bois', 'SpaceAfter=No|Chunk=B-NP')}\r\n${word('1', '_')}`;

describe('ConlluScanner', () => {
  it('finds words among comments, ranges and empty nodes', () => {
    const [first, second] = scanText(FILE);
    expect(first.problem).toBeUndefined();
    expect(first.fields.map((fields) => fields[1])).toEqual(['de', 'le', 'bois']);
    expect(first.words.map((index) => first.firstLine + index)).toEqual([5, 6, 8]);
    expect(second.fields.map((fields) => fields[1])).toEqual(['_']);
    expect(rawLines([first, second].flatMap(({ lines }) => lines))).toBe(FILE);
  });

  it('does not depend on how the bytes are cut', () => {
    const bytes = encodeUtf8(FILE);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 6 }), (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), bytes.length];
        expect(scan(ends.map((end, i) => bytes.slice(i === 0 ? 0 : ends[i - 1], end)))).toEqual(
          scan([bytes]),
        );
      }),
    );
  });

  it('reads arbitrary sentences, and loses no byte', () => {
    const cell = fc.constantFrom('_', 'a', 'New York', '犬', '#', '1', 'X=1|Y=2');
    const ending = fc.constantFrom('\n', '\r\n');
    const row = fc.tuple(
      fc.array(cell, { minLength: 9, maxLength: 9 }),
      fc.constantFrom('', '-', '.'),
      ending,
    );
    const sentence = fc.record({
      comments: fc.array(fc.constantFrom('#', '# text = a', '# 1\ta'), { maxLength: 2 }),
      rows: fc.array(row, { minLength: 1, maxLength: 5 }),
      blank: ending,
    });
    fc.assert(
      fc.property(fc.array(sentence, { maxLength: 4 }), fc.boolean(), (sentences, isCut) => {
        let text = '';
        for (const { comments, rows, blank } of sentences) {
          text += comments.map((comment) => comment + blank).join('');
          rows.forEach(([cells, other, end], t) => {
            if (other !== '') text += `${t + 1}${other}${t + 2}\t${cells.join('\t')}${end}`;
            text += `${t + 1}\t${cells.join('\t')}${end}`;
          });
          text += blank;
        }
        if (isCut) text = text.replace(/(\r?\n)+$/, '');
        const found = scanText(text);
        expect(found.map(({ problem }) => problem)).toEqual(sentences.map(() => undefined));
        expect(found.map(({ fields }) => fields)).toEqual(
          sentences.map(({ rows }) => rows.map(([cells], t) => [String(t + 1), ...cells])),
        );
        for (const { lines, words, fields } of found) {
          expect(words.map((index) => lines[index].text)).toEqual(fields.map((cells) => cells.join('\t')));
        }
        expect(rawLines(found.flatMap(({ lines }) => lines))).toBe(text);
      }),
    );
  });

  it('gives what follows the last sentence as one without words', () => {
    const text = `${word('1', 'a')}\n\n# end\n`;
    const found = scanText(text);
    expect(found.map(({ words, firstLine }) => [words, firstLine])).toEqual([
      [[0], 1],
      [[], 3],
    ]);
    expect(rawLines(found.flatMap(({ lines }) => lines))).toBe(text);
  });

  it('keeps a sentence with bytes that are no text as it is', () => {
    const bytes = Uint8Array.of(...encodeUtf8(word('1', 'a')), 0xff, 10, 10, ...encodeUtf8(word('1', 'b')));
    const found = scan([bytes]);
    expect(found[0].problem?.message).toContain('f:2 (byte 21): expected UTF-8 text');
    expect(found[1].fields[0][1]).toBe('b');
    expect(rawLines(found.flatMap(({ lines }) => lines))).toEqual(bytes);
  });

  it.each([
    ['1\ta\n', 'f:1: expected 10 columns parted by tabs, found 2'],
    [
      '1 a _ _ _ _ _ _ _ _\n',
      'f:1: expected 10 columns parted by tabs, found 1; CoNLL-U parts columns by tabs',
    ],
    [`# c\n${word('2', 'a')}`, 'f:2: expected the id 1, a range or an empty node, found "2"'],
    [word('x', 'a'), 'found "x"'],
    [word('1', ''), 'f:1: expected a value or _ in column form, found nothing'],
  ])('says what is wrong with %j, and goes on', (bad, message) => {
    const [first, second] = scanText(`${bad}\n${word('1', 'good')}`);
    expect(first.problem?.message).toContain(message);
    expect(second.problem).toBeUndefined();
    expect(second.fields).toHaveLength(1);
  });
});

describe('values', () => {
  it('are found by the names of columns, of tasks, and of keys in MISC', () => {
    const fields = [
      '1',
      '_',
      '_',
      'NOUN',
      '_',
      'Number=Sing',
      '_',
      '_',
      '_',
      'Chunk=B-NP|Gloss=a\\pb\\\\c|Empty=',
    ];
    const values = [
      'word',
      'form',
      'lemma',
      'upos',
      'pos',
      'xpos',
      'feats',
      'chunk',
      'CHUNK',
      'gloss',
      'empty',
      'no',
    ];
    expect(values.map((name) => conlluValue(fields, name))).toEqual([
      ...['_', '_', undefined, 'NOUN', undefined, undefined, 'Number=Sing', 'B-NP', 'B-NP', 'a|b\\c'],
      ...[undefined, undefined],
    ]);
  });

  it('hold no blanks, and come from no names but those of columns', () => {
    const fields = ['1', 'New York', '_', '_', '_', '_', '_', '_', '_', 'Gloss=the dog'];
    expect(conlluValue(fields, 'word')).toBe('New_York');
    expect(conlluValue(fields, 'gloss')).toBe('the_dog');
    expect(conlluValue(fields, 'constructor')).toBeUndefined();
    setConlluValue(fields, 'constructor', 'x');
    expect(fields[9]).toBe('Gloss=the dog|Constructor=x');
  });

  it('are read as they were written, whatever is in them, and leave the others alone', () => {
    const value = fc.string({
      minLength: 1,
      maxLength: 8,
      unit: fc.constantFrom('a', '|', '\\', 'p', '=', '_'),
    });
    fc.assert(
      fc.property(value, value, fc.constantFrom('_', 'SpaceAfter=No', 'chunk=O|Foo'), (a, b, misc) => {
        const fields = ['1', 'w', '_', '_', '_', '_', '_', '_', '_', misc];
        setConlluValue(fields, 'chunk', a);
        setConlluValue(fields, 'sense', b);
        setConlluValue(fields, 'chunk', b);
        expect(conlluValue(fields, 'chunk')).toBe(b);
        expect(conlluValue(fields, 'sense')).toBe(b);
        expect(fields).toHaveLength(10);
        for (const other of ['SpaceAfter=No', 'Foo']) {
          expect(fields[9].split('|').includes(other)).toBe(misc.includes(other));
        }
      }),
    );
  });

  it('are written where they are read', () => {
    const fields = ['1', 'a', '_', '_', '_', '_', '_', '_', '_', 'SpaceAfter=No|chunk=O'];
    setConlluValue(fields, 'pos', 'NN');
    setConlluValue(fields, 'chunk', 'B-NP');
    setConlluValue(fields, 'sense', 'a|b\\');
    expect(fields).toEqual([
      ...['1', 'a', '_', '_', 'NN', '_', '_', '_', '_'],
      'SpaceAfter=No|chunk=B-NP|Sense=a\\pb\\\\',
    ]);
    expect(conlluValue(fields, 'sense')).toBe('a|b\\');
  });

  it('make new sentences that are read again', () => {
    const text = formatConlluSentence({
      text: 'The  dog.',
      words: ['The', 'dog', '.'],
      columns: { pos: ['DT', 'NN', '.'], chunk: ['B-NP', 'I-NP', 'O'] },
      spaceAfter: [true, false, false],
    });
    const [sentence, ...others] = scanText(text);
    expect(others).toEqual([]);
    expect(sentence.lines[0].text).toBe('# text = The dog.');
    for (const [name, values] of Object.entries({
      word: ['The', 'dog', '.'],
      xpos: ['DT', 'NN', '.'],
      chunk: ['B-NP', 'I-NP', 'O'],
      SpaceAfter: [undefined, 'No', 'No'],
    })) {
      expect(sentence.fields.map((fields) => conlluValue(fields, name))).toEqual(values);
    }
  });
});
