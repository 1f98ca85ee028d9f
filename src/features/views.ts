/**
 * Views: what a template can read of a column's string. A view is a column name and any number of kinds, applied
 * from left to right: `word`, `word.suffix3`, `word.lower.suffix3`.
 */

import { listNames, OptionError, quote } from '../base/errors.js';
import { compileRegex, type LinearRegex } from './linear-regex.js';

/** Makes one string of a cell's string, or nothing. */
export type Derivation = (value: string) => string | undefined;

/** Work of a view on the bytes of a string, where it is one: no string is made then. */
export interface ByteForm {
  /** Map of the characters of ASCII strings, applied first; other strings need {@link View.apply}. Absent where all stay. */
  readonly image?: CharacterMap;
  /** Which characters of that count then: the first n, the last −n, or all where it is 0. Nothing if there are fewer. */
  readonly part: number;
  /**
   * Absent where what comes of it is the value. Else whether strings of the same image as this one have the value that
   * it has.
   */
  readonly sharesValue?: (value: string) => boolean;
}

/** Map of ASCII strings, character by character. */
export interface CharacterMap {
  /** [128] what becomes of each character. */
  readonly map: Uint8Array;
  /** Of a run of one character in what comes of it only so many stay. */
  readonly longestRun: number;
}

/** A column and what is made of its strings. */
export interface View {
  /** Text form, as it stands in templates: `word.suffix3`. */
  readonly name: string;
  /** The column it reads. */
  readonly column: string;
  /** The derived string, which may be empty, or undefined where there is nothing to derive. */
  readonly apply: Derivation;
  /** The same as a work on bytes, where it is one. */
  readonly bytes?: ByteForm;
}

/** Knowledge that views read. */
export interface ViewKnowledge {
  /** Possible classes of the values of a view; nothing before any were learned. */
  readonly classes?: ((view: string, value: string) => string | undefined) | undefined;
  /** Path of a word's cluster in a family, numbered from 1; nothing for words without one. */
  readonly cluster?: ((family: number, value: string) => string | undefined) | undefined;
}

/** One way to make a string of another. */
export interface ViewKind {
  /** Recognises the written kind; its group, if any, is the argument. */
  readonly spelling: RegExp;
  /** One line of help. */
  readonly help: string;
  /**
   * The derivation for an argument (empty where the kind takes none).
   *
   * @param classes the possible classes of what stands before it.
   * @param cluster the cluster of a word.
   * @throws OptionError for an argument that makes no sense.
   */
  derive(argument: string, classes: Derivation, cluster: NonNullable<ViewKnowledge['cluster']>): Derivation;
  /** The same for bytes, where it can be said so. */
  bytes?(argument: string): ByteForm;
}

/** All view kinds, by their text form. */
export const VIEW_KINDS: Readonly<Record<string, ViewKind>> = {
  lower: {
    spelling: /^lower$/,
    help: 'the value in lower case',
    derive: () => (value) => value.toLowerCase(),
    bytes: () => ({ image: asciiMap((value) => value.toLowerCase()), part: 0 }),
  },
  prefixN: {
    spelling: /^prefix([1-9]\d?)$/,
    help: 'the first N characters (N from 1 to 99); nothing when the value is shorter',
    derive: (count) => (value) => prefix(value, Number(count)),
    bytes: (count) => ({ part: Number(count) }),
  },
  suffixN: {
    spelling: /^suffix([1-9]\d?)$/,
    help: 'the last N characters (N from 1 to 99); nothing when the value is shorter',
    derive: (count) => (value) => suffix(value, Number(count)),
    bytes: (count) => ({ part: -Number(count) }),
  },
  shape: {
    spelling: /^shape$/,
    help: 'capitals as X, small letters as x, digits as d, all else itself; runs cut to two: Xxx, X.X., dd-xx',
    derive: () => shape,
    bytes: () => ({ image: asciiMap(asciiSymbol, SHAPE_RUN), part: 0 }),
  },
  type: {
    spelling: /^type$/,
    help: 'the orthographic type: lower, capitalised, all-caps, number, hyphenated, punctuation and so on',
    derive: () => tokenType,
    // No type counts further than to four; which letters they are only ordinals and decades ask.
    bytes: () => ({
      image: asciiMap(asciiSymbol, 5),
      part: 0,
      sharesValue: (value) => !/\d.*[A-Za-z]/s.test(value),
    }),
  },
  fold: {
    spelling: /^fold$/,
    help: 'full-width letters, digits and signs (U+FF01 to U+FF5E) as ASCII has them',
    derive: () => foldWidth,
  },
  'character-type': {
    spelling: /^character-type$/,
    help: 'digit, numeral (一, 百), date (年, 月, 日), latin, punctuation or other, full-width as ASCII',
    derive: () => characterType,
  },
  classes: {
    spelling: /^classes$/,
    help: 'the labels that the training data give the value, in one string; empty for one that is unknown',
    derive: (_, classes) => classes,
  },
  clusterN: {
    spelling: /^cluster([1-9]?)$/,
    help: 'the path of the word’s cluster in the first file of --clusters; cluster2 in the second, and so on',
    derive: (family, _, cluster) => (value) => cluster(Number(family || 1), value),
  },
  'test("REGEX")': {
    spelling: /^test\((.*)\)$/s,
    help: 'true or false: whether the JavaScript regular expression (a JSON string), without look-around and back references, matches anywhere',
    derive: (argument) => {
      const regex = parseRegex(argument);
      return (value) => (regex.find(value) === undefined ? 'false' : 'true');
    },
  },
  'match("REGEX")': {
    spelling: /^match\((.*)\)$/s,
    help: 'the first part that the regular expression (a JSON string) matches; nothing without a match',
    derive: (argument) => {
      const regex = parseRegex(argument);
      return (value) => regex.find(value);
    },
  },
};

