/** A file that training reads besides its data: a list of names, or clusters of words. */
export interface ResourceFile {
  /** Name that the model knows it by. */
  readonly name: string;
  /** Name of the file in messages. */
  readonly source: string;
  /** Its text. */
  readonly text: string;
}

/** Files that training reads besides its data. */
export interface Resources {
  /** Families of word clusters, in the order in which templates number them. */
  readonly clusters?: readonly ResourceFile[] | undefined;
  /** Lists of names. */
  readonly gazetteers?: readonly ResourceFile[] | undefined;
}
