import type { InputError, InputPlace } from '../../base/errors.js';
import type { InputPosition } from './columns.js';
import type { InputUnit, UnitReader } from './input-unit.js';
import { type InputLine, LineReader, rawLines } from './line-reader.js';

/** Content of a line, as a unit. */
export type LineContent = Pick<InputUnit, 'sentences' | 'relabel' | 'answer' | 'startsDocument' | 'text'>;

/** Reads units that are lines. A line that cannot be read is a unit with the problem. */
export abstract class LineUnitReader implements UnitReader {
  private readonly lines: LineReader;
  private readonly source: string;

  /** @param from where the bytes begin, when they are a later part of the input. */
  constructor(source: string, from?: InputPosition) {
    this.lines = new LineReader(source, from);
    this.source = source;
  }

  push(chunk: Uint8Array): void {
    this.lines.push(chunk);
  }

  end(): void {
    this.lines.end();
  }

  next(): InputUnit | undefined {
    const line = this.lines.next();
    if (line === undefined) return undefined;
    const raw = rawLines([line]);
    if (line.problem) return { problem: line.problem, sentences: [], raw };
    try {
      return { problem: undefined, raw, ...this.read(line, { source: this.source, line: line.line }) };
    } catch (error) {
      return { problem: error as InputError, sentences: [], raw };
    }
  }

  /** @throws InputError for a line that cannot be used. */
  protected abstract read(line: InputLine, place: InputPlace): LineContent;
}
