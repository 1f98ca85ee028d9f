import { listNames, OptionError } from '../base/errors.js';
import { type ChosenDecoder, chooseDecoder } from '../decode/choose-decoder.js';
import { historyOrder } from '../features/template.js';
import type { DecoderChoice, Model } from '../model/model.js';

/** The model's own decoder, or the one chosen in its place, with its options. */
export function decoderFor(model: Model, choice: DecoderChoice): ChosenDecoder {
  const { configuration, features, scores } = model;
  const { learner, strategy } = configuration;
  const owner = strategy === undefined ? `--learner ${learner}` : `--strategy ${strategy}`;
  const trained = Math.max(0, ...features.templates.templates.map(historyOrder));
  const given = { ...(choice.decoder && { decoder: choice.decoder }), ...choice.options };
  const isChosen = choice.decoder !== undefined || choice.options !== undefined;
  const own = {
    ...configuration.options,
    ...(isChosen && { order: trained }),
    decoder: configuration.decoder,
  };
  const { decoder, options } = chooseDecoder({ gives: scores.kind, owner }, given, own);
  const declared = decoder.options.map(({ name }) => name);
  const foreign = Object.keys(choice.options ?? {}).find((name) => !declared.includes(name));
  if (foreign !== undefined) {
    throw new OptionError(
      foreign,
      `--${foreign} does not go with --decoder ${decoder.name}: expected ${listNames(declared) || 'no options'}`,
    );
  }
  const reads = decoder.order(options);
  if (reads < trained) {
    throw new OptionError(
      'decoder',
      `--decoder ${decoder.name} reads ${reads} earlier labels, but the model was trained with ${trained}: ` +
        'choose a higher order, or train with this decoder',
    );
  }
  return { decoder, options };
}
