/** Reports: headings, text, tables and charts, once; written as plain text, Markdown or a self-contained HTML page. */
import { checkArgument } from '../base/arguments.js';
import { printableLines } from '../base/errors.js';
import { type Chart, chartToSvg, escapeXml } from './chart.js';

/** A piece of text in a cell that is written as it is, or marked as wrong. */
export interface Run {
  /** The text. */
  readonly text: string;
  /** Whether it is to stand out. */
  readonly marked: boolean;
}

/** Content of a table's cell. */
export type Cell = string | number | readonly Run[];

/** A table; columns of nothing but numbers, written or not, are set right. */
export interface Table {
  /** Kind of the block. */
  readonly kind: 'table';
  /** Heads of the columns. */
  readonly columns: readonly string[];
  /** Rows of as many cells. */
  readonly rows: readonly (readonly Cell[])[];
}

/** A heading or a paragraph. */
export interface TextBlock {
  /** Which of them. */
  readonly kind: 'heading' | 'text';
  /** Its text. */
  readonly text: string;
}

/** A plot. */
export interface Figure {
  /** Kind of the block. */
  readonly kind: 'chart';
  /** The plot. */
  readonly chart: Chart;
}

/** A part of a report. */
export type Block = TextBlock | Table | Figure;

/** A report. */
export interface Report {
  /** Title. */
  readonly title: string;
  /** Its parts in order. */
  readonly blocks: readonly Block[];
}

/** The report for a terminal; charts are left out. */
export function reportToText(report: Report): string {
  checkArgument('report', report, 'report');
  const { title, blocks } = report;
  const parts = blocks.map((block) => {
    if (block.kind === 'chart') return '';
    if (block.kind === 'table') return tableToText(block);
    return block.kind === 'text' ? `${block.text}\n` : `\n${block.text}\n${'-'.repeat(block.text.length)}\n`;
  });
  return `${title}\n${'='.repeat(title.length)}\n${parts.join('')}`;
}

/**
 * The report in Markdown.
 *
 * @param chartName gives the address of the chart with that number, from 0, which the caller writes; charts are left
 *   out where it is absent.
 */
export function reportToMarkdown(report: Report, chartName?: (number: number) => string): string {
  checkArgument('report', report, 'report');
  const { title, blocks } = report;
  let charts = 0;
  const parts = blocks.flatMap((block) => {
    if (block.kind === 'table') return [markdownTable(block)];
    if (block.kind === 'chart') {
      return chartName ? [`![${escapeMarkdown(block.chart.title)}](${chartName(charts++)})`] : [];
    }
    return [`${block.kind === 'heading' ? '## ' : ''}${escapeMarkdown(block.text)}`];
  });
  return `${[`# ${escapeMarkdown(title)}`, ...parts].join('\n\n')}\n`;
}

/** The report as one HTML page with its charts inside. */
export function reportToHtml(report: Report): string {
  checkArgument('report', report, 'report');
  const { title, blocks } = report;
  const parts = blocks.map((block) => {
    if (block.kind === 'table') return htmlTable(block);
    if (block.kind === 'chart') return `<figure>${chartToSvg(block.chart)}</figure>`;
    const tag = block.kind === 'heading' ? 'h2' : 'p';
    return `<${tag}>${escapeXml(block.text)}</${tag}>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeXml(title)}</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}
th,td{padding:.2rem .7rem;border-bottom:1px solid #8884;text-align:left;vertical-align:top}
.number{text-align:right;font-variant-numeric:tabular-nums}
mark{background:#ffd9b3;color:inherit}
figure{margin:1rem 0;overflow-x:auto}
svg{max-width:100%;height:auto}
@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#1b1b1b}mark{background:#7a3b00}}
</style>
<h1>${escapeXml(title)}</h1>
${parts.join('\n')}
</html>
`;
}

/** The charts of a report, in order. */
export function chartsOf({ blocks }: Report): Chart[] {
  return blocks.flatMap((block) => (block.kind === 'chart' ? [block.chart] : []));
}

function numeric({ rows }: Table, column: number): boolean {
  return rows.length > 0 && rows.every((row) => /^[\d.,]*$/.test(String(row[column])));
}

/** @param mark writes a run that stands out. */
function cellText(cell: Cell, mark: (text: string) => string, plain = (text: string) => text): string {
  if (typeof cell === 'string') return plain(cell);
  if (typeof cell === 'number') return String(cell);
  return cell.map(({ text, marked }) => (marked ? mark(plain(text)) : plain(text))).join('');
}

/** A table for a terminal. */
export function tableToText(table: Table): string {
  const rows = [
    [...table.columns],
    ...table.rows.map((row) => row.map((cell) => cellText(cell, (text) => `*${text}*`))),
  ];
  const widths = table.columns.map((_, c) => rows.reduce((most, row) => Math.max(most, row[c].length), 0));
  const isNumeric = table.columns.map((_, c) => numeric(table, c));
  const line = (row: readonly string[]) =>
    row
      .map((cell, c) => (isNumeric[c] ? cell.padStart(widths[c]) : cell.padEnd(widths[c])))
      .join('  ')
      .trimEnd();
  return `${rows.map(line).join('\n')}\n`;
}

function markdownTable(table: Table): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = table.columns.map((_, c) => (numeric(table, c) ? '---:' : '---'));
  const cells = table.rows.map((own) =>
    row(own.map((cell) => cellText(cell, (text) => `**${text}**`, escapeMarkdown))),
  );
  return [row(table.columns.map(escapeMarkdown)), row(rule), ...cells].join('\n');
}

function htmlTable(table: Table): string {
  const isNumeric = table.columns.map((_, c) => numeric(table, c));
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell, c) => `<${tag}${isNumeric[c] ? ' class="number"' : ''}>${cell}</${tag}>`).join('')}</tr>`;
  const body = table.rows.map((own) =>
    row(
      own.map((cell) => cellText(cell, (text) => `<mark>${text}</mark>`, escapeXml)),
      'td',
    ),
  );
  return `<table>${row(table.columns.map(escapeXml), 'th')}${body.join('')}</table>`;
}

function escapeMarkdown(text: string): string {
  return printableLines(text.replace(/[\\`*_[\]<>|#]/g, (character) => `\\${character}`)).replace(
    /\s*\n\s*/g,
    ' ',
  );
}
