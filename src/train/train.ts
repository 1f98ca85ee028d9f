import { checkArgument } from '../base/arguments.js';
import { listNames, OptionError, SpanwrightError } from '../base/errors.js';
import type { Corpus } from '../data/corpus.js';
import { LEARNERS } from '../learn/learners.js';
import type { Configuration } from '../model/configuration.js';
import type { Model, ModelScores } from '../model/model.js';
import type { SparseWeights } from '../model/sparse-weights.js';
import { REDUCTIONS } from '../reduce/reductions.js';
import { checkContinues } from './continue.js';
import { joinBlocks } from './join-blocks.js';
import { codeOf } from './lane-problems.js';
import { learnWeights } from './learn-weights.js';
import { prepare } from './prepare.js';
import type { TrainOptions } from './train-options.js';
import { withinLabels } from './within-labels.js';
import { fittingCutOff, withinMemory } from './within-memory.js';

/**
 * Trains a model on a corpus whose last column holds the labels, in any tag scheme.
 *
 * @throws InputError naming file and line of a label that is no tag.
 * @throws OptionError where the strategy does not go with the labels, or no cut-off makes training fit in memory.
 * @throws SpanwrightError with code `no-memory` and the estimate where there is not so much memory.
 */
export async function train(
  corpus: Corpus,
  wanted: Configuration,
  options: TrainOptions = {},
): Promise<Model> {
  checkArgument('corpus', corpus, 'corpus');
  checkArgument('configuration', wanted, 'configuration');
  checkArgument('options', options, 'object');
  const { precision } = wanted;
  const { init, first } = options;
  if ((wanted.stages ?? 1) > 1 !== (first !== undefined)) {
    throw new OptionError('stages', 'expected the first of two stages where there are two, and only there');
  }
  if (init) checkContinues(init, wanted);
  const able = init ? wanted : withinLabels(corpus, wanted);
  let configuration = able;
  let prepared = prepare(corpus, configuration, options);
  if (options.fitMemory !== undefined) {
    configuration = { ...able, cutOff: fittingCutOff(prepared, able, options.fitMemory, init) };
    if (configuration.cutOff > wanted.cutOff) prepared = prepare(corpus, configuration, options);
  }
  const { tagSet, index, record, knowledge } = prepared;
  const code = init ? init.code : codeOf(prepared, configuration);
  const { blocks, chunks } = await withinMemory(prepared, code, configuration, options, () =>
    learnWeights(prepared, code, configuration, options),
  );
  for (const own of [...blocks, ...(chunks ? [chunks] : [])]) checkWeights(own.weights, configuration);
  const { weights, keep } = joinBlocks(blocks, index.size, precision);
  return {
    configuration,
    scores: scoresOf(configuration),
    tagSet,
    features: index.prune(keep),
    problems: blocks.reduce((sum, { lanes }) => sum + lanes.length, 0),
    ...(code && { code }),
    weights,
    ...(chunks && { chunks }),
    training: record,
    knowledge,
    ...(first && { first: first.model }),
  };
}

/** How the sums of a learner's weights become scores. */
function scoresOf({ learner: name, strategy }: Configuration): ModelScores {
  const learner = LEARNERS[name];
  const { link } = learner;
  if (learner.kind !== 'binary') return { kind: learner.gives, link };
  return { kind: REDUCTIONS[strategy as string].gives, link };
}

/** @throws SpanwrightError with code `not-finite` for weights that no model file may hold. */
function checkWeights(weights: SparseWeights, { learner, options }: Configuration): void {
  const bad = weights.outOfRange();
  if (bad === undefined) return;
  const own = LEARNERS[learner].options.filter(
    ({ name, kind }) => kind === 'number' && options[name] !== undefined,
  );
  const set = own.map(({ name }) => `--${name} ${options[name]}`);
  throw new SpanwrightError(
    'not-finite',
    `--learner ${learner}: expected finite weights, found ${bad}${set.length > 0 ? `: ${listNames(set)} is too extreme` : ''}`,
  );
}
