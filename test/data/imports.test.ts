import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.js';
import { type Corpus, columnStrings } from '../../src/data/corpus.js';
import { IMPORTS, type ImportName, importNamed } from '../../src/data/formats/imports.js';
import { SpansReader } from '../../src/data/formats/spans-reader.js';
import { UnitCorpusBuilder } from '../../src/label/unit-corpus.js';

const strings = (corpus: Corpus) =>
  Array.from({ length: corpus.starts.length - 1 }, (_, s) =>
    corpus.columns.map((_name, c) => columnStrings(corpus, c, s).join(' ')),
  );

function corpusOf(lines: readonly string[], scheme: 'iob2' | 'token' = 'iob2'): string[][] {
  const builder = new UnitCorpusBuilder('jsonl', { columns: ['word', 'ne'], scheme, source: 'f' });
  builder.push(encodeUtf8(lines.map((line) => `${line}\n`).join('')));
  return strings(builder.finish());
}

const read = (name: ImportName, text: string, beside?: string) => IMPORTS[name].read({ text, beside }, 'f');

describe('imports', () => {
  const labelStudio = JSON.stringify([
    {
      id: 1,
      data: { text: '🦊 Ana ran.' },
      annotations: [
        { was_cancelled: true, result: [] },
        { result: [{ type: 'labels', value: { start: 3, end: 6, text: 'Ana', labels: ['PER'] } }] },
      ],
    },
    { id: 2, data: { text: 'No.' }, annotations: [{ was_cancelled: true, result: [] }] },
  ]);
  const minimal = JSON.stringify([
    { id: 1, text: '🦊 Ana ran.', label: [{ start: 3, end: 6, labels: ['PER'] }] },
  ]);

  it.each<[ImportName, string, string | undefined, string]>([
    ['brat', 'T1\tPER 2 5\tAna\nR1\tx Arg1:T1 Arg2:T1\n#1\tAnnotatorNotes T1\tnote\n', '🦊 Ana ran.', '.ann'],
    ['labelstudio', labelStudio, undefined, '.json'],
    ['labelstudio', minimal, undefined, '.json'],
    ['opennlp', '🦊 <START:PER> Ana <END> ran .\n\n', undefined, '.train'],
    ['inline-xml', '🦊 <PER>Ana</PER> ran.\n', undefined, '.txt'],
    ['word-tag', '🦊_O Ana_B-PER ran_O ._O\n', undefined, '.txt'],
  ])('%s: are recognised and read', (name, text, beside, extension) => {
    expect(importNamed(text, extension)).toBe(name);
    expect(corpusOf(read(name, text, beside).lines)).toEqual([['🦊 Ana ran .', 'O B-PER O O']]);
  });

  it('say what they changed', () => {
    expect(read('brat', 'T1\tPER 0 3;8 12\tAna x\n', 'Ana and Bo x').notes).toEqual([
      'f: spans in several parts, read from first to last: 1',
    ]);
    expect(read('labelstudio', labelStudio).notes).toEqual(['f: cancelled annotations, left out: 2']);
  });

  it.each<[ImportName, string, string]>([
    ['brat', 'T1\tPER x 3\tAna\n', 'f:1: expected TYPE START END after the first tab, found "PER x 3"'],
    ['labelstudio', '[5]', 'f: task 1: expected an object, found 5'],
    ['labelstudio', '[{"data":{}}]', 'f: task 1: expected a text, found none'],
    ['labelstudio', '{}', 'f: expected a JSON list of tasks'],
    [
      'opennlp',
      '\n<START:a> x <START:b> y <END>',
      'f:2: expected <START> and <END> in turn, found "<START:b>"',
    ],
    ['opennlp', '<START:a> x', 'f:1: expected <END> after <START>, found the end of the line'],
    ['inline-xml', '<A>x <B>y</B></A>', 'f:1: expected </A> first, found "<B>": names do not nest'],
    ['inline-xml', '<A>x', 'f:1: expected </A>, found the end of the line'],
    ['word-tag', 'a_X b', 'f:1: expected WORD_TAG, found "b"'],
  ])('%s: refuse %j', (name, text, message) => {
    expect(() => read(name, text, '')).toThrow(message);
  });

  it('do not take column files for theirs', () => {
    for (const text of ['a DT B-NP\nb NN I-NP\n', 'a\tO\n', '<s> O\n', 'snake_case NN\nx O\n', '']) {
      expect(importNamed(text, '.txt')).toBeUndefined();
    }
  });
});

describe('sentences as lists', () => {
  it('are read and written where their tags were', () => {
    const word = fc.constantFrom('Ana', 'ran', '🦊', 'a b');
    const token = fc.tuple(word, fc.constantFrom('O', 'B-PER', 'B-LOC'));
    fc.assert(
      fc.property(
        fc.array(token, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('tags', 'ner_tags', 'ne', 'labels'),
        (tokens, key) => {
          const tags = tokens.map(([, tag]) => tag);
          const line = JSON.stringify({ id: 1, tokens: tokens.map(([own]) => own), [key]: tags, x: [1] });
          expect(corpusOf([line])).toEqual([
            [tokens.map(([own]) => own.replace(' ', '_')).join(' '), tags.join(' ')],
          ]);
          const reader = new SpansReader({ source: 'f', columns: ['word', 'ne'] });
          reader.push(encodeUtf8(`${line}\n`));
          const unit = reader.next();
          const { sentence } = unit?.sentences[0] ?? { sentence: undefined };
          if (sentence === undefined) throw new Error('no sentence');
          const labels = (own: readonly string[]) => [
            { sentence, columns: { ne: own }, labelColumn: 'ne', chunks: [] },
          ];
          expect(unit?.relabel?.(labels(tags))).toBe(`${line}\n`);
          const none = tags.map(() => 'O');
          expect(JSON.parse(unit?.relabel?.(labels(none)) ?? '')).toEqual({
            ...JSON.parse(line),
            [key]: none,
          });
        },
      ),
    );
  });

  it('want names', () => {
    expect(() => corpusOf(['{"tokens":["a"],"ner_tags":[3]}'])).toThrow(
      'f:1: expected tags by name in "ner_tags", found numbers',
    );
    expect(() => corpusOf(['{"tokens":["a"],"tags":["O","O"]}'])).toThrow(
      'expected 1 tags in "tags", one a token, found 2',
    );
  });
});
