import { entropyTerm } from './exchange.js';

/**
 * Bit paths of classes: the two whose union loses least mutual information between neighbouring classes are joined until one is left
 * (Brown et al. 1992). Losses of pairs that a union changes a little are computed anew when they seem least.
 *
 * @param bigrams [k × k] how often class b follows class a.
 * @returns [k] paths; the first bits say which of the last unions a class is part of.
 */
export function agglomerate(bigrams: Float64Array, k: number): string[] {
  const rows = Array.from({ length: k }, (_, a) => bigrams.slice(a * k, (a + 1) * k));
  const columns = Array.from({ length: k }, (_, b) =>
    Float64Array.from({ length: k }, (_x, a) => bigrams[a * k + b]),
  );
  const left = rows.map((row) => row.reduce((sum, count) => sum + count, 0));
  const right = columns.map((column) => column.reduce((sum, count) => sum + count, 0));
  const alive = Array.from({ length: k }, (_, a) => a);
  const members: number[][] = alive.map((a) => [a]);
  const paths = new Array<string>(k).fill('');

  const lossOf = (a: number, b: number): number => {
    let kept = 0;
    for (const x of alive) {
      if (x === a || x === b) continue;
      kept += union(rows[a][x], rows[b][x]) + union(columns[a][x], columns[b][x]);
    }
    const inside = [rows[a][a], rows[a][b], rows[b][a], rows[b][b]];
    kept += entropyTerm(inside[0] + inside[1] + inside[2] + inside[3]);
    for (const count of inside) kept -= entropyTerm(count);
    return union(left[a], left[b]) + union(right[a], right[b]) - kept;
  };
  /** [k] the best partner after each class, and its loss. */
  const partner = new Int32Array(k).fill(-1);
  const losses = new Float64Array(k).fill(Number.POSITIVE_INFINITY);
  const findPartner = (a: number) => {
    partner[a] = -1;
    losses[a] = Number.POSITIVE_INFINITY;
    for (const b of alive) {
      if (b <= a) continue;
      const loss = lossOf(a, b);
      if (loss < losses[a]) {
        losses[a] = loss;
        partner[a] = b;
      }
    }
  };
  for (const a of alive) findPartner(a);
  while (alive.length > 1) {
    let best = alive[0];
    for (;;) {
      for (const a of alive) if (losses[a] < losses[best]) best = a;
      const now = lossOf(best, partner[best]);
      if (now <= losses[best] + 1e-9) break;
      losses[best] = now;
      const cheaper = alive.find((a) => losses[a] < now);
      if (cheaper === undefined) break;
      best = cheaper;
    }
    const other = partner[best];
    // The class with the first word comes first, so that paths do not depend on the order of unions.
    for (const member of members[best]) paths[member] = `0${paths[member]}`;
    for (const member of members[other]) paths[member] = `1${paths[member]}`;
    members[best].push(...members[other]);
    alive.splice(alive.indexOf(other), 1);
    left[best] += left[other];
    right[best] += right[other];
    for (let x = 0; x < k; x++) {
      rows[best][x] += rows[other][x];
      columns[best][x] += columns[other][x];
    }
    for (const x of alive) {
      rows[x][best] += rows[x][other];
      columns[x][best] += columns[x][other];
    }
    for (const a of alive) {
      if (a === best || partner[a] === best || partner[a] === other) findPartner(a);
      else if (a < best) {
        const loss = lossOf(a, best);
        if (loss < losses[a]) {
          losses[a] = loss;
          partner[a] = best;
        }
      }
    }
  }
  return paths;
}

/** What Σ n ln n gains where two counts become one. */
function union(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : entropyTerm(a + b) - entropyTerm(a) - entropyTerm(b);
}
