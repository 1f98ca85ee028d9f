import { beforeAll, describe, expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.js';
import { decodeUtf8, encodeUtf8 } from '../../src/base/utf8.js';
import { CorpusBuilder, readColumns } from '../../src/data/corpus.js';
import { UNIT_FORMATS, type UnitFormat } from '../../src/data/formats/input-formats.js';
import { LABEL_FORMATS, type LabelFormat } from '../../src/label/formats.js';
import { ColumnLabeller } from '../../src/label/label-columns.js';
import { LineLabeller } from '../../src/label/label-lines.js';
import { UnitLabeller } from '../../src/label/label-units.js';
import type { Labeller, LabelOptions } from '../../src/label/labeller.js';
import { Pipeline } from '../../src/label/pipeline.js';
import { UnitCorpusBuilder } from '../../src/label/unit-corpus.js';
import { PredictedFileReader } from '../../src/score/predicted-file.js';
import { JoiningLabeller } from '../../src/systems/joining-labeller.js';
import { UnknownWords } from '../../src/systems/unknown-words.js';
import { Tagger } from '../../src/tag/tagger.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';

const COLUMNS = encodeUtf8(
  '-DOCSTART- é O O\n\nDer DT B-NP B-NP\nBär NN I-NP O\n\n \n-DOCSTART- O O O\n\nx NN O O\n\n\n-DOCSTART- ä O O\n\n',
);
const SOURCE = 'f';
const how: LabelOptions = { source: SOURCE, format: 'columns', confidence: false, onError: 'stop' };
/** A NUL, a byte that UTF-8 never has, the beginning of a character, half a pair of UTF-16 as three bytes. */
const BAD = [[0], [0xff], [0xe4], [0xed, 0xa0, 0x80]];

/** Inputs of formats that are not what labelling writes in them. */
const SAMPLES: Partial<Record<string, Uint8Array>> = {
  text: encodeUtf8('Der Bär.\n\n\tEr schläft. \n\n'),
  tagged: encodeUtf8('共同/n 创造/v\n\n'),
  jsonl: encodeUtf8(
    '\n{"text":"Der Bär","spans":[{"start":0,"end":7,"label":"NP"}],"tokens":null,"ä":"é"}\n\n \n',
  ),
  trees: encodeUtf8('*x* ä\n( (NP (DT Der)\n  (NN Bär)))\n\n(X é)\n\n'),
  conllu: encodeUtf8(
    '# newdoc ä\n# text = Der\n1\tDer\tä\tDET\tDT\t_\t_\t_\t_\tChunk=B-NP|G=é\n1.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n# é\n\n# ende\n',
  ),
};

let words: Pipeline;
let characters: Tagger;

beforeAll(async () => {
  const columns = ['word', 'chunk'];
  const corpus = readColumns('Der B-NP\nBär I-NP\n\nx O\n', { columns });
  words = new Pipeline([
    await train(
      corpus,
      configure({ task: 'chunking', columns, options: { templates: 'words', 'cut-off': 1 } }),
    ),
  ]);
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
});

const labelBy = (make: () => Labeller) => (bytes: Uint8Array) => {
  const labeller = make();
  labeller.push(bytes.subarray(0, 20));
  labeller.push(bytes.subarray(20));
  labeller.finish();
  if (labeller.stopped) throw labeller.stopped;
};

const buildBy = (make: () => { push(chunk: Uint8Array): void; finish(): unknown }) => (bytes: Uint8Array) => {
  const builder = make();
  builder.push(bytes);
  builder.finish();
};

function scorePredicted(bytes: Uint8Array): void {
  const reader = new PredictedFileReader(SOURCE);
  reader.push(bytes);
  reader.end();
  while (reader.next());
}

function unitReaders(format: UnitFormat): Record<string, (bytes: Uint8Array) => void> {
  const isOfCharacters = format === 'segmented' || format === 'tagged';
  const pipeline = isOfCharacters ? new Pipeline([characters]) : words;
  const columns = ['word', ...(format === 'tagged' ? ['pos'] : ['chunk'])];
  const options = { columns, source: SOURCE, tokens: isOfCharacters ? 'characters' : 'words' } as const;
  return {
    label: labelBy(() => new UnitLabeller(pipeline, format, { ...how, format: 'brackets' })),
    ...(UNIT_FORMATS[format].holdsLabels &&
      !isOfCharacters && { read: buildBy(() => new UnitCorpusBuilder(format, options as never)) }),
  };
}

/** A sample of a format: its own, or what labelling writes in it. */
function sampleOf(format: UnitFormat): Uint8Array {
  const sample = SAMPLES[format];
  if (sample) return sample;
  const labelled = characters.model && new Pipeline([characters]);
  const columns = { word: ['共', '同'] };
  const sentence = {
    text: '共同',
    start: 0,
    startCodePoint: 0,
    tokens: Uint32Array.of(0, 1, 1, 2),
    words: columns.word,
  };
  const line = LABEL_FORMATS[format as LabelFormat].write(
    labelled.labelSentences([sentence], [columns], false)[0],
  );
  return encodeUtf8(`${line}${line}\n \n`);
}

describe('bytes that are no text', () => {
  const check = (bytes: Uint8Array, read: (bytes: Uint8Array) => void) => {
    read(bytes);
    for (let at = 0; at <= bytes.length; at++) {
      // In turn, since a reader is made for each.
      for (const bad of [BAD[0], BAD[1 + (at % 3)]]) {
        const damaged = Uint8Array.from([...bytes.subarray(0, at), ...bad, ...bytes.subarray(at)]);
        const line = decodeUtf8(bytes.subarray(0, at)).split('\n').length;
        const where = `byte ${bad[0]} at ${at}`;
        try {
          read(damaged);
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          expect(error.message, where).toMatch(/expected (?:UTF-8 )?text, found/);
          expect(error.place.line, where).toBe(line);
          continue;
        }
        throw new Error(`${where} is read as if it were text`);
      }
    }
  };

  it.each([
    ['corpora', buildBy(() => new CorpusBuilder({ columns: ['word', '_', 'chunk'], source: SOURCE }))],
    ['predictions', scorePredicted],
    ['labelling of columns', labelBy(() => new ColumnLabeller(words.last, how))],
    [
      'labelling with confidences',
      labelBy(() => new ColumnLabeller(words.last, { ...how, confidence: true })),
    ],
    ['labelling to brackets', labelBy(() => new ColumnLabeller(words.last, { ...how, format: 'brackets' }))],
  ])('are refused wherever they stand in column files: %s', (_, read) => check(COLUMNS, read));

  it.each(Object.keys(UNIT_FORMATS) as UnitFormat[])('are refused wherever they stand: %s', (format) => {
    for (const read of Object.values(unitReaders(format))) check(sampleOf(format), read);
  });

  it('are refused wherever they stand in lines of characters', () => {
    const bytes = encodeUtf8('共同创造\n\n \n美好的\n\n');
    check(
      bytes,
      labelBy(() => new LineLabeller(characters, { ...how, format: 'segmented' })),
    );
    const unknown = () => new UnknownWords(new Set(), { leastConfidence: 0.5, leastCount: 2 });
    check(
      bytes,
      labelBy(() => new JoiningLabeller(characters, unknown(), { ...how, format: 'segmented' })),
    );
  });

  it('are left out or kept as the user asks, those after the last sentence too', () => {
    const bad = [...encodeUtf8('x\n\n-DOCSTART- '), 0xff, 10];
    for (const [onError, expected] of [
      ['skip', [...encodeUtf8('x O\n')]],
      ['keep', [...encodeUtf8('x O\n\n-DOCSTART- '), 0xff, 10]],
    ] as const) {
      const labeller = new ColumnLabeller(words.last, { ...how, onError });
      const parts = [labeller.push(Uint8Array.from(bad)).slice(), labeller.finish().slice()];
      expect(parts.flatMap((part) => [...part])).toEqual(expected);
      expect(labeller.badSentences).toBe(1);
    }
  });
});
