/** Thread that labels regions of a column file; started by `label-pool.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Region } from '../data/formats/regions.js';
import { labelRegion, type RegionWork, regionLabeller } from '../jobs/label-region.js';
import type { SentRegion } from './label-pool.js';
import { toSend } from './thread-error.js';

const labeller = regionLabeller(workerData as RegionWork);

parentPort?.on('message', (region: Region) => {
  const labelled = labelRegion(labeller, region);
  const { stopped } = labelled;
  const sent: SentRegion = { ...labelled, stopped: stopped && toSend(stopped) };
  parentPort?.postMessage(sent, [labelled.output.buffer]);
});
