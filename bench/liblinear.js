// Training rows in LIBLINEAR's text format, and the weights of its model files.
import { readFileSync } from 'node:fs';
import { SparseWeights } from '../dist/model/sparse-weights.js';

/** Text of a training problem; labels and features count from 1. */
export function exportRows({ rows, labels }) {
  const { offsets, indices } = rows;
  const lines = Array.from(labels, (label, n) => {
    const features = Array.from(indices.subarray(offsets[n], offsets[n + 1])).sort((a, b) => a - b);
    return `${label + 1} ${features.map((feature) => `${feature + 1}:1`).join(' ')}`;
  });
  return `${lines.join('\n')}\n`;
}

/** Weights of a model of three classes or more, trained on {@link exportRows}: a lane for each label. */
export function readWeights(path, features, labels) {
  const [header, body] = readFileSync(path, 'utf8').split('\nw\n');
  const classes = /^label (.*)$/m.exec(header)[1].trim().split(' ').map(Number);
  const width = Math.ceil(labels / 4) * 4;
  const rows = new Float32Array(features * width);
  for (const [feature, line] of body.trimEnd().split('\n').entries()) {
    const values = line.trim().split(' ');
    for (const [i, label] of classes.entries()) rows[feature * width + label - 1] = Number(values[i]);
  }
  return SparseWeights.ofRows(rows, labels);
}
