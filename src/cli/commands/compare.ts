import { InputError, OptionError, show } from '../../base/errors.js';
import type { OptionDeclaration } from '../../base/options.js';
import { type Comparison, compareOutputs } from '../../evaluate/compare.js';
import type { OutputWithWords } from '../../evaluate/error-analysis.js';
import { type AnovaResult, anova } from '../../evaluate/significance.js';
import { showP } from '../../report/p-value.js';
import { spread } from '../../report/tune-report.js';
import { scoresToJson } from '../../score/conlleval.js';
import { oovText, type WordScores } from '../../score/word-scores.js';
import type { SchemeName } from '../../tags/scheme.js';
import type { Command } from '../command.js';
import {
  COLUMN_OPTIONS,
  INPUT_FORMAT_OPTION,
  JSON_OPTION,
  OFFSETS_OPTION,
  ON_ERROR_OPTION,
  PHRASES_OPTION,
  readText,
} from '../options.js';
import { say } from '../render.js';
import { checkGold, GOLD_OPTION, readOutput, SCHEME_OPTION } from '../system-output.js';

const OPTIONS: readonly OptionDeclaration[] = [
  GOLD_OPTION,
  {
    name: 'rounds',
    kind: 'integer',
    default: 10_000,
    min: 100,
    help: 'rounds of the randomisation test, and resamplings for its interval',
  },
  { name: 'seed', kind: 'integer', default: 1, help: 'random seed' },
  SCHEME_OPTION,
  JSON_OPTION,
  { name: 'markdown', kind: 'flag', help: 'tables in Markdown' },
  INPUT_FORMAT_OPTION,
  ...COLUMN_OPTIONS,
  OFFSETS_OPTION,
  PHRASES_OPTION,
  ON_ERROR_OPTION,
];

/** Two systems side by side, with the scores of words where these are known. */
interface SystemComparison extends Comparison {
  readonly words?: readonly [WordScores | undefined, WordScores | undefined];
}

/** Scores of the folds of a cross-validation. */
interface FoldScores {
  readonly name: string;
  readonly f1: readonly number[];
  /** Settings that decide which sentence is in which fold, by their names in messages; empty where the file is older. */
  readonly split: Readonly<Record<string, unknown>>;
}

/** `spanwright compare`. */
export const compareCommand: Command = {
  name: 'compare',
  help: 'test whether systems differ significantly: outputs, models on the same data, or cross-validations',
  positionals: ['A', 'B', '[...]'],
  inThread: true,
  groups: [{ heading: 'Options', options: OPTIONS }],
  notes:
    'A system is a column file whose last two columns are gold and predicted tags, a model (with --gold),\n' +
    'or what crossval --json wrote (.json). Every pair is compared; cross-validations by analysis of variance.',
  async run({ options, positionals }) {
    if (positionals.length < 2) {
      throw new OptionError('systems', `expected two systems or more, found ${positionals.length}`);
    }
    await checkGold(positionals, options);
    const folds: FoldScores[] = [];
    const outputs: OutputWithWords[] = [];
    for (const path of positionals) {
      if (path.endsWith('.json')) folds.push(await readFolds(path));
      else outputs.push(await readOutput(path, options));
    }
    if (folds.length > 0 && outputs.length > 0) {
      throw new OptionError(
        'systems',
        `expected outputs and models, or cross-validations, found both: ${outputs[0].name} and ${folds[0].name}`,
      );
    }
    checkSplits(folds);
    // The library behind it is a third of the program; other commands are to start without it.
    const { DISTRIBUTIONS: distributions } = await import('../distributions.js');
    const how = {
      distributions,
      rounds: Number(options.rounds ?? 10_000),
      seed: Number(options.seed ?? 1),
      scheme: options.scheme as SchemeName | undefined,
    };
    const comparisons = outputs.flatMap((first, i) =>
      outputs.slice(i + 1).map((second): SystemComparison => {
        const comparison = compareOutputs(first, second, how);
        if (!first.wordScores && !second.wordScores) return comparison;
        return { ...comparison, words: [first.wordScores, second.wordScores] };
      }),
    );
    const variance =
      folds.length > 0
        ? anova(
            folds.map(({ f1 }) => f1),
            distributions,
          )
        : undefined;
    const markdown = options.markdown === true;
    let text: string;
    if (options.json === true) text = `${JSON.stringify(asJson(comparisons, folds, variance), null, 2)}\n`;
    else if (variance) text = varianceText(folds, variance, markdown);
    else text = comparisons.map((comparison) => comparisonText(comparison, markdown)).join('\n');
    say(text);
  },
};

