import { cOva } from './c-ova.js';
import { dag } from './dag.js';
import { ecoc } from './ecoc.js';
import { hcOva } from './hc-ova.js';
import { ova } from './ova.js';
import { ovo } from './ovo.js';
import type { Reduction } from './reduction.js';
import { tree } from './tree.js';

/** All multiclass strategies, by the name `--strategy` takes. */
export const REDUCTIONS: Readonly<Record<string, Reduction>> = {
  ova,
  ovo,
  dag,
  ecoc,
  tree,
  'c-ova': cOva,
  'hc-ova': hcOva,
};
