/**
 * Charts as SVG text: they stand alone or inside an HTML page, need no script and follow the reader's light or dark
 * colours. Series differ in colour, in marker and in dash, so that print and colour-blind eyes can tell them apart.
 */
import { checkArgument } from '../base/arguments.js';
import { printableLines } from '../base/errors.js';

/** A point of a line chart. */
export interface ChartPoint {
  /** Place on the axis to the right. */
  readonly x: number;
  /** Place on the axis upwards. */
  readonly y: number;
  /** Half the height of its error bar; none where absent. */
  readonly deviation?: number | undefined;
}

/** A line of a chart. */
export interface ChartLine {
  /** Name in the legend. */
  readonly name: string;
  /** Points in order of x. */
  readonly points: readonly ChartPoint[];
}

/** Bars of one kind, one in each group. */
export interface ChartBars {
  /** Name in the legend. */
  readonly name: string;
  /** [G] heights, from 0. */
  readonly values: readonly number[];
}

/** Lines through points. */
export interface LineChart {
  /** Kind of the block. */
  readonly kind: 'lines';
  /** Title, above. */
  readonly title: string;
  /** Name of the axis to the right. */
  readonly x: string;
  /** Name of the axis upwards. */
  readonly y: string;
  /** The lines. */
  readonly series: readonly ChartLine[];
}

/** Bars in groups, from 0 upwards. */
export interface BarChart {
  /** Kind of the block. */
  readonly kind: 'bars';
  /** Title, above. */
  readonly title: string;
  /** Name of the axis upwards. */
  readonly y: string;
  /** [G] name of each group. */
  readonly groups: readonly string[];
  /** The bars. */
  readonly series: readonly ChartBars[];
}

/** Any chart. */
export type Chart = LineChart | BarChart;

const WIDTH = 720;
const HEIGHT = 400;
const LEFT = 64;
const RIGHT = 24;
const TOP = 44;
const BOTTOM = 56;
/** Height of a row of the legend, below. */
const LEGEND_ROW = 20;
const LEGEND_COLUMN = 220;

/** Colours that colour-blind eyes tell apart (Okabe and Ito), the dark ones lightened on dark ground. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b', '#56b4e9', '#7f7f7f', '#8b4fc4'];
const DARK_COLOURS = ['#4fa8e0', '#ff8c42', '#34c79c', '#e59cc4', '#e0b040', '#8fd0f5', '#b0b0b0', '#b98ae6'];
const DASHES = ['', '7 3', '2 3', '9 3 2 3'];

const STYLE = `<style>
.spanwright-chart{font:13px system-ui,sans-serif;color:#222;background:#fff}
.spanwright-chart text{fill:currentColor}
.spanwright-chart .grid{stroke:currentColor;stroke-opacity:.15}
.spanwright-chart .axis{stroke:currentColor;stroke-opacity:.6}
${COLOURS.map((colour, i) => `.spanwright-chart .c${i}{--series:${colour}}`).join('\n')}
.spanwright-chart .line{fill:none;stroke:var(--series);stroke-width:2}
.spanwright-chart .mark{fill:var(--series);stroke:var(--series)}
.spanwright-chart .error{stroke:var(--series);stroke-width:1}
@media (prefers-color-scheme:dark){
.spanwright-chart{color:#e6e6e6;background:#1b1b1b}
${DARK_COLOURS.map((colour, i) => `.spanwright-chart .c${i}{--series:${colour}}`).join('\n')}
}
</style>`;

/** The chart as an SVG document. */
export function chartToSvg(chart: Chart): string {
  checkArgument('chart', chart, 'chart');
  const names = chart.series.map(({ name }) => name);
  const columns = Math.max(1, Math.floor((WIDTH - LEFT) / LEGEND_COLUMN));
  const legendRows = names.length > 1 ? Math.ceil(names.length / columns) : 0;
  const height = HEIGHT + legendRows * LEGEND_ROW;
  const body = chart.kind === 'lines' ? lines(chart) : bars(chart);
  const legend = names
    .map((name, i) => {
      const x = LEFT + (i % columns) * LEGEND_COLUMN;
      const y = HEIGHT + Math.floor(i / columns) * LEGEND_ROW;
      return `<g class="c${i % COLOURS.length}">${marker(i, x + 6, y - 4)}<text x="${x + 18}" y="${y}">${escapeXml(name)}</text></g>`;
    })
    .join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="spanwright-chart" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">` +
    `<title>${escapeXml(chart.title)}</title>${STYLE}` +
    `<text x="${LEFT}" y="24" font-weight="bold">${escapeXml(chart.title)}</text>${body}${legendRows > 0 ? legend : ''}</svg>\n`
  );
}

/**
 * Characters that mean something in XML and HTML, escaped; for text and for attributes in double quotes. Those that XML cannot hold
 * at all, and marks that turn the direction of what follows, are shown as messages show them.
 */