/** Types of strings, each with the regular expression of its members and flags besides `u`; the first that fits counts. */
export type TypePatterns = readonly (readonly [type: string, members: string, flags?: string])[];

/**
 * The orthographic types, each with what belongs to it; the first that fits counts, and what
 * fits none is `other`. The distinctions are the usual
 * ones of chunkers and name finders (Bikel, Schwartz & Weischedel 1999 and their successors).
 */
export const TOKEN_TYPES: TypePatterns = [
  ['lower', String.raw`^\p{Ll}+$`],
  ['single-capital', String.raw`^\p{Lu}$`],
  ['capitalised', String.raw`^\p{Lu}\p{Ll}+$`],
  ['all-caps', String.raw`^\p{Lu}+$`],
  ['mixed-case', String.raw`^[\p{Lu}\p{Ll}]+$`],
  ['letters', String.raw`^[\p{L}\p{M}]+$`], // scripts without case
  ['four-digits', String.raw`^\p{Nd}{4}$`], // mostly years
  ['number', String.raw`^[+-]?[.,]?\p{Nd}+(?:(?:[.,:]|\\?\/)\p{Nd}+)*$`], // treebanks write 3/4 as 3\/4
  ['percent', String.raw`^[+-]?[.,]?\p{Nd}+(?:[.,]\p{Nd}+)*%$`],
  ['ordinal', String.raw`^\p{Nd}+(?:st|nd|rd|th)$`, 'i'],
  ['decade', String.raw`^['’]?\p{Nd}+s$`],
  ['initials', String.raw`^(?:\p{Lu}\.)+$`],
  ['abbreviation', String.raw`^\p{L}[\p{L}\p{M}.]*\.$`],
  ['hyphenated-digits', String.raw`^(?=.*\p{Nd})[\p{L}\p{M}\p{Nd}.,'’]+(?:-[\p{L}\p{M}\p{Nd}.,'’]+)+$`],
  ['hyphenated-capital', String.raw`^(?=.*\p{Lu})[\p{L}\p{M}.'’]+(?:-[\p{L}\p{M}.'’]+)+$`],
  ['hyphenated', String.raw`^[\p{L}\p{M}.'’]+(?:-[\p{L}\p{M}.'’]+)+$`],
  ['apostrophe', String.raw`^(?=.*\p{L})[\p{L}\p{M}]*['’][\p{L}\p{M}'’]*$`],
  ['digits-and-letters', String.raw`^(?=.*\p{Nd}).*\p{L}`],
  ['punctuation', '^[\\p{P}`]+$'], // Unicode counts the backquote of `` among the symbols
  ['symbol', String.raw`^[\p{P}\p{S}]+$`],
];

