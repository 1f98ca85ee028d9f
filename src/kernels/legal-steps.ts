/** Which labels may follow which, by the number of tokens that come after: what `Legality` knows, for kernels. */
export interface LegalSteps {
  /** [steps × (L + 1) × W] −1 (all bits set) where label p → label c is legal, else 0; row L is the sentence's start. */
  readonly masks: Int32Array;
  /**
   * [steps × {@link sourceCells}] of each step the labels that labels may follow, list by list, labels that may follow the same
   * ones sharing theirs: the number of lists, then the list of each label [L], where each list starts and the last ends
   * [L + 1], and the lists [L × L].
   */
  readonly sources: Uint32Array;
  /** [steps × L × W] −1 where a label is in a list, else 0; empty where W is above what kernels have room for. */
  readonly sourceMasks: Int32Array;
  /** First step of those that repeat. */
  periodStart: number;
  /** Number of steps after which they repeat. */
  period: number;
}

/** The step whose rows hold for a token after which so many tokens come. */
export function stepOf({ periodStart, period }: LegalSteps, remaining: number): number {
  return remaining < periodStart ? remaining : periodStart + ((remaining - periodStart) % period);
}

/** Numbers that the sources of one step take. */
export function sourceCells(labels: number): number {
  return labels * labels + 2 * labels + 2;
}

/** Fills in the sources of a step from its masks. */
export function listSources(
  { masks, sources, sourceMasks }: LegalSteps,
  step: number,
  labels: number,
  width: number,
): void {
  const at = step * sourceCells(labels);
  const starts = at + labels + 1;
  const lists = starts + labels + 1;
  const listOf = new Map<string, number>();
  let end = 0;
  for (let c = 0; c < labels; c++) {
    const found: number[] = [];
    for (let p = 0; p < labels; p++) if (masks[(step * (labels + 1) + p) * width + c] !== 0) found.push(p);
    const key = found.join();
    let list = listOf.get(key);
    if (list === undefined) {
      list = listOf.size;
      listOf.set(key, list);
      sources[starts + list] = end;
      sources.set(found, lists + end);
      end += found.length;
      sources[starts + list + 1] = end;
      if (sourceMasks.length > 0) {
        const maskAt = (step * labels + list) * width;
        sourceMasks.fill(0, maskAt, maskAt + width);
        for (const p of found) sourceMasks[maskAt + p] = -1;
      }
    }
    sources[at + 1 + c] = list;
  }
  sources[at] = listOf.size;
}
