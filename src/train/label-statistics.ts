import type { Dataset, Rows } from '../data/dataset.js';
import type { FeatureIndex } from '../features/feature-index.js';
import type { LabelStatistics } from '../reduce/reduction.js';
import type { TagSet } from '../tags/tag-set.js';

/** Makes the statistics that strategies lay out their problems by. */
export function labelStatistics(
  tagSet: TagSet,
  index: FeatureIndex,
  { rows, labels }: Dataset,
  seed: number,
): LabelStatistics {
  const counts = labelCounts(tagSet, { labels });
  const products = () => sumProducts(rows, labels, counts.length, index.withoutHistory());
  return { tagSet, counts, products, seed };
}

/** [L] how often each label occurs. */
export function labelCounts(
  { tags }: Pick<TagSet, 'tags'>,
  { labels }: Pick<Dataset, 'labels'>,
): Uint32Array {
  const counts = new Uint32Array(tags.length);
  for (let n = 0; n < labels.length; n++) counts[labels[n]]++;
  return counts;
}

/**
 * [L × L] inner products of the sums of each label's rows, over the features that `fixed` [D] marks. One label's sum is
 * held at a time: memory D, time L · nnz.
 */
export function sumProducts(
  rows: Rows,
  labels: Uint16Array,
  labelCount: number,
  fixed: Uint8Array,
): Float64Array {
  const { offsets, indices, features } = rows;
  const products = new Float64Array(labelCount * labelCount);
  const sum = new Uint32Array(features);
  for (let label = 0; label < labelCount; label++) {
    sum.fill(0);
    for (let n = 0; n < labels.length; n++) {
      if (labels[n] !== label) continue;
      for (let j = offsets[n]; j < offsets[n + 1]; j++) sum[indices[j]] += fixed[indices[j]];
    }
    const row = label * labelCount;
    for (let n = 0; n < labels.length; n++) {
      let product = 0;
      for (let j = offsets[n]; j < offsets[n + 1]; j++) product += sum[indices[j]];
      products[row + labels[n]] += product;
    }
  }
  return products;
}
