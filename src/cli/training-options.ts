/** Options that the commands that train share, and how these become a configuration. */
import { listNames, OptionError } from '../base/errors.js';
import type { OptionDeclaration, OptionValue, OptionValues } from '../base/options.js';
import { pointText } from '../evaluate/grid.js';
import { readableColumns } from '../features/derived-columns.js';
import { Pipeline } from '../label/pipeline.js';
import type { Configuration } from '../model/configuration.js';
import { loadModelFile } from '../node/corpora.js';
import { configure } from '../tasks/configure.js';
import { CONFIGURATION_OPTIONS, capabilities, optionsByPart, partOptions } from '../tasks/parts.js';
import { TASKS } from '../tasks/tasks.js';
import type { Command, OptionGroup } from './command.js';
import { JsonValue } from './json-file.js';
import {
  COLUMN_OPTIONS,
  ENCODING_OPTION,
  INPUT_FORMAT_OPTION,
  OFFSETS_OPTION,
  ON_ERROR_OPTION,
  PHRASES_OPTION,
  POS_MODEL_OPTION,
  TASK_OPTION,
  templatesOf,
} from './options.js';
import { refuseOverwriting } from './output.js';
import { clusterFiles, listsOf } from './resources.js';

/** `--train`. */
export const TRAIN_OPTION: OptionDeclaration = {
  name: 'train',
  short: 't',
  kind: 'string',
  placeholder: 'FILE',
  file: 'read',
  help: 'training data',
};

/** `--stratified`. */
export const STRATIFIED_OPTION: OptionDeclaration = {
  name: 'stratified',
  advanced: true,
  kind: 'flag',
  help: 'stratify: give each fold its share of every type, the rarest first',
};

/** How training data is read. */
export const INPUT_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'columns',
    kind: 'string',
    placeholder: 'word,pos,chunk',
    help: 'column names; the last one holds the labels, _ skips a column, ... any number of them',
  },
  INPUT_FORMAT_OPTION,
  ENCODING_OPTION,
  ...COLUMN_OPTIONS,
  OFFSETS_OPTION,
  PHRASES_OPTION,
  {
    ...POS_MODEL_OPTION,
    help: 'model that adds parts of speech where an input has none, in training and labelling; the new model remembers its name',
  },
  ON_ERROR_OPTION,
];

/** `--preset`. */
export const PRESET_OPTION: OptionDeclaration = {
  name: 'preset',
  kind: 'string',
  placeholder: 'NAME',
  help: `settings by name: ${presetNames()}`,
};

/** The data of commands that score on held-out parts of them. */
export const HELD_OUT_DATA_OPTIONS: readonly OptionDeclaration[] = [
  TASK_OPTION,
  { ...TRAIN_OPTION, help: 'labelled data; parts are held out for scoring' },
  ...INPUT_OPTIONS,
];

/** Options of the model. */
const MODEL_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'config',
    kind: 'string',
    placeholder: 'FILE.json',
    file: 'read',
    help: 'read options from a file, by the same names; options given here take precedence',
  },
  PRESET_OPTION,
  ...CONFIGURATION_OPTIONS,
];

/** The options of the model. @param which said beside the heading. */
export function modelGroups(which = 'what is not given follows the task and its preset'): OptionGroup[] {
  return [
    { heading: `Model (${which})`, options: MODEL_OPTIONS },
    {
      heading: 'Options of learners, strategies and decoders',
      options: partOptions(),
      parts: optionsByPart(),
    },
  ];
}

/** Pipeline of `--pos-model`, if that is given. @throws OptionError where it fills no column that the model reads. */
export async function fillOf(
  options: OptionValues,
  configuration: Configuration,
): Promise<Pipeline | undefined> {
  if (options['pos-model'] === undefined) return undefined;
  const fill = new Pipeline([await loadModelFile(String(options['pos-model']))]);
  checkFills(configuration, fill);
  return fill;
}

function checkFills({ columns }: Configuration, fill: Pipeline): void {
  if (columns.slice(0, -1).includes(fill.last.labelColumn)) return;
  throw new OptionError(
    'pos-model',
    `--pos-model: expected a model that fills one of the columns ${listNames(columns.slice(0, -1))}, found one that ` +
      `fills ${fill.last.labelColumn}`,
  );
}

