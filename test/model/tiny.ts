import type { OptionValues } from '../../src/base/options.js';
import { Random } from '../../src/base/random.js';
import { encodeUtf8 } from '../../src/base/utf8.js';
import type { SentenceColumns } from '../../src/data/corpus.js';
import { type Corpus, readColumns } from '../../src/data/corpus.js';
import type { Span } from '../../src/data/span.js';
import type { TemplateSet } from '../../src/features/template.js';
import type { SequenceProblem } from '../../src/learn/learner.js';
import type { Configuration } from '../../src/model/configuration.js';
import type { Model } from '../../src/model/model.js';
import { SCHEMES, type SchemeName } from '../../src/tags/scheme.js';
import { configure } from '../../src/tasks/configure.js';
import { prepare } from '../../src/train/prepare.js';
import { train } from '../../src/train/train.js';

const WORDS: Readonly<Record<string, readonly string[]>> = {
  DT: ['the', 'The', 'a', 'this'],
  JJ: ['big', 'häufige', 'old', 'green'],
  NN: ['dog', 'house', 'Straße', '犬', 'committee'],
  PRP: ['she', 'He', 'it'],
  VB: ['barks', 'was', 'seen', 'eats'],
  IN: ['in', 'with', 'of'],
  '.': ['.', '!', ','],
};

/** Chunks by part of speech; adjacent ones of one type make the schemes differ. */
const CHUNKS: readonly (readonly [type: string, pos: readonly string[]])[] = [
  ['NP', ['DT', 'NN']],
  ['NP', ['DT', 'JJ', 'NN']],
  ['NP', ['PRP']],
  ['NP', ['NN', 'NN']],
  ['VP', ['VB']],
  ['VP', ['VB', 'VB']],
  ['PP', ['IN']],
  ['', ['.']],
];

/** A sentence with its chunks. */
export interface ChunkedSentence {
  readonly columns: { readonly word: string[]; readonly pos: string[] };
  readonly spans: Span[];
}

/** Seeded sentences whose chunks depend on words and parts of speech. */
export function makeSentences(count: number, seed: number): ChunkedSentence[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const columns = { word: [] as string[], pos: [] as string[] };
    const spans: Span[] = [];
    for (let chunks = 1 + random.below(5); chunks > 0; chunks--) {
      const [type, tags] = CHUNKS[random.below(CHUNKS.length)];
      const start = columns.pos.length;
      for (const pos of tags) {
        columns.pos.push(pos);
        columns.word.push(WORDS[pos][random.below(WORDS[pos].length)]);
      }
      if (type !== '') spans.push({ start, end: columns.pos.length, type });
    }
    return { columns, spans };
  });
}

/** Sentences as a column file; `tags` gives the last column. */
export function columnFile(
  sentences: readonly ChunkedSentence[],
  tags: SchemeName | ((sentence: ChunkedSentence) => readonly string[]) = 'iob2',
): string {
  return sentences
    .map((sentence) => {
      const { word, pos } = sentence.columns;
      const last =
        typeof tags === 'string' ? SCHEMES[tags].encode(sentence.spans, word.length) : tags(sentence);
      return word.map((text, t) => `${text} ${pos[t]} ${last[t]}\n`).join('');
    })
    .join('\n');
}

/** A column file as a corpus. */
export function corpusOf(text: string): Corpus {
  return readColumns(encodeUtf8(text), { columns: ['word', 'pos', 'chunk'], source: 'tiny.txt' });
}

/** The default configuration for tiny data: no cut-off; for the default learner few epochs. */
export function configuration(options: OptionValues = {}, templates?: TemplateSet): Configuration {
  return configure({
    task: 'chunking',
    columns: ['word', 'pos', 'chunk'],
    options: { 'cut-off': 1, ...(options.learner === undefined && { epochs: 5 }), ...options },
    ...(templates && { templates }),
  });
}

/** Sentences the models of {@link trainTiny} are trained on. */
export const TRAINING = makeSentences(14, 1);

/** Other sentences, some of whose words were not seen. */
export const UNSEEN: readonly SentenceColumns[] = [
  ...makeSentences(6, 2).map(({ columns }) => columns),
  { word: ['Unknown', '犬', '👍'], pos: ['XY', 'NN', 'NN'] },
  { word: ['z'], pos: ['.'] },
  { word: [], pos: [] },
];

/** A model of {@link TRAINING}. */
export function trainTiny(options: OptionValues = {}, templates?: TemplateSet): Promise<Model> {
  return train(corpusOf(columnFile(TRAINING)), configuration(options, templates));
}

/** What a sequence learner with its defaults is trained on for {@link TRAINING}. */
export function tinyProblem(learner: string, options: OptionValues = {}): SequenceProblem {
  const resolved = configuration({ learner, ...options });
  const { dataset, index, tagSet } = prepare(corpusOf(columnFile(TRAINING)), resolved);
  return { ...dataset, index, labelCount: tagSet.tags.length, seed: 1 } as SequenceProblem;
}
