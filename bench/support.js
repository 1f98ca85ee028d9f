// What benchmarks share: the corpus, processes with their peak memory, medians.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chartToSvg } from '../dist/index.js';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Folder of the corpora. */
export const dataFolder = process.env.SPANWRIGHT_DATA ?? join(root, '../shared/data');

/** Paths of CoNLL-2000; ends the benchmark with a reason where it is absent. */
export function conll2000() {
  const paths = {
    train: join(dataFolder, 'conll2000/train.txt'),
    test: join(dataFolder, 'conll2000/test.txt'),
  };
  if (existsSync(paths.train) && existsSync(paths.test)) return paths;
  console.log(`skipped: no CoNLL-2000 in ${dataFolder} (set SPANWRIGHT_DATA)`);
  process.exit(0);
}

/** Paths of UD Chinese GSD. */
export function chineseGsd() {
  const folder = join(dataFolder, 'ud_chinese_gsd');
  return { train: join(folder, 'zh-ud-train.conllu'), test: join(folder, 'zh-ud-test.conllu') };
}

/** The text of every n-th sentence of a column file. */
export function everyNth(path, n) {
  const sentences = readFileSync(path, 'utf8').trim().split(/\n\n+/);
  return `${sentences.filter((_, i) => i % n === 0).join('\n\n')}\n\n`;
}

/** Text files of Chinese: PKU and SXU training data, segmented; ends the benchmark with a reason where they are absent. */
export function chinese() {
  const paths = {
    pku: join(dataFolder, 'icwb2/pku_training.reconstructed.utf8'),
    sxu: join(dataFolder, 'sighan2008_sxu/train.txt'),
  };
  if (Object.values(paths).every(existsSync)) return paths;
  console.log(`skipped: no PKU and SXU in ${dataFolder} (set SPANWRIGHT_DATA)`);
  process.exit(0);
}

/** A folder that is removed at the end. */
export function scratchFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'spanwright-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the command line in a process of its own; gives wall-clock and processor seconds and peak megabytes. */
export function spanwright(args) {
  const usageFile = join(scratch, 'usage.json');
  const started = performance.now();
  const output = execFileSync(
    process.execPath,
    ['--import', join(root, 'bench/report-usage.js'), join(root, 'dist/cli/main.js'), ...args],
    { encoding: 'utf8', env: { ...process.env, USAGE_FILE: usageFile }, maxBuffer: 1 << 30 },
  );
  const seconds = (performance.now() - started) / 1000;
  return { seconds, output, ...JSON.parse(readFileSync(usageFile, 'utf8')) };
}

/** Writes a plot of what was measured to docs/plots, where docs/results shows it. */
export function writePlot(name, chart) {
  const folder = join(root, 'docs/plots');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.svg`), chartToSvg(chart));
}

/** Median, smallest and largest of some numbers. */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median =
    sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, smallest: sorted[0], largest: sorted[sorted.length - 1] };
}

/** A spread as text: `8.1 (7.9 … 8.4) s`. */
export function showSpread(values, digits, unit) {
  const { median, smallest, largest } = spread(values);
  return `${show(median, digits)} (${show(smallest, digits)} … ${show(largest, digits)}) ${unit}`;
}

function show(value, digits) {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Slope of the least-squares line through the logarithms of pairs: 1 where the second grows as the first. */
export function exponent(values) {
  const logs = values.map((pair) => pair.map(Math.log));
  const mean = (i) => logs.reduce((sum, pair) => sum + pair[i], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return covariance / logs.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

const scratch = scratchFolder();
