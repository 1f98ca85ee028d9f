/** JSON that people write: comments and trailing commas are allowed, and every complaint names its line. */
import {
  createScanner,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  type SyntaxKind,
} from 'jsonc-parser';
import { InputError, OptionError, quote } from '../base/errors.js';
import {
  checkOption,
  nearestName,
  type OptionDeclaration,
  type OptionValue,
  type OptionValues,
} from '../base/options.js';
import { readText } from './options.js';

/** The parser's error codes in words. */
const PROBLEMS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'found a word that is no value; text stands in double quotes',
  InvalidNumberFormat: 'found a number that is none',
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'found more after its end',
  InvalidCommentToken: 'found a comment where none may stand',
  UnexpectedEndOfComment: 'a comment does not end',
  UnexpectedEndOfString: 'a text does not end on its line',
  UnexpectedEndOfNumber: 'a number is cut short',
  InvalidUnicode: 'found \\u without four hexadecimal digits',
  InvalidEscapeCharacter: 'found \\ before a character that it does not go with',
  InvalidCharacter: 'found a control character in a text',
};

/** A value of a JSON file that knows where it stands. */
export class JsonValue {
  private readonly path: string;
  private readonly text: string;
  private readonly node: Node;

  private constructor(path: string, text: string, node: Node) {
    this.path = path;
    this.text = text;
    this.node = node;
  }

  /** Reads a file. @throws InputError where it is no JSON. */
  static async read(path: string): Promise<JsonValue> {
    const text = await readText(path);
    const deep = tooDeepAt(text);
    if (deep !== undefined) {
      throw new InputError(
        { source: path, line: lineAt(text, deep) },
        `expected values nested up to ${MOST_DEPTH} deep, found more`,
      );
    }
    const errors: ParseError[] = [];
    const root = parseTree(text, errors, { allowTrailingComma: true });
    if (root && errors.length === 0) return new JsonValue(path, text, root);
    const { offset = 0, error } = errors[0] ?? {};
    const problem = error === undefined ? 'found nothing' : PROBLEMS[printParseErrorCode(error)];
    throw new InputError({ source: path, line: lineAt(text, offset) }, `expected JSON: ${problem}`);
  }

  /** An error at this value. */
  refuse(problem: string): InputError {
    return new InputError({ source: this.path, line: lineAt(this.text, this.node.offset) }, problem);
  }

  /** The members of an object, in order. @param what names them in messages: `options`. */
  members(what: string): ReadonlyMap<string, JsonValue> {
    if (this.node.type !== 'object') throw this.refuse(`expected an object of ${what}`);
    const members = new Map<string, JsonValue>();
    const isWhole = this.node.parent === undefined;
    for (const { children = [] } of this.node.children ?? []) {
      const [key, value] = children.map((child) => new JsonValue(this.path, this.text, child));
      const name = String(key.node.value);
      // By this editors know what may stand in the file.
      if (isWhole && name === '$schema') continue;
      if (members.has(name)) throw key.refuse(`${quote(name)} stands here a second time`);
      members.set(name, value);
    }
    return members;
  }

  /** The elements of a list. @param what names them in messages. */
  elements(what: string): JsonValue[] {
    if (this.node.type !== 'array') throw this.refuse(`expected a list of ${what}`);
    return (this.node.children ?? []).map((child) => new JsonValue(this.path, this.text, child));
  }

  /** The options of an object. @throws InputError for unknown ones and for values that are none. */
  options(declarations: readonly OptionDeclaration[]): OptionValues {
    const values: Record<string, OptionValue> = {};
    for (const [name, value] of this.members('options')) {
      const declaration = declarations.find((candidate) => candidate.name === name);
      if (declaration === undefined) {
        const names = declarations.map((candidate) => candidate.name);
        const meant = nearestName(name, names);
        const known = meant === undefined ? `known are ${names.join(', ')}` : `did you mean ${meant}?`;
        throw value.refuse(`unknown option ${quote(name)}; ${known}`);
      }
      values[name] = value.option(declaration);
    }
    return values;
  }

  /** The value of an option. @throws InputError where it is none. */
  option(declaration: OptionDeclaration): OptionValue {
    try {
      return checkOption(declaration, getNodeValue(this.node));
    } catch (error) {
      if (!(error instanceof OptionError)) throw error;
      throw this.refuse(error.message);
    }
  }
}

/** How deep values may nest: far more than any file needs, far less than the parser's stack bears. */
const MOST_DEPTH = 100;

/** The parser's numbers of brackets, whose enumeration has no values at run time. */
const OPENING: readonly SyntaxKind[] = [1, 3];
const CLOSING: readonly SyntaxKind[] = [2, 4];
const END: SyntaxKind = 17;

/** Where a value begins that is nested too deep; nowhere in most files. */
function tooDeepAt(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token = scanner.scan(); token !== END; token = scanner.scan()) {
    if (OPENING.includes(token)) depth++;
    else if (CLOSING.includes(token)) depth--;
    if (depth > MOST_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
