/**
 * Chunks of Penn Treebank trees. Those of the CoNLL-2000 task follow what its paper (Tjong Kim Sang and Buchholz 2000) says of
 * them: a chunk is what stands in a phrase up to its head, without the phrases in it that are chunks of their own. What the
 * paper leaves open was read off its data.
 */
import type { Span } from '../span.js';
import { isTreeWord, type TreePart, type TreePhrase, type TreeWord } from './tree-scanner.js';

/** Which phrases of a tree are chunks. */
export type PhraseKind = 'conll' | 'basenp' | 'plain';

/** The kinds of phrases, with a line of help each. */
export const PHRASE_KINDS: Readonly<Record<PhraseKind, string>> = {
  conll: 'chunks of the CoNLL-2000 task',
  basenp: 'its NP alone: base noun phrases as Ramshaw and Marcus (1995) have them',
  plain: 'phrases that hold nothing but words, of any category',
};

/** Part of speech of empty elements. */
const EMPTY = '-NONE-';

/** The words of a tree, in text order, without empty elements. */
export function treeWords(tree: TreePhrase): TreeWord[] {
  const words: TreeWord[] = [];
  const visit = (part: TreePart): void => {
    if (!isTreeWord(part)) for (const inner of part.parts) visit(inner);
    else if (part.pos !== EMPTY) words.push(part);
  };
  visit(tree);
  return words;
}

/** The chunks of a tree over its {@link treeWords}, in text order. */
export function chunksOfTree(tree: TreePhrase, kind: PhraseKind): Span[] {
  const root = nodeOf(tree, 0);
  if (kind === 'plain') return plainPhrases(root);
  const chunks = new ChunkFinder(root).chunks(treeWords(tree).map(({ pos }) => pos));
  return kind === 'basenp' ? chunks.filter(({ type }) => type === 'NP') : chunks;
}

/** Part of a tree, and where its words stand. */
interface Node {
  /** Category without function tags and indices; part of speech of a word. */
  readonly category: string;
  /** Whether the label has no function tags. */
  readonly isBare: boolean;
  readonly isWord: boolean;
  readonly start: number;
  readonly end: number;
  /** Parts that hold words. */
  readonly parts: readonly Node[];
}

function nodeOf(part: TreePart, start: number): Node {
  if (isTreeWord(part)) {
    const end = part.pos === EMPTY ? start : start + 1;
    return { category: part.pos, isBare: true, isWord: true, start, end, parts: [] };
  }
  let end = start;
  const parts: Node[] = [];
  for (const inner of part.parts) {
    const node = nodeOf(inner, end);
    end = node.end;
    if (node.end > node.start) parts.push(node);
  }
  const category = /^[^-=|]*/.exec(part.label)?.[0] ?? '';
  const isBare = part.label.replace(/[-=]\d+/g, '') === category;
  return { category, isBare, isWord: false, start, end, parts };
}

/** Phrases all of whose parts are words, in text order. */
function plainPhrases({ isWord, parts, category, start, end }: Node): Span[] {
  if (isWord || parts.length === 0) return [];
  if (parts.some((part) => !part.isWord)) return parts.flatMap(plainPhrases);
  return category === '' ? [] : [{ start, end, type: category }];
}

/** What a chunk of a type is made of. */
interface ChunkRule {
  /** Categories of phrases that belong to a chunk where they stand before its head. */
  readonly joins: ReadonlySet<string>;
  /** Parts of speech that can be its head. */
  readonly heads: RegExp;
  /** Categories of phrases that can be its head. */
  readonly inner: ReadonlySet<string>;
}

const WORDS = /^(?!(?:``|''|,|\.|:|-[LR][RSC]B-|\(|\)|CC|POS)$)/;
const NONE: ReadonlySet<string> = new Set();
const ADVERBS = new Set(['ADVP', 'WHADVP']);
const QUANTITIES = new Set(['QP']);
const NOUNS = new Set(['QP', 'NX', 'NAC', 'NML']);

const RULES: Readonly<Record<string, ChunkRule>> = {
  NP: {
    joins: new Set([...ADVERBS, ...NOUNS, 'ADJP', 'WHADJP', 'UCP', 'CONJP']),
    heads: WORDS,
    inner: NOUNS,
  },
  VP: { joins: ADVERBS, heads: /^(?:VB.?|MD|TO|AUXG?)$/, inner: NONE },
  PP: { joins: NONE, heads: /^(?:IN|TO|VB.|JJ|RP|CC|FW|\$|NN)$/, inner: NONE },
  ADVP: { joins: new Set([...ADVERBS, 'QP']), heads: WORDS, inner: QUANTITIES },
  ADJP: { joins: new Set([...ADVERBS, 'QP']), heads: WORDS, inner: QUANTITIES },
  SBAR: { joins: NONE, heads: /^IN$/, inner: NONE },
  PRT: { joins: NONE, heads: WORDS, inner: NONE },
  CONJP: { joins: NONE, heads: /^/, inner: NONE },
  INTJ: { joins: NONE, heads: WORDS, inner: NONE },
  LST: { joins: NONE, heads: WORDS, inner: NONE },
  UCP: { joins: NONE, heads: WORDS, inner: NONE },
};

/** Chunk types of categories that are not called like their chunks. */
const OTHER_TYPES: Readonly<Record<string, string>> = {
  WHNP: 'NP',
  NX: 'NP',
  NAC: 'NP',
  NML: 'NP',
  WHPP: 'PP',
  WHADVP: 'ADVP',
  WHADJP: 'ADJP',
};

