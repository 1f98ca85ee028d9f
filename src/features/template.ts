/**
 * Feature templates as data: a template is a conjunction of nodes, and fires one feature per combination of
 * values it meets. Templates are made by {@link token} and {@link label}, or read from text (`template-syntax.ts`)
 * or from CRF++ and Wapiti files (`crfpp-template.ts`).
 */
import { checkArgument } from '../base/arguments.js';
import { InputError, OptionError, quote } from '../base/errors.js';

/** Reads a view of the token at an offset. */
export interface TokenNode {
  /** Discriminates token nodes from label nodes. */
  readonly kind: 'token';
  /** A column and what is made of it: `word`, `word.suffix3`, `pos`; see `views.ts`. */
  readonly view: string;
  /** Position relative to the current token, in text order: −1 is the token to the left. */
  readonly offset: number;
}

/** Reads a label assigned earlier, in reading order. */
export interface LabelNode {
  /** Discriminates label nodes from token nodes. */
  readonly kind: 'label';
  /** −1: the label read just before; −2: the one before that. */
  readonly offset: -1 | -2;
}

/** Reads a view of a token counted from a chunk's first or last one; for models of whole chunks. */
export interface EdgeNode {
  /** Discriminates kinds of nodes. */
  readonly kind: 'first' | 'last';
  /** As {@link TokenNode.view}. */
  readonly view: string;
  /** Position relative to that token, in text order: first, −1 is the token before the chunk. */
  readonly offset: number;
}

/** Reads a view of a chunk's tokens in a row: of all, or of those that have a value; for models of whole chunks. */
export interface SequenceNode {
  /** Discriminates kinds of nodes. */
  readonly kind: 'all' | 'some';
  /** As {@link TokenNode.view}. */
  readonly view: string;
}

/**
 * Reads a view of the token that stands between a chunk's last tokens and as many that are alike before it (NN CC NN,
 * DT JJ NN , JJ NN); without a value where there is none. For models of whole chunks.
 */
export interface SymmetryNode {
  /** Discriminates kinds of nodes. */
  readonly kind: 'symmetry';
  /** As {@link TokenNode.view}; tokens are alike that have a value, and the same. */
  readonly view: string;
}

/** Reads a chunk's number of tokens, up to 10; for models of whole chunks. */
export interface LengthNode {
  /** Discriminates kinds of nodes. */
  readonly kind: 'length';
}

/** A node that needs a chunk. */
export type ChunkNode = EdgeNode | SequenceNode | SymmetryNode | LengthNode;

/** One part of a template. */
export type TemplateNode = TokenNode | LabelNode | ChunkNode;

/** A conjunction of nodes; every node must have a value for the feature to fire. */
export interface Template {
  /** The parts; empty for the constant feature (bias). */
  readonly nodes: readonly TemplateNode[];
}

/** A named list of templates. */
export interface TemplateSet {
  /** Name as used by `--templates`, or the file it was read from. */
  readonly name: string;
  /** The templates, without repetition; the constant feature is always among them. */
  readonly templates: readonly Template[];
  /** What was read otherwise than it stands in the text that the set is from. */
  readonly notes?: readonly string[] | undefined;
}

/** Farthest token a template may read, to either side. */
export const MAX_OFFSET = 8;

/** Longer chunks count as of this length. */
export const MAX_LENGTH = 10;

/** A node that reads a view of the token at an offset, −8 … 8. */
export function token(view: string, offset: number): TokenNode {
  return Object.freeze({ kind: 'token', view, offset: offset + 0 }); // + 0 turns −0 into 0
}

/** A node that reads the label before (−1), or the one before that (−2), in reading order. */
export function label(offset: -1 | -2): LabelNode {
  return Object.freeze({ kind: 'label', offset });
}

/** A node that reads a view at an offset, −8 … 8, from a chunk's first token. */
export function first(view: string, offset: number): EdgeNode {
  return Object.freeze({ kind: 'first', view, offset: offset + 0 });
}

/** A node that reads a view at an offset, −8 … 8, from a chunk's last token. */
export function last(view: string, offset: number): EdgeNode {
  return Object.freeze({ kind: 'last', view, offset: offset + 0 });
}

/** A node that reads a view of all tokens of a chunk; without a value where one of them has none. */
export function all(view: string): SequenceNode {
  return Object.freeze({ kind: 'all', view });
}

/** A node that reads a view of those tokens of a chunk that have a value; without a value where none has. */
export function some(view: string): SequenceNode {
  return Object.freeze({ kind: 'some', view });
}

/** A node that reads what stands between tokens alike at a chunk's end; see {@link SymmetryNode}. */
export function symmetry(view: string): SymmetryNode {
  return Object.freeze({ kind: 'symmetry', view });
}

/** A node that reads a chunk's length. */
export function length(): LengthNode {
  return Object.freeze({ kind: 'length' });
}

/** The conjunction of some nodes; of none, the constant feature (bias). */
export function template(...nodes: TemplateNode[]): Template {
  return Object.freeze({ nodes: Object.freeze(nodes) });
}

/** A template's canonical text form: `word[-1] word[0]`, `label[-1] pos[0]`; the constant feature is `bias`. */
export function templateName(template: Template): string {
  return template.nodes.length === 0 ? 'bias' : template.nodes.map(nodeName).join(' ');
}

