import { quote } from '../../base/errors.js';
import type { GivenColumns, InputUnit, SentenceLabels } from './input-unit.js';

/** A value as a cell of a column file, which holds no blanks and is not empty. */
export function cellOf(value: string): string {
  return value.replace(/[ \t\r\n]/g, '_') || '_';
}

/** Whether a value has characters other than the blanks that part cells and lines. */
export function isFilled(value: string): boolean {
  return /[^ \t\r\n]/.test(value);
}

/**
 * Why a text format cannot hold strings, if it cannot: NUL, which no text has, and halves of pairs of UTF-16, which UTF-8 does
 * not have.
 */
export function notText(...strings: readonly (readonly string[])[]): string | undefined {
  for (const list of strings) {
    for (const text of list) {
      // Most strings have no surrogates at all, which an expression by units tells sooner.
      if (/[\0\ud800-\udfff]/.test(text) && /[\0\p{Cs}]/u.test(text))
        return `no place for NUL or half a pair of UTF-16, found ${quote(text)}`;
    }
  }
  return undefined;
}

/** The cells wanted that tokens have. */
export function givenColumns(
  words: readonly string[],
  names: readonly string[],
  read: (token: number, name: string) => string | undefined,
): GivenColumns {
  const columns: Record<string, readonly (string | undefined)[]> = { word: words };
  for (const name of names) {
    if (name === 'word') continue;
    const cells = words.map((_, t) => read(t, name));
    if (cells.some((cell) => cell !== undefined)) columns[name] = cells;
  }
  return columns;
}

/**
 * [T] the cells of a labelled sentence that models filled: their labels, and what was not given.
 *
 * @param withTags whether tags of chunks are among them.
 */
export function filledCells(
  { columns, labelColumn, chunks }: SentenceLabels,
  given: GivenColumns,
  withTags: boolean,
): Map<string, string>[] {
  const { word: _, ...others } = columns;
  const isChanged = (name: string, t: number) =>
    name === labelColumn ? withTags || chunks === undefined : given[name]?.[t] === undefined;
  return given.word.map((_word, t) => {
    const names = Object.keys(others).filter((name) => isChanged(name, t));
    return new Map(names.map((name) => [name, columns[name][t]]));
  });
}

/** A unit of lines without words. */
export function wordless(raw: string | Uint8Array): InputUnit {
  return { problem: undefined, sentences: [], raw, ...(typeof raw === 'string' && { relabel: () => raw }) };
}
