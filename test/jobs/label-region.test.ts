import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { InputError } from '../../src/base/errors.js';
import { decodeUtf8, encodeUtf8 } from '../../src/base/utf8.js';
import type { ColumnWidth } from '../../src/data/formats/columns.js';
import { RegionCutter } from '../../src/data/formats/regions.js';
import { type LabelledRegion, labelRegion } from '../../src/jobs/label-region.js';
import { ColumnLabeller } from '../../src/label/label-columns.js';
import type { LabelOptions } from '../../src/label/labeller.js';
import { Tagger } from '../../src/tag/tagger.js';
import { trainTiny } from '../model/tiny.js';

let tagger: Tagger;

beforeAll(async () => {
  tagger = new Tagger(await trainTiny());
});

function labelWhole(input: Uint8Array, options: LabelOptions): LabelledRegion {
  const labeller = new ColumnLabeller(tagger, options);
  const first = decodeUtf8(labeller.push(input));
  const output = encodeUtf8(first + decodeUtf8(labeller.finish()));
  const { badSentences, firstProblem, stopped } = labeller;
  return { output, badSentences, firstProblem: firstProblem?.message, stopped };
}

/** Labels regions one after another with one labeller and few buffers. */
function labelInRegions(
  input: Uint8Array,
  size: number,
  chunk: number,
  options: LabelOptions,
): LabelledRegion {
  const cutter = new RegionCutter(size);
  const labeller = new ColumnLabeller(tagger, options);
  let output = '';
  let badSentences = 0;
  let firstProblem: string | undefined;
  let stopped: InputError | undefined;
  let width: ColumnWidth | undefined;
  for (let at = 0; at <= input.length && stopped === undefined; at += chunk) {
    const isLast = at + chunk > input.length;
    for (const region of [
      cutter.push(input.subarray(at, at + chunk)),
      isLast ? cutter.finish() : undefined,
    ]) {
      if (region === undefined || stopped !== undefined) continue;
      width ??= labeller.measure(region.bytes, region);
      const labelled = labelRegion(labeller, { ...region, width });
      output += decodeUtf8(labelled.output);
      badSentences += labelled.badSentences;
      firstProblem ??= labelled.firstProblem;
      stopped = labelled.stopped;
      cutter.reuse(labelled.output.buffer);
    }
  }
  return { output: encodeUtf8(output), badSentences, firstProblem, stopped };
}

it('labels an input region by region as it labels it whole, problems and their places included', () => {
  const lines = [
    'the DT',
    'dog\tNN',
    'barks VB',
    'alone',
    'New York NN',
    '',
    '',
    '  ',
    '-DOCSTART- -X-',
    '犬 NN',
  ];
  const input = fc
    .tuple(
      fc.array(fc.constantFrom(...lines), { maxLength: 60 }),
      fc.constantFrom('\n', '\r\n', '\r\r\n', ' \r \n'),
    )
    .map(([all, ending]) => encodeUtf8(all.map((line) => line + ending).join('')));
  fc.assert(
    fc.property(
      input,
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 300 }),
      fc.constantFrom('stop', 'skip', 'keep'),
      fc.constantFrom('columns', 'json'),
      (bytes, size, chunk, onError, format) => {
        const options: LabelOptions = { source: 'f', format, confidence: true, onError };
        expect(labelInRegions(bytes, size, chunk, options)).toEqual(labelWhole(bytes, options));
      },
    ),
    {
      numRuns: 120,
      // The first line that tells how many columns there are is not the region's first.
      examples: [[encodeUtf8('alone\n\nNew York NN\n\nthe DT\n'), 1, 20, 'keep', 'columns']],
    },
  );
});
