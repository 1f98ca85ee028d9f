import type { GivenColumns, InputUnit, SentenceLabels } from './input-unit.js';

/** The cells wanted that tokens have. */
export function givenColumns(
  words: readonly string[],
  names: readonly string[],
  cellOf: (token: number, name: string) => string | undefined,
): GivenColumns {
  const columns: Record<string, readonly (string | undefined)[]> = { word: words };
  for (const name of names) {
    if (name === 'word') continue;
    const cells = words.map((_, t) => cellOf(t, name));
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
  const isFilled = (name: string, t: number) =>
    name === labelColumn ? withTags || chunks === undefined : given[name]?.[t] === undefined;
  return given.word.map((_word, t) => {
    const names = Object.keys(others).filter((name) => isFilled(name, t));
    return new Map(names.map((name) => [name, columns[name][t]]));
  });
}

/** A unit of lines without words. */
export function wordless(raw: string | Uint8Array): InputUnit {
  return { problem: undefined, sentences: [], raw, ...(typeof raw === 'string' && { relabel: () => raw }) };
}