/** The configuration that options ask for. @throws OptionError as {@link configure}. */
export async function resolveConfiguration(task: string, options: OptionValues): Promise<Configuration> {
  const columns = options.columns === undefined ? undefined : String(options.columns).split(',');
  const names = [...CONFIGURATION_OPTIONS, ...partOptions()].map(({ name }) => name);
  const own: Record<string, OptionValue> = {};
  for (const name of names) if (options[name] !== undefined) own[name] = options[name];
  const inputs = (columns ?? TASKS[task]?.columns ?? []).slice(0, -1);
  const lists = listsOf(options).map(({ name }) => name);
  const readable = readableColumns(inputs, TASKS[task]?.tokens ?? 'words', lists);
  const preset = options.preset === undefined ? undefined : String(options.preset);
  const clusters = clusterFiles(options).length;
  const templates =
    own.templates === undefined
      ? undefined
      : await templatesOf(String(own.templates), readable, () => {
          const { templates: _, ...others } = own;
          return configure({ task, preset, columns, options: others, clusters, lists }).templates;
        });
  return configure({ task, preset, columns, templates, options: own, clusters, lists });
}

/**
 * The configurations that training is to choose from, since the preset says so and no option decides: one where there is nothing to
 * choose.
 */
export async function alternativesOf(task: string, options: OptionValues): Promise<Configuration[]> {
  const presets = TASKS[task]?.presets ?? {};
  const { alternatives = [] } = presets[String(options.preset ?? Object.keys(presets)[0])] ?? {};
  const isDecided = alternatives.some((values) =>
    Object.keys(values).some((name) => options[name] !== undefined),
  );
  const isOther = ['learner', 'decoder', 'init'].some((name) => options[name] !== undefined);
  if (alternatives.length === 0 || isDecided || isOther) return [await resolveConfiguration(task, options)];
  const configurations: Configuration[] = [];
  for (const values of alternatives)
    configurations.push(await resolveConfiguration(task, { ...options, ...values }));
  return configurations;
}

/**
 * The configurations of a grid's combinations, each on top of the other options. All of them before anything runs:
 * none that does not go together is to come up after an hour.
 *
 * @param given what was given on the command line itself, which the grid may not name again.
 * @throws OptionError for a combination that makes no configuration.
 */
export async function resolvePoints(
  task: string,
  options: OptionValues,
  points: readonly OptionValues[],
  given: OptionValues,
): Promise<Configuration[]> {
  const doubled = Object.keys(points[0]).find((name) => given[name] !== undefined);
  if (doubled) throw new OptionError('grid', `--grid and --${doubled} contradict each other`);
  const configurations: Configuration[] = [];
  for (const point of points) {
    try {
      configurations.push(await resolveConfiguration(task, { ...options, ...point }));
    } catch (error) {
      if (!(error instanceof OptionError) || Object.keys(point).length === 0) throw error;
      throw new OptionError('grid', `--grid: ${pointText(point)}: ${error.message}`);
    }
  }
  return configurations;
}

/** Those of the options that a configuration file for training may hold. */
export function ownOptions(options: OptionValues): OptionValues {
  const names = [
    'task',
    'columns',
    'preset',
    ...[...CONFIGURATION_OPTIONS, ...partOptions()].map(({ name }) => name),
  ];
  return Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
}

/**
 * A command's options: those given, and those that the file of `--config` adds.
 *
 * @throws InputError naming the line of a key in the file that is no option.
 */
export async function withConfig(given: OptionValues, { groups }: Command): Promise<OptionValues> {
  if (given.config === undefined) return given;
  const declared = groups.flatMap(({ options }) => options).filter(({ name }) => name !== 'config');
  const options = { ...(await JsonValue.read(String(given.config))).options(declared), ...given };
  await refuseOverwriting({ groups }, { options, positionals: [] });
  return options;
}

function presetNames(): string {
  return Object.values(TASKS)
    .map((task) => `${task.name} has ${Object.keys(task.presets).join(', ')}`)
    .join('; ');
}

/** Which learners and strategies go with which decoder, for `--help`: a line a decoder. */
export function capabilityTable(): string {
  const rows = capabilities().map(({ decoder, strategies, learners }) => {
    const parts = [
      ...(strategies.length > 0 ? [`strategies ${strategies.join(', ')}`] : []),
      ...(learners.length > 0 ? [`learners ${learners.join(', ')}`] : []),
    ];
    return `  ${decoder.padEnd(13)}${parts.join('; ')}`;
  });
  return `What goes with which decoder:\n${rows.join('\n')}`;
}
