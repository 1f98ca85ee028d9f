/**
 * Template files of CRF++ and pattern files of Wapiti (taku910/crfpp `feature.cpp`, Jekub/Wapiti `src/pattern.c` and
 * `src/reader.c`): a letter, then text with macros, which the tools replace by what they read of the tokens.
 *
 *     U00:%x[-1,0]/%x[0,1]    the token before in column 0, joined with the current one in column 1
 *     B                       the label before
 *     B01:%x[0,0]             the label before, joined with a token
 *     *1:%x[0,0]              both with and without the label before (Wapiti)
 *     u:%t[0,0,"^\u"]         whether a regular expression matches (Wapiti); %m: the part that it matches
 *
 * A macro in capitals gives its result in lower case. The text around the macros only keeps the features of
 * different templates apart, which templates here need no help for.
 */
import { OptionError, quote } from '../base/errors.js';
import {
  label,
  type Template,
  type TemplateSet,
  type TokenNode,
  template,
  templateName,
  templateSetFromLines,
  token,
} from './template.js';
import { parseView } from './views.js';

const MACRO = /%([xtm])\[\s*([@*]?)\s*([+-]?\d+)\s*,\s*(\d+)\s*(?:,"((?:[^"\\]|\\.)*)")?\s*\]/gi;

/** Wapiti's character classes, which are those of the C locale. Capital letters are their complements. */
const CHARACTER_CLASSES: Readonly<Record<string, string>> = {
  a: 'A-Za-z',
  d: '0-9',
  l: 'a-z',
  p: '!-\\/:-@\\[-`\\{-~',
  s: '\\t-\\r ',
  u: 'A-Z',
  w: 'A-Za-z0-9',
};

/**
 * Reads a CRF++ template file or a Wapiti pattern file.
 *
 * @param source names the text in messages, and the set.
 * @param columns the columns that may be read, in the order of their numbers; without the labels' column.
 * @returns the set; where two lines read the same it has the first alone, and a note.
 * @throws InputError with source and line; also where two templates differ in their macros alone, because the tools
 *   would let them share features.
 */
export function parseCrfppTemplates(text: string, source: string, columns: readonly string[]): TemplateSet {
  const patterns = new Map<string, string>();
  const seen = new Map<string, string>();
  const notes: string[] = [];
  const set = templateSetFromLines(text, source, (line) =>
    parseLine(line, columns, patterns).filter((own) => {
      const name = [...templateName(own).split(' ')].sort().join(' ');
      const earlier = seen.get(name);
      if (earlier === undefined) seen.set(name, line.trim());
      else notes.push(`${quote(line.trim())} reads what ${quote(earlier)} does, which stands for both`);
      return earlier === undefined;
    }),
  );
  return notes.length > 0 ? { ...set, notes } : set;
}

/** @param patterns the patterns of earlier lines by their text without macros. */
function parseLine(line: string, columns: readonly string[], patterns: Map<string, string>): Template[] {
  const [body, ...comments] = line.split('#');
  const written = body.trimEnd();
  if (written === '') return [];
  if (comments.some((comment) => /%[xtm]\[/i.test(comment))) {
    refuse('expected no macro after #, which begins a comment in Wapiti but not in CRF++', line);
  }
  const kind = written[0].toLowerCase();
  if (!'ub*'.includes(kind)) refuse('expected a line that begins with U, B or *', written);

  const nodes: TokenNode[] = [];
  const identifier = written.replace(MACRO, (macro, letter, anchor, offset, column, regex) => {
    nodes.push(parseMacro(macro, letter, anchor, Number(offset), columns[Number(column)], regex, columns));
    return '\0';
  });
  const broken = identifier.indexOf('%');
  if (broken >= 0) {
    const forms = '%x[OFFSET,COLUMN], %t[OFFSET,COLUMN,"REGEX"] or %m[OFFSET,COLUMN,"REGEX"]';
    refuse(`expected ${forms}`, identifier.slice(broken).replaceAll('\0', '%x[…]'));
  }

  const key = kind + identifier.slice(1);
  const earlier = patterns.get(key) ?? written;
  if (earlier.slice(1) !== written.slice(1)) {
    const reason =
      'with the same text around their macros, CRF++ and Wapiti let both share their features; number the lines: U01, U02 …';
    refuse(`expected an identifier other than that of ${quote(earlier)} (${reason})`, written);
  }
  patterns.set(key, written);

  const templates: Template[] = [];
  if (kind !== 'b') templates.push(template(...nodes));
  if (kind !== 'u') templates.push(template(label(-1), ...nodes));
  return templates;
}

function parseMacro(
  macro: string,
  letter: string,
  anchor: string,
  offset: number,
  column: string | undefined,
  regex: string | undefined,
  columns: readonly string[],
): TokenNode {
  const command = letter.toLowerCase();
  if (anchor !== '') refuse('expected an offset from the current token (no @ or *)', macro);
  if (command === 'x' && regex !== undefined) refuse('expected %x[OFFSET,COLUMN]', macro);
  if (command !== 'x' && regex === undefined) refuse(`expected %${letter}[OFFSET,COLUMN,"REGEX"]`, macro);
  if (column === undefined) {
    refuse(`expected a column among ${columns.map((name, i) => `${i} (${name})`).join(', ')}`, macro);
  }
  let view = column as string;
  if (command === 't') view += `.test(${JSON.stringify(translateRegex(regex as string))})`;
  // Where nothing matches, Wapiti still has a feature, with the empty string: so the end matches as a last resort.
  if (command === 'm') view += `.match(${JSON.stringify(`${translateRegex(regex as string)}|$`)})`;
  // Wapiti matches first and lowers the result after that, which changes nothing for true and false.
  if (letter !== command && command !== 't') view += '.lower';
  return token(parseView(view, columns).name, offset);
}

/**
 * A Wapiti regular expression in JavaScript's syntax: it has `.`, classes, `*` and `?` after one character, `^` at the
 * start and `$` at the end. Its `*` takes as little as it can, its `?` as much as it can.
 */
function translateRegex(regex: string): string {
  const characters = [...regex];
  let translated = '';
  let i = 0;
  if (characters[0] === '^') translated += characters[i++];
  while (i < characters.length) {
    const character = characters[i++];
    if (character === '$' && i === characters.length) return `${translated}$`;
    if (character === '*' || character === '?') refuse(`expected a character before ${character}`, regex);
    if (character === '.') translated += '.';
    else if (character === '\\') translated += translateEscape(characters[i++]);
    else translated += escapeCharacter(character);
    if (characters[i] === '*') translated += '*?';
    else if (characters[i] === '?') translated += '?';
    else continue;
    i++;
  }
  return translated;
}

function translateEscape(letter: string): string {
  const members = Object.hasOwn(CHARACTER_CLASSES, letter.toLowerCase())
    ? CHARACTER_CLASSES[letter.toLowerCase()]
    : undefined;
  if (members === undefined) return escapeCharacter(letter);
  return letter === letter.toLowerCase() ? `[${members}]` : `[^${members}]`;
}

function escapeCharacter(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
}

function refuse(problem: string, found: string): never {
  throw new OptionError('templates', `${problem}, found ${quote(found)}`);
}
