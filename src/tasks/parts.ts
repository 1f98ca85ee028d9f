import { listNames, lookUp, OptionError, quote } from '../base/errors.js';
import { type OptionDeclaration, type OptionValues, settleOptions } from '../base/options.js';
import { chooseDecoder, type ScoreSource } from '../decode/choose-decoder.js';
import { DECODERS } from '../decode/decoders.js';
import type { Learner } from '../learn/learner.js';
import { LEARNERS } from '../learn/learners.js';
import { MODEL_OPTIONS } from '../model/configuration.js';
import { REDUCTIONS } from '../reduce/reductions.js';

/** Options that every configuration has; the parts chosen add their own. */
export const CONFIGURATION_OPTIONS: readonly OptionDeclaration[] = [
  { name: 'learner', kind: 'choice', choices: Object.keys(LEARNERS), help: 'learning algorithm' },
  {
    name: 'strategy',
    kind: 'choice',
    choices: Object.keys(REDUCTIONS),
    help: 'multiclass strategy of binary learners',
  },
  {
    name: 'decoder',
    kind: 'choice',
    choices: Object.keys(DECODERS),
    help: 'decoder: how the label sequence is found',
  },
  ...MODEL_OPTIONS,
];

interface DeclaringPart {
  readonly name: string;
  readonly help: string;
  readonly options: readonly OptionDeclaration[];
}

const PART_TABLES: Readonly<Record<string, Readonly<Record<string, DeclaringPart>>>> = {
  learner: LEARNERS,
  strategy: REDUCTIONS,
  decoder: DECODERS,
};

/** Learner, strategy and decoder of a configuration, with all their options. */
export interface Parts {
  /** Name of the learner. */
  readonly learner: string;
  /** Name of the multiclass strategy; none for learners of all labels at once. */
  readonly strategy?: string | undefined;
  /** Name of the decoder. */
  readonly decoder: string;
  /** Values of every option that these declare. */
  readonly options: OptionValues;
}

/**
 * Chooses learner, strategy (for binary learners) and decoder: what was given stands, and what was not follows it.
 *
 * @param given what the user gave; names and own options, checked here.
 * @param defaults what the task or preset would have; a default that does not go with what was given gives way to
 *   the first that does.
 * @throws OptionError for unknown names, for given parts that do not go together, and for options of parts that
 *   were not chosen.
 */
export function chooseParts(given: OptionValues, defaults: OptionValues): Parts {
  const learner = (given.learner ?? defaults.learner) as string;
  const learning = lookUp(LEARNERS, learner, 'learner');
  const strategy = strategyOf(learning, given, defaults);
  // What the defaults say of another learner's options is not meant for this one.
  const learnerDefaults = learner === (defaults.learner ?? learner) ? defaults : {};
  const { decoder, options } = chooseDecoder(scoresOf(learning, strategy), given, defaults);
  const settled = {
    ...settleOptions(learning.options, given, learnerDefaults),
    ...(strategy !== undefined && settleOptions(REDUCTIONS[strategy].options, given, defaults)),
    ...options,
  };
  const common = CONFIGURATION_OPTIONS.map(({ name }) => name);
  for (const name of Object.keys(given)) {
    if (common.includes(name) || Object.hasOwn(settled, name)) continue;
    const owners = partsDeclaring(name);
    throw new OptionError(
      name,
      owners.length > 0
        ? `--${name} belongs to ${listNames(owners)}; this configuration has learner ${learner}, ` +
            `${strategy === undefined ? 'no strategy' : `strategy ${strategy}`} and decoder ${decoder.name}` +
            ownOptionsText(Object.keys(settled))
        : `unknown option ${quote(name)}; expected ${listNames([...common, ...Object.keys(settled)])}`,
    );
  }
  return { learner, ...(strategy !== undefined && { strategy }), decoder: decoder.name, options: settled };
}

