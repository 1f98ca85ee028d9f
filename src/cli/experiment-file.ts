import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { listNames, OptionError, quote } from '../base/errors.js';
import type { OptionDeclaration, OptionValue, OptionValues } from '../base/options.js';
import { TEMPLATE_SETS } from '../features/template-sets.js';
import type { Configuration } from '../model/configuration.js';
import { CONFIGURATION_OPTIONS, partOptions } from '../tasks/parts.js';
import { JsonValue } from './json-file.js';
import { TASK_OPTION } from './options.js';
import { INPUT_OPTIONS, PRESET_OPTION, resolveConfiguration } from './training-options.js';

/** Kind of measurement. */
export type Measurement = 'test' | 'crossval' | 'curve';

/** The measurements, with a line of help each. */
export const MEASUREMENTS: Readonly<Record<Measurement, string>> = {
  test: 'train on all of the training data, score on the test data; time, memory, size, and pairwise tests',
  crossval: 'cross-validation on the training data, and analysis of variance',
  curve: 'learning curves on the training data',
};

const NAME_OPTION: OptionDeclaration = {
  name: 'name',
  kind: 'string',
  placeholder: 'a name',
  help: 'name in results',
};

/** Members of a corpus. */
export const CORPUS_MEMBERS: readonly OptionDeclaration[] = [
  NAME_OPTION,
  TASK_OPTION,
  { name: 'train', kind: 'string', placeholder: 'a file', help: 'training data' },
  { name: 'test', kind: 'string', placeholder: 'a file', help: 'test data, where measure has test' },
  ...INPUT_OPTIONS,
];

/** Members of a configuration. */
export const CONFIGURATION_MEMBERS: readonly OptionDeclaration[] = [
  NAME_OPTION,
  PRESET_OPTION,
  ...CONFIGURATION_OPTIONS,
  ...partOptions(),
];

/** Members of the file that are single values. */
export const EXPERIMENT_MEMBERS: readonly OptionDeclaration[] = [
  NAME_OPTION,
  { name: 'folds', kind: 'integer', default: 10, min: 2, help: 'folds of crossval and curve' },
  {
    name: 'stratified',
    kind: 'flag',
    default: false,
    help: 'stratify: give each fold its share of every type',
  },
  { name: 'seed', kind: 'integer', default: 1, min: 0, help: 'seed of folds and of paired randomisation' },
  {
    name: 'baseline',
    kind: 'string',
    placeholder: 'a name',
    help: 'configuration that the others are tested against; default every pair',
  },
  { name: 'rounds', kind: 'integer', default: 10_000, min: 100, help: 'rounds of paired randomisation' },
];

/** A size of the training data, in percent. */
export const SIZE_OPTION: OptionDeclaration = {
  name: 'sizes',
  kind: 'number',
  above: 0,
  max: 100,
  help: 'percentages of the training data, for curve',
};

/** `measure`. */
export const MEASURE_OPTION: OptionDeclaration = {
  name: 'measure',
  kind: 'choice',
  choices: Object.keys(MEASUREMENTS),
  help: 'measurements; default test',
};

/** Data to train and to score on. */
export interface ExperimentCorpus {
  /** Name in results. */
  readonly name: string;
  /** How it is read, and the task. */
  readonly options: OptionValues;
  /** Training data. */
  readonly train: string;
  /** Test data, if there is any. */
  readonly test: string | undefined;
}

/** System that is compared. */
export interface ExperimentSystem {
  /** Name in results. */
  readonly name: string;
  /** Its options. */
  readonly options: OptionValues;
}

/** An experiment. */
export interface Experiment {
  /** Name in results. */
  readonly name: string;
  /** The data. */
  readonly corpora: readonly ExperimentCorpus[];
  /** The configurations. */
  readonly systems: readonly ExperimentSystem[];
  /** [corpora][systems] the same, resolved. */
  readonly configurations: readonly (readonly Configuration[])[];
  /** Measurements to make. */
  readonly measure: readonly Measurement[];
  /** Percent of the training data, ascending. */
  readonly sizes: readonly number[];
  /** Number of folds. */
  readonly folds: number;
  /** Whether folds are stratified. */
  readonly stratified: boolean;
  /** Seed of folds and randomisation. */
  readonly seed: number;
  /** Name of the configuration that the others are tested against, if it is one. */
  readonly baseline: string | undefined;
  /** Rounds of paired randomisation. */
  readonly rounds: number;
}

/**
 * Reads an experiment file. All of it is checked here, so that nothing comes up after an hour.
 *
 * @throws InputError naming the line of what is wrong; files that are not there are listed together.
 */
