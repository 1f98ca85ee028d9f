import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../../src/base/utf8.js';
import { columnStrings, readColumns } from '../../src/data/corpus.js';
import { ColumnLabeller } from '../../src/label/label-columns.js';
import { scoreModel } from '../../src/label/score-model.js';
import { loadModel, saveModel } from '../../src/model/model-file.js';
import { PredictedFileScorer } from '../../src/score/predicted-file.js';
import { Tagger } from '../../src/tag/tagger.js';
import { SCHEMES, type SchemeName } from '../../src/tags/scheme.js';
import {
  detectSpelling,
  nameOf,
  PLAIN_SPELLING,
  SPELLINGS,
  spellTag,
  TagReader,
  unspellTag,
  withPlainTags,
} from '../../src/tags/spelling.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';
import { SCHEME_NAMES, sentences } from './sequences.js';

const ALL = Object.entries(SPELLINGS);
const withPrefix = ALL.filter(([, { form }]) => form !== 'type');

describe('spellings', () => {
  it('are named by what they write', () => {
    expect(ALL.map(([name]) => name)).toEqual(
      expect.arrayContaining(['B-PER/O', 'B_PER/O', 'PER-B/O', 'PER_B/o', 'b-PER/o', 'PER/O']),
    );
    for (const [name, spelling] of ALL) expect(nameOf(spelling)).toBe(name);
  });

  it.each(withPrefix)('%s: is read as it is written, hyphens in types and all', (_, spelling) => {
    for (const name of [...SCHEME_NAMES, 'io' as const]) {
      for (const type of ['PER', 'A-B', 'x_y', '']) {
        for (const tag of ['O', ...SCHEMES[name].leadingTags.map((own) => SCHEMES[name].format(own, type))]) {
          expect(unspellTag(spelling, spellTag(spelling, tag))).toBe(tag);
        }
      }
    }
  });

  it.each(ALL)('%s: is detected from the tags of a file', (name, spelling) => {
    const tags = ['O', 'I-PER', 'I-LOC-OTHER', 'I-ORG'];
    if (spelling.form !== 'type') tags.push('B-PER', 'B-ORG');
    const found = detectSpelling(tags.map((tag) => spellTag(spelling, tag)));
    expect(nameOf(found ?? PLAIN_SPELLING)).toBe(name);
  });

  it('takes neither parts of speech nor a misspelt tag for types', () => {
    for (const tags of [
      ['DT', 'NN'],
      ['O', 'B-NP', 'X-NP'],
      ['O', 'X-NP'],
      ['O', 'B-NP', 'PERSON'],
      ['O', ''],
    ]) {
      expect(detectSpelling(tags)).toBeUndefined();
    }
  });

  it('are found as sentences come', () => {
    const reader = new TagReader();
    reader.meet(['O', 'O']);
    expect(reader.read('O')).toBe('O');
    reader.meet(['PER-B', 'O']);
    expect(reader.read('PER-B')).toBe('B-PER');
    expect(reader.read('B-PER')).toBeUndefined();
  });
});

/** A column file of some words whose tags are spelled so. */
function fileOf(scheme: SchemeName, spell: (tag: string) => string, repeats = 6): string {
  const chunked = [
    [
      ['Ana', 1],
      ['ran', 0],
      ['.', 0],
    ],
    [
      ['Bo', 1],
      ['Day', 1],
      ['sat', 0],
      ['.', 0],
    ],
    [
      ['Ana', 1],
      ['May', 1],
      ['Day', 1],
      ['ran', 0],
    ],
  ] as const;
  const text = chunked
    .map((words) => {
      const length = words.filter(([, isName]) => isName === 1).length;
      const tags = SCHEMES[scheme].encode([{ start: 0, end: length, type: 'PER' }], words.length);
      return `${words.map(([word], t) => `${word} ${spell(tags[t])}\n`).join('')}\n`;
    })
    .join('');
  return text.repeat(repeats);
}

describe('models of files in other spellings', () => {
  const cases = withPrefix.flatMap(([name, spelling]) =>
    (['iob2', 'bmes', 'bilou'] as const).map((scheme) => [name, scheme, spelling] as const),
  );
  const all = [...cases.filter((_, i) => i % 3 === 0), ['PER/O', 'io', SPELLINGS['PER/O']] as const];
  it.each(all)('%s in %s: label as the file does, and score 100 %', async (_, scheme, spelling) => {
    const file = fileOf(scheme, (tag) => spellTag(spelling, tag));
    const columns = ['word', 'ne'];
    const corpus = readColumns(file, { columns });
    const configuration = configure({ task: 'chunking', columns, options: { 'cut-off': 1 } });
    const model = loadModel(saveModel(await train(corpus, configuration)), 'm');
    expect(model.training).toMatchObject({ fileScheme: scheme, irregularTags: 0 });
    const tagger = new Tagger(model);
    expect(scoreModel(tagger, corpus)).toMatchObject({ accuracy: 100, f1: 100 });
    for (const confidence of [false, true]) {
      const labeller = new ColumnLabeller(tagger, {
        source: 'f',
        format: 'columns',
        confidence,
        onError: 'stop',
      });
      const output = decodeUtf8(labeller.push(encodeUtf8(file))) + decodeUtf8(labeller.finish());
      const rows = output.split('\n').filter((line) => line !== '');
      for (const row of rows) expect(row.split(' ')[2]).toBe(row.split(' ')[1]);
      if (confidence) continue;
      const scorer = new PredictedFileScorer('f');
      scorer.push(encodeUtf8(output));
      expect(scorer.finish()).toMatchObject({ accuracy: 100, f1: 100, gold: 18, predicted: 18 });
    }
  });

  it('are corpora of plain tags', () => {
    fc.assert(
      fc.property(
        fc.array(sentences, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...withPrefix.map(([, spelling]) => spelling)),
        fc.constantFrom(...SCHEME_NAMES),
        (some, spelling, scheme) => {
          const tags = some.map(({ spans, length }) => SCHEMES[scheme].encode(spans, length));
          fc.pre(tags.some((own) => own.length > 0));
          const text = (spell: (tag: string) => string) =>
            tags.map((own) => `${own.map((tag) => `w ${spell(tag)}\n`).join('')}\n`).join('');
          const read = (file: string) => {
            const corpus = withPlainTags(readColumns(file, { columns: ['word', 'ne'] }), scheme);
            return Array.from({ length: corpus.starts.length - 1 }, (_, s) => columnStrings(corpus, 1, s));
          };
          expect(read(text((tag) => spellTag(spelling, tag)))).toEqual(read(text((tag) => tag)));
        },
      ),
      { numRuns: 200 },
    );
  });
});
