import { checkArgument } from '../base/arguments.js';
import { listNames, OptionError, quote } from '../base/errors.js';
import { checkOption, type OptionDeclaration, type OptionValue, type OptionValues } from '../base/options.js';
import { Random } from '../base/random.js';

/** An option and the values to try. */
export interface GridAxis {
  /** Name of the option. */
  readonly name: string;
  /** One or more values. */
  readonly values: readonly OptionValue[];
}

/** A combination of values and how it did. */
export interface Trial {
  /** The values. */
  readonly point: OptionValues;
  /** F of each fold, or of the held-out quarter; of labels of single tokens, accuracy. */
  readonly scores: readonly number[];
}

/**
 * Reads a grid: `C=0.05,0.1 direction=forward,backward`.
 *
 * @param declarations options that may be tried.
 * @throws OptionError for anything else, unknown options, values that are none, and an option named twice.
 */
export function parseGrid(text: string, declarations: readonly OptionDeclaration[]): GridAxis[] {
  checkArgument('grid', text, 'string');
  checkArgument('declarations', declarations, 'objects');
  const refuse = (problem: string) => new OptionError('grid', `--grid: ${problem}`);
  const axes = text
    .trim()
    .split(/\s+/)
    .filter((part) => part !== '')
    .map((part): GridAxis => {
      const [name, ...rest] = part.split('=');
      const declaration = declarations.find((candidate) => candidate.name === name);
      if (declaration === undefined) {
        const known = listNames(declarations.map((candidate) => candidate.name));
        throw refuse(`expected ${known}, found ${quote(name)}`);
      }
      const values = rest.join('=').split(',');
      if (rest.length === 0 || values.includes('')) {
        throw refuse(`expected values such as ${name}=1,2, found ${quote(part)}`);
      }
      return { name, values: values.map((value) => checkOption(declaration, value)) };
    });
  if (axes.length === 0) throw refuse('expected options and values such as C=0.05,0.1 cut-off=1,2');
  const twice = axes.find(({ name }, i) => axes.findIndex((axis) => axis.name === name) < i);
  if (twice) throw refuse(`expected each option once, found ${twice.name} twice`);
  return axes;
}

/**
 * All combinations of a grid's values, the last option changing fastest.
 *
 * @param sample how many of them to draw at random, in the grid's order; all where there are no more. The others are not
 *   made: of ten options with ten values there are ten thousand million.
 */
export function gridPoints(
  axes: readonly GridAxis[],
  sample?: { readonly count: number; readonly seed: number },
): OptionValues[] {
  checkArgument('axes', axes, 'axes');
  const total = axes.reduce((product, { values }) => product * values.length, 1);
  const choices =
    sample && sample.count < total ? drawChoices(axes, sample.count, sample.seed) : allChoices(axes);
  return choices.map((choice) =>
    Object.fromEntries(axes.map(({ name, values }, a) => [name, values[choice[a]]])),
  );
}

/** Every combination, as the number of each option's value. */
function allChoices(axes: readonly GridAxis[]): number[][] {
  return axes.reduce<number[][]>(
    (choices, { values }) => choices.flatMap((choice) => values.map((_, v) => [...choice, v])),
    [[]],
  );
}

/** Different combinations at random, as {@link allChoices} gives them, in its order. */
function drawChoices(axes: readonly GridAxis[], count: number, seed: number): number[][] {
  const random = new Random(seed);
  const drawn = new Map<string, number[]>();
  while (drawn.size < count) {
    const choice = axes.map(({ values }) => random.below(values.length));
    drawn.set(choice.join(), choice);
  }
  const differing = (a: readonly number[], b: readonly number[]) => a.findIndex((value, i) => value !== b[i]);
  return [...drawn.values()].sort((a, b) => a[differing(a, b)] - b[differing(a, b)]);
}

/** A combination as text: `C=0.1 direction=backward`. */
export function pointText(point: OptionValues): string {
  checkArgument('point', point, 'object');
  return Object.entries(point)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
