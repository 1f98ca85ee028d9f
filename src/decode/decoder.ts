import { checkOption, type OptionDeclaration, type OptionValues } from '../base/options.js';
import type { ScoreKind } from '../reduce/score-kind.js';
import type { Pruning } from './chunk-limits.js';
import type { Legality } from './legality.js';
import type { Scorer } from './scorer.js';

/**
 * Labels the sentence of `length` tokens that `scorer` holds: writes label ids into `out` `[≥ length]` in reading
 * order and returns the log score of that path (0 for an empty sentence). Not to be entered twice at a time: its
 * buffers are reused from call to call.
 *
 * At order 0 every score is asked for with the history (start, start); at order 1 the label at −2 is always given as
 * start.
 *
 * @throws SpanwrightError with code `no-legal-path` if no legal sequence of that length exists.
 */
export type Decode = (scorer: Scorer, legality: Legality, length: number, out: Uint16Array) => number;

/** How many earlier labels a model's scores read. */
export type HistoryOrder = 0 | 1 | 2;

/** Shape of a decoder's search, for searches of more than the best path: see `BestPaths`. */
export interface PathSearch {
  /** How many earlier labels its scores are given. */
  readonly reads: HistoryOrder;
  /** How many last labels two paths share that are merged into the better one; absent where none are. */
  readonly merges?: 1 | 2;
  /** How many paths it keeps in all. */
  readonly width: number;
}

interface AnyDecoder {
  /** Name as given to `--decoder`. */
  readonly name: string;
  /** One line of help. */
  readonly help: string;
  /** Its options. */
  readonly options: readonly OptionDeclaration[];
  /** Kinds of scores that it can search. */
  readonly accepts: readonly ScoreKind[];
  /** The history order the model must be trained with. */
  order(options: OptionValues): HistoryOrder;
}

/** A way of finding a good label sequence, token by token. */
export interface LabelDecoder extends AnyDecoder {
  /** Unit that is chosen. */
  readonly unit: 'label';
  /**
   * Makes the decoder for a number of labels; allocates what it can reuse.
   *
   * @throws OptionError if an option's value is out of range.
   */
  create(options: OptionValues, labels: number): Decode;
  /** How the decoder searches. */
  search(options: OptionValues): PathSearch;
}

/** A way of finding a good segmentation into typed chunks. */
export interface ChunkDecoder extends AnyDecoder {
  /** Unit that is chosen. */
  readonly unit: 'chunk';
  /** Which chunks are tried. */
  pruning(options: OptionValues): Pruning;
}

/** A way of finding a good label sequence. */
export type Decoder = LabelDecoder | ChunkDecoder;

/** Declares the option `order`. */
export function orderOption(order: HistoryOrder): OptionDeclaration {
  return {
    name: 'order',
    kind: 'integer',
    default: order,
    min: 0,
    max: 2,
    help: 'number of earlier labels that a score reads',
  };
}

/** The value of the option `order`, or its default. */
export function readOrder(declaration: OptionDeclaration, options: OptionValues): HistoryOrder {
  return readInteger(declaration, options) as HistoryOrder;
}

/**
 * The value of an integer option, or its default.
 *
 * @throws OptionError if it is out of range.
 */
export function readInteger(declaration: OptionDeclaration, options: OptionValues): number {
  return checkOption(declaration, options[declaration.name] ?? declaration.default) as number;
}
