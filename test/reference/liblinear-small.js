// Recomputes liblinear-small.txt and liblinear-small.json; see README.md. Needs `npm run build` and liblinear-train.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../dist/base/random.js';

const EXAMPLES = 300;
const FEATURES = 60;
const CLASSES = 4;
const SOLVERS = { l2: 1, l1: 3 };
const COSTS = [0.02, 0.1, 0.4];

const data = new URL('liblinear-small.txt', import.meta.url);
const numbers = new URL('liblinear-small.json', import.meta.url);

/** Feature 1 is the bias; each class likes fifteen of the others, and an eighth of the labels are wrong. */
function makeLines() {
  const random = new Random(20001);
  const lines = [];
  for (let n = 0; n < EXAMPLES; n++) {
    const label = random.below(CLASSES);
    let line = `${random.below(8) === 0 ? random.below(CLASSES) : label} 1:1`;
    for (let feature = 2; feature <= FEATURES; feature++) {
      const liked = feature % CLASSES === label;
      if (random.below(100) < (liked ? 28 : 14)) line += ` ${feature}:1`;
    }
    lines.push(line);
  }
  return lines;
}

/** ½ ‖w‖² + C Σ max(0, 1 − y w·x)^power of each class, from a model file of LIBLINEAR. */
function primalObjectives(modelText, lines, loss, cost) {
  const [head, body] = modelText.split('\nw\n');
  const order = /^label (.*)$/m.exec(head)[1].trim().split(' ').map(Number);
  const weights = body
    .trim()
    .split('\n')
    .map((row) => row.trim().split(' ').map(Number));
  const objectives = new Array(CLASSES);
  order.forEach((label, k) => {
    let objective = weights.reduce((sum, row) => sum + (row[k] * row[k]) / 2, 0);
    for (const line of lines) {
      const [gold, ...cells] = line.split(' ');
      const score = cells.reduce((sum, cell) => sum + weights[Number.parseInt(cell, 10) - 1][k], 0);
      const slack = Math.max(0, 1 - (Number(gold) === label ? score : -score));
      objective += cost * (loss === 'l2' ? slack * slack : slack);
    }
    objectives[label] = objective;
  });
  return objectives;
}

const lines = makeLines();
writeFileSync(data, `${lines.join('\n')}\n`);
const folder = mkdtempSync(join(tmpdir(), 'liblinear-'));
const results = [];
for (const [loss, solver] of Object.entries(SOLVERS)) {
  for (const cost of COSTS) {
    const model = join(folder, 'model');
    const args = ['-s', String(solver), '-c', String(cost), '-e', '1e-6', data.pathname, model];
    const log = execFileSync('liblinear-train', args, { encoding: 'utf8' });
    const objectives = primalObjectives(readFileSync(model, 'utf8'), lines, loss, cost);
    // It also prints the dual objectives, with the opposite sign; that there is no gap shows that it converged.
    const duals = [...log.matchAll(/Objective value = (.*)/g)].map((match) => -Number(match[1]));
    duals.sort((a, b) => a - b);
    const gaps = [...objectives].sort((a, b) => a - b).map((objective, k) => objective / duals[k] - 1);
    if (gaps.some((gap) => Math.abs(gap) > 1e-5)) throw new Error(`-s ${solver} -c ${cost}: gaps ${gaps}`);
    results.push({ loss, C: cost, objectives: objectives.map((value) => Number(value.toPrecision(9))) });
  }
}
rmSync(folder, { recursive: true });
const json = JSON.stringify(results, null, 2);
// Objectives in one line, as the formatter has them.
const numbersInLine = (list) => list.replace(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']');
writeFileSync(numbers, `${json.replace(/\[[\d\s.,]+\]/g, numbersInLine)}\n`);
