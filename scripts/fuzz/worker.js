// Runs cases one after the other; the main thread notices when one does not end.
import { parentPort, workerData } from 'node:worker_threads';
import { load } from './dist.js';

const { Random } = await load('base/random.js');
const { KINDS, makeInput } = await import(workerData.kinds);
const names = Object.keys(KINDS);

parentPort.on('message', async ({ seed, kind, number, input, makeOnly }) => {
  // Every case has random numbers of its own, so that it can be run alone, whatever other kinds there are.
  const stream = [...kind].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), number + 1);
  const random = new Random(seed, stream);
  const bytes = makeInput(kind, random);
  if (makeOnly) return parentPort.postMessage({ bytes });
  try {
    const outcome = await KINDS[kind].check(input ?? bytes, random);
    parentPort.postMessage({ outcome });
  } catch (error) {
    parentPort.postMessage({
      outcome: 'failed',
      problem: error instanceof Error ? `${error.name}: ${error.message}` : `thrown: ${String(error)}`,
      stack: error?.stack,
      bytes,
    });
  }
});
parentPort.postMessage({ kinds: names.map((name) => ({ name, slow: KINDS[name].slow === true })) });
