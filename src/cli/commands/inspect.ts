import { stat } from 'node:fs/promises';
import { listNames, OptionError, quote } from '../../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../../base/options.js';
import type { SentenceColumns } from '../../data/corpus.js';
import { templateName } from '../../features/template.js';
import { knowledgeSizes } from '../../model/knowledge/kinds.js';
import type { Model, TrainingRecord } from '../../model/model.js';
import { modelPath } from '../../node/corpora.js';
import { drawTree } from '../../reduce/draw-tree.js';
import { tree } from '../../reduce/tree.js';
import { explain, strongestFeatures, type TokenExplanation } from '../../tag/explain.js';
import { Tagger } from '../../tag/tagger.js';
import { nameOf } from '../../tags/spelling.js';
import type { Command } from '../command.js';
import { JSON_OPTION, MODEL_OPTION, modelOf } from '../options.js';
import { byteSize, counted, say, withThousands } from '../render.js';

const OPTIONS: readonly OptionDeclaration[] = [
  MODEL_OPTION,
  { name: 'label', kind: 'string', placeholder: 'TAG', help: 'show the strongest features of this label' },
  {
    name: 'explain',
    kind: 'string',
    placeholder: 'SENTENCE',
    help: 'label this sentence and show why; tokens with their columns: The/DT dog/NN',
  },
  { name: 'tree', kind: 'flag', default: false, help: 'draw the label tree (strategy tree)' },
  { name: 'top', kind: 'integer', default: 10, min: 1, help: 'number of features to show' },
  JSON_OPTION,
];

/** `spanwright inspect`. */
export const inspectCommand: Command = {
  name: 'inspect',
  help: 'show what a model is, its strongest features, and why it labels a sentence as it does',
  positionals: [],
  groups: [{ heading: 'Options', options: OPTIONS }],
  notes: 'Example: spanwright inspect --model chunker.safetensors --explain "The/DT dog/NN barks/VBZ ./."',
  async run({ options }) {
    const model = await modelOf(options);
    const { size } = await stat(modelPath(String(options.model)));
    const top = Number(options.top ?? 10);
    const report = {
      ...describeModel(model, size),
      ...(options.label !== undefined && {
        strongest: strongestFeatures(model, labelOf(model, options), top),
      }),
      ...(options.tree === true && { tree: treeOf(model) }),
      ...(options.explain !== undefined && {
        explanation: explainSentence(model, String(options.explain), top),
      }),
    };
    say(options.json === true ? `${JSON.stringify(report, null, 2)}\n` : asText(report));
  },
};

type Report = ReturnType<typeof describeModel> & {
  strongest?: ReturnType<typeof strongestFeatures>;
  tree?: string;
  explanation?: TokenExplanation[];
};

function describeModel(model: Model, bytes: number) {
  const { configuration, tagSet, problems, features, training } = model;
  const { task, learner, strategy, decoder, scheme, direction, columns, cutOff, seed, options } =
    configuration;
  return {
    task,
    learner,
    strategy,
    decoder,
    scheme,
    direction,
    problems,
    labels: tagSet.tags.length,
    features: features.size,
    bytes,
    columns,
    cutOff,
    seed,
    options,
    tags: tagSet.tags,
    legality: tagSet.legality,
    templates: { name: configuration.templates.name, lines: features.templates.templates.map(templateName) },
    training,
    knowledge: knowledgeSizes(model.knowledge),
    ...(model.dev && { dev: model.dev }),
  };
}

function labelOf(model: Model, options: OptionValues): number {
  const label = model.tagSet.tags.indexOf(String(options.label));
  if (label >= 0) return label;
  throw new OptionError(
    'label',
    `--label: expected ${listNames(model.tagSet.tags)}, found ${quote(String(options.label))}`,
  );
}

function treeOf({ code, tagSet, configuration: { strategy } }: Model): string {
  if (code && strategy === tree.name) return drawTree(code, tagSet.tags);
  const found = strategy ?? 'a learner of all labels at once';
  throw new OptionError('tree', `--tree: expected a model of the strategy tree, found ${found}`);
}

function explainSentence(model: Model, text: string, top: number): TokenExplanation[] {
  const tagger = new Tagger(model);
  const explanations = explain(tagger, parseSentence(text, tagger.inputColumns));
  return explanations.map((explanation) => ({
    ...explanation,
    features: explanation.features.slice(0, top),
  }));
}

