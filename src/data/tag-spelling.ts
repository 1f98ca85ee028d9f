/** How tags are spelled. */
export interface TagSpelling {
  /** Place of the leading tag: before the type, after it, or nowhere (types alone: runs of one type are chunks). */
  readonly form: 'prefix' | 'suffix' | 'type';
  /** What separates it from the type. */
  readonly separator: '-' | '_';
  /** Whether leading tags are in lower case. */
  readonly isLower: boolean;
  /** Tag of what is in no chunk. */
  readonly outside: 'O' | 'o';
}
