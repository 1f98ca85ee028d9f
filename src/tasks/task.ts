import type { OptionValues } from '../base/options.js';
import type { InputFormat } from '../data/formats/input-formats.js';
import type { TokenUnit } from '../data/formats/input-unit.js';

/** Settings under one name. */
export interface Preset {
  /** One line of help. */
  readonly help: string;
  /** Option values. */
  readonly options: OptionValues;
  /** Values of some of these that training tries on held-out data, where none of these options is given. */
  readonly alternatives?: readonly OptionValues[] | undefined;
}

/** A kind of labelling as data: the columns it expects and what works well for it. */
export interface Task {
  /** Name for `--task`. */
  readonly name: string;
  /** One line of help. */
  readonly help: string;
  /** Columns of its files from the left; the last one holds the labels. */
  readonly columns: readonly string[];
  /** Unit of tokens. */
  readonly tokens: TokenUnit;
  /** Input format when nothing else says so. */
  readonly inputFormat: InputFormat;
  /** Defaults by preset; the first is the one where none is named. */
  readonly presets: Readonly<Record<string, Preset>>;
}
