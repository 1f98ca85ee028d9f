import { OptionError } from '../base/errors.js';
import { grown, Uint32List } from '../base/growable.js';
import type { Dataset } from '../data/dataset.js';
import { LimitLearner } from '../decode/chunk-limits.js';
import type { ChunkIndex } from '../features/chunk-index.js';
import { ChunkIndexBuilder } from '../features/chunk-index-builder.js';
import { chunkTemplates } from '../features/chunk-template.js';
import type { CorpusViews } from '../features/corpus-views.js';
import { FIRST_VALUE, type Layout, PADDING } from '../features/layout.js';
import { SentenceTuples } from '../features/sentence-tuples.js';
import { isChunkNode, type TemplateSet } from '../features/template.js';
import type { ChunkModel } from '../model/chunk-model.js';
import { SparseWeights } from '../model/sparse-weights.js';
import type { ChunkRoles } from '../tags/chunk-roles.js';

/** Most types: a feature has a weight for every pair of them, and lanes are numbers of two bytes. */
const MOST_TYPES = 255;

/**
 * The number of the view that the option `dictionary` names; −1 for none.
 *
 * @throws OptionError where no chunk template reads it: of others a model does not keep all strings.
 */
export function dictionaryView(dictionary: string, templates: TemplateSet, { views }: Layout): number {
  if (dictionary === 'none') return -1;
  const read = new Set(
    templates.templates
      .flatMap(({ nodes }) => nodes.filter(isChunkNode))
      .flatMap((node) => ('view' in node ? [node.view] : [])),
  );
  if (read.has(dictionary)) return views.indexOf(dictionary);
  throw new OptionError(
    'dictionary',
    `--dictionary: expected none or a view that templates of chunks read (${[...read].join(', ') || 'there are none'}), ` +
      `found ${dictionary}`,
  );
}

/**
 * Counts the features of the gold chunks and leaves out the rare ones, and notes what chunks there are.
 *
 * @param dictionary number of the view whose values are noted, −1 for none.
 */
export function extractChunks(
  { labels, starts }: Dataset,
  views: CorpusViews,
  layout: Layout,
  roles: ChunkRoles,
  options: { templates: TemplateSet; cutOff: number; dictionary: number },
): Pick<ChunkModel, 'index' | 'limits'> {
  const { templates, cutOff, dictionary } = options;
  const types = roles.count;
  if (types > MOST_TYPES) {
    throw new OptionError(
      'decoder',
      `--decoder semi-markov: expected at most ${MOST_TYPES} types, found ${types}`,
    );
  }
  const all = new ChunkIndexBuilder(chunkTemplates(templates.templates), layout.views, types);
  const learner = new LimitLearner(types, dictionary < 0 ? 1 : FIRST_VALUE + views.values[dictionary].size);
  const tuples = new SentenceTuples(layout);
  let ends = new Uint32Array(64);
  let kinds = new Uint16Array(64);
  for (let s = 0; s + 1 < starts.length; s++) {
    const length = starts[s + 1] - starts[s];
    ends = grown(ends, length);
    kinds = grown(kinds, length);
    const count = roles.cut(labels, starts[s], length, ends, kinds);
    views.fill(s, tuples);
    all.start(tuples);
    let begin = 0;
    for (let i = 0; i < count; i++) {
      const end = ends[i];
      all.count(begin, end);
      learner.add(i === 0 ? types : kinds[i - 1], kinds[i], end - begin);
      const valuesAt = dictionary * tuples.stride + PADDING;
      for (let t = begin; t < end && dictionary >= 0; t++) {
        learner.addValue(kinds[i], tuples.values[valuesAt + t]);
        const type = t > begin ? kinds[i] : -1;
        if (t > 0) learner.addPair(tuples.values[valuesAt + t - 1], tuples.values[valuesAt + t], type);
      }
      begin = end;
    }
  }
  return { index: all.finish(cutOff), limits: learner.finish() };
}

/**
 * The chunk features whose weights are not all 0, with those weights.
 *
 * @param weights rows as `index.rowStarts` has them.
 * @param int8 whether weights become the nearest of 255 multiples of a step.
 */
export function pruneChunks(
  index: ChunkIndex,
  views: readonly string[],
  weights: Float32Array,
  int8: boolean,
): Pick<ChunkModel, 'index' | 'weights'> {
  const step = int8 ? weights.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / 127 : 0;
  const { rowStarts, types } = index;
  const keep = new Uint8Array(index.size);
  const starts = new Uint32List(index.size + 1);
  let lanes = (types + 1) * types <= 256 ? new Uint8Array(1024) : new Uint16Array(1024);
  let values = new Float32Array(1024);
  let filled = 0;
  starts.push(0);
  for (let f = 0; f < index.size; f++) {
    const from = filled;
    const width = rowStarts[f + 1] - rowStarts[f];
    lanes = grown(lanes, filled + width);
    values = grown(values, filled + width);
    for (let lane = 0; lane < width; lane++) {
      const weight = weights[rowStarts[f] + lane];
      const value = step > 0 ? Math.round(weight / step) : weight;
      if (value === 0) continue;
      lanes[filled] = lane;
      values[filled++] = value;
    }
    if (filled === from) continue;
    keep[f] = 1;
    starts.push(filled);
  }
  const pruned = index.prune(views, keep);
  const packed = step > 0 ? Int8Array.from(values.subarray(0, filled)) : values.slice(0, filled);
  const kept = new SparseWeights(starts.toArray(), lanes.slice(0, filled), packed, step);
  return { index: pruned, weights: kept };
}
