import { expect, it } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import { loadModel, saveModel } from '../../src/model/model-file.js';
import { learn } from '../../src/systems/learn.js';
import { Tagger } from '../../src/tag/tagger.js';
import { trainTiny } from '../model/tiny.js';

const sentence = { word: ['the', 'dog'], pos: ['DT', 'NN'] };

it('learn refuses spans that do not fit the sentence, and names them', async () => {
  const model = await trainTiny();
  for (const spans of [
    [[0, 5]],
    [
      [0, 2],
      [1, 2],
    ],
    [[1, 1]],
    [[-1, 1]],
    [[0.5, 1]],
  ]) {
    const given = spans.map(([start, end]) => ({ start, end, type: 'NP' }));
    expect(() => learn(model, sentence, given)).toThrow(OptionError);
    expect(() => learn(model, sentence, given)).toThrow(/^span \S+ NP: expected /);
  }
});

it('a tagger refuses tokens that are no strings and kernels that do not exist', async () => {
  const model = await trainTiny();
  const wrong = (word: unknown) => () =>
    new Tagger(model).label({ ...sentence, word: ['the', word as string] });
  expect(wrong(2)).toThrow('column word, token 1: expected a string, found 2');
  expect(wrong(null)).toThrow('column word, token 1: expected a string, found null');
  expect(() => new Tagger(model, { kernels: 'x' as 'simd' })).toThrow(
    'kernels: expected simd or plain, found "x"',
  );
});

it('loadModel takes what a page gets, and says what it wants', async () => {
  const bytes = saveModel(await trainTiny());
  expect(saveModel(loadModel(bytes.buffer))).toEqual(bytes);
  expect(() => loadModel(3 as never)).toThrow('expected its bytes, a Uint8Array or an ArrayBuffer, found 3');
});