/** The types of characters that Chinese word segmentation tells apart (Low, Ng & Guo 2005); the first that fits counts. */
const CHARACTER_TYPES: TypePatterns = [
  ['digit', String.raw`^\p{Nd}$`],
  ['numeral', '^[〇○零一二三四五六七八九十百千万亿兩两萬億]$'],
  ['date', '^[年月日时時分秒]$'],
  ['latin', String.raw`^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$`],
  ['punctuation', String.raw`^[\p{P}\p{S}]$`],
];

/**
 * Reads a view's text form.
 *
 * @param columns the columns there are; without them any well-formed column name passes. Column names contain no
 *   blank, `.`, `[`, `]`, `"` or `#`.
 * @param knowledge what `classes` and `cluster` read; without it nothing.
 * @throws OptionError for an unknown column or kind, listing the valid ones, and for a broken regular expression.
 */
export function parseView(name: string, columns?: readonly string[], knowledge: ViewKnowledge = {}): View {
  const refuse = (expected: string, found: string): never => {
    throw new OptionError('templates', `view ${quote(name)}: expected ${expected}, found ${quote(found)}`);
  };
  const parts = partsOf(name);
  if (parts.join('.') !== name) refuse('COLUMN or COLUMN.KIND', name);
  const column = parts[0];
  if (columns !== undefined && !columns.includes(column)) refuse(`the column ${listNames(columns)}`, column);
  if (!/^[^\s[\]"#]+$/.test(column)) refuse('a column name', column);
  if (parts.filter((part) => part === 'classes').length > 1) refuse('the kind classes once', name);
  const forms: (ByteForm | undefined)[] = [];
  const steps = parts.slice(1).map((part, i): Derivation => {
    const before = parts.slice(0, i + 1).join('.');
    for (const kind of Object.values(VIEW_KINDS)) {
      const spelt = kind.spelling.exec(part);
      if (spelt === null) continue;
      const argument = spelt[1] ?? '';
      forms.push(kind.bytes?.(argument));
      const classes: Derivation = (value) => knowledge.classes?.(before, value);
      return kind.derive(argument, classes, (family, value) => knowledge.cluster?.(family, value));
    }
    return refuse(`the kind ${listNames(Object.keys(VIEW_KINDS))}`, part);
  });
  const bytes = chainBytes(forms);
  return Object.freeze({ name, column, apply: chain(steps), ...(bytes && { bytes }) });
}

/** Column and kinds. Dots in a quoted regular expression do not separate; an empty part or a lone quote is skipped. */
function partsOf(name: string): string[] {
  return name.match(/(?:"(?:[^"\\]|\\.)*"|[^."])+/gs) ?? [''];
}

/** A view that reads a first family of clusters, of another one: `word.cluster.prefix4` of `cluster2` is `word.cluster2.prefix4`. */
export function viewFamily(name: string, family: string): string {
  const parts = partsOf(name);
  return parts.map((part, i) => (i > 0 && part === 'cluster' ? family : part)).join('.');
}

/** The view whose values' possible classes a view reads, if it does: `word.lower` of `word.lower.classes`. */
export function viewBeforeClasses(name: string): string | undefined {
  const parts = partsOf(name);
  const at = parts.indexOf('classes', 1);
  return at < 0 ? undefined : parts.slice(0, at).join('.');
}

function chain(steps: readonly Derivation[]): Derivation {
  if (steps.length === 1) return steps[0];
  return (value) => {
    let derived: string | undefined = value;
    for (const step of steps) {
      if (derived === undefined) return undefined;
      derived = step(derived);
    }
    return derived;
  };
}

/** Joins steps on bytes: at most a map, and a part of its result. */
function chainBytes(steps: readonly (ByteForm | undefined)[]): ByteForm | undefined {
  const [first, second] = steps;
  if (steps.length === 0) return { part: 0 };
  if (steps.length === 1) return first;
  const isMapThenPart = first?.image && !first.sharesValue && second && !second.image;
  return steps.length === 2 && isMapThenPart ? { image: first.image, part: second.part } : undefined;
}

/** A regular expression from its source in JSON string syntax; `.` and classes take whole characters. */
function parseRegex(argument: string): LinearRegex {
  try {
    const source: unknown = JSON.parse(argument);
    if (typeof source === 'string') return compileRegex(source);
  } catch (error) {
    if (error instanceof OptionError) throw error;
    const reason = (error as Error).message;
    throw new OptionError('templates', `expected a regular expression, found ${quote(argument)}: ${reason}`);
  }
  throw new OptionError('templates', `expected a regular expression in quotes, found ${quote(argument)}`);
}

