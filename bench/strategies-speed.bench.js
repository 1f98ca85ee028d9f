// Does it pay to evaluate problem by problem and stop early? The test text of CoNLL-2000, greedy decoding, one thread, in one
// process. "Routine" is what every way needs: strings to features. On the same lists of features and the same weights
// [D × W] then two plain loops: all lanes of each feature added at once, or the one lane of each problem that the strategy asks
// for. Last the tagger as it is, routine included: SIMD, and what words bring summed ahead. Seconds for the whole text.
import { readFileSync } from 'node:fs';
import { Legality } from '../dist/decode/legality.js';
import { CorpusViews } from '../dist/features/corpus-views.js';
import { PADDING } from '../dist/features/layout.js';
import { SentenceTuples } from '../dist/features/sentence-tuples.js';
import { configure, readColumns, Tagger, train } from '../dist/index.js';
import { laneCount } from '../dist/kernels/lane-count.js';
import { corpusTags } from '../dist/label/corpus-labeller.js';
import { REDUCTIONS } from '../dist/reduce/reductions.js';
import { conll2000, showSpread } from './support.js';

const RUNS = 5;
const files = conll2000();
const columns = ['word', 'pos', 'chunk'];
const [training, test] = [files.train, files.test].map((file) =>
  readColumns(readFileSync(file), { columns }),
);
const sentences = [...test.starts.subarray(0, -1).keys()];
const tokens = test.lines.length;

/** Rules of strategies that look at every legal label's own problem: the largest margin. */
const largestOfLegal =
  ({ labels }) =>
  (margins, legal, legalAt) => {
    let best = -1;
    let largest = -Infinity;
    for (let label = 0; label < labels; label++) {
      if (legal[legalAt + label] === 0) continue;
      const margin = margins.at(label);
      if (margin > largest) {
        largest = margin;
        best = label;
      }
    }
    return best;
  };

let pairwise;
for (const strategy of ['ova', 'c-ova', 'hc-ova', 'tree', 'dag']) {
  const configuration = configure({ task: 'chunking', options: { strategy, decoder: 'greedy' } });
  const model = await train(training, configuration);
  measure(strategy, model);
  if (strategy === 'dag') pairwise = model;
}
// The problems of one-vs-one are those of DAG; only all of them make a decision.
const configuration = { ...pairwise.configuration, strategy: 'ovo' };
measure('ovo', { ...pairwise, configuration });

function measure(strategy, model) {
  const { features, weights, code, tagSet, problems } = model;
  const labels = tagSet.tags.length;
  const width = laneCount(problems);
  const dense = new Float32Array(features.size * width);
  for (let f = 0; f < features.size; f++) weights.addTo(f, dense, f * width);
  const reader = featureReader(features);
  const history = historyFeatures(features, labels);
  const legality = new Legality(tagSet.allowed, labels);
  const { decide, choose = strategy === 'ovo' ? undefined : largestOfLegal } = REDUCTIONS[strategy];
  const rule = decide?.(code, model.configuration.options);
  const chooseNext = choose?.(code);

  const lists = { features: new Uint32Array(1024), starts: new Uint32Array(1024), count: 0 };
  const list = (s) => reader(s, lists);
  const sums = new Float64Array(width);
  const margins = new Float32Array(width);
  const values = new Float64Array(labels);
  let looked = 0;

  const allLanes = (t, earlier, legal, legalAt) => {
    sums.fill(0);
    for (let j = lists.starts[t]; j < lists.starts[t + 1]; j++) {
      const at = lists.features[j] * width;
      for (let k = 0; k < width; k++) sums[k] += dense[at + k];
    }
    for (const feature of earlier) {
      if (feature < 0) continue;
      for (let k = 0; k < width; k++) sums[k] += dense[feature * width + k];
    }
    margins.set(sums);
    if (rule) looked += rule(margins, legal, legalAt, values);
    else {
      values.set(margins.subarray(0, labels));
      looked += labels;
    }
    let best = -1;
    for (let c = 0; c < labels; c++)
      if (legal[legalAt + c] !== 0 && (best < 0 || values[c] > values[best])) best = c;
    return best;
  };

  let token = 0;
  let earlierFeatures = [];
  const asked = {
    at(problem) {
      looked++;
      let sum = 0;
      for (let j = lists.starts[token]; j < lists.starts[token + 1]; j++) {
        sum += dense[lists.features[j] * width + problem];
      }
      for (const feature of earlierFeatures) if (feature >= 0) sum += dense[feature * width + problem];
      return Math.fround(sum);
    },
  };
  const problemByProblem = (t, earlier, legal, legalAt) => {
    token = t;
    earlierFeatures = earlier;
    return chooseNext(asked, legal, legalAt);
  };

  /** Labels of all sentences; without a rule only the lists are made. */
  const run = (choice) => {
    const all = new Uint16Array(tokens);
    for (const s of sentences) {
      list(s);
      if (choice === undefined) continue;
      const length = lists.count;
      let previous = labels;
      let before = labels;
      for (let t = 0; t < length; t++) {
        const at = legality.mask(length - 1 - t, previous);
        const label = choice(t, history(previous, before), legality.rows, at);
        all[test.starts[s] + t] = label;
        before = previous;
        previous = label;
      }
    }
    return all;
  };
  const time = (work) => {
    work();
    return Array.from({ length: RUNS }, () => {
      const started = performance.now();
      work();
      return (performance.now() - started) / 1000;
    });
  };
  const routine = time(() => run(undefined));
  const least = Math.min(...routine);
  const classification = (choice) => time(() => run(choice)).map((seconds) => seconds - least);
  console.log(
    `${strategy}: ${problems} problems, ${features.size} features, routine ${showSpread(routine, 3, 's')}`,
  );
  const report = (name, choice) => {
    looked = 0;
    const found = run(choice);
    const evaluations = (looked / tokens).toFixed(2);
    console.log(
      `  ${name}: ${showSpread(classification(choice), 3, 's')}, ${evaluations} evaluations a token`,
    );
    return found;
  };
  const first = report('all lanes at once', allLanes);
  if (chooseNext) {
    const second = report('problem by problem', problemByProblem);
    if (first.some((label, n) => label !== second[n])) throw new Error('the two ways give different labels');
  }
  const tagger = new Tagger(model);
  console.log(
    `  the tagger: ${showSpread(
      time(() => corpusTags(tagger, test)),
      3,
      's',
    )}`,
  );
}

