/** How cells of a line are told apart. */
export type Separator = 'blanks' | 'tab';

/** What a column file looks like. */
export interface ColumnLayout {
  /** `blanks` (default): any run of spaces and tabs; `tab`: single tabs, so that cells may hold spaces. */
  readonly separator?: Separator | undefined;
  /** How comment lines begin, 1 … 4 bytes: they are no tokens, and stay where they are; default no line is a comment. */
  readonly comments?: string | undefined;
  /** Lines before the first sentence that are no tokens; default 0. */
  readonly header?: number | undefined;
}
