import { SpanwrightError } from '../base/errors.js';
import type { Decision } from './decisions.js';
import type { DocumentEntry, Project, StoredDocument } from './project.js';

/**
 * Where projects are kept: files, a browser's database, a server of databases. What a method has acknowledged by resolving stays,
 * whatever happens to the process or tab afterwards.
 */
export interface Store {
  /** All projects, those in the trash too, the oldest first. */
  projects(): Promise<Project[]>;
  /** Keeps a project, in place of one of the same name. */
  saveProject(project: Project): Promise<void>;
  /** What there is of documents, in the order in which they came. */
  documents(project: string): Promise<DocumentEntry[]>;
  /**
   * Adds documents. One whose name is there already gets another: the same text may stand in a project twice.
   *
   * @returns the entries of those added.
   */
  addDocuments(project: string, documents: readonly StoredDocument[]): Promise<DocumentEntry[]>;
  /** A document. @throws SpanwrightError (`not-found`). */
  document(project: string, id: string): Promise<StoredDocument>;
  /** Names of those who have decided something, sorted. */
  annotators(project: string): Promise<string[]>;
  /** Decisions of an annotator whose numbers are larger than `after`, in order. */
  journal(project: string, annotator: string, after?: number): Promise<Decision[]>;
  /**
   * Adds decisions to an annotator's journal, all or none.
   *
   * @throws SpanwrightError (`conflict`) where they are not numbered from the last one on.
   */
  append(project: string, annotator: string, decisions: readonly Decision[]): Promise<void>;
  /** Ends it. */
  close(): Promise<void>;
}

/** The error for a project or document that there is not. */
export function missing(what: string, id: string): SpanwrightError {
  return new SpanwrightError('not-found', `expected a ${what} of this name, found none: ${id}`);
}

/** Refuses decisions that are not numbered from the last one on. */
export function checkSequence(last: number, decisions: readonly Decision[]): void {
  decisions.forEach(({ seq }, d) => {
    if (seq === last + 1 + d) return;
    throw new SpanwrightError(
      'conflict',
      `expected decision ${last + 1 + d}, found ${seq}: somebody decided in between`,
    );
  });
}

/** A name that is not taken yet: the one wanted, else with a number behind it. */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if (!isTaken(name)) return name;
  }
}
