import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chartToSvg, escapeXml, type LineChart, ticks } from '../../src/report/chart.js';

const chart: LineChart = {
  kind: 'lines',
  title: 'A < B & "C"',
  x: 'size',
  y: 'F',
  series: [
    {
      name: 'one',
      points: [
        { x: 0, y: 90, deviation: 1 },
        { x: 10, y: 95 },
      ],
    },
    { name: '</svg>', points: [{ x: 5, y: 92 }] },
  ],
};

describe('escapeXml', () => {
  it('leaves nothing that XML cannot hold, or that turns the direction of the page', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(
        fc.oneof(text, fc.constantFrom('\u0000\u001b<a&"', '\ud800', '\ufffe\uffff', '\u202ex')),
        (given) => {
          const escaped = escapeXml(given);
          expect(escaped).toMatch(/^[\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
          expect(escaped).not.toMatch(/[<>"\u202a-\u202e\u2066-\u2069]/);
        },
      ),
    );
    expect(escapeXml('a\u0001<')).toBe('a\\u0001&#60;');
  });
});

describe('chartToSvg', () => {
  it('places points on a scale of round numbers', () => {
    const svg = chartToSvg(chart);
    // x from 0 to 10 over 64 … 696, y from 89 to 95 over 344 … 44: 90 is a sixth of the way up.
    expect(svg).toContain('points="64,294 696,44"');
    expect(svg).toContain('points="380,194"');
    expect(svg).toContain('<path class="error" d="M64 344V244"/>');
  });

  it('keeps names from becoming markup', () => {
    const svg = chartToSvg(chart);
    expect(svg.match(/<\/svg>/g)).toHaveLength(1);
    expect(svg).toContain('A &#60; B &#38; &#34;C&#34;');
  });

  it('draws bars from 0, as high as their values', () => {
    const svg = chartToSvg({
      kind: 'bars',
      title: 'bars',
      y: 'count',
      groups: ['a', 'b'],
      series: [{ name: 'only', values: [10, 5] }],
    });
    const heights = [
      ...svg.matchAll(/<rect class="mark" x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"/g),
    ];
    expect(heights.map(([, y, height]) => [Number(y), Number(height)])).toEqual([
      [44, 300],
      [194, 150],
    ]);
  });

  it('draws an empty chart and one point', () => {
    expect(chartToSvg({ ...chart, series: [] })).toContain('</svg>');
    expect(chartToSvg({ ...chart, series: [{ name: 'x', points: [{ x: 3, y: 0 }] }] })).not.toContain('NaN');
  });
});

describe('ticks', () => {
  it('covers any range with few round numbers', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
        (least, range) => {
          const found = ticks(least, least + range);
          expect(found[0]).toBeLessThanOrEqual(least + range * 1e-6);
          expect(found[found.length - 1]).toBeGreaterThanOrEqual(least + range * (1 - 1e-6));
          expect(found.length).toBeLessThanOrEqual(9);
          expect(found.length).toBeGreaterThanOrEqual(2);
        },
      ),
    );
    expect(ticks(0, 0.6)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
  });
});
