/** Thread that labels regions of a column file; started by `label-pool.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Region } from '../data/formats/regions.js';
import { ColumnLabeller } from '../label/label-columns.js';
import { labelRegion } from '../label/label-region.js';
import { loadModel } from '../model/model-file.js';
import { Tagger } from '../tag/tagger.js';
import type { LabelThreadData, SentRegion } from './label-pool.js';
import { toSend } from './thread-error.js';

const { model, modelSource, decoder, options } = workerData as LabelThreadData;
const labeller = new ColumnLabeller(new Tagger(loadModel(model, modelSource), decoder), options);

parentPort?.on('message', (region: Region) => {
  const labelled = labelRegion(labeller, region);
  const { stopped } = labelled;
  const sent: SentRegion = { ...labelled, stopped: stopped && toSend(stopped) };
  parentPort?.postMessage(sent, [labelled.output.buffer]);
});
