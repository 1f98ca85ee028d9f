import { OptionError, quote } from '../base/errors.js';
import { DECODERS } from '../decode/decoders.js';
import type { FeatureIndex } from '../features/feature-index.js';
import { templateName, withinOrder } from '../features/template.js';
import { laneCount } from '../kernels/lane-count.js';
import { LEARNERS } from '../learn/learners.js';
import type { Configuration } from '../model/configuration.js';
import type { Model } from '../model/model.js';

/** Refuses to go on from a model that was made otherwise. */
export function checkContinues({ configuration: model }: Model, configuration: Configuration): void {
  const { learner } = configuration;
  if (LEARNERS[learner].startsAnew) {
    throw new OptionError(
      'init',
      `--init does not go with --learner ${learner}, which starts anew from the data`,
    );
  }
  const described = (c: Configuration) => ({
    columns: c.columns.join(','),
    scheme: c.scheme,
    direction: c.direction,
    templates: withinOrder(c.templates, DECODERS[c.decoder].order(c.options))
      .templates.map(templateName)
      .join('; '),
    learner: c.learner,
    strategy: c.strategy ?? 'none',
  });
  const own = described(configuration);
  for (const [name, expected] of Object.entries(described(model))) {
    const found = own[name as keyof typeof own];
    if (found === expected) continue;
    throw new OptionError(
      name,
      `--init: expected --${name} as the model has it, ${quote(expected)}, found ${quote(found)}`,
    );
  }
}

/** Makes the weights [D × W] that a model has for some lanes, in an index that has its features. */
export function initialWeights(
  { features, weights, problems }: Model,
  index: FeatureIndex,
): (selected: Uint16Array) => Float32Array<ArrayBuffer> {
  const numbers = index.numbersOf(features);
  const { starts, lanes, values } = weights;
  return (selected) => {
    const width = laneCount(selected.length);
    /** [P] number of a lane among those selected, −1 for the others. */
    const own = new Int32Array(problems).fill(-1);
    selected.forEach((lane, i) => {
      own[lane] = i;
    });
    const initial = new Float32Array(index.size * width);
    for (let f = 0; f < numbers.length; f++) {
      for (let j = starts[f]; j < starts[f + 1]; j++) {
        if (own[lanes[j]] >= 0) initial[numbers[f] * width + own[lanes[j]]] = values[j];
      }
    }
    return initial;
  };
}
