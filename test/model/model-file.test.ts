import { beforeAll, describe, expect, it } from 'vitest';
import { ModelFileError } from '../../src/base/errors.js';
import { parseTemplates } from '../../src/features/template-syntax.js';
import type { Model } from '../../src/model/model.js';
import { loadModel, MODEL_FORMAT_VERSION, saveModel } from '../../src/model/model-file.js';
import { readSafetensors, type Tensor, writeSafetensors } from '../../src/model/safetensors.js';
import { Tagger } from '../../src/tag/tagger.js';
import { train } from '../../src/train/train.js';
import { featureTexts } from '../features/small-corpora.js';
import { configuration, corpusOf, TRAINING, trainTiny, UNSEEN } from './tiny.js';

describe('a saved model', () => {
  it.each([
    {},
    { templates: 'wide', direction: 'forward', scheme: 'iobes', decoder: 'viterbi', order: 2, C: 0.3 },
    { templates: 'small', decoder: 'beam', beam: 7, order: 1, loss: 'l1', 'cut-off': 2, seed: 9 },
    { precision: 'int8', templates: 'wide' },
    { templates: '001', mask: 3, classes: 'full', 'word-cut-off': 2 },
    { scheme: 'token', decoder: 'greedy', precision: 'int8' },
  ])('labels as before and has the same bytes when saved again: %j', async (options) => {
    const model = {
      ...(await trainTiny(options)),
      posModel: 'tagger',
      temperature: 0.4176,
      dev: { accuracy: 99, precision: 98, recall: 97, f1: 97.5 },
    };
    const bytes = saveModel(model);
    const copy = loadModel(bytes);
    expect(saveModel(copy)).toEqual(bytes);
    expect(copy.configuration).toEqual(model.configuration);
    expect(copy.training).toEqual(model.training);
    expect(copy.dev).toEqual(model.dev);
    expect(copy.posModel).toBe('tagger');
    expect(copy.temperature).toBe(0.4176);
    expect(copy.tagSet).toEqual(model.tagSet);
    expect(copy.weights).toEqual(model.weights);
    expect(featureTexts(copy.features)).toEqual(featureTexts(model.features));
    const before = new Tagger(model);
    const after = new Tagger(copy);
    for (const sentence of [...UNSEEN, ...TRAINING.map(({ columns }) => columns)]) {
      expect(after.label(sentence)).toEqual(before.label(sentence));
    }
  });

  it.each(['ova', 'ovo', 'dag', 'tree', 'c-ova', 'hc-ova'])(
    'labels as before where %s has two labels to tell apart, so perhaps one problem',
    async (strategy) => {
      const sentence = 'a A B-X\nb B I-X\nb B I-X\na A B-X\n\na A B-X\na A B-X\nb B I-X\n\n';
      const options = { strategy, scheme: 'iob2', direction: 'forward', decoder: 'greedy', epochs: 20 };
      const model = await train(corpusOf(sentence.repeat(3)), configuration(options));
      expect(model.tagSet.tags).toEqual(['B-X', 'I-X']);
      const copy = loadModel(saveModel(model));
      expect(copy.code).toEqual(model.code);
      const words = { word: ['a', 'b', 'a', 'a', 'b'], pos: ['A', 'B', 'A', 'A', 'B'] };
      const { tags } = new Tagger(copy).label(words);
      expect(tags).toEqual(['B-X', 'I-X', 'B-X', 'B-X', 'I-X']);
      expect(new Tagger(model).label(words).tags).toEqual(tags);
    },
  );

  it.each([
    ['bi-bies', 'b-bies'],
    ['b-bies', 'bb2b3mes'],
  ])('with the scheme %s is read under the name that version 0.1 had for it, %s', async (scheme, earlier) => {
    const model = await trainTiny({ scheme });
    const { tensors, metadata: stated } = readSafetensors(saveModel(model), 'm');
    const { checksum: _, ...metadata } = stated as Record<string, string>;
    const rename = (part: string) => JSON.stringify({ ...JSON.parse(metadata[part]), scheme: earlier });
    const renamed = { configuration: rename('configuration'), tagSet: rename('tagSet') };
    const copy = loadModel(writeSafetensors(tensors, { ...metadata, ...renamed }));
    expect(copy.configuration.scheme).toBe(scheme);
    expect(saveModel(copy)).toEqual(saveModel(model));
  });

  it('keeps templates with quoted expressions', async () => {
    const views = ['word.test("^[ #\\"]+$")[0]', 'word.match("\\\\d+|[^\\n]").lower[-1] pos[1]'];
    const templates = parseTemplates(views.join('\n'), 'own "file"\n', ['word', 'pos']);
    const model = await trainTiny({}, templates);
    expect(loadModel(saveModel(model)).configuration.templates).toEqual(templates);
  });
});

