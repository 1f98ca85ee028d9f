import { beforeAll, describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../../src/base/utf8.js';
import { readColumns } from '../../src/data/corpus.js';
import type { ColumnWidth, InputPosition } from '../../src/data/formats/columns.js';
import { bordersOf, type InputFormat } from '../../src/data/formats/input-formats.js';
import { PartCutter, type PartStart } from '../../src/data/formats/part-cutter.js';
import { ColumnLabeller } from '../../src/label/label-columns.js';
import { LineLabeller } from '../../src/label/label-lines.js';
import { UnitLabeller } from '../../src/label/label-units.js';
import type { Labeller, LabelOptions } from '../../src/label/labeller.js';
import { Pipeline } from '../../src/label/pipeline.js';
import { UnitCorpusBuilder } from '../../src/label/unit-corpus.js';
import { Tagger } from '../../src/tag/tagger.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';
import { columnFile, TRAINING, trainTiny } from '../model/tiny.js';

const HOW: LabelOptions = { source: 'x', format: 'json', confidence: true, onError: 'keep' };

let chunker: Tagger;
let pipeline: Pipeline;
let characters: Tagger;
let documents: Tagger;

beforeAll(async () => {
  const corpus = readColumns(columnFile(TRAINING), { columns: ['word', 'pos'] });
  const posTagger = new Tagger(await train(corpus, configure({ task: 'pos', options: { 'cut-off': 1 } })));
  chunker = new Tagger(await trainTiny());
  pipeline = new Pipeline([posTagger, chunker]);
  const builder = new UnitCorpusBuilder('segmented', {
    columns: ['word', 'chunk'],
    source: 'f',
    tokens: 'characters',
    scheme: 'iobes',
  } as never);
  builder.push(encodeUtf8('共同 创造\n美好 的\n'));
  characters = new Tagger(
    await train(builder.finish(), configure({ task: 'segmentation', options: { 'cut-off': 1 } })),
  );
  const columns = ['word', 'entity'];
  const names = readColumns(
    'Reggie B-PER\nBlinker I-PER\nspoke O\n\nBerlin B-LOC\n. O\n\nBlinker B-PER\n. O\n',
    { columns },
  );
  const configuration = configure({ task: 'entities', columns, options: { 'cut-off': 1, document: 2 } });
  documents = new Tagger(await train(names, configuration));
});

/** A case: an input, what labels it, and where it may be cut. */
interface Case {
  readonly format: InputFormat;
  readonly text: string;
  readonly tagger?: () => Tagger;
  readonly how?: Partial<LabelOptions>;
  /** Fewest parts of the smallest size. */
  readonly parts: number;
}

const CONLLU = `\ufeff# newdoc id = 1
# text = The dog
1\tThe\t_\t_\tDT\t_\t_\t_\t_\t_
2\tdog\t_\t_\tNN\t_\t_\t_\t_\tSpaceAfter=No

# text = it
1\tit\t_\t_\tPRP\t_\t_\t_\t_\t_
2\tbad line

# newdoc
# x
1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_
1\tde\t_\t_\tIN\t_\t_\t_\t_\t_

# left alone

#newdoc
1\tä\t_\t_\tNN\t_\t_\t_\t_\t_`;

const CASES: Readonly<Record<string, Case>> = {
  columns: {
    format: 'columns',
    text: '\ufeffThe DT\ndog NN\n\n\n-DOCSTART- -X-\n\nshe PRP\r\nbarks VB\r\n\r\nit\n\nJe\u0301 NN\nwas VB\n  \nlast NN',
    how: { format: 'columns' },
    parts: 5,
  },
  'columns after a header': {
    format: 'columns',
    text: 'word pos\n\nThe DT\ndog NN\n\nshe PRP\n',
    how: { format: 'json', header: 2 },
    parts: 2,
  },
  'columns, tags alone': {
    format: 'columns',
    text: 'only\n\nThe DT\ndog NN\n\n-DOCSTART- -X-\n\nshe PRP\nbarks VB\n\nit DT x\n\nit PRP\n\n',
    how: { format: 'columns', confidence: false },
    parts: 6,
  },
  'columns of documents': {
    format: 'columns',
    text: 'Reggie x\nBlinker x\n\nBerlin x\n\nBERLIN x\nNEWS x\n\nx x\n\n-DOCSTART- x\n\nBlinker x\n\nhe x\n\nBerlin x\n\n-DOCSTART- x\n\nBlinker x\nx x\n',
    tagger: () => documents,
    how: { format: 'columns' },
    parts: 4,
  },
  jsonl: {
    format: 'jsonl',
    text: '{"text":"The dog barks. She was seen.","id":1}\n\n{"text":\n{"text":"犬 😀 eats"}\r\n{"tokens":["it","was"],"ner_tags":["O","O"]}',
    how: { format: 'jsonl', confidence: false },
    parts: 5,
  },
  'jsonl to json': {
    format: 'jsonl',
    text: '\ufeff{"text":"The dog barks. She was seen.","id":1}\n{"text":\n{"text":"犬 😀 eats"}\n',
    parts: 3,
  },
  conllu: { format: 'conllu', text: CONLLU, how: { format: 'conllu', confidence: false }, parts: 4 },
  'conllu of documents': { format: 'conllu', text: CONLLU, tagger: () => documents, parts: 3 },
  text: {
    format: 'text',
    text: '\ufeffThe dog "barks. 😀 It was\nseen in\n\nthe house." She\n \t\n\r\neats\r\n\r\nthis. Old\n\n\n',
    how: { onError: 'stop' },
    parts: 6,
  },
  'text of characters': {
    format: 'text',
    text: '\ufeff共同创造 美好\n\n😀的共同\r\n创造',
    tagger: () => characters,
    how: { onError: 'stop' },
    parts: 4,
  },
  'lines of characters': {
    format: 'text',
    text: '共同创造 美好\n\n😀的共同\r\n创造',
    tagger: () => characters,
    how: { onError: 'stop', format: 'segmented', confidence: false },
    parts: 4,
  },
  segmented: {
    format: 'segmented',
    text: '共同 创造\n美好 的\n\na/b c/d\n创造\n',
    tagger: () => characters,
    parts: 5,
  },
  tagged: {
    format: 'tagged',
    text: '共同/a 创造/b\n美好 的/c\n创造/a\n',
    tagger: () => characters,
    parts: 3,
  },
};

function labellerOf({ format, tagger = () => chunker, how }: Case, from?: PartStart): Labeller {
  const options = { ...HOW, ...how, from };
  const own = tagger();
  if (format === 'columns') return new ColumnLabeller(own, options);
  if (options.format === 'segmented') return new LineLabeller(own, options);
  return new UnitLabeller(own === chunker ? pipeline : new Pipeline([own]), format, options);
}

/** Labels a part as a job does. */
function label(own: Case, bytes: Uint8Array, from?: PartStart, width?: ColumnWidth): string {
  const labeller = labellerOf(own, from);
  if (from && labeller instanceof ColumnLabeller) labeller.restart(from, width);
  const output = decodeUtf8(labeller.push(bytes)) + decodeUtf8(labeller.finish());
  if (labeller.stopped) throw labeller.stopped;
  return output;
}

function cut(
  { format, tagger = () => chunker, how }: Case,
  bytes: Uint8Array,
  size: number,
  chunk: number,
): PartStart[] {
  const { configuration } = tagger().model;
  const { readsDocuments, documentSize } = tagger();
  const rule = bordersOf(format, {
    tokens: configuration.tokens,
    tokenizer: configuration.tokenizer,
    readsDocuments,
  });
  if (rule === undefined) throw new Error('expected a rule');
  const cutter = new PartCutter({ rule, size, documentSize, header: how?.header, countsText: true });
  const starts: PartStart[] = [{ line: 1, byte: 0, start: 0, startCodePoint: 0 }];
  for (let at = 0; at < bytes.length; at += chunk) {
    const settled = cutter.settled;
    const found = cutter.push(bytes.slice(at, at + chunk));
    for (const { byte } of found) expect(byte).toBeGreaterThanOrEqual(settled);
    starts.push(...found);
  }
  return starts.filter(({ byte }) => byte < bytes.length);
}

describe.each(Object.entries(CASES))('parts of %s', (_, own) => {
  const bytes = encodeUtf8(own.text);

  it('labelled apart give the bytes of the whole, wherever they are cut', () => {
    const whole = label(own, bytes);
    const from: InputPosition = { line: 1, byte: 0 };
    const labeller = labellerOf(own);
    const width = labeller instanceof ColumnLabeller ? labeller.measure(bytes, from) : undefined;
    const kinds = new Set<string>();
    for (let size = 1; size <= bytes.length; size++) {
      const starts = cut(own, bytes, size, bytes.length);
      // The byte order mark must be in one chunk.
      expect(cut(own, bytes, size, 5)).toEqual(starts);
      const name = starts.map(({ byte }) => byte).join(' ');
      if (kinds.has(name)) continue;
      kinds.add(name);
      const parts = starts.map((start, i) => {
        const part = bytes.slice(start.byte, starts[i + 1]?.byte);
        if (i + 1 < starts.length) expect(part.length).toBeGreaterThanOrEqual(size);
        return label(own, part, start, width);
      });
      expect(parts.join('')).toBe(whole);
    }
    expect(cut(own, bytes, 1, bytes.length).length).toBe(own.parts);
    expect(kinds.size).toBeGreaterThan(1);
  });
});