export function escapeXml(text: string): string {
  return printableLines(text)
    .replace(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Round numbers that cover a range: about `count` of them, steps of 1, 2 or 5 times a power of ten. The first is not
 * above the least value, the last not below the largest.
 */
export function ticks(least: number, largest: number, count = 6): number[] {
  const range = largest > least ? largest - least : Math.abs(least) || 1;
  const power = 10 ** Math.floor(Math.log10(range / count));
  const step = power * ([1, 2, 5].find((factor) => range / (factor * power) <= count) ?? 10);
  const first = Math.floor(least / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(largest / step - 1e-9));
  // From whole numbers, so that no tick is called 0.30000000000000004.
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

function lines({ x, y, series }: LineChart): string {
  const points = series.flatMap((one) => one.points);
  if (points.length === 0) return '';
  const xs = points.map((point) => point.x);
  const ys = points.flatMap((point) => [point.y - (point.deviation ?? 0), point.y + (point.deviation ?? 0)]);
  const across = ticks(Math.min(...xs), Math.max(...xs), 8);
  const up = ticks(Math.min(...ys), Math.max(...ys));
  const toX = scale(across, LEFT, WIDTH - RIGHT);
  const toY = scale(up, HEIGHT - BOTTOM, TOP);
  const drawn = series.map(({ points: own }, i) => {
    const path = own.map((point) => `${round(toX(point.x))},${round(toY(point.y))}`).join(' ');
    const marks = own.map((point) => {
      const at = round(toX(point.x));
      const { deviation } = point;
      const error =
        deviation === undefined
          ? ''
          : `<path class="error" d="M${at} ${round(toY(point.y - deviation))}V${round(toY(point.y + deviation))}"/>`;
      return `${error}${marker(i, at, round(toY(point.y)))}`;
    });
    const dash = DASHES[Math.floor(i / COLOURS.length) % DASHES.length];
    return (
      `<g class="c${i % COLOURS.length}"><polyline class="line" points="${path}"` +
      `${dash ? ` stroke-dasharray="${dash}"` : ''}/>${marks.join('')}</g>`
    );
  });
  const labels = across.map(
    (tick) =>
      `<text x="${round(toX(tick))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${tickText(tick)}</text>`,
  );
  return `${upwards(up, toY, y)}${labels.join('')}${axisName(x)}${drawn.join('')}`;
}

function bars({ y, groups, series }: BarChart): string {
  const largest = Math.max(0, ...series.flatMap(({ values }) => values));
  const up = ticks(0, largest);
  const toY = scale(up, HEIGHT - BOTTOM, TOP);
  const groupWidth = (WIDTH - LEFT - RIGHT) / Math.max(1, groups.length);
  const barWidth = (groupWidth * 0.8) / Math.max(1, series.length);
  const drawn = series.map(({ values }, i) => {
    const own = values.map((value, g) => {
      const at = LEFT + g * groupWidth + groupWidth * 0.1 + i * barWidth;
      const top = toY(value);
      return `<rect class="mark" x="${round(at)}" y="${round(top)}" width="${round(barWidth * 0.92)}" height="${round(toY(0) - top)}"/>`;
    });
    return `<g class="c${i % COLOURS.length}">${own.join('')}</g>`;
  });
  const labels = groups.map((name, g) => {
    const at = round(LEFT + (g + 0.5) * groupWidth);
    const base = HEIGHT - BOTTOM + 18;
    // Names too long to stand side by side are turned.
    const turn =
      name.length * 8 > groupWidth
        ? ` transform="rotate(-35 ${at} ${base})" text-anchor="end"`
        : ' text-anchor="middle"';
    return `<text x="${at}" y="${base}"${turn}>${escapeXml(name)}</text>`;
  });
  return `${upwards(up, toY, y)}${labels.join('')}${drawn.join('')}`;
}

/** Grid lines, their numbers and the name of the axis upwards. */
function upwards(up: readonly number[], toY: (value: number) => number, name: string): string {
  const grid = up.map((tick, i) => {
    const at = round(toY(tick));
    return (
      `<path class="${i === 0 ? 'axis' : 'grid'}" d="M${LEFT} ${at}H${WIDTH - RIGHT}"/>` +
      `<text x="${LEFT - 8}" y="${at + 4}" text-anchor="end">${tickText(tick)}</text>`
    );
  });
  const middle = (TOP + HEIGHT - BOTTOM) / 2;
  return `${grid.join('')}<text x="16" y="${middle}" text-anchor="middle" transform="rotate(-90 16 ${middle})">${escapeXml(name)}</text>`;
}

function axisName(name: string): string {
  return `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - BOTTOM + 38}" text-anchor="middle">${escapeXml(name)}</text>`;
}

function marker(series: number, x: number, y: number): string {
  switch (series % 4) {
    case 0:
      return `<circle class="mark" cx="${x}" cy="${y}" r="4"/>`;
    case 1:
      return `<rect class="mark" x="${x - 3.5}" y="${y - 3.5}" width="7" height="7"/>`;
    case 2:
      return `<path class="mark" d="M${x} ${y - 5}l5 9h-10z"/>`;
    default:
      return `<path class="mark" d="M${x} ${y - 5}l5 5l-5 5l-5 -5z"/>`;
  }
}

function scale(values: readonly number[], from: number, to: number): (value: number) => number {
  const least = values[0];
  const range = values[values.length - 1] - least;
  return (value) => from + ((value - least) / range) * (to - from);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function tickText(tick: number): string {
  return Math.abs(tick) >= 10_000 ? `${tick / 1000}k` : String(tick);
}