/** Small enough to try every bit. */
describe('a damaged model file', () => {
  let model: Model;
  let bytes: Uint8Array;

  beforeAll(async () => {
    const templates = parseTemplates('pos[0]\npos[0] pos[1]\nlabel[-1]', 'tiny', ['word', 'pos']);
    model = await train(corpusOf('a A B-X\nb B I-X\n\nc C O\n'), configuration({}, templates));
    bytes = saveModel(model);
  });

  it('is refused whichever bit is flipped', () => {
    expect(bytes.length).toBeLessThan(4000);
    const damaged = bytes.slice();
    const accepted: string[] = [];
    for (let at = 0; at < bytes.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        damaged[at] = bytes[at] ^ (1 << bit);
        try {
          loadModel(damaged, 'm');
          accepted.push(`byte ${at}, bit ${bit}`);
        } catch (error) {
          if (!(error instanceof ModelFileError)) accepted.push(`byte ${at}, bit ${bit}: ${error}`);
        }
      }
      damaged[at] = bytes[at];
    }
    expect(accepted).toEqual([]);
    expect(saveModel(loadModel(damaged))).toEqual(bytes);
  });

  it('is refused wherever it is cut off', () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(() => loadModel(bytes.subarray(0, length), 'm')).toThrow(ModelFileError);
    }
    const half = bytes.subarray(0, bytes.length - 10);
    expect(() => loadModel(half, 'm')).toThrow(
      `m: truncated: expected ${bytes.length} bytes, found ${half.length}`,
    );
  });

  it('is refused with something after its end', () => {
    expect(() => loadModel(Uint8Array.of(...bytes, 0), 'm')).toThrow(ModelFileError);
    expect(() => loadModel(Uint8Array.of(...bytes, ...bytes), 'm')).toThrow(ModelFileError);
  });

  it('is read from an odd place in a buffer, a Node buffer too', () => {
    const place = new Uint8Array(bytes.length + 1);
    place.set(bytes, 1);
    for (const odd of [place.subarray(1), Buffer.from(place.buffer).subarray(1)]) {
      expect(saveModel(loadModel(odd))).toEqual(bytes);
    }
  });

  /** The model's file with other contents and a right checksum. */
  function rewritten(
    metadata: Readonly<Record<string, string | undefined>>,
    tensors: Readonly<Record<string, Tensor | undefined>> = {},
  ): Uint8Array {
    const read = readSafetensors(bytes, 'm');
    const { checksum: _, ...rest } = { ...read.metadata, ...metadata };
    const present = Object.entries({ ...read.tensors, ...tensors }).filter(
      ([, tensor]) => tensor !== undefined,
    );
    const stated = Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return writeSafetensors(
      Object.fromEntries(present) as Record<string, Tensor>,
      Object.fromEntries(stated),
    );
  }

  it('is refused for its version, saying so', () => {
    expect(rewritten({})).toEqual(bytes);
    for (const version of ['2', '', '1.0']) {
      expect(() => loadModel(rewritten({ formatVersion: version }), 'm')).toThrow(
        new ModelFileError(
          'm',
          `of another version: expected format version ${MODEL_FORMAT_VERSION}, found ${version}`,
        ),
      );
    }
  });

  it('is refused when it is a model of something else', () => {
    expect(() => loadModel(rewritten({ format: 'pt' }), 'm')).toThrow(
      'm: a safetensors file, but not a Spanwright model',
    );
  });

  const changed = (part: 'configuration' | 'tagSet' | 'training', change: object) =>
    JSON.stringify({ ...JSON.parse(readSafetensors(bytes, 'm').metadata[part]), ...change });
  const json = (part: 'configuration' | 'tagSet' | 'training', change: object) => () =>
    rewritten({ [part]: changed(part, change) });
  const tensor = (name: string, make: (tensor: Tensor) => Tensor | undefined) => () =>
    rewritten({}, { [name]: make(readSafetensors(bytes, 'm').tensors[name]) });

  it('is read without scores, as files were before they had them', () => {
    const { scores, ...earlier } = loadModel(rewritten({ scores: undefined }));
    expect(scores).toEqual({ kind: 'margins', link: 'log-sigmoid' });
    expect(saveModel({ ...earlier, scores })).toEqual(bytes);
  });

  it.each<[string, () => Uint8Array, string]>([
    [
      'with a configuration that is none',
      () => rewritten({ configuration: 'x' }),
      'metadata configuration: expected JSON, found "x"',
    ],
    [
      'without configuration',
      () => rewritten({ configuration: undefined }),
      'metadata configuration is missing',
    ],
    [
      'without a tag set',
      () => rewritten({ tagSet: '[]' }),
      'metadata tagSet: expected a JSON object, found "[]"',
    ],
    [
      'without templates',
      json('configuration', { templates: undefined }),
      'expected templates with their name and lines',
    ],
    [
      'without a cut-off',
      json('configuration', { cutOff: undefined }),
      'cut-off: expected an integer ≥ 1, found none',
    ],
    ['without a number of sentences', json('training', { sentences: -1 }), 'expected numbers of sentences'],
    [
      'with lanes in another order',
      tensor('weights.lanes', ({ data, shape }) => ({ data: data.slice().reverse(), shape })),
      'expected lanes in ascending order',
    ],
    [
      'with a slot twice',
      tensor('slots', ({ data, shape }) => ({ data: data.map(() => 0), shape })),
      'expected slots in ascending order',
    ],
    [
      'with tuples of no values',
      tensor('conjunction.1.tuples', ({ data, shape }) => ({ data: data.map(() => 0), shape })),
      'conjunction 1: expected value ids of 1 to',
    ],
    [
      'without strings',
      tensor('view.0.offsets', ({ data }) => ({ data: data.slice(0, 0), shape: [0] })),
      'expected where strings start and end',
    ],
    [
      'with held-out scores that are none',
      () => rewritten({ dev: '{"accuracy":99}' }),
      'expected accuracy, precision, recall and f1',
    ],
    ['with a temperature that is none', () => rewritten({ temperature: '-1' }), 'expected a number above 0'],
    [
      'of a learner that does not exist, from before models said how they are scored',
      () => rewritten({ scores: undefined, configuration: changed('configuration', { learner: 'oracle' }) }),
      'expected svm',
    ],
    ['without a learner', json('configuration', { learner: undefined }), 'expected the name of a learner'],
    [
      'with scores of no kind',
      () => rewritten({ scores: '{"kind":"votes","link":"identity"}' }),
      'expected a kind',
    ],
    [
      'with scores of another kind than its strategy gives',
      () => rewritten({ scores: '{"kind":"decisions","link":"log-sigmoid"}' }),
      'expected margins of the strategy ova',
    ],
    ['without a strategy', json('configuration', { strategy: undefined }), 'expected the strategy'],
    ['of an unknown decoder', json('configuration', { decoder: 'oracle' }), 'found "oracle"'],
    [
      'with an option out of range',
      json('configuration', { decoder: 'beam', options: { beam: 0 } }),
      '--beam: expected an integer ≥ 1',
    ],
    [
      'with an unknown template',
      json('configuration', { templates: { name: 'x', lines: ['lemma[0]'] } }),
      'found "lemma"',
    ],
    [
      'with other templates',
      json('configuration', {
        templates: { name: 'x', lines: ['pos[0]', 'pos[1] pos[2]', 'pos[0] pos[1] pos[2]'] },
      }),
      'tensor conjunction.2.tuples is missing',
    ],
    ['without tags', json('tagSet', { tags: [] }), 'tag set'],
    ['with too few tags', json('tagSet', { tags: ['O'], allowed: ['11', '11'] }), 'does not exist'],
    [
      'with an unknown file scheme',
      json('training', { fileScheme: 'xyz' }),
      'tag scheme "xyz" does not exist',
    ],
    ['without weights', tensor('weights.values', () => undefined), 'tensor weights.values is missing'],
    [
      'with fewer weights',
      tensor('weights.values', ({ data }) => ({ data: data.slice(4), shape: [data.length - 4] })),
      'weights, found',
    ],
    [
      'with weights of more features',
      tensor('weights.counts', ({ data }) => ({
        data: Uint16Array.from([...data, 0]),
        shape: [data.length + 1],
      })),
      'features, found those of',
    ],
    [
      'with a lane that does not exist',
      tensor('weights.lanes', ({ data, shape }) => ({ data: data.map((lane) => lane + 2), shape })),
      'expected lanes below 3, found 3',
    ],
    [
      'with weights of another type',
      tensor('weights.values', ({ data }) => ({ data: Uint32Array.from(data), shape: [data.length] })),
      'tensor weights.values has the wrong element type',
    ],
    ['without slots', tensor('slots', () => undefined), 'tensor slots is missing'],
    ['with another number of problems', () => rewritten({ problems: '7' }), 'expected 3 problems, found "7"'],
    [
      'with a number of problems that is none',
      () => rewritten({ problems: 'x' }),
      'expected 3 problems, found "x"',
    ],
    ['without a view', tensor('view.0.strings', () => undefined), 'tensor view.0.strings is missing'],
    [
      'without tuples',
      tensor('conjunction.1.tuples', () => undefined),
      'tensor conjunction.1.tuples is missing',
    ],
  ])('is refused %s', (_, make, problem) => {
    const load = () => loadModel(make(), 'm');
    expect(load).toThrow(ModelFileError);
    expect(load).toThrow('m: inconsistent: ');
    expect(load).toThrow(problem);
  });
});
