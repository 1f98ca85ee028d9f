/** Columns of CoNLL-U. */
const CONLLU_COLUMNS = 10;

/**
 * Says what a file with rows of different lengths may be, and which option reads it.
 *
 * @param lines of the sentence where that was found.
 * @param tabs whether single tabs were taken for what separates columns.
 * @param hasComments whether lines that are comments are known.
 */
export function hintOf(lines: readonly string[], tabs: boolean, hasComments: boolean): string {
  if (looksLikeConllu(lines)) return 'is it CoNLL-U? --input-format conllu';
  if (!hasComments && lines.some((line) => line.startsWith('#'))) {
    return "are lines that begin with # comments? --comments '#'";
  }
  const hasTabs = lines.every((line) => line.includes('\t'));
  if (!tabs && hasTabs) return 'is there a blank inside a cell? --separator tab';
  if (lines.length === 1 && /[.!?]["')\]]?\s*$/.test(lines[0])) {
    return 'is it text without columns? label --text reads that';
  }
  return tabs
    ? 'is a tab missing, or one too many?'
    : 'is there a blank inside a cell? --separator tab, where tabs separate columns';
}

/** Whether lines are those of a CoNLL-U sentence: ten cells parted by tabs, of which the first counts the words. */
export function looksLikeConllu(lines: readonly string[]): boolean {
  const rows = lines.filter((line) => !line.startsWith('#')).map((line) => line.split('\t'));
  const words = rows.filter(([id]) => /^\d+$/.test(id));
  return (
    words.length > 0 &&
    rows.every((cells) => cells.length === CONLLU_COLUMNS && /^\d+([-.]\d+)?$/.test(cells[0])) &&
    words.every(([id], w) => id === String(w + 1))
  );
}
