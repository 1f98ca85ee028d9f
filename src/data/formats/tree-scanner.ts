import { InputError, quote } from '../../base/errors.js';

/** Word of a tree with its part of speech. */
export interface TreeWord {
  /** Part of speech; -NONE- where nothing was said. */
  readonly pos: string;
  /** The word as the treebank spells it. */
  readonly word: string;
  /** Line that it stands on, from 1. */
  readonly line: number;
}

/** Phrase of a tree, or the tree itself. */
export interface TreePhrase {
  /** Category with its function tags and indices (NP-SBJ-1); empty where there is none. */
  readonly label: string;
  /** Its parts in text order; none but in phrases that hold nothing. */
  readonly parts: readonly TreePart[];
}

/** Part of a phrase. */
export type TreePart = TreePhrase | TreeWord;

/** Whether a part of a phrase is a word. */
export function isTreeWord(part: TreePart): part is TreeWord {
  return 'word' in part;
}

/** A whole tree, or why what stands in its place is none. */
export interface ScannedTree {
  /** The tree, if it can be read. */
  readonly tree?: TreePhrase;
  /** Why it cannot. */
  readonly problem?: InputError;
}

/** Most brackets open at once: no sentence has more than some dozens. */
const DEEPEST = 500;
/** Brackets, and what stands between them and blanks. */
const TOKENS = /[()]|[^()\s]+/g;
/** Lines that treebank files have before their trees. */
const BANNER = /^\s*\*x\*/;

/** Bracket that is open. */
interface OpenBracket {
  label: string | undefined;
  word: string | undefined;
  readonly parts: TreePart[];
  readonly line: number;
}

/**
 * Reads Penn Treebank brackets line by line: `(S (NP (DT The) (NN dog)) (VP (VBZ barks)))`, also in an outer bracket without
 * a label. Where one cannot be read, the next begins at the next bracket that starts a line.
 */
export class TreeScanner {
  private readonly source: string;
  private readonly open: OpenBracket[] = [];
  /** Whether lines are left out until one starts with a bracket. */
  private skipping = false;

  /** @param source names the input in messages. */
  constructor(source: string) {
    this.source = source;
  }

  /** Whether a tree has begun and not ended. */
  get isOpen(): boolean {
    return this.open.length > 0;
  }

  /** Reads a line, from 1, and tells the trees that end on it. */
  push(text: string, line: number): ScannedTree[] {
    if (this.skipping && !text.startsWith('(')) return [];
    this.skipping = false;
    if (!this.isOpen && BANNER.test(text)) return [];
    const found: ScannedTree[] = [];
    try {
      for (const [token] of text.matchAll(TOKENS)) {
        const tree = this.take(token, line);
        if (tree) found.push({ tree });
      }
    } catch (error) {
      found.push({ problem: error as InputError });
      this.open.length = 0;
      this.skipping = true;
    }
    return found;
  }

  /** Says that no lines follow. */
  end(): ScannedTree[] {
    const [first] = this.open;
    if (first === undefined) return [];
    const missing = this.open.length;
    this.open.length = 0;
    const brackets = missing === 1 ? 'a closing bracket' : `${missing} closing brackets`;
    const problem = `expected ${brackets} for the tree that begins here, found the end of the input`;
    return [{ problem: new InputError({ source: this.source, line: first.line }, problem) }];
  }

  /** Takes a bracket, label or word; gives the tree that it ends. */
  private take(token: string, line: number): TreePhrase | undefined {
    const { open } = this;
    const top = open.at(-1);
    if (token === '(') {
      if (top?.word !== undefined) {
        throw this.refused(line, `expected ) after the word ${quote(top.word)}, found (`);
      }
      if (open.length === DEEPEST)
        throw this.refused(line, `expected at most ${DEEPEST} open brackets, found more`);
      open.push({ label: undefined, word: undefined, parts: [], line });
      return undefined;
    }
    if (top === undefined) throw this.refused(line, `expected ( where a tree begins, found ${quote(token)}`);
    if (token === ')') return this.close(top, line);
    if (top.parts.length > 0) {
      const bracket = top.label === undefined ? 'the bracket' : `the phrase ${quote(top.label)}`;
      throw this.refused(line, `expected ( or ) in ${bracket}, found ${quote(token)}`);
    }
    if (top.label === undefined) top.label = token;
    else if (top.word === undefined) top.word = token;
    else throw this.refused(line, `expected ) after the word ${quote(top.word)}, found ${quote(token)}`);
    return undefined;
  }

  private close({ label, word, parts, line: start }: OpenBracket, line: number): TreePhrase | undefined {
    const { open } = this;
    if (word === undefined && parts.length === 0) {
      const found = label === undefined ? 'an empty bracket' : `(${label})`;
      throw this.refused(
        line,
        `expected a label and a word or phrases between brackets, found ${quote(found)}`,
      );
    }
    open.pop();
    const part: TreePart =
      word === undefined ? { label: label ?? '', parts } : { pos: label as string, word, line: start };
    const parent = open.at(-1);
    if (parent) {
      parent.parts.push(part);
      return undefined;
    }
    // A word alone is a sentence of one word.
    return isTreeWord(part) ? { label: '', parts: [part] } : part;
  }

  private refused(line: number, problem: string): InputError {
    return new InputError({ source: this.source, line }, problem);
  }
}
