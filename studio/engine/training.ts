import { SentenceCollector, type SentenceColumns } from '../../src/data/corpus.js';
import type { Model } from '../../src/model/model.js';
import { saveModel } from '../../src/model/model-file.js';
import { Tagger } from '../../src/tag/tagger.js';
import { SCHEMES } from '../../src/tags/scheme.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';
import type { LearnedSentence, TrainMethods } from './protocol.js';

/** Sentences from which on rare features are left out. */
const MANY = 400;
/** Sentences by which successive models are compared. */
const STOP_SENTENCES = 2000;

let pool: SentenceColumns[] = [];
let before: Uint16Array | undefined;
let namesBefore: readonly string[] = [];

/** Trains a model of a project's sentences. */
async function trainSentences(
  sentences: readonly LearnedSentence[],
  tokens: 'words' | 'characters',
): Promise<Model> {
  const configuration = configure({
    task: 'chunking',
    columns: ['word', 'label'],
    options: {
      templates: tokens === 'words' ? 'words' : 'characters',
      scheme: 'iob2',
      direction: 'forward',
      decoder: 'hybrid',
      'cut-off': sentences.length < MANY ? 1 : 2,
    },
  });
  const collector = new SentenceCollector(['word', 'label'], 'annotations');
  sentences.forEach(({ words, spans }, s) => {
    const tags = SCHEMES.iob2.encode(spans, words.length);
    if (words.length > 0) collector.add([words, tags], new Array<number>(words.length).fill(s + 1));
  });
  return train(collector.finish(''), configuration);
}

/** Methods of training. */
export const methods: TrainMethods = {
  async setPool({ sentences }) {
    pool = sentences.map((word) => ({ word }));
    before = undefined;
  },
  async trainProject({ sentences, tokens }) {
    const started = performance.now();
    const model = await trainSentences(sentences, tokens);
    const milliseconds = performance.now() - started;
    const scored = scorePool(model);
    return { bytes: saveModel(model), sentences: sentences.length, milliseconds, ...scored };
  },
};

/** Log probabilities of the pool's sentences divided by their lengths, and how far labels are those of the model before. */
function scorePool(model: Model): { scores: Float32Array; agreement?: number } {
  const tagger = new Tagger(model);
  const scores = new Float32Array(pool.length);
  const labels: number[] = [];
  tagger.decodeSentences(pool, (s) => {
    const confidences = tagger.confidences();
    let sum = 0;
    for (const confidence of confidences) sum += Math.log(Math.max(confidence, 1e-9));
    scores[s] = sum / Math.max(1, confidences.length);
    if (s < STOP_SENTENCES) for (let t = 0; t < tagger.length; t++) labels.push(tagger.path[t]);
  });
  const names = model.tagSet.tags;
  const now = Uint16Array.from(labels);
  const last = before;
  const lastNames = namesBefore;
  before = now;
  namesBefore = names;
  if (last === undefined || last.length !== now.length) return { scores };
  return { scores, agreement: kappa(now, names, last, lastNames) };
}

/** Cohen's κ between two labellings of the same tokens. */
function kappa(a: Uint16Array, aNames: readonly string[], b: Uint16Array, bNames: readonly string[]): number {
  const counts = new Map<string, [number, number]>();
  let same = 0;
  for (let t = 0; t < a.length; t++) {
    const names = [aNames[a[t]], bNames[b[t]]];
    if (names[0] === names[1]) same++;
    names.forEach((name, side) => {
      const own = counts.get(name) ?? [0, 0];
      own[side]++;
      counts.set(name, own);
    });
  }
  let expected = 0;
  for (const [x, y] of counts.values()) expected += (x / a.length) * (y / a.length);
  const observed = same / a.length;
  return expected === 1 ? 1 : (observed - expected) / (1 - expected);
}
