import { describe, expect, it } from 'vitest';
import { type Report, reportToHtml, reportToMarkdown, reportToText } from '../../src/report/report.js';

const report: Report = {
  title: 'Two *systems*',
  blocks: [
    { kind: 'heading', text: 'Part' },
    { kind: 'text', text: 'a | b' },
    {
      kind: 'table',
      columns: ['name', 'F'],
      rows: [
        ['<b>', 9],
        [
          [
            { text: 'right ', marked: false },
            { text: 'wrong|', marked: true },
          ],
          '10.25',
        ],
      ],
    },
    {
      kind: 'chart',
      chart: { kind: 'bars', title: 'plot', y: 'n', groups: ['a'], series: [{ name: 'n', values: [1] }] },
    },
  ],
};

describe('reports', () => {
  it('are readable as text, numbers set right', () => {
    expect(reportToText(report)).toBe(
      'Two *systems*\n=============\n\nPart\n----\na | b\nname                F\n<b>                 9\nright *wrong|*  10.25\n',
    );
  });

  it.each([
    [[], '---'],
    [['7'], '---:'],
    [['1,000.5', '7'], '---:'],
    [['7', 'x'], '---'],
    [['x'], '---'],
  ])('set a column of %j right where all of it are numbers', (cells, rule) => {
    const table = { kind: 'table', columns: ['a'], rows: cells.map((cell) => [cell]) } as const;
    expect(reportToMarkdown({ title: 't', blocks: [table] })).toContain(`| a |\n| ${rule} |\n`);
  });

  it('are valid Markdown whatever cells hold', () => {
    expect(reportToMarkdown(report, (i) => `plot-${i}.svg`)).toBe(
      '# Two \\*systems\\*\n\n## Part\n\na \\| b\n\n| name | F |\n| --- | ---: |\n| \\<b\\> | 9 |\n' +
        '| right **wrong\\|** | 10.25 |\n\n![plot](plot-0.svg)\n',
    );
    expect(reportToMarkdown(report)).not.toContain('![');
  });

  it('are one HTML page that needs no other file', () => {
    const html = reportToHtml(report);
    expect(html).toContain('<td>right <mark>wrong|</mark></td><td class="number">10.25</td>');
    expect(html).toContain('<td>&#60;b&#62;</td>');
    expect(html).toContain('<figure><svg');
    expect(html).not.toMatch(/(src|href)=/);
  });
});