/** Options that the parts of a configuration have in the place of one that they lack. */
function ownOptionsText(names: readonly string[]): string {
  if (names.length === 0) return ', which have no options';
  return `, whose options are ${names.map((name) => `--${name}`).join(', ')}`;
}

/** The strategy that a learner needs; none for learners of all labels at once. */
function strategyOf(learner: Learner, given: OptionValues, defaults: OptionValues): string | undefined {
  if (learner.kind === 'binary') {
    return lookUp(REDUCTIONS, (given.strategy ?? defaults.strategy) as string, 'strategy').name;
  }
  if (given.strategy === undefined) return undefined;
  throw new OptionError(
    'strategy',
    `--strategy ${given.strategy} does not go with --learner ${learner.name}, which learns all labels at once: expected none`,
  );
}

/** The scores that a learner, or its strategy, gives. */
function scoresOf(learner: Learner, strategy: string | undefined): ScoreSource {
  if (learner.kind === 'binary') {
    return { gives: REDUCTIONS[strategy as string].gives, owner: `--strategy ${strategy}` };
  }
  const preferred = 'decoder' in learner ? learner.decoder : undefined;
  return { gives: learner.gives, owner: `--learner ${learner.name}`, preferred };
}

/** Strategies and learners that go with a decoder. */
export interface Capability {
  /** Name of the decoder. */
  readonly decoder: string;
  /** Names of the strategies whose scores it can search. */
  readonly strategies: readonly string[];
  /** Names of the learners of all labels whose scores it can search. */
  readonly learners: readonly string[];
}

/** A row for every decoder: what its scores may come from. */
export function capabilities(): Capability[] {
  return Object.values(DECODERS).map(({ name, accepts }) => ({
    decoder: name,
    strategies: Object.values(REDUCTIONS)
      .filter(({ gives }) => accepts.includes(gives))
      .map((strategy) => strategy.name),
    learners: Object.values(LEARNERS)
      .filter((learner) => learner.kind !== 'binary' && accepts.includes(learner.gives))
      .map((learner) => learner.name),
  }));
}

/**
 * Every option that some learner, strategy or decoder declares, each name once; where their defaults differ the help
 * says which part has which.
 */
export function partOptions(): OptionDeclaration[] {
  const byName = new Map<string, { part: DeclaringPart; option: OptionDeclaration }[]>();
  for (const table of Object.values(PART_TABLES)) {
    for (const part of Object.values(table)) {
      for (const option of part.options) {
        byName.set(option.name, [...(byName.get(option.name) ?? []), { part, option }]);
      }
    }
  }
  return [...byName.values()].map((declared) => {
    const [{ option }] = declared;
    if (declared.every((other) => other.option.default === option.default)) return option;
    const { default: _, ...rest } = option;
    const defaults = declared.map((other) => `${other.option.default} for ${other.part.name}`);
    return { ...rest, help: `${option.help} (default ${defaults.join(', ')})` };
  });
}

/** Options of one learner, strategy or decoder. */
export interface PartOptions {
  /** The part in words: `Learner svm (linear SVM by dual coordinate descent)`. */
  readonly heading: string;
  /** Its options. */
  readonly options: readonly OptionDeclaration[];
}

/** The options of every learner, strategy and decoder that has any. */
export function optionsByPart(): PartOptions[] {
  return Object.entries(PART_TABLES).flatMap(([kind, table]) =>
    Object.values(table)
      .filter(({ options }) => options.length > 0)
      .map(({ name, help, options }) => ({
        heading: `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${name} (${help})`,
        options,
      })),
  );
}

/** The parts that declare an option, in words: `decoder beam`. */
export function partsDeclaring(option: string): string[] {
  return Object.entries(PART_TABLES).flatMap(([kind, table]) =>
    Object.values(table)
      .filter((part) => part.options.some(({ name }) => name === option))
      .map((part) => `${kind} ${part.name}`),
  );
}
