import { basename, extname } from 'node:path';
import { InputError, listNames, OptionError } from '../../base/errors.js';
import {
  checkOption,
  type OptionDeclaration,
  type OptionValue,
  type OptionValues,
} from '../../base/options.js';
import { Pipeline } from '../../label/pipeline.js';
import { scoreModel } from '../../label/score-model.js';
import { checkTags } from '../../model/check-tags.js';
import { CONFIGURATION_OPTIONS, type Configuration, partOptions } from '../../model/configuration.js';
import type { HeldOutScores, Model } from '../../model/model.js';
import { saveModel } from '../../model/model-file.js';
import { Tagger } from '../../model/tagger.js';
import { train } from '../../model/train.js';
import { loadModelFile } from '../../node/corpora.js';
import { AtomicFile } from '../../node/files.js';
import { blockRunner } from '../../node/thread-pool.js';
import { accuracyTable, conllevalTable } from '../../score/conlleval.js';
import { configure } from '../../tasks/configure.js';
import { TASKS } from '../../tasks/tasks.js';
import type { Command } from '../command.js';
import {
  INPUT_FORMAT_OPTION,
  JSON_OPTION,
  OFFSETS_OPTION,
  POS_MODEL_OPTION,
  readLabelled,
  readText,
  required,
  SEPARATOR_OPTION,
  TASK_OPTION,
  templatesOf,
} from '../options.js';
import { byteSize, counted, duration, progressDisplay, warn, withThousands } from '../render.js';

const DATA_OPTIONS: readonly OptionDeclaration[] = [
  TASK_OPTION,
  { name: 'train', kind: 'string', placeholder: 'FILE', help: 'training data' },
  { name: 'model', kind: 'string', placeholder: 'OUT', help: 'file to write the model to' },
  { name: 'dev', kind: 'string', placeholder: 'FILE', help: 'held-out data to score the model on' },
  {
    name: 'columns',
    kind: 'string',
    placeholder: 'word,pos,chunk',
    help: 'names of the columns; the last one holds the labels, _ skips one',
  },
  INPUT_FORMAT_OPTION,
  SEPARATOR_OPTION,
  OFFSETS_OPTION,
  {
    ...POS_MODEL_OPTION,
    help: 'model that fills in parts of speech where an input has none, now and when labelling; the model keeps its name',
  },
  {
    name: 'on-error',
    kind: 'choice',
    choices: ['stop', 'skip'],
    default: 'stop',
    help: 'at a JSONL document or CoNLL-U sentence that cannot be used: stop, or leave it out',
  },
];

const MODEL_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'config',
    kind: 'string',
    placeholder: 'FILE.json',
    help: 'options from a file, by the same names; those given here come first',
  },
  { name: 'preset', kind: 'string', placeholder: 'NAME', help: `settings by name: ${presetNames()}` },
  ...CONFIGURATION_OPTIONS,
];

const RUN_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'threads',
    kind: 'integer',
    default: 1,
    min: 1,
    max: 64,
    help: 'threads to train on; no influence on the model',
  },
  { ...JSON_OPTION, help: 'progress and result as JSON, an object a line' },
];

/** `spanwright train`. */
export const trainCommand: Command = {
  name: 'train',
  help: 'train a model on labelled data',
  positionals: [],
  groups: [
    { heading: 'Data', options: DATA_OPTIONS },
    { heading: 'Model (what is not given follows the task and its preset)', options: MODEL_OPTIONS },
    { heading: 'Options of learners, strategies and decoders', options: partOptions() },
    { heading: 'Run', options: RUN_OPTIONS },
  ],
  notes:
    'Example: spanwright train --task chunking --train train.txt --model chunker.safetensors --dev test.txt',
  async run({ options: given }) {
    const options = { ...(await readConfig(given)), ...given };
    const task = required(options, 'task', 'NAME');
    const trainFile = required(options, 'train', 'FILE');
    const output = required(options, 'model', 'OUT');
    const json = options.json === true;
    const configuration = await resolve(task, options);
    const target = await AtomicFile.create(output);
    try {
      const started = performance.now();
      const posModel = options['pos-model'] === undefined ? undefined : String(options['pos-model']);
      const fill = posModel === undefined ? undefined : new Pipeline([await loadModelFile(posModel)]);
      checkFills(configuration, fill);
      const corpus = await readLabelled(trainFile, options, configuration, fill);
      const dev =
        options.dev === undefined
          ? undefined
          : await readLabelled(String(options.dev), options, configuration, fill);
      if (dev) checkTags(dev, configuration.scheme);
      const display = progressDisplay(json);
      const trained = await train(corpus, configuration, {
        onProgress: display.listener,
        runBlocks: blockRunner(Number(options.threads ?? 1)),
      });
      display.end();
      const elapsed = performance.now() - started;
      const scores = dev && scoreModel(new Tagger(trained), dev);
      const model: Model = {
        ...trained,
        ...(posModel !== undefined && { posModel: basename(posModel, extname(posModel)) }),
        ...(scores && { dev: pickScores(scores) }),
      };
      const bytes = saveModel(model);
      await target.write(bytes);
      await target.commit();
      const { irregularTags, fileScheme } = model.training;
      if (irregularTags > 0) {
        warn(
          `${trainFile}: ${counted(irregularTags, 'tag')} not as ${fileScheme} has it, read as conlleval does`,
        );
      }
      if (json) {
        const result = {
          kind: 'trained',
          model: output,
          bytes: bytes.length,
          seconds: elapsed / 1000,
          dev: model.dev,
        };
        process.stdout.write(`${JSON.stringify(result)}\n`);
      } else {
        process.stdout.write(summary(model, output, bytes.length, elapsed));
        if (scores) {
          const table = configuration.scheme === 'token' ? accuracyTable(scores) : conllevalTable(scores);
          process.stdout.write(`\n${options.dev}:\n${table}`);
        }
      }
    } catch (error) {
      await target.abandon();
      throw error;
    }
  },
};

