import type { OptionValue } from '../base/options.js';

/** Columns of a terminal that does not tell. */
const USUAL_COLUMNS = 80;
let isQuiet = false;

/** Leaves out progress and summaries from now on; warnings, errors and results stay. */
export function beQuiet(): void {
  isQuiet = true;
}

/** Whether there is a person to see progress: standard error is a terminal, and --quiet is not given. */
export function showsProgress(): boolean {
  return process.stderr.isTTY === true && !isQuiet;
}

/** Columns of the terminal, at least 20. */
export function terminalColumns(): number {
  return Math.max(20, process.stdout.columns ?? process.stderr.columns ?? USUAL_COLUMNS);
}

/**
 * Shows what is being done: a line on standard error that replaces the one before it, cut to the terminal's width.
 *
 * @param text what to show; empty removes the line.
 */
export function showStatus(text: string): void {
  if (!showsProgress()) return;
  const columns = process.stderr.columns ?? USUAL_COLUMNS;
  // A line of full width would leave debris on the next.
  const shown = text.length < columns ? text : `${text.slice(0, Math.max(0, columns - 2))}…`;
  process.stderr.write(`\r\x1b[K${shown}`);
}

/**
 * Whether output has colours: as `--color` says, else as NO_COLOR (https://no-color.org) and FORCE_COLOR say, else where it is a
 * terminal.
 */
export function usesColour(choice: OptionValue | undefined, isTerminal: boolean): boolean {
  if (choice === 'always' || choice === 'never') return choice === 'always';
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && TERM !== 'dumb';
}
