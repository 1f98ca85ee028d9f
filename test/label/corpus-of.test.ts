import { describe, expect, it } from 'vitest';
import { columnStrings, packCorpus } from '../../src/data/corpus.js';
import { corpusOf, readConllu, readJsonl } from '../../src/label/corpus-of.js';
import { Tagger } from '../../src/tag/tagger.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';

const configuration = configure({ task: 'chunking', columns: ['word', 'name'], options: { 'cut-off': 1 } });
const tags = (corpus: ReturnType<typeof corpusOf>, sentence = 0) => columnStrings(corpus, 1, sentence);

describe('corpusOf', () => {
  it('makes the same corpus of texts with spans as of their JSON Lines', () => {
    const records = [
      { text: 'Ada Lovelace wrote it.', spans: [{ start: 0, end: 12, type: 'PER' }] },
      { text: 'It ran in London.', spans: [{ start: 10, end: 16, type: 'LOC' }] },
    ];
    const corpus = corpusOf(records, configuration);
    expect(tags(corpus)).toEqual(['B-PER', 'I-PER', 'O', 'O', 'O']);
    const lines = records.map((record) => JSON.stringify(record)).join('\n');
    const read = { ...readJsonl(lines, configuration), source: 'records' };
    expect(packCorpus(read)).toEqual(packCorpus(corpus));
  });

  it('trains on tokens with tags and further columns', async () => {
    const records = [
      { tokens: ['Ada', 'met', 'Bob'], pos: ['NNP', 'VBD', 'NNP'], tags: ['B-PER', 'O', 'B-PER'] },
      { tokens: ['Bob', 'slept'], pos: ['NNP', 'VBD'], tags: ['B-PER', 'O'] },
    ];
    const withPos = configure({ task: 'chunking', options: { 'cut-off': 1 } });
    const model = await train(corpusOf(records, withPos), withPos);
    const { tokens, pos } = records[0];
    expect(new Tagger(model).label({ word: tokens, pos }).tags).toEqual(records[0].tags);
    expect(tags(corpusOf(records, configuration), 1)).toEqual(['B-PER', 'O']);
  });

  it('reads CoNLL-U', () => {
    const conllu = '1\tAda\t_\t_\t_\t_\t_\t_\t_\tname=B-PER\n2\tran\t_\t_\t_\t_\t_\t_\t_\tname=O\n\n';
    expect(tags(readConllu(conllu, configuration))).toEqual(['B-PER', 'O']);
  });

  it.each([
    [{}, 'expected a list of objects, found {}'],
    [[3], 'records:1: expected an object, found 3'],
    [[], 'expected sentences, found none'],
    [
      [
        { tokens: ['a'], tags: ['O'] },
        { tokens: ['a', 'b'], tags: ['O'] },
      ],
      'records:2: expected "tags" with a string for each of the 2 tokens, found 1 of them',
    ],
    [
      [{ tokens: ['a', ''], tags: ['O', 'O'] }],
      'records:1: expected strings in "tokens", none of them empty, found ""',
    ],
    [[{ tokens: ['a'] }], 'records:1: expected "tags" with a string for each of the 1 tokens, found none'],
    [[{ tokens: 3, tags: ['O'] }], 'records:1: expected "tokens" with a list of strings, found 3'],
    [[{ text: 'Ada', spans: [{ start: 0, end: 9, type: 'PER' }] }], 'records:1'],
  ])('refuses %j', (records, message) => {
    expect(() => corpusOf(records as never, configuration)).toThrow(message);
  });
});
