/** Thread that labels regions of a column file; started by `label-pool.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Region } from '../data/formats/regions.js';
import { ColumnLabeller } from '../label/label-columns.js';
import { loadModel } from '../model/model-file.js';
import { Tagger } from '../model/tagger.js';
import type { LabelledRegion, LabelThreadData } from './label-pool.js';

const { model, modelSource, decoder, options } = workerData as LabelThreadData;
const tagger = new Tagger(loadModel(model, modelSource), decoder);

parentPort?.on('message', (region: Region) => {
  const labelled = label(region);
  parentPort?.postMessage(labelled, [labelled.output.buffer]);
});

function label({ bytes, line, byte }: Region): LabelledRegion {
  const labeller = new ColumnLabeller(tagger, { ...options, from: { line, byte } });
  const first = labeller.push(bytes).slice();
  const last = labeller.finish();
  const output = new Uint8Array(first.length + last.length);
  output.set(first);
  output.set(last, first.length);
  const { badSentences, firstProblem, stopped } = labeller;
  return { output, badSentences, firstProblem: firstProblem?.message, stopped: stopped?.message };
}