/** Makes what lists the features of a sentence's tokens that read no earlier label. */
function featureReader(features) {
  const { layout, tables, starts, slots } = features;
  const known = features.values;
  const views = new CorpusViews(test, layout.views, features.direction);
  // Value ids of the test text as the model numbers them.
  const renumbered = views.values.map((own, v) => own.toArray().map((text) => 1 + known[v].find(text)));
  const tuples = new SentenceTuples(layout);
  const all = [...layout.conjunctions.keys()];
  const first = 2 * PADDING + 1;
  return (s, lists) => {
    views.fill(s, tuples);
    const { length, stride } = tuples;
    for (let v = 0; v < layout.views.length; v++) {
      for (let t = 0; t < length; t++) {
        const at = v * stride + PADDING + t;
        const value = tuples.values[at];
        if (value < first) continue;
        const own = renumbered[v][value - first];
        tuples.values[at] = own === 0 ? 0 : first + own - 1;
      }
    }
    tuples.compute(all, tables, false);
    lists.count = length;
    let filled = 0;
    if (lists.starts.length <= length) lists.starts = new Uint32Array(2 * length);
    for (let t = 0; t < length; t++) {
      lists.starts[t] = filled;
      if (lists.features.length < filled + 200) {
        const larger = new Uint32Array(2 * lists.features.length);
        larger.set(lists.features);
        lists.features = larger;
      }
      for (let c = 0; c < all.length; c++) {
        const { placements, fixedSlots } = layout.conjunctions[c];
        for (let slot = 0; slot < fixedSlots; slot++) {
          const tuple = tuples.tuples[c * stride + PADDING + t + placements[slot].offset];
          if (tuple < 0) continue;
          const end = starts[c][tuple + 1];
          for (let f = starts[c][tuple]; f < end && slots[f] <= slot; f++) {
            if (slots[f] === slot) lists.features[filled++] = f;
          }
        }
      }
    }
    lists.starts[length] = filled;
  };
}

/** Makes what gives the features of earlier labels, −1 for one that is none. */
function historyFeatures(features, labels) {
  const { conjunctions } = features.layout;
  const joined = conjunctions.some(
    ({ views, placements }) => views.length > 0 && placements.some(({ history }) => history !== 'none'),
  );
  if (joined) throw new Error('expected templates that do not join labels with tokens');
  const c = conjunctions.findIndex(({ views }) => views.length === 0);
  const placements = conjunctions[c].placements.filter(({ history }) => history !== 'none');
  const known = new Map();
  return (previous, before) => {
    const key = previous * (labels + 1) + before;
    let own = known.get(key);
    if (own === undefined) {
      own = placements.map(({ firstSlot, previousStep, beforePreviousStep }) =>
        features.find(c, 0, firstSlot + previousStep * previous + beforePreviousStep * before),
      );
      known.set(key, own);
    }
    return own;
  };
}
