import { basename, extname } from 'node:path';
import { OptionError, quote } from '../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../base/options.js';
import { encodeUtf8 } from '../base/utf8.js';
import { writeBytes } from '../node/files.js';
import { chartToSvg } from '../report/chart.js';
import { chartsOf, type Report, reportToHtml, reportToMarkdown } from '../report/report.js';

/** `--report`. */
export const REPORT_OPTION: OptionDeclaration = {
  name: 'report',
  kind: 'string',
  placeholder: 'FILE',
  file: 'written',
  help: 'write a report with plots: .html (one page), .md (plots beside it) or .svg (the first plot)',
};

const EXTENSIONS = ['.html', '.md', '.svg'];

/** The file of `--report`, if it is given. @throws OptionError where its extension is none of a report. */
export function reportPath(options: OptionValues): string | undefined {
  if (options.report === undefined) return undefined;
  const path = String(options.report);
  if (EXTENSIONS.includes(extname(path))) return path;
  throw new OptionError('report', `--report: expected a name with .html, .md or .svg, found ${quote(path)}`);
}

/** Writes a report, in the format that the extension says; the plots of Markdown go beside it, numbered. */
export async function writeReport(path: string, report: Report): Promise<void> {
  const charts = chartsOf(report);
  const write = (name: string, text: string) => writeBytes(name, encodeUtf8(text));
  if (extname(path) === '.html') return write(path, reportToHtml(report));
  if (extname(path) === '.svg') {
    if (charts.length === 0) throw new OptionError('report', `--report ${path}: there is nothing to plot`);
    return write(path, chartToSvg(charts[0]));
  }
  const stem = path.slice(0, -extname(path).length);
  for (const [i, chart] of charts.entries()) await write(`${stem}-${i + 1}.svg`, chartToSvg(chart));
  await write(
    path,
    reportToMarkdown(report, (i) => `${basename(stem)}-${i + 1}.svg`),
  );
}