/** `The/DT dog/NN` as columns; a token's last cells are split off from the right, so that words may hold slashes. */
function parseSentence(text: string, columns: readonly string[]): SentenceColumns {
  const cells = columns.map((): string[] => []);
  for (const token of text.split(/\s+/).filter((part) => part !== '')) {
    const parts = token.split('/');
    const first = parts.length - columns.length + 1;
    if (first < 1) {
      throw new OptionError(
        'explain',
        `--explain: expected tokens of ${columns.join('/')}, found ${quote(token)}`,
      );
    }
    cells[0].push(parts.slice(0, first).join('/'));
    for (let c = 1; c < columns.length; c++) cells[c].push(parts[first + c - 1]);
  }
  if (cells[0].length === 0)
    throw new OptionError('explain', '--explain: expected a sentence, found nothing');
  return Object.fromEntries(columns.map((name, c) => [name, cells[c]]));
}

/** Rows about the training data of the models that training went on from, the last one first. */
function initRows({ init }: TrainingRecord): [string, string][] {
  if (init === undefined) return [];
  const data = `${counted(init.sentences, 'sentence')}, ${counted(init.tokens, 'token')}, sha256 ${init.sha256}`;
  return [['init', `went on from a model trained on ${data}`], ...initRows(init)];
}

/** Row about the raw text that a model has seen, on which it is transductive. */
function rawTextRows({ rawText }: TrainingRecord): [string, string][] {
  if (rawText === undefined) return [];
  return [
    [
      'raw text',
      `${counted(rawText.lines, 'line')}, sha256 ${rawText.sha256}: transductive where it is tested on`,
    ],
  ];
}

function asText(report: Report): string {
  const { training, dev } = report;
  const rows: [string, string][] = [
    ['task', report.task],
    ['learner', `${report.learner}, ${describeOptions(report.options)}`],
    [
      'strategy',
      report.strategy === undefined
        ? 'none: all labels at once'
        : `${report.strategy}, ${counted(report.problems, 'problem')}`,
    ],
    ['decoder', report.decoder],
    ['scheme', `${report.scheme}, ${report.direction}; transitions: ${report.legality}`],
    ['columns', report.columns.join(', ')],
    [
      'templates',
      `${report.templates.name}, ${counted(report.templates.lines.length, 'template')}, cut-off ${report.cutOff}`,
    ],
    ['features', withThousands(report.features)],
    ...Object.entries(report.knowledge).map(([title, size]): [string, string] => [
      'knows',
      `${withThousands(size)} ${title}`,
    ]),
    ['labels', `${report.labels}: ${report.tags.join(' ')}`],
    [
      'trained on',
      `${counted(training.sentences, 'sentence')}, ${counted(training.tokens, 'token')} (${training.fileScheme}${training.tagSpelling ? `, spelled ${nameOf(training.tagSpelling)}` : ''})`,
    ],
    ['data sha256', training.sha256],
    ...rawTextRows(training),
    ...initRows(training),
    ['seed', String(report.seed)],
    ['size', byteSize(report.bytes)],
  ];
  if (dev) {
    rows.push([
      'dev scores',
      `precision ${dev.precision.toFixed(2)}, recall ${dev.recall.toFixed(2)}, F ${dev.f1.toFixed(2)}`,
    ]);
  }
  let text = rows.map(([name, value]) => `${name.padEnd(12)}${value}\n`).join('');
  if (report.strongest) {
    text += '\nstrongest features:\n';
    for (const { feature, chosen } of report.strongest) text += `${signed(chosen)}  ${feature}\n`;
  }
  if (report.tree !== undefined) text += `\n${report.tree}`;
  for (const token of report.explanation ?? []) {
    const rival =
      token.rival === undefined
        ? 'no rival'
        : `rival ${token.rival} (log score ${token.rivalScore?.toFixed(3)})`;
    text += `\n${token.cells.join('/')}  ${token.label} (log score ${token.score.toFixed(3)}), ${rival}\n`;
    text += `  ${(token.label).padStart(9)} ${(token.rival ?? '').padStart(9)}\n`;
    for (const { feature, chosen, rival: other } of token.features) {
      text += `  ${signed(chosen)} ${other === undefined ? ''.padStart(9) : signed(other)}  ${feature}\n`;
    }
  }
  return text;
}

function describeOptions(options: OptionValues): string {
  return Object.entries(options)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function signed(weight: number): string {
  return `${weight >= 0 ? '+' : ''}${weight.toFixed(4)}`.padStart(9);
}
