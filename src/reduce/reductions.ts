import { ova } from './ova.js';
import type { Reduction } from './reduction.js';

/** All multiclass strategies, by the name `--strategy` takes. */
export const REDUCTIONS: Readonly<Record<string, Reduction>> = { ova };