function prefix(value: string, count: number): string | undefined {
  let end = 0;
  for (let i = 0; i < count; i++) {
    if (end >= value.length) return undefined;
    end += isPair(value, end) ? 2 : 1;
  }
  return value.slice(0, end);
}

function suffix(value: string, count: number): string | undefined {
  let start = value.length;
  for (let i = 0; i < count; i++) {
    if (start <= 0) return undefined;
    start -= start >= 2 && isPair(value, start - 2) ? 2 : 1;
  }
  return value.slice(start);
}

/** Whether the two code units from `index` on are one character outside the basic plane. */
function isPair(value: string, index: number): boolean {
  return (value.codePointAt(index) as number) > 0xffff;
}

function shape(value: string): string {
  const symbols = value
    .replace(/[\p{Lu}\p{Lt}]/gu, 'X')
    .replace(/\p{Ll}/gu, 'x')
    .replace(/\p{Nd}/gu, 'd');
  // A loop: an expression for runs takes a step of the engine's stack for every repetition.
  let runs = '';
  let last = '';
  let repeats = 0;
  for (const symbol of symbols) {
    repeats = symbol === last ? repeats + 1 : 1;
    last = symbol;
    if (repeats <= 2) runs += symbol;
  }
  return runs;
}

/** Longest run of a symbol in a {@link shape}. */
const SHAPE_RUN = 2;

/** Symbol of an ASCII character in a {@link shape}. */
function asciiSymbol(character: string): string {
  if (character >= 'A' && character <= 'Z') return 'X';
  if (character >= 'a' && character <= 'z') return 'x';
  return character >= '0' && character <= '9' ? 'd' : character;
}

/** Makes the map of ASCII characters. */
function asciiMap(become: (character: string) => string, longestRun = 0x7fffffff): CharacterMap {
  const map = Uint8Array.from({ length: 128 }, (_, code) => become(String.fromCharCode(code)).charCodeAt(0));
  return { map, longestRun };
}

/** ASCII characters of the Unicode properties that {@link TOKEN_TYPES} names. */
const ASCII: Readonly<Record<string, string>> = {
  Ll: 'a-z',
  Lu: 'A-Z',
  L: 'A-Za-z',
  M: '',
  Nd: '0-9',
  P: String.raw`!-#%-*,-/:;?@[-\]_{}`,
  S: '$+<->^`|~',
};

/**
 * Makes a finder of the type of a string. The expressions are compiled when first asked for: the engine takes long over sets of
 * Unicode, even to read them.
 */
function typeFinder(patterns: () => TypePatterns, ownFlags: string): (value: string) => string {
  let types: (readonly [type: string, members: RegExp])[] | undefined;
  return (value) => {
    types ??= patterns().map(([type, members, flags = '']) => [type, new RegExp(members, flags + ownFlags)]);
    for (const [type, members] of types) if (members.test(value)) return type;
    return 'other';
  };
}

/** A pattern of {@link TOKEN_TYPES} for strings of ASCII. */
function inAscii(pattern: string): string {
  const inside = (members: string) => members.replace(/\\p\{(\w+)\}/g, (_, name) => ASCII[name]);
  return pattern.replace(/\[[^\]]*\]|\\p\{\w+\}/g, (part) =>
    part.startsWith('[') ? inside(part) : `[${inside(part)}]`,
  );
}

const asciiType = typeFinder(
  () => TOKEN_TYPES.map(([type, members, flags]) => [type, inAscii(members), flags ?? '']),
  '',
);
const unicodeType = typeFinder(() => TOKEN_TYPES, 'u');
const foldedCharacterType = typeFinder(() => CHARACTER_TYPES, 'u');

function tokenType(value: string): string {
  return /^[\0-\x7f]*$/.test(value) ? asciiType(value) : unicodeType(value);
}

/** Full-width forms (U+FF01 to U+FF5E) in ASCII; all else as it is. */
export function foldWidth(value: string): string {
  return value.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}

function characterType(value: string): string {
  return foldedCharacterType(foldWidth(value));
}
