// Runs cases one after the other; the main thread notices when one does not end.
import { parentPort, workerData } from 'node:worker_threads';
import { Random } from '../../dist/base/random.js';

const { KINDS, makeInput } = await import(workerData.kinds);

parentPort.on('message', async ({ seed, kind, number, input }) => {
  // Every case has random numbers of its own, so that it can be run alone.
  const random = new Random((seed * 1_000_003 + number * 31 + kind.length * 7) >>> 0);
  const bytes = makeInput(kind, random);
  try {
    const outcome = await KINDS[kind].check(input ?? bytes, random);
    parentPort.postMessage({ outcome });
  } catch (error) {
    parentPort.postMessage({
      outcome: 'failed',
      problem: `${error.name}: ${error.message}`,
      stack: error.stack,
      bytes,
    });
  }
});
parentPort.postMessage({ kinds: Object.keys(KINDS) });
