import { checkArgument } from '../base/arguments.js';
import { listNames, lookUp, OptionError, quote } from '../base/errors.js';
import { type OptionValue, type OptionValues, settleOptions } from '../base/options.js';
import { checkColumnNames, isColumnName } from '../data/corpus.js';
import { DECODERS } from '../decode/decoders.js';
import { readableColumns, wordColumnsOf } from '../features/derived-columns.js';
import { viewsBeforeClasses } from '../features/possible-classes.js';
import { readsChunk, type TemplateSet, templateName, templateSet } from '../features/template.js';
import { templateSetByName } from '../features/template-sets.js';
import { parseView } from '../features/views.js';
import { checkLists } from '../features/words/lists.js';
import { STAGE_COLUMNS } from '../features/words/majorities.js';
import { readsStage } from '../features/words/word-columns.js';
import { LEARNERS } from '../learn/learners.js';
import type { ClassVariant, Configuration, Precision } from '../model/configuration.js';
import type { Direction } from '../tags/direction.js';
import type { SchemeName } from '../tags/scheme.js';
import type { TokenizerName } from '../text/tokenizers.js';
import { expandTemplates } from './expand-templates.js';
import { CONFIGURATION_OPTIONS, chooseParts } from './parts.js';
import type { Task } from './task.js';
import { TASKS } from './tasks.js';

/** Choices that {@link configure} resolves. */
export interface ConfigureOptions {
  /** Name of the task. */
  readonly task: string;
  /** Name of one of its presets; default the first. */
  readonly preset?: string | undefined;
  /** Column names from the left, the last one holding the labels; default the task's. */
  readonly columns?: readonly string[] | undefined;
  /** Number of families of word clusters; default none. */
  readonly clusters?: number | undefined;
  /** Names of lists of names; default none. */
  readonly lists?: readonly string[] | undefined;
  /** A template set of one's own, in place of one by name. */
  readonly templates?: TemplateSet | undefined;
  /** Options by name (`scheme`, `cut-off`, `C`, …); those left out follow the preset and each other. */
  readonly options?: OptionValues | undefined;
}

/**
 * Everything resolved: a task's preset with what was given on top.
 *
 * @throws OptionError for unknown names and values, and for given choices that do not go together.
 */
export function configure(given: ConfigureOptions): Configuration {
  checkArgument('given', given, 'object');
  if (given.templates !== undefined) checkArgument('templates', given.templates, 'templates');
  if (given.options !== undefined) checkArgument('options', given.options, 'object');
  const task = lookUp(TASKS, given.task, 'task');
  const preset = lookUp(task.presets, given.preset ?? Object.keys(task.presets)[0], 'preset');
  const columns = withWords(given.columns ?? task.columns, given.templates);
  checkColumnNames(columns);
  if (columns.filter(isColumnName).length < 2 || !isColumnName(columns[columns.length - 1])) {
    throw new OptionError('columns', '--columns: expected at least one input column, then the label column');
  }
  const options = given.options ?? {};
  const parts = chooseParts(options, preset.options);
  const chunked = DECODERS[parts.decoder].unit === 'chunk';
  const defaults = { ...preset.options, ...neededBy(parts.learner, chunked, preset.options) };
  const common = settleOptions(CONFIGURATION_OPTIONS, options, defaults);
  const mask = common.mask as number;
  if (mask === 1) throw new OptionError('mask', '--mask: expected 0, or 2 parts or more, found 1');
  if (mask > 0 && LEARNERS[parts.learner].kind === 'chunk') {
    throw new OptionError(
      'mask',
      `--mask does not go with --learner ${parts.learner}, which reads whole chunks`,
    );
  }
  const { clusters = 0, lists = [] } = given;
  checkLists(lists);
  const readable = readableColumns(columns.slice(0, -1), task.tokens, lists);
  const named = String(common.templates);
  // The preset's templates are for the task's own columns; learners and decoders that need theirs keep them.
  const isPresets = options.templates === undefined && named === preset.options.templates && !chunked;
  const unexpanded =
    given.templates ?? templateSetByName(isPresets && lacksPos(named, readable) ? WITHOUT_POS : named);
  const chosen = expandTemplates(unexpanded, clusters, lists);
  checkViews(chosen, readable);
  const templates = common.stages === 2 ? chosen : withoutStage(chosen);
  const stages = common.stages === 2 ? 2 : undefined;
  if (stages && !templates.templates.some(readsStage)) {
    throw new OptionError(
      'stages',
      `--stages 2: expected templates that read ${listNames(STAGE_COLUMNS)}, such as the set entities, found ${templates.name}`,
    );
  }
  const classes = classVariant(templates, options.classes, preset.options.classes, mask);
  if (chunked && common.direction === 'backward') {
    throw new OptionError(
      'direction',
      `--direction backward does not go with --decoder ${parts.decoder}: expected forward`,
    );
  }
  const wholeChunks = templates.templates.find(readsChunk);
  if (!chunked && wholeChunks) {
    throw new OptionError(
      'templates',
      `--templates: expected no template of whole chunks with --decoder ${parts.decoder}, found ` +
        quote(templateName(wholeChunks)),
    );
  }
  return {
    task: task.name,
    columns,
    tokens: task.tokens,
    ...tokenizerOf(task, templates, common.tokenizer as TokenizerName | undefined),
    scheme: common.scheme as SchemeName,
    direction: common.direction as Direction,
    templates: templateSet(templates.name, templates.templates),
    cutOff: common['cut-off'] as number,
    ...(common['word-cut-off'] !== 1 && { wordCutOff: common['word-cut-off'] as number }),
    ...(classes && { classes }),
    ...(mask > 0 && { mask }),
    ...(wordColumnsOf(templates, { columns, tokens: task.tokens, lists }).length > 0 && {
      document: common.document as number,
    }),
    ...(clusters > 0 && { clusters }),
    ...(lists.length > 0 && { lists }),
    ...(stages && { stages }),
    ...parts,
    precision: common.precision as Precision,
    seed: common.seed as number,
  };
}

