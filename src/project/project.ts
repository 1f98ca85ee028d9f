import { listNames, quote, SpanwrightError, show } from '../base/errors.js';
import type { CharacterSpan } from '../data/span.js';
import { TOKENIZER_HELP, type TokenizerName } from '../text/tokenizer-names.js';

/** One set of labels over a text. Its spans do not overlap; those of several layers may. */
export interface ProjectLayer {
  /** Name. */
  readonly name: string;
  /** Labels in the order of their keys: 1 to 9, then 0. */
  readonly labels: readonly string[];
}

/** An order in which sentences come up. */
export type Strategy = 'mixed' | 'unsure' | 'random' | 'document';

/** Orders in which sentences come up, with what each does. */
export const STRATEGIES: Readonly<Record<Strategy, string>> = {
  mixed: 'at random to 300 sentences, then least sure first, one in five at random throughout',
  unsure: 'least sure first',
  random: 'at random',
  document: 'as they stand in the document',
};

/** A project: texts, labels, and how people work on them. */
export interface Project {
  /** Name in addresses: a-z, 0-9 and -. */
  readonly id: string;
  /** Title. */
  readonly title: string;
  /** Milliseconds since 1970 at which it was made. */
  readonly created: number;
  /** How labels are to be used, for those who annotate. */
  readonly guidelines: string;
  /** How texts without tokens are cut. */
  readonly tokenizer: TokenizerName;
  /** Layers; at least one. */
  readonly layers: readonly ProjectLayer[];
  /** Order of the sentences. */
  readonly strategy: Strategy;
  /** Share of the sentences that two people get, 0 to 1. */
  readonly overlap: number;
  /** Whether it lies in the trash. */
  readonly trashed?: boolean | undefined;
}

/** A document as stores keep it. Its text never changes. */
export interface StoredDocument {
  /** Name in addresses. */
  readonly id: string;
  /** Title: a file's name, or what the input calls it. */
  readonly title: string;
  /** The text, as it was in the input. */
  readonly text: string;
  /** Packed: the number of tokens of each sentence. */
  readonly sentences: string;
  /** Packed: for each token the characters since the one before, and its length. */
  readonly tokens: string;
  /** Words that models read where they differ from the text: quotes and brackets as treebanks write them. */
  readonly spellings?: readonly (readonly [token: number, word: string])[] | undefined;
  /** [T] cells of further columns. */
  readonly columns?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Spans that came with the text, by layer. */
  readonly given?: Readonly<Record<string, readonly CharacterSpan[]>> | undefined;
  /** Whether these count as annotated. */
  readonly isGold?: boolean | undefined;
}

/** What lists say of a document. */
export interface DocumentEntry {
  /** Name in addresses. */
  readonly id: string;
  /** Title. */
  readonly title: string;
  /** Number of sentences. */
  readonly sentences: number;
  /** Number of tokens. */
  readonly tokens: number;
  /** Whether spans that came with it count as annotated. */
  readonly isGold?: boolean | undefined;
}

/** What names of projects, documents and annotators are made of. */
export const ID_PATTERN = /^[a-z0-9-]{1,64}$/;
/** Most UTF-16 units of a document's text. */
export const MOST_DOCUMENT = 20_000_000;
const MOST_LABELS = 500;
const MOST_LAYERS = 20;

/** Refuses what is no name. @param what it would name. */
export function checkId(what: string, id: unknown): asserts id is string {
  if (typeof id === 'string' && ID_PATTERN.test(id)) return;
  throw new SpanwrightError(
    'bad-request',
    `${what}: expected a name of a-z, 0-9 and -, at most 64, found ${show(id)}`,
  );
}

/** A name made of a title: small letters, digits and hyphens. */
export function idOf(title: string): string {
  const plain = title.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  return (
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 48) || 'project'
  );
}

/** Refuses a project that is not as it should be. */
export function checkProject(value: unknown): Project {
  const refuse = (name: string, expected: string, found: unknown): never => {
    throw new SpanwrightError('bad-request', `project, ${name}: expected ${expected}, found ${show(found)}`);
  };
  if (typeof value !== 'object' || value === null) return refuse('whole', 'an object', value);
  const { id, title, created, guidelines, tokenizer, layers, strategy, overlap, trashed } = value as Project;
  checkId('project', id);
  if (typeof title !== 'string' || title === '' || title.length > 200)
    refuse('title', '1 to 200 characters', title);
  if (!Number.isSafeInteger(created)) refuse('created', 'milliseconds since 1970', created);
  if (typeof guidelines !== 'string' || guidelines.length > 200_000)
    refuse('guidelines', 'a text', guidelines);
  if (!Object.hasOwn(TOKENIZER_HELP, tokenizer))
    refuse('tokenizer', listNames(Object.keys(TOKENIZER_HELP)), tokenizer);
  if (!Object.hasOwn(STRATEGIES, strategy)) refuse('strategy', listNames(Object.keys(STRATEGIES)), strategy);
  if (typeof overlap !== 'number' || !(overlap >= 0 && overlap <= 1))
    refuse('overlap', 'a number from 0 to 1', overlap);
  if (!Array.isArray(layers) || layers.length === 0 || layers.length > MOST_LAYERS)
    refuse('layers', `a list of 1 to ${MOST_LAYERS}`, layers);
  for (const { name, labels } of layers) {
    if (!isName(name)) refuse('layer', 'a name', name);
    if (!Array.isArray(labels) || labels.length > MOST_LABELS || !labels.every(isName)) {
      refuse(`layer ${quote(name)}`, `at most ${MOST_LABELS} labels without blanks`, labels);
    }
    if (new Set(labels).size < labels.length) refuse(`layer ${quote(name)}`, 'each label once', labels);
  }
  const names = layers.map(({ name }) => name);
  if (new Set(names).size < names.length) refuse('layers', 'each name once', names);
  return {
    id,
    title,
    created,
    guidelines,
    tokenizer,
    layers,
    strategy,
    overlap,
    ...(trashed === true && { trashed }),
  };
}

/** Whether a value can name a label or a layer. */
function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 100 && /^[^\s\p{C}]+$/u.test(value);
}