/** Whether a node needs a chunk. */
export function isChunkNode(node: TemplateNode): node is ChunkNode {
  return node.kind !== 'token' && node.kind !== 'label';
}

/** Whether a template needs a chunk. */
export function readsChunk(template: Template): boolean {
  return template.nodes.some(isChunkNode);
}

/** How many labels back a template reads; a chunk's templates read none, but the type of the chunk before. */
export function historyOrder(template: Template): 0 | 1 | 2 {
  if (readsChunk(template)) return 0;
  const reads = (offset: number) =>
    template.nodes.some((node) => node.kind === 'label' && node.offset === offset);
  if (reads(-2)) return 2;
  return reads(-1) ? 1 : 0;
}

/** The set without the templates that read further back than `order` labels. */
export function withinOrder(set: TemplateSet, order: 0 | 1 | 2): TemplateSet {
  return makeSet(
    set.name,
    set.templates.filter((template) => historyOrder(template) <= order),
  );
}

/**
 * A checked set of templates; the constant feature is added at the end if it is missing.
 *
 * @throws OptionError for an offset out of range, a repeated node or template (in whatever order of nodes), and
 *   label₋₂ joined with tokens.
 */
export function templateSet(name: string, templates: readonly Template[]): TemplateSet {
  checkArgument('templates', templates, 'templateList');
  const seen = new Set<string>();
  for (const template of templates) checkTemplate(template, seen);
  return makeSet(name, templates);
}

/**
 * A checked set of templates from text, whatever its syntax.
 *
 * @param source names the text in messages, and the set.
 * @param parseLine the templates of one line, none for blank lines and comments; throws OptionError.
 * @throws InputError with the line of whatever `parseLine` or {@link templateSet} would refuse, and for a text
 *   without any template.
 */
export function templateSetFromLines(
  text: string,
  source: string,
  parseLine: (line: string) => readonly Template[],
): TemplateSet {
  const templates: Template[] = [];
  const seen = new Set<string>();
  text.split(/\r?\n/).forEach((line, index) => {
    try {
      for (const template of parseLine(line)) {
        checkTemplate(template, seen);
        templates.push(template);
      }
    } catch (error) {
      throw error instanceof OptionError ? new InputError({ source, line: index + 1 }, error.message) : error;
    }
  });
  if (templates.length === 0) throw new InputError({ source }, 'expected at least one template, found none');
  return makeSet(source, templates);
}

function makeSet(name: string, templates: readonly Template[]): TemplateSet {
  const hasBias = templates.some((template) => template.nodes.length === 0);
  return Object.freeze({
    name,
    templates: Object.freeze(hasBias ? [...templates] : [...templates, template()]),
  });
}

function nodeName(node: TemplateNode): string {
  switch (node.kind) {
    case 'token':
      return `${node.view}[${node.offset}]`;
    case 'label':
      return `label[${node.offset}]`;
    case 'first':
    case 'last':
      return `${node.kind}(${node.view})[${node.offset}]`;
    case 'all':
    case 'some':
    case 'symmetry':
      return `${node.kind}(${node.view})`;
    case 'length':
      return 'length';
  }
}

/** Refuses a template that makes no sense, or whose conjunction is already among those seen. */
function checkTemplate(template: Template, seen: Set<string>): void {
  const refuse = (problem: string): never => {
    throw new OptionError('templates', `template ${quote(templateName(template))}: ${problem}`);
  };
  const { nodes } = template;
  for (const node of nodes) {
    if (node.kind === 'label') {
      if (node.offset !== -1 && node.offset !== -2) {
        refuse(`expected label[-1] or label[-2], found ${nodeName(node)}`);
      }
      continue;
    }
    if ('view' in node && node.view === 'label') {
      refuse('expected a view of a column, found label, which is the name of the labels read before');
    }
    if ('offset' in node && (!Number.isInteger(node.offset) || Math.abs(node.offset) > MAX_OFFSET)) {
      refuse(`expected an offset from -${MAX_OFFSET} to ${MAX_OFFSET}, found ${nodeName(node)}`);
    }
  }
  // A conjunction does not depend on the order of its nodes.
  const names = nodes.map(nodeName).sort();
  const repeated = names.find((name, i) => name === names[i + 1]);
  if (repeated !== undefined) refuse(`expected each node once, found ${repeated} twice`);
  if (historyOrder(template) === 2 && nodes.some((node) => node.kind === 'token')) {
    refuse('expected label[-1] where a label is joined with tokens, found label[-2]');
  }
  if (readsChunk(template)) {
    const token = nodes.find((node) => node.kind === 'token');
    if (token) refuse(`expected first(…) or last(…) beside other nodes of a chunk, found ${nodeName(token)}`);
    // What reads the type before and more than where a chunk begins would multiply the states of the search.
    const other = nodes.find((node) => node.kind !== 'first' && node.kind !== 'label');
    if (nodes.some((node) => node.kind === 'label' && node.offset === -2))
      refuse('expected label[-1], the type of the chunk before, found label[-2]');
    if (other && nodes.some((node) => node.kind === 'label'))
      refuse(`expected first(…) beside label[-1], found ${nodeName(other)}`);
  }
  const key = names.join(' ');
  if (seen.has(key)) refuse('expected each template once, found it again');
  seen.add(key);
}
