import { listNames, lookUp, OptionError } from '../base/errors.js';
import { type OptionValues, settleOptions } from '../base/options.js';
import type { ScoreKind } from '../reduce/score-kind.js';
import type { Decoder } from './decoder.js';
import { DECODERS } from './decoders.js';

/** Scores to be searched, and how messages call what gives them. */
export interface ScoreSource {
  /** Kind of the scores. */
  readonly gives: ScoreKind;
  /** The option that decides it, for messages: `--strategy tree`. */
  readonly owner: string;
  /** Decoder to take where none is given and the default cannot search such scores; default the first that can. */
  readonly preferred?: string | undefined;
}

/** A decoder and the values of all its options. */
export interface ChosenDecoder {
  /** The decoder. */
  readonly decoder: Decoder;
  /** Values of its options. */
  readonly options: OptionValues;
}

/** Names of the decoders that can search scores of a kind. */
export function decodersOf(kind: ScoreKind): string[] {
  return Object.values(DECODERS)
    .filter(({ accepts }) => accepts.includes(kind))
    .map(({ name }) => name);
}

/**
 * Chooses the decoder for scores of a kind, and its options.
 *
 * @param given what the user gave: `decoder` and its options, checked here; other names are not looked at.
 * @param defaults what holds where nothing was given; a default decoder that cannot search the scores gives way.
 * @throws OptionError for a decoder that does not exist or cannot search the scores, and for a history that they do not read.
 */
export function chooseDecoder(
  { gives, owner, preferred }: ScoreSource,
  given: OptionValues,
  defaults: OptionValues,
): ChosenDecoder {
  let name = (given.decoder ?? defaults.decoder) as string;
  if (!lookUp(DECODERS, name, 'decoder').accepts.includes(gives)) {
    const fitting = decodersOf(gives);
    if (given.decoder !== undefined) {
      throw new OptionError(
        'decoder',
        `--decoder ${name} does not go with ${owner}: expected ${listNames(fitting)}`,
      );
    }
    name = preferred ?? fitting[0];
  }
  const decoder = DECODERS[name];
  const options = settleOptions(decoder.options, given, defaults);
  if (gives === 'first-order' && decoder.order(options) > 1) {
    throw new OptionError('order', `--order: expected 0 or 1 with ${owner}, found ${options.order}`);
  }
  return { decoder, options };
}
