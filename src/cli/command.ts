import type { OptionDeclaration, OptionValue } from '../base/options.js';

/** Options of one kind, under one heading of `--help`. */
export interface OptionGroup {
  /** Heading. */
  readonly heading: string;
  /** The options. */
  readonly options: readonly OptionDeclaration[];
  /** The same options by the part that each belongs to, as `--help all` lists them; default all under the heading. */
  readonly parts?: readonly OptionGroup[];
}

/** Arguments of a command, read and checked. */
export interface Arguments {
  /** Options given, checked. */
  readonly options: Readonly<Record<string, OptionValue>>;
  /** Arguments that are no options. */
  readonly positionals: readonly string[];
}

/** A command of the program. */
export interface Command {
  /** Name on the command line. */
  readonly name: string;
  /** One line of help. */
  readonly help: string;
  /** Positional arguments as usage shows them; their number is the most allowed. */
  readonly positionals: readonly string[];
  /** Its options. */
  readonly groups: readonly OptionGroup[];
  /** More help: examples, output formats. */
  readonly notes?: string;
  /**
   * Whether it runs in a thread of its own, so that a signal, or memory that it cannot have, ends it in order: its temporary files
   * are removed. One that has none, and is to answer soon, does without, and a signal ends it at once.
   */
  readonly inThread?: boolean | ((args: Arguments) => Promise<boolean>);
  /** Does the work. */
  run(args: Arguments): Promise<void>;
}