/** Refuses `--pos-model` where it fills nothing that the model will read. */
function checkFills({ columns }: Configuration, fill: Pipeline | undefined): void {
  if (fill === undefined || columns.slice(0, -1).includes(fill.last.labelColumn)) return;
  throw new OptionError(
    'pos-model',
    `--pos-model: expected a model that fills one of the columns ${listNames(columns.slice(0, -1))}, found one that ` +
      `fills ${fill.last.labelColumn}`,
  );
}

async function resolve(task: string, options: OptionValues) {
  const columns = options.columns === undefined ? undefined : String(options.columns).split(',');
  const names = [...CONFIGURATION_OPTIONS, ...partOptions()].map(({ name }) => name);
  const own: Record<string, OptionValue> = {};
  for (const name of names) if (options[name] !== undefined) own[name] = options[name];
  const readable = (columns ?? TASKS[task]?.columns ?? []).slice(0, -1);
  const templates =
    own.templates === undefined ? undefined : await templatesOf(String(own.templates), readable);
  const preset = options.preset === undefined ? undefined : String(options.preset);
  return configure({ task, preset, columns, templates, options: own });
}

/** Options from `--config`, checked. @throws InputError naming the line of a key that is no option. */
async function readConfig(given: OptionValues): Promise<Record<string, OptionValue>> {
  if (given.config === undefined) return {};
  const path = String(given.config);
  const text = await readText(path);
  const declared = [...DATA_OPTIONS, ...MODEL_OPTIONS, ...partOptions(), ...RUN_OPTIONS].filter(
    ({ name }) => name !== 'config',
  );
  const lineOf = (name: string) => text.slice(0, text.indexOf(JSON.stringify(name))).split('\n').length;
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch (error) {
    throw new InputError({ source: path }, `expected JSON: ${(error as Error).message}`);
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new InputError({ source: path }, 'expected an object of options');
  }
  const checked: Record<string, OptionValue> = {};
  for (const [name, value] of Object.entries(values)) {
    const declaration = declared.find((candidate) => candidate.name === name);
    if (declaration === undefined) {
      const known = declared.map((candidate) => candidate.name).join(', ');
      throw new InputError(
        { source: path, line: lineOf(name) },
        `unknown option ${JSON.stringify(name)}; known are ${known}`,
      );
    }
    try {
      checked[name] = checkOption(declaration, value);
    } catch (error) {
      if (!(error instanceof OptionError)) throw error;
      throw new InputError({ source: path, line: lineOf(name) }, error.message);
    }
  }
  return checked;
}

function pickScores({ accuracy, precision, recall, f1 }: HeldOutScores): HeldOutScores {
  return { accuracy, precision, recall, f1 };
}

function summary(model: Model, output: string, bytes: number, elapsed: number): string {
  const { training, configuration, tagSet, features, problems } = model;
  return (
    `trained on ${counted(training.sentences, 'sentence')} (${counted(training.tokens, 'token')}) in ${duration(elapsed)}: ` +
    `${configuration.learner}, ${configuration.strategy}, ${configuration.decoder}; ` +
    `${configuration.scheme} ${configuration.direction}, ${tagSet.tags.length} labels, ${problems} problems, ` +
    `${withThousands(features.size)} features\nwrote ${output} (${byteSize(bytes)})\n`
  );
}

function presetNames(): string {
  return Object.values(TASKS)
    .map((task) => `${task.name} has ${Object.keys(task.presets).join(', ')}`)
    .join('; ');
}
