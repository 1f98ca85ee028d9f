import { LONGEST_DOCUMENT } from './documents.js';

/** Tells where documents start, sentence by sentence, as `documentStarts` does for a whole corpus. */
export class DocumentCounter {
  private readonly size: number;
  private sentences = 0;
  private isMarked = false;

  /** @param size sentences of a document in the part of an input that marks none. */
  constructor(size: number) {
    this.size = size;
  }

  /** Whether the next sentence starts a document. @param marked whether the input says so. */
  next(marked: boolean): boolean {
    const most = this.isMarked ? LONGEST_DOCUMENT : this.size;
    const starts = marked || this.sentences === 0 || this.sentences >= most;
    this.isMarked ||= marked;
    this.sentences = starts ? 1 : this.sentences + 1;
    return starts;
  }

  /** Whether the input has marked a document so far: then only marks say where the next one starts, but for very long ones. */
  get seesMarks(): boolean {
    return this.isMarked;
  }

  /** Forgets all sentences. */
  restart(): void {
    this.sentences = 0;
    this.isMarked = false;
  }
}