/** How text is cut into words, where that is not by English rules; tasks of characters have their own. */
function tokenizerOf(
  task: Task,
  templates: TemplateSet,
  given: TokenizerName | undefined,
): { tokenizer?: TokenizerName } {
  if (task.tokens === 'characters') {
    if (given === undefined || given === 'characters') return {};
    throw new OptionError(
      'tokenizer',
      `--tokenizer: expected characters with the task ${task.name}, found ${given}`,
    );
  }
  const tokenizer = given ?? (templates.name === 'characters' ? 'characters' : 'english');
  return tokenizer === 'english' ? {} : { tokenizer };
}

/** Defaults that replace those of a preset made for other learners: those of whole chunks, or the learner's own. */
function neededBy(learner: string, chunked: boolean, preset: OptionValues): OptionValues {
  const needs = chunked ? { direction: 'forward', scheme: 'iobes' } : LEARNERS[learner].defaults;
  const isMadeForIt = chunked
    ? DECODERS[String(preset.decoder)].unit === 'chunk'
    : preset.learner === learner;
  if (needs === undefined || isMadeForIt) return {};
  return { ...needs, ...(preset.scheme === 'token' && { scheme: 'token' }) };
}

/** Which possible classes training examples see, if templates read any. */
function classVariant(
  templates: TemplateSet,
  given: OptionValue | undefined,
  preset: OptionValue | undefined,
  mask: number,
): ClassVariant | undefined {
  if (viewsBeforeClasses(templates).length === 0) {
    if (given === undefined) return undefined;
    throw new OptionError(
      'classes',
      '--classes: expected templates that read possible classes, such as word.classes[0] or the set 001, found none',
    );
  }
  const variant = given ?? preset ?? 'jackknifed';
  if (variant === 'full' && mask === 0) {
    throw new OptionError(
      'classes',
      '--classes full: expected --mask of 2 parts or more, since words seen once give their own label away, found none',
    );
  }
  return variant as ClassVariant;
}

/**
 * Columns with the name `word` for the first that is read, where none has it: it is what template sets by name read. With
 * templates of one's own, names are one's own.
 */
function withWords(columns: readonly string[], templates: TemplateSet | undefined): readonly string[] {
  checkColumnNames(columns);
  const first = columns.findIndex(isColumnName);
  if (templates !== undefined || columns.includes('word') || first === columns.length - 1) return columns;
  return columns.with(first, 'word');
}

/** Template set that replaces a preset's where columns lack the parts of speech that it reads. */
export const WITHOUT_POS = 'words';

/** Whether a set reads parts of speech and columns have none. */
function lacksPos(name: string, columns: readonly string[]): boolean {
  if (columns.includes('pos')) return false;
  const nodes = templateSetByName(name).templates.flatMap((template) => template.nodes);
  return nodes.some((node) => 'view' in node && parseView(node.view).column === 'pos');
}

/** The set without templates that read the labels of a stage before; the set itself where there are none. */
function withoutStage(set: TemplateSet): TemplateSet {
  return set.templates.some(readsStage)
    ? templateSet(
        set.name,
        set.templates.filter((template) => !readsStage(template)),
      )
    : set;
}

/** Refuses templates that read a column which is not there, or the label column itself, or no column at all. */
function checkViews(templates: TemplateSet, columns: readonly string[]): void {
  const readable = columns.filter(isColumnName);
  const nodes = templates.templates.flatMap((template) => template.nodes);
  const views = nodes.flatMap((node) => ('view' in node ? [node.view] : []));
  for (const view of views) {
    if (readable.includes(parseView(view).column)) continue;
    const expected = `views of the column ${listNames(readable)}`;
    throw new OptionError('templates', `--templates: expected ${expected}, found ${quote(view)}`);
  }
  if (views.length === 0) {
    throw new OptionError('templates', '--templates: expected at least one template that reads a column');
  }
}
