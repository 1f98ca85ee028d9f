/** Which labels may follow which, by the number of tokens that come after: what `Legality` knows, for kernels. */
export interface LegalSteps {
  /** [steps × (L + 1) × W] −1 (all bits set) where label p → label c is legal, else 0; row L is the sentence's start. */
  readonly masks: Int32Array;
  /** Steps from this one on come again, */
  periodStart: number;
  /** after so many. */
  period: number;
}

/** The step whose rows hold for a token after which so many tokens come. */
export function stepOf({ periodStart, period }: LegalSteps, remaining: number): number {
  return remaining < periodStart ? remaining : periodStart + ((remaining - periodStart) % period);
}