/** Categories inside a phrase that is part of another chunk. */
const MAY_HOLD: ReadonlySet<string> = new Set([...RULES.NP.joins, 'NP', 'PRT']);

/** Words that separate two chunks of the same type. */
const SEPARATORS = /^(?:``|''|,|\.|:|-[LR][RSC]B-|\(|\)|CC)$/;

/** Words that are no chunk of a type beside phrases of it: `all` in `all the dogs`. */
const BESIDE_PHRASES = /^(?:CC|RB|PDT|IN|UH)$/;

/** Phrases whose first chunk goes on with the words before them. */
const GOING_ON: Readonly<Record<string, ReadonlySet<string>>> = { VP: new Set(['VP']), NP: NOUNS };

/** Chunk under way: it may still begin further left. */
type Chunk = { -readonly [K in keyof Span]: Span[K] };

/** Finds chunks from the top of a tree down. */
class ChunkFinder {
  private readonly found: Chunk[] = [];

  constructor(root: Node) {
    this.visit(root);
  }

  /** The chunks, in text order; a possessive marker begins one. @param tags parts of speech of all words. */
  chunks(tags: readonly string[]): Span[] {
    const chunks = this.found.sort((a, b) => a.start - b.start);
    const all: Span[] = [];
    let end = 0;
    for (const chunk of [...chunks, { start: tags.length, end: tags.length, type: '' }]) {
      for (let t = end; t < chunk.start; t++) {
        if (tags[t] === 'POS') all.push({ start: t, end: t + 1, type: 'NP' });
      }
      let { start } = chunk;
      for (let t = start + 1; t < chunk.end; t++) {
        if (chunk.type !== 'NP' || tags[t] !== 'POS') continue;
        all.push({ start, end: t, type: 'NP' });
        start = t;
      }
      if (chunk.end > start) all.push({ start, end: chunk.end, type: chunk.type });
      end = chunk.end;
    }
    return all;
  }

  /** Finds the chunks of a phrase; gives the one that begins with its first word, if there is one. */
  private visit(node: Node): Chunk | undefined {
    const type = typeOf(node);
    const first = this.found.length;
    if (type !== undefined)
      this.visitRuns(type, type === 'VP' ? node.parts.flatMap(withoutClause) : node.parts);
    else for (const part of node.parts) this.visit(part);
    return this.found.slice(first).find(({ start }) => start === node.start);
  }

  /** Visits the runs of parts that may be in one chunk, and the phrases between them. */
  private visitRuns(type: string, parts: readonly Node[]): void {
    const { joins } = RULES[type];
    for (let from = 0, to = 0; from < parts.length; from = to + 1) {
      to = from;
      while (to < parts.length && (parts[to].isWord || isPartOf(joins, parts[to]))) to++;
      const next = to < parts.length ? this.visit(parts[to]) : undefined;
      this.visitRun(type, parts, from, to, next);
    }
  }

  /** Makes chunks of `parts[from … to − 1]`. @param next the chunk that the phrase behind them begins with. */
  private visitRun(type: string, parts: readonly Node[], from: number, to: number, next?: Chunk): void {
    const run = parts.slice(from, to);
    const isBeside = type !== 'PP' && parts.some((part) => typeOf(part) === type);
    const head = run.findLastIndex((part) => isHead(RULES[type], part, isBeside));
    const first = run.findIndex((part, i) => i === head || !isSeparator(part));
    // A possessive marker belongs to what is possessed.
    const marker =
      from > 0 && first === 0 && type === 'NP' && lastWord(parts[from - 1]).category === 'POS' ? 1 : 0;
    const cut = 1 + run.findLastIndex(isSeparator);
    const goesOn = next?.type === type && GOING_ON[type]?.has(parts[to].category) === true;
    if (goesOn && cut < run.length) {
      next.start = run[cut > head ? cut : first].start;
      if (cut <= head) return;
    }
    if (head >= 0) this.found.push({ start: run[first].start - marker, end: run[head].end, type });
    for (const part of run.slice(head + 1, goesOn ? cut : run.length)) this.visit(part);
  }
}

function typeOf({ category, isWord }: Node): string | undefined {
  if (isWord) return undefined;
  return Object.hasOwn(RULES, category) ? category : OTHER_TYPES[category];
}

function isSeparator({ isWord, category }: Node): boolean {
  return isWord && SEPARATORS.test(category);
}

/** Whether a part can be a head. @param isBeside whether phrases of the same type stand beside it. */
function isHead({ heads, inner }: ChunkRule, { isWord, category }: Node, isBeside: boolean): boolean {
  if (!isWord) return inner.has(category);
  return heads.test(category) && !(isBeside && BESIDE_PHRASES.test(category));
}

/** Whether a phrase belongs to a chunk that goes on behind it: it holds no phrase that is a chunk by itself. */
function isPartOf(joins: ReadonlySet<string>, node: Node): boolean {
  const mayHold = joins === RULES.NP.joins && !ADVERBS.has(node.category) ? MAY_HOLD : joins;
  const isFlat = ({ parts }: Node): boolean =>
    parts.every((part) => part.isWord || (mayHold.has(part.category) && isFlat(part)));
  return joins.has(node.category) && isFlat(node);
}

/** The parts of a clause without a subject of its own (wants *to go*), which goes on with the verbs before it. */
function withoutClause(part: Node): readonly Node[] {
  return part.category === 'S' && part.isBare && part.parts[0]?.category === 'VP' ? part.parts : [part];
}

function lastWord(node: Node): Node {
  const last = node.parts.at(-1);
  return last === undefined ? node : lastWord(last);
}
