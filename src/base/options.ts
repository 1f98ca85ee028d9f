import { listNames, OptionError, show } from './errors.js';

/** The value of an option. */
export type OptionValue = string | number | boolean;

/** Option values by name. */
export type OptionValues = Readonly<Record<string, OptionValue>>;

/**
 * The one declaration of an option, next to the algorithm it belongs to. Flags, checks, `--help` and reference
 * pages derive from it.
 */
export interface OptionDeclaration {
  /** Name as written after `--` and as key in configuration files. */
  readonly name: string;
  /** A letter that stands for it after a single dash, if any. */
  readonly short?: string;
  /** Kind of its values. */
  readonly kind: 'integer' | 'number' | 'choice' | 'string' | 'flag';
  /** Value when nothing is given; none where the option is required or decided elsewhere. */
  readonly default?: OptionValue;
  /** Smallest value allowed (numbers); exclusive where `above` is used instead. */
  readonly min?: number;
  /** Value that a number must exceed. */
  readonly above?: number;
  /** Largest value allowed (numbers). */
  readonly max?: number;
  /** Valid values (`choice`). */
  readonly choices?: readonly string[];
  /** Other names of valid values, each with the value that it stands for (`choice`). */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Whether it names a file, and what is done with that: no command writes a file that it reads. */
  readonly file?: 'read' | 'written';
  /** Set for options that few need: `--help all` lists them. */
  readonly advanced?: true;
  /** Placeholder of the value in `--help`, for example `FILE`. */
  readonly placeholder?: string;
  /** One line of help. */
  readonly help: string;
}

/**
 * Checks a value against its declaration and returns it in its own type; strings are read as numbers or
 * booleans where the declaration asks for them.
 *
 * @throws OptionError naming the option, what was expected and what was found.
 */
export function checkOption(declaration: OptionDeclaration, value: unknown): OptionValue {
  const { name, kind } = declaration;
  const refuse = (expected: string): never => {
    throw new OptionError(name, `--${name}: expected ${expected}, found ${show(value)}`);
  };
  switch (kind) {
    case 'flag':
      if (value === true || value === 'true') return true;
      if (value === false || value === 'false') return false;
      return refuse('true or false');
    case 'string':
      return typeof value === 'string' && value !== '' ? value : refuse(declaration.placeholder ?? 'a value');
    case 'choice': {
      const choices = declaration.choices ?? [];
      const named = typeof value === 'number' ? String(value) : value;
      const isAlias = typeof named === 'string' && Object.hasOwn(declaration.aliases ?? {}, named);
      const text = isAlias ? declaration.aliases?.[named] : named;
      return typeof text === 'string' && choices.includes(text) ? text : refuse(listNames(choices));
    }
    default: {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      const expected = describeRange(declaration);
      if (typeof number !== 'number' || !Number.isFinite(number)) return refuse(expected);
      if (kind === 'integer' && !Number.isSafeInteger(number)) return refuse(expected);
      if (declaration.min !== undefined && number < declaration.min) return refuse(expected);
      if (declaration.above !== undefined && number <= declaration.above) return refuse(expected);
      if (declaration.max !== undefined && number > declaration.max) return refuse(expected);
      return number;
    }
  }
}

/**
 * Values of declared options: what was given, else the default given here, else the declaration's own; without any, an option
 * is left out. Names that are not declared are not looked at.
 *
 * @throws OptionError as {@link checkOption}.
 */
export function settleOptions(
  declarations: readonly OptionDeclaration[],
  given: OptionValues,
  defaults: OptionValues,
): Record<string, OptionValue> {
  const settled: Record<string, OptionValue> = {};
  for (const declaration of declarations) {
    const { name } = declaration;
    const value = given[name] ?? defaults[name] ?? declaration.default;
    if (value !== undefined) settled[name] = checkOption(declaration, value);
  }
  return settled;
}

/** Describes the values that an option accepts: `an integer ≥ 1`, `greedy, beam or viterbi`. */
export function describeRange(declaration: OptionDeclaration): string {
  if (declaration.kind === 'choice') return listNames(declaration.choices ?? []);
  if (declaration.kind === 'flag') return 'true or false';
  if (declaration.kind === 'string') return declaration.placeholder ?? 'a value';
  const limits: string[] = [];
  if (declaration.above !== undefined) limits.push(`> ${declaration.above}`);
  if (declaration.min !== undefined) limits.push(`≥ ${declaration.min}`);
  if (declaration.max !== undefined) limits.push(`≤ ${declaration.max}`);
  const noun = declaration.kind === 'integer' ? 'an integer' : 'a number';
  return limits.length === 0 ? noun : `${noun} ${limits.join(' and ')}`;
}

/** The name that was meant by one that there is not: one that differs from it by little, if there is one. */
export function nearestName(wrong: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.floor(wrong.length / 3) + 1;
  for (const name of names) {
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** Least number of characters to insert, delete, replace or swap with the next that make one string of the other. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, replaced);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}
