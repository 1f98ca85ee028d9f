/**
 * Feature templates as data: a template is a conjunction of nodes, and fires one feature per combination of
 * values it meets. Templates are made by {@link token} and {@link label}, or read from text (`template-syntax.ts`)
 * or from CRF++ and Wapiti files (`crfpp-template.ts`).
 */

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

/** One part of a template. */
export type TemplateNode = TokenNode | LabelNode;

/** A conjunction of nodes; every node must have a value for the feature to fire. */
export interface Template {
  /** The parts; empty for the constant feature (bias). */
  readonly nodes: readonly TemplateNode[];
}

/** A named list of templates. */
export interface TemplateSet {
  /** Name as used by `--templates`, or the file it was read from. */
  readonly name: string;
  /** The templates, without repetition. */
  readonly templates: readonly Template[];
}
