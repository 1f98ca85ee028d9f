/**
 * The text form of templates: one a line, nodes separated by blanks.
 *
 *     word[-1] word[0]      # a conjunction of two tokens
 *     word.suffix3[0]       # a view, see views.ts
 *     label[-1] pos[0]      # the label read before, with a token
 *     bias                  # the constant feature; added where it is missing
 *
 * For models of whole chunks:
 *
 *     all(pos)                           # of all its tokens; some(VIEW): of those that have a value
 *     symmetry(pos)                      # what stands between tokens alike: the CC of DT NN CC NN
 *     first(word)[0] last(word)[0]       # the tokens at its ends
 *     first(pos)[-1] last(pos)[1] length # those around it, and how many tokens it has
 *     label[-1] first(pos)[0]            # the type of the chunk before, and where this one begins
 */
import { checkArgument } from '../base/arguments.js';
import { OptionError, quote } from '../base/errors.js';
import { parseCrfppTemplates } from './crfpp-template.js';
import {
  all,
  first,
  label,
  last,
  length,
  some,
  symmetry,
  type Template,
  type TemplateNode,
  type TemplateSet,
  template,
  templateName,
  templateSetFromLines,
  token,
} from './template.js';
import { parseView } from './views.js';

/**
 * Reads templates in this package's own text form.
 *
 * @param source names the text in messages, and the set.
 * @param columns the columns that may be read.
 * @throws InputError with source and line.
 */
export function parseTemplates(text: string, source: string, columns: readonly string[]): TemplateSet {
  return templateSetFromLines(text, source, (line) => parseLine(line, columns));
}

/**
 * Reads templates in this package's own text form or in that of CRF++ and Wapiti, as the first line that is neither
 * blank nor a comment looks.
 *
 * @param source names the text in messages, and the set.
 * @param columns the columns that may be read.
 * @throws InputError with source and line.
 */
export function readTemplates(text: string, source: string, columns: readonly string[]): TemplateSet {
  checkArgument('text', text, 'string');
  checkArgument('columns', columns, 'strings');
  const first = /^[^\S\n]*([^\s#][^#\n]*)/m.exec(text)?.[1] ?? '';
  // After the letter that CRF++ and Wapiti lines begin with comes a macro, or an identifier alone: `U`, `B`, `B01`.
  const foreign = /^[ub*](?:.*%[a-z]\[|[^[a-z]*$)/i.test(first);
  return foreign ? parseCrfppTemplates(text, source, columns) : parseTemplates(text, source, columns);
}

/** The text form of a set, which {@link readTemplates} reads back; the set’s name is not in it. */
export function formatTemplates(set: TemplateSet): string {
  checkArgument('templates', set, 'templates');
  return set.templates.map((template) => `${templateName(template)}\n`).join('');
}

function parseLine(line: string, columns: readonly string[]): Template[] {
  // Quoted regular expressions may hold blanks and `#`; a quote that does not close stands alone and is refused.
  const words = line.match(/#.*|(?:"(?:[^"\\]|\\.)*"|[^\s"#])+|"/g) ?? [];
  if (words.at(-1)?.startsWith('#')) words.pop();
  if (words.length === 0) return [];
  if (words.length === 1 && words[0] === 'bias') return [template()];
  return [template(...words.map((word) => parseNode(word, columns)))];
}

function parseNode(word: string, columns: readonly string[]): TemplateNode {
  if (word === 'length') return length();
  const edge = /^(first|last)\((.+)\)\[([+-]?\d+)\]$/.exec(word);
  if (edge !== null) {
    const view = parseView(edge[2], columns).name;
    return (edge[1] === 'first' ? first : last)(view, Number(edge[3]));
  }
  const whole = /^(all|some|symmetry)\((.+)\)$/.exec(word);
  if (whole !== null) {
    return { all, some, symmetry }[whole[1] as 'all' | 'some' | 'symmetry'](
      parseView(whole[2], columns).name,
    );
  }
  const parts = /^(.+)\[([+-]?\d+)\]$/.exec(word);
  if (parts === null) {
    const expected =
      'VIEW[OFFSET], label[-1], label[-2], first(VIEW)[OFFSET], last(VIEW)[OFFSET], all(VIEW), some(VIEW), ' +
      'symmetry(VIEW), length, or bias alone';
    throw new OptionError('templates', `expected ${expected}, found ${quote(word)}`);
  }
  const offset = Number(parts[2]);
  // An offset out of range is refused where every template is checked.
  if (parts[1] === 'label') return label(offset as -1 | -2);
  return token(parseView(parts[1], columns).name, offset);
}