export async function readExperiment(path: string): Promise<Experiment> {
  const root = await JsonValue.read(path);
  const members = root.members('an experiment');
  const lists = ['corpora', 'configurations', 'measure', 'sizes'];
  for (const [name, value] of members) {
    const known = [...lists, ...EXPERIMENT_MEMBERS.map((member) => member.name)];
    if (!known.includes(name))
      throw value.refuse(`unknown key ${quote(name)}; known are ${known.join(', ')}`);
  }
  const single = (name: string): OptionValue | undefined => {
    const declaration = EXPERIMENT_MEMBERS.find((member) => member.name === name) as OptionDeclaration;
    return members.get(name)?.option(declaration) ?? declaration.default;
  };
  const list = (name: string) => members.get(name)?.elements(name);
  const measure = (list('measure')?.map((value) => value.option(MEASURE_OPTION)) ?? [
    'test',
  ]) as Measurement[];
  const sizes = (
    list('sizes')?.map((value) => Number(value.option(SIZE_OPTION))) ?? [10, 20, 40, 70, 100]
  ).sort((a, b) => a - b);
  const corpora = namedObjects(root, 'corpora', list('corpora'), CORPUS_MEMBERS);
  // Files that it names stand beside it, wherever it is read from.
  const file = (option: OptionValue) => resolve(dirname(path), String(option));
  const systems = namedObjects(root, 'configurations', list('configurations'), CONFIGURATION_MEMBERS).map(
    ({ options, ...named }): NamedObject => {
      const { templates } = options;
      const isFile = templates !== undefined && !Object.hasOwn(TEMPLATE_SETS, String(templates));
      return { ...named, options: isFile ? { ...options, templates: file(templates) } : options };
    },
  );
  const baseline = single('baseline') as string | undefined;
  const names = systems.map(({ name }) => name);
  if (baseline !== undefined && !names.includes(baseline)) {
    throw (members.get('baseline') as JsonValue).refuse(
      `expected the name of a configuration as baseline: ${listNames(names)}; found ${quote(baseline)}`,
    );
  }
  const data = corpora.map(({ name, value, options }): ExperimentCorpus => {
    const { task, train, test, ...rest } = options;
    for (const needed of measure.includes('test') ? ['task', 'train', 'test'] : ['task', 'train']) {
      if (options[needed] === undefined) throw value.refuse(`${name} needs ${quote(needed)}`);
    }
    const posModel = rest['pos-model'] === undefined ? {} : { 'pos-model': file(rest['pos-model']) };
    return {
      name,
      options: { ...rest, ...posModel, task: String(task) },
      train: file(String(train)),
      test: test === undefined ? undefined : file(test),
    };
  });
  const missing: string[] = [];
  for (const { train, test } of data) {
    for (const file of test === undefined ? [train] : [train, test]) {
      if (!(await isReadable(file))) missing.push(file);
    }
  }
  if (missing.length > 0) throw root.refuse(`files that cannot be read: ${missing.join(', ')}`);
  const configurations = await Promise.all(data.map((corpus) => resolveAll(corpus, systems)));
  return {
    name: String(single('name') ?? 'experiment'),
    corpora: data,
    systems: systems.map(({ name, options }) => ({ name, options })),
    configurations,
    measure,
    sizes,
    folds: Number(single('folds')),
    baseline,
    stratified: single('stratified') === true,
    seed: Number(single('seed')),
    rounds: Number(single('rounds')),
  };
}

/** The configuration of each system on a corpus. */
function resolveAll(
  { options }: ExperimentCorpus,
  systems: readonly NamedObject[],
): Promise<Configuration[]> {
  return Promise.all(
    systems.map(async ({ value, options: own }) => {
      try {
        return await resolveConfiguration(String(options.task), { ...options, ...own });
      } catch (error) {
        throw error instanceof OptionError ? value.refuse(error.message) : error;
      }
    }),
  );
}

interface NamedObject {
  readonly name: string;
  readonly value: JsonValue;
  readonly options: OptionValues;
}

function namedObjects(
  root: JsonValue,
  key: string,
  values: readonly JsonValue[] | undefined,
  members: readonly OptionDeclaration[],
): NamedObject[] {
  if (values === undefined || values.length === 0)
    throw root.refuse(`expected a list ${quote(key)} that is not empty`);
  const seen: string[] = [];
  return values.map((value) => {
    const { name, ...options } = value.options(members);
    if (name === undefined) throw value.refuse(`expected a ${quote('name')} in each of ${key}`);
    if (seen.includes(String(name)))
      throw value.refuse(`expected names that differ, found a second ${quote(String(name))}`);
    // Names become names of files.
    if (!/^[^\s/\\:]+$/.test(String(name)) || String(name).startsWith('.')) {
      throw value.refuse(
        `expected a name without blanks, ${listNames(['/', '\\', ':'])}, found ${quote(String(name))}`,
      );
    }
    seen.push(String(name));
    return { name: String(name), value, options };
  });
}

async function isReadable(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
