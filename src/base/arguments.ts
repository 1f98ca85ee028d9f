/** Checks of arguments, for callers without types: what is wrong is named before anything runs. */
import { OptionError, show } from './errors.js';

interface ArgumentKindEntry {
  readonly what: string;
  readonly holds: (value: unknown) => boolean;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What has certain members; what these are, types say. */
function shape(what: string, ...members: readonly string[]): ArgumentKindEntry {
  return { what, holds: (value) => isObject(value) && members.every((name) => name in value) };
}

const listOf = (what: string, holds: (value: unknown) => boolean): ArgumentKindEntry => ({
  what: `a list of ${what}`,
  holds: (value) => Array.isArray(value) && value.every(holds),
});

const MODEL = shape(
  'a model, as train and loadModel give',
  'configuration',
  'tagSet',
  'features',
  'knowledge',
  'training',
);
const TAGGER = shape('a Tagger', 'model', 'inputColumns', 'labelColumn');

const KINDS = {
  string: { what: 'a string', holds: (value) => typeof value === 'string' },
  bytes: { what: 'bytes (Uint8Array)', holds: (value) => value instanceof Uint8Array },
  input: {
    what: 'a string, bytes (Uint8Array) or parts of bytes',
    holds: (value) =>
      typeof value === 'string' || (typeof value === 'object' && value !== null && Symbol.iterator in value),
  },
  sequences: {
    what: 'lists of tags',
    holds: (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
  },
  object: { what: 'an object', holds: isObject },
  numbers: {
    what: 'a list of numbers',
    holds: (value) =>
      ArrayBuffer.isView(value) || (Array.isArray(value) && value.every((one) => typeof one === 'number')),
  },
  strings: listOf('strings', (value) => typeof value === 'string'),
  cells: listOf(
    'lists of strings',
    (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  ),
  objects: listOf('objects', isObject),
  groups: listOf('lists of numbers', (value) => Array.isArray(value)),
  corpus: shape('a corpus, as readColumns gives', 'columns', 'alphabets', 'starts', 'cells'),
  configuration: shape(
    'a configuration, as configure gives',
    'task',
    'columns',
    'templates',
    'learner',
    'scheme',
  ),
  model: MODEL,
  tagger: TAGGER,
  labeller: shape('a Tagger or Pipeline', 'model', 'inputColumns'),
  pipeline: shape('a Pipeline', 'last', 'inputColumns'),
  stages: {
    what: 'a list of models or taggers',
    holds: (value) => Array.isArray(value) && value.every((one) => MODEL.holds(one) || TAGGER.holds(one)),
  },
  templates: shape('a set of templates, as templateSet gives', 'name', 'templates'),
  templateList: listOf(
    'templates, as template gives',
    (value) => isObject(value) && Array.isArray(value.nodes),
  ),
  sentence: shape('a sentence, as splitText gives', 'text', 'tokens'),
  text: shape('a text with its name', 'source', 'text'),
  folds: listOf(
    'folds, as splitFolds gives',
    (value) => isObject(value) && 'training' in value && 'heldOut' in value,
  ),
  axes: listOf('axes, as parseGrid gives', (value) => isObject(value) && Array.isArray(value.values)),
  trials: listOf('trials', (value) => isObject(value) && Array.isArray(value.scores)),
  output: shape('the output of a system', 'name', 'gold', 'predicted'),
  analysis: shape('an analysis, as analyseErrors gives', 'scores', 'sentences', 'confusions'),
  scores: shape('scores, as ChunkScorer and scoreModel give', 'tokens', 'sentences', 'accuracy', 'types'),
  wordScores: shape(
    'scores, as WordScorer and scoreWords give',
    'tokens',
    'sentences',
    'gold',
    'predicted',
    'f1',
  ),
  calibration: shape('a calibration, as measureCalibration gives', 'tokens'),
  curves: listOf('curves', (value) => isObject(value) && Array.isArray(value.points)),
  report: shape('a report', 'title', 'blocks'),
  chart: shape('a chart', 'kind', 'title', 'series'),
} as const satisfies Readonly<Record<string, ArgumentKindEntry>>;

/** Kind of argument that can be checked. */
export type ArgumentKind = keyof typeof KINDS;

/** Checks an argument. @throws OptionError naming it, what was expected and what was found. */
export function checkArgument(name: string, value: unknown, kind: ArgumentKind): void {
  const { what, holds } = KINDS[kind];
  if (!holds(value)) throw new OptionError(name, `${name}: expected ${what}, found ${show(value)}`);
}
