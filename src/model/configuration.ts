import { listNames, lookUp, OptionError, quote } from '../base/errors.js';
import { checkOption, type OptionDeclaration, type OptionValue, type OptionValues } from '../base/options.js';
import type { TokenUnit } from '../data/formats/unit-readers.js';
import { DECODERS } from '../decode/decoders.js';
import type { TemplateSet } from '../features/template.js';
import type { Learner } from '../learn/learner.js';
import { LEARNERS } from '../learn/learners.js';
import { REDUCTIONS } from '../reduce/reductions.js';
import type { Direction } from '../tags/direction.js';
import { SCHEMES, type SchemeName } from '../tags/scheme.js';

/** How exactly the weights of a model are kept. */
export type Precision = 'float32' | 'int8';

/** Possible classes of training examples: of the other parts of the data, or of all of them but for masked copies. */
export type ClassVariant = 'jackknifed' | 'full';

/** Everything that decides what a trained model is, given the data; what does not (threads, paths) is left out. */
export interface Configuration {
  /** Name of the task it was derived from. */
  readonly task: string;
  /** Column names from the left; the last one holds the labels, `_` skips one. */
  readonly columns: readonly string[];
  /** What tokens are. */
  readonly tokens: TokenUnit;
  /** Tag scheme used inside. */
  readonly scheme: SchemeName;
  /** Reading direction. */
  readonly direction: Direction;
  /** Feature templates, before the decoder's order leaves any out. */
  readonly templates: TemplateSet;
  /** Least number of occurrences of a feature. */
  readonly cutOff: number;
  /** Least number of occurrences of a word; none where every word counts. */
  readonly wordCutOff?: number | undefined;
  /** Which possible classes training examples see; none where no template reads possible classes. */
  readonly classes?: ClassVariant | undefined;
  /** Parts of the mask method, at least 2; none where it is not used. */
  readonly mask?: number | undefined;
  /** Name of the learner. */
  readonly learner: string;
  /** Name of the multiclass strategy; none for learners of all labels at once. */
  readonly strategy?: string | undefined;
  /** Name of the decoder. */
  readonly decoder: string;
  /** How exactly weights are kept: any float32, or one of 255 multiples of a step. */
  readonly precision: Precision;
  /** Seed of everything random. */
  readonly seed: number;
  /** Options of the learner, the strategy and the decoder. */
  readonly options: OptionValues;
}

/** Options that every configuration has; the parts chosen add their own. */
export const CONFIGURATION_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'scheme',
    kind: 'choice',
    choices: Object.keys(SCHEMES),
    help: 'tag scheme used inside; files are read in whatever scheme they have',
  },
  {
    name: 'direction',
    kind: 'choice',
    choices: ['forward', 'backward'],
    help: 'reading direction: left to right, or right to left',
  },
  {
    name: 'templates',
    kind: 'string',
    placeholder: 'NAME|FILE',
    file: 'read',
    help: 'feature templates: a set by name, or a file (own, CRF++ or Wapiti syntax)',
  },
  { name: 'cut-off', kind: 'integer', min: 1, help: 'leave out features seen less often than this' },
  {
    name: 'word-cut-off',
    kind: 'integer',
    min: 1,
    default: 1,
    help: 'leave out every feature of words (first column) seen less often than this, but not of affixes, shapes, types',
  },
  {
    name: 'classes',
    kind: 'choice',
    choices: ['jackknifed', 'full'],
    help:
      'possible classes (view .classes) of training words: from the other parts of the data, or from all, and from the ' +
      'other parts in masked copies only (default jackknifed)',
  },
  {
    name: 'mask',
    kind: 'integer',
    min: 0,
    max: 1000,
    default: 0,
    placeholder: 'PARTS',
    help: 'train on every sentence again as if words that only its part of the data has were unknown; 0: do not',
  },
  { name: 'learner', kind: 'choice', choices: Object.keys(LEARNERS), help: 'how weights are learned' },
  {
    name: 'strategy',
    kind: 'choice',
    choices: Object.keys(REDUCTIONS),
    help: 'how binary problems make a multiclass decision',
  },
  { name: 'decoder', kind: 'choice', choices: Object.keys(DECODERS), help: 'how a label sequence is found' },
  {
    name: 'precision',
    kind: 'choice',
    choices: ['float32', 'int8'],
    default: 'float32',
    help: 'how exactly weights are kept; int8 makes a model of a third the size',
  },
  { name: 'seed', kind: 'integer', default: 1, min: 0, max: 4294967295, help: 'seed of everything random' },
];

interface DeclaringPart {
  readonly name: string;
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
  const { strategy, decoders, owner } = strategyOf(learning, given, defaults);
  let decoder = (given.decoder ?? defaults.decoder) as string;
  lookUp(DECODERS, decoder, 'decoder');
  if (!decoders.includes(decoder)) {
    if (given.decoder !== undefined) {
      throw new OptionError(
        'decoder',
        `--decoder ${decoder} does not go with ${owner}: expected ${listNames(decoders)}`,
      );
    }
    decoder = decoders[0];
  }

  const options: Record<string, OptionValue> = {};
  const settle = (part: DeclaringPart, own: OptionValues) => {
    for (const declaration of part.options) {
      const { name } = declaration;
      const value = given[name] ?? own[name] ?? declaration.default;
      if (value !== undefined) options[name] = checkOption(declaration, value);
    }
  };
  // What the defaults say of another learner's options is not meant for this one.
  settle(learning, learner === (defaults.learner ?? learner) ? defaults : {});
  if (strategy !== undefined) settle(REDUCTIONS[strategy], defaults);
  settle(DECODERS[decoder], defaults);
  if (learning.kind === 'sequence' && DECODERS[decoder].order(options) > 1) {
    throw new OptionError('order', `--order: expected 0 or 1 with ${owner}, found ${options.order}`);
  }
  const common = CONFIGURATION_OPTIONS.map(({ name }) => name);
  for (const name of Object.keys(given)) {
    if (common.includes(name) || Object.hasOwn(options, name)) continue;
    const owners = partsDeclaring(name);
    throw new OptionError(
      name,
      owners.length > 0
        ? `--${name} belongs to ${listNames(owners)}; this configuration has learner ${learner}, ` +
            `${strategy === undefined ? 'no strategy' : `strategy ${strategy}`} and decoder ${decoder}`
        : `unknown option ${quote(name)}; expected ${listNames([...common, ...Object.keys(options)])}`,
    );
  }
  return { learner, ...(strategy !== undefined && { strategy }), decoder, options };
}

/** The strategy that a learner needs, if any, and the decoders that go with both. */
function strategyOf(learner: Learner, given: OptionValues, defaults: OptionValues) {
  if (learner.kind === 'binary') {
    const strategy = (given.strategy ?? defaults.strategy) as string;
    const { decoders } = lookUp(REDUCTIONS, strategy, 'strategy');
    return { strategy, decoders, owner: `--strategy ${strategy}` };
  }
  const owner = `--learner ${learner.name}`;
  if (given.strategy !== undefined) {
    throw new OptionError(
      'strategy',
      `--strategy ${given.strategy} does not go with ${owner}, which learns all labels at once: expected none`,
    );
  }
  return { strategy: undefined, decoders: learner.decoders, owner };
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

/** The parts that declare an option, in words: `decoder beam`. */
export function partsDeclaring(option: string): string[] {
  return Object.entries(PART_TABLES).flatMap(([kind, table]) =>
    Object.values(table)
      .filter((part) => part.options.some(({ name }) => name === option))
      .map((part) => `${kind} ${part.name}`),
  );
}
