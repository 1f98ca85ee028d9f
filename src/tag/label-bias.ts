import { listNames, OptionError, show } from '../base/errors.js';
import { DECODERS } from '../decode/decoders.js';
import { laneCount } from '../kernels/lane-count.js';
import type { LabelBias, Model } from '../model/model.js';
import { REDUCTIONS } from '../reduce/reductions.js';

/** A bias is no further from 0: beyond, a label is chosen always or never. */
const MOST_BIAS = 100;

/**
 * What a bias adds to each lane of a model, [K]; nothing where it is 0 for all types.
 *
 * @param bias one number for all types, or one each.
 * @throws OptionError for types that the model does not have, numbers beyond ±100, and models whose labels cannot have one.
 */
export function biasOfLanes(model: Model, bias: number | LabelBias): Float32Array | undefined {
  const { tagSet, problems } = model;
  const { types, typeOfLabel, outside } = tagSet;
  const ofType = new Map(typeof bias === 'number' ? types.map((type) => [type, bias]) : Object.entries(bias));
  for (const [type, value] of ofType) {
    if (!types.includes(type)) {
      throw new OptionError('bias', `--bias: expected ${listNames(types)}, found ${show(type)}`);
    }
    if (!(Math.abs(value) <= MOST_BIAS)) {
      const range = `a number from −${MOST_BIAS} to ${MOST_BIAS}`;
      throw new OptionError('bias', `--bias: expected ${range}, found ${show(value)}`);
    }
  }
  if ([...ofType.values()].every((value) => value === 0)) return undefined;
  const problem = whyNoBias(model);
  if (problem !== undefined) throw new OptionError('bias', `--bias: ${problem}`);
  const lanes = new Float32Array(laneCount(problems));
  typeOfLabel.forEach((type, label) => {
    if (label !== outside) lanes[label] = ofType.get(type) ?? 0;
  });
  return lanes;
}

/** Why a model's labels can have no bias, in words; nothing where they can. */
export function whyNoBias({ configuration, code, tagSet }: Model): string | undefined {
  const { strategy, decoder } = configuration;
  if (DECODERS[decoder].unit === 'chunk') {
    return 'expected a model that scores labels, found one of whole chunks';
  }
  if (code && REDUCTIONS[strategy as string].decide) {
    return `expected a model with a score for each label, found one of the strategy ${strategy}`;
  }
  if (tagSet.outside < 0) {
    return 'expected a model that leaves tokens out of chunks, found one of a label for every token';
  }
  return undefined;
}
