/**
 * Sentences as lists, a JSON object a line, as data sets for token classification have them:
 * `{"tokens": ["Ana", "ran"], "ner_tags": ["B-PER", "O"]}`.
 */
import { InputError, type InputPlace, show } from '../../base/errors.js';
import { jsonMembers, jsonObject } from './json-source.js';

/** Keys that hold labels, the likeliest first. */
const TAG_KEYS = ['tags', 'ner_tags', 'labels', 'ner', 'chunk_tags', 'pos_tags'];

/** A sentence as lists. */
export interface TokenLists {
  /** [T] words. */
  readonly tokens: readonly string[];
  /** [T] cells by column: lists by their keys, and without `_tags`. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  /** Key of the labels, where there are any. */
  readonly tagKey: string | undefined;
  /** The line. */
  readonly source: string;
}

/** Whether a line looks like one: tokens are strings, and there is no text. */
export function isTokenLists(line: string): boolean {
  return /"(?:tokens|words)"\s*:\s*\[\s*"/.test(line) && !/"text"\s*:\s*"/.test(line);
}

/**
 * Reads a line.
 *
 * @param label name of the column of labels: the key that holds them, if it is one.
 * @throws InputError saying what is not as it should be.
 */
export function parseTokenLists(line: string, place: InputPlace, label: string): TokenLists {
  const fail = (problem: string): never => {
    throw new InputError(place, problem);
  };
  let json: Record<string, unknown>;
  try {
    json = JSON.parse(line) as Record<string, unknown>;
  } catch (error) {
    return fail(`expected a JSON object: ${(error as Error).message}`);
  }
  const tokens = json.tokens ?? json.words;
  if (!isStrings(tokens)) return fail(`expected a list of strings "tokens", found ${show(tokens)}`);
  const lists = new Map<string, readonly string[]>();
  for (const [key, value] of Object.entries(json)) {
    if (value === tokens || !Array.isArray(value) || value.length !== tokens.length) continue;
    if (!isStrings(value)) continue;
    for (const name of [key, key.replace(/_tags$/, '')]) lists.set(name, value.map(asCell));
  }
  const keys = [label, `${label}_tags`, ...TAG_KEYS];
  const tagKey = keys.find((key) => lists.has(key) && Object.hasOwn(json, key));
  const other = keys.find((key) => Array.isArray(json[key]));
  if (tagKey === undefined && other !== undefined) {
    const list = json[other] as unknown[];
    if (list.some((tag) => typeof tag === 'number')) {
      fail(
        `expected tags by name in "${other}", found numbers: replace them by the names of the data set's features`,
      );
    }
    if (list.length !== tokens.length)
      fail(`expected ${tokens.length} tags in "${other}", one a token, found ${list.length}`);
  }
  if (tagKey !== undefined) lists.set(label, lists.get(tagKey) as readonly string[]);
  return { tokens: tokens.map(asCell), lists, tagKey, source: line };
}

/** The line with other labels, under the key where they were, else under `tags`. */
export function relabelTokenLists({ source, tagKey = 'tags' }: TokenLists, tags: readonly string[]): string {
  return jsonObject(jsonMembers(source).set(tagKey, JSON.stringify(tags)));
}

/** A cell has no blanks. */
function asCell(text: string): string {
  return text.replace(/\s/g, '_') || '_';
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
