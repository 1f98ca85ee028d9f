// The default chunking task's training rows in LIBLINEAR's text format.

import { configure } from '../dist/index.js';
import { prepare } from '../dist/model/train.js';
import { readColumnsFile } from '../dist/node/index.js';

/** Text of the training problem that `spanwright train --task chunking` solves for a file. */
export async function exportLiblinear(path) {
  const configuration = configure({ task: 'chunking' });
  const corpus = await readColumnsFile(path, { columns: configuration.columns });
  const { rows, labels } = prepare(corpus, configuration).dataset;
  const { offsets, indices } = rows;
  const lines = Array.from(labels, (label, n) => {
    const features = Array.from(indices.subarray(offsets[n], offsets[n + 1])).sort((a, b) => a - b);
    return `${label + 1} ${features.map((feature) => `${feature + 1}:1`).join(' ')}`;
  });
  return `${lines.join('\n')}\n`;
}