/** @throws InputError for scores of other folds than the first's. */
function checkSplits([first, ...others]: readonly FoldScores[]): void {
  for (const other of others) {
    for (const [name, value] of Object.entries(other.split)) {
      if (value === undefined || first.split[name] === undefined || value === first.split[name]) continue;
      throw new InputError(
        { source: other.name },
        `expected a cross-validation of the same data and folds as ${first.name}, found another ${name}: ` +
          `${show(value)}, not ${show(first.split[name])}`,
      );
    }
  }
}

async function readFolds(path: string): Promise<FoldScores> {
  const refuse = (found: string): never => {
    throw new InputError({ source: path }, `expected what crossval --json writes, ${found}`);
  };
  let json: unknown;
  try {
    json = JSON.parse(await readText(path));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(`found no JSON: ${error.message}`);
  }
  const { folds, data, seed, stratified } = (json ?? {}) as Record<string, unknown>;
  const f1 = Array.isArray(folds) ? folds.map((fold) => (fold as { f1?: unknown } | null)?.f1) : [];
  if (f1.length < 2 || !f1.every((value) => typeof value === 'number' && Number.isFinite(value))) {
    return refuse('found no list "folds" of two or more with a number "f1"');
  }
  const sha256 = (data as { sha256?: unknown } | null | undefined)?.sha256;
  // Without data it is of a version that says nothing of folds.
  const split = sha256 === undefined ? {} : { data: sha256, seed, stratified, 'number of folds': f1.length };
  return { name: path, f1: f1 as number[], split };
}

function asJson(
  comparisons: readonly SystemComparison[],
  folds: readonly FoldScores[],
  variance: AnovaResult | undefined,
) {
  if (variance) return { folds, anova: variance };
  return comparisons.map((comparison) => ({ ...comparison, scores: comparison.scores.map(scoresToJson) }));
}

function comparisonText(comparison: SystemComparison, markdown: boolean): string {
  const { names, scores, tokens, chunks, randomisation } = comparison;
  const [low, high] = randomisation.interval;
  const discordant = (of: typeof tokens, what: string) =>
    `${what} that only one has right: ${of.onlyFirst} and ${of.onlySecond}`;
  const line = (system: 0 | 1) => {
    const words = comparison.words?.[system];
    const oov = words && oovText(words);
    const { f1, accuracy } = scores[system];
    const figures = `F ${f1.toFixed(2)}, accuracy ${accuracy.toFixed(2)}${oov === undefined ? '' : `; ${oov}`}`;
    return `${'AB'[system]} = ${names[system]}: ${figures}\n`;
  };
  const head =
    `${line(0)}${line(1)}` +
    `difference in F ${signed(randomisation.difference)}, 95 % interval ${signed(low)} to ${signed(high)}\n` +
    `${discordant(tokens, 'tokens')}; ${discordant(chunks, 'gold chunks')}\n`;
  const rows = (
    [
      ['paired randomisation of F', randomisation],
      ['sign test, gold chunks', comparison.chunkSignTest],
      ['s-test, tokens', comparison.sTest],
      ['McNemar, tokens', comparison.mcNemar],
      ['two proportions, tokens', comparison.proportions],
    ] as const
  ).map(([name, test]) => [name, `A ${test.sign} B`, showP(test)]);
  if (!markdown)
    return `${head}${rows.map(([test, sign, p]) => `  ${test.padEnd(27)}${sign}   p ${p}\n`).join('')}`;
  const table = [['test', 'outcome', 'p'], ['---', '---', '---'], ...rows];
  const lines = table.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  return `${head.trimEnd().split('\n').join('  \n')}\n\n${lines}`;
}

function varianceText(
  folds: readonly FoldScores[],
  { f, between, within, p }: AnovaResult,
  markdown: boolean,
): string {
  const outcome = `one-way analysis of variance: F(${between}, ${within}) = ${f.toFixed(3)}, p ${showP({ p })}\n`;
  const rows = folds.map(({ name, f1 }) => [name, spread(f1), String(f1.length)]);
  if (!markdown)
    return `${rows.map(([name, score, count]) => `${name}: F ${score}, ${count} folds\n`).join('')}${outcome}`;
  const table = [['cross-validation', 'F', 'folds'], ['---', '---', '---:'], ...rows];
  return `${table.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}\n${outcome}`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}
