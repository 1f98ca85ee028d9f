import { createHash, type Hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OptionError } from '../base/errors.js';
import type { ColumnWidth, InputPosition } from '../data/formats/columns.js';
import { endsLinesInReturns } from '../data/formats/line-ends.js';
import { type BorderRule, PartCutter, type PartStart } from '../data/formats/part-cutter.js';
import type { Encoding } from '../data/formats/transcoder.js';
import { type JobFile, type JobPart, type JobPlan, type JobSettings, MOST_PARTS } from '../jobs/job-plan.js';
import { readChunks, readProblem, readRange } from './files.js';
import { sha256 } from './job-folder.js';
import { isPacked } from './packed.js';

/** What a plan is made of. */
export interface PlanRequest {
  /** What the output depends on besides the input. */
  readonly settings: JobSettings;
  /** Inputs, in the order of the output. */
  readonly inputs: readonly string[];
  /** Folder that names of inputs are relative to. */
  readonly folder: string;
  /** Fewest bytes of a part, but for the last of a file. */
  readonly size: number;
  /** Where inputs may be cut; undefined: nowhere. */
  readonly rule: BorderRule | undefined;
  /** Sentences of a document where the input marks none. */
  readonly documentSize?: number | undefined;
  /** Lines of a header. */
  readonly header?: number | undefined;
  /** Encoding of the inputs. */
  readonly encoding?: Encoding | undefined;
  /** Finds the columns of the first token, in lines from some position on. */
  readonly measure?: ((lines: Uint8Array, from: InputPosition) => ColumnWidth | undefined) | undefined;
}

/** Files and parts of a job. */
export type PlannedParts = Pick<JobPlan, 'files' | 'parts'>;

/**
 * Reads inputs once, and cuts them into parts.
 *
 * @param onFile told of each file how many parts it has.
 * @throws FileError when one cannot be read, OptionError for more parts than a job may have.
 */
export async function planParts(
  request: PlanRequest,
  onFile: (file: JobFile, parts: number) => void = () => undefined,
): Promise<PlannedParts> {
  const files: JobFile[] = [];
  const parts: JobPart[] = [];
  const settings = sha256(JSON.stringify(request.settings));
  for (const name of request.inputs) {
    const path = resolve(request.folder, name);
    const { width, whole, cuts } = await cutFile(path, request);
    const file: JobFile = { name, size: await sizeOf(path), whole, width: width ?? null };
    for (const { start, bytes, hash } of cuts) {
      const { line, byte } = start;
      const what = [settings, name, whole, file.width, line, byte, start.start, start.startCodePoint];
      const key = sha256(JSON.stringify([...what, bytes, hash])).slice(0, 32);
      parts.push({ file: files.length, ...start, bytes, sha256: hash, key });
    }
    if (parts.length > MOST_PARTS) {
      throw new OptionError(
        'part-bytes',
        `--part-bytes ${request.size}: expected at most ${MOST_PARTS} parts, found more; larger parts make fewer`,
      );
    }
    files.push(file);
    onFile(file, cuts.length);
  }
  return { files, parts };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw readProblem(path, error);
  }
}

/** A part of a file before it has a name. */
interface Cut {
  readonly start: PartStart;
  readonly bytes: number;
  readonly hash: string;
}

/** A file in parts. */
interface CutFile {
  readonly whole: boolean;
  readonly width: ColumnWidth | undefined;
  readonly cuts: readonly Cut[];
}

async function cutFile(path: string, request: PlanRequest): Promise<CutFile> {
  const { rule, encoding = 'utf-8' } = request;
  if (rule === undefined || encoding !== 'utf-8' || (await isReadWhole(path))) {
    const hash = createHash('sha256');
    let bytes = 0;
    const add = (chunk: Uint8Array) => {
      hash.update(chunk);
      bytes += chunk.length;
    };
    for await (const _ of readChunks(path, encoding, add));
    const cuts = bytes === 0 ? [] : [{ start: BEGINNING, bytes, hash: hash.digest('hex') }];
    return { whole: true, width: undefined, cuts };
  }
  const cutting = new FileCutting(rule, request);
  const range = { byte: 0, bytes: await sizeOf(path) };
  for await (const chunk of readRange(path, range)) cutting.push(chunk);
  return { whole: false, ...cutting.finish() };
}

const BEGINNING: PartStart = { line: 1, byte: 0, start: 0, startCodePoint: 0 };

/** Whether a file's bytes are not those of its text: packed, or with line ends that are read as others. */
async function isReadWhole(path: string): Promise<boolean> {
  for await (const chunk of readRange(path, { byte: 0, bytes: Math.min(1 << 17, await sizeOf(path)) })) {
    return isPacked(chunk) || endsLinesInReturns(chunk);
  }
  return false;
}

/** Cuts the bytes of one file, and hashes each part. */
class FileCutting {
  private readonly cutter: PartCutter;
  private readonly measure: PlanRequest['measure'];
  private width: ColumnWidth | undefined;
  private readonly cuts: Cut[] = [];
  private start = BEGINNING;
  private hash: Hash = createHash('sha256');
  /** Bytes hashed so far. */
  private hashed = 0;
  /** Bytes behind those, in which a border may still be. */
  private held = new Uint8Array(0);
  /** Lines in which no token had enough columns, and where the next begin. */
  private unmeasured = new Uint8Array(0);
  private measured: { line: number; byte: number } = { line: 1, byte: 0 };

  constructor(rule: BorderRule, { size, documentSize, header, measure }: PlanRequest) {
    const countsText = rule === 'lines' || rule === 'paragraphs';
    this.cutter = new PartCutter({ rule, size, documentSize, header, countsText });
    this.measure = measure;
  }

  push(chunk: Uint8Array): void {
    if (this.measure && this.width === undefined) this.findWidth(chunk, this.measure);
    const { cutter } = this;
    const bytes = this.held.length === 0 ? chunk : joined(this.held, chunk);
    const first = this.hashed;
    for (const border of cutter.push(chunk)) {
      this.add(bytes.subarray(this.hashed - first, border.byte - first));
      this.end(border);
    }
    this.add(bytes.subarray(this.hashed - first, Math.max(this.hashed, cutter.settled) - first));
    this.held = bytes.slice(this.hashed - first);
  }

  finish(): Pick<CutFile, 'cuts' | 'width'> {
    this.add(this.held);
    if (this.hashed > this.start.byte) this.end(this.start);
    if (this.measure && this.width === undefined) this.width = this.measure(this.unmeasured, this.measured);
    return { cuts: this.cuts, width: this.width };
  }

  private add(bytes: Uint8Array): void {
    this.hash.update(bytes);
    this.hashed += bytes.length;
  }

  private end(next: PartStart): void {
    const { start, hash, hashed } = this;
    this.cuts.push({ start, bytes: hashed - start.byte, hash: hash.digest('hex') });
    this.hash = createHash('sha256');
    this.start = next;
  }

  private findWidth(chunk: Uint8Array, measure: NonNullable<PlanRequest['measure']>): void {
    const bytes = joined(this.unmeasured, chunk);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    const lines = bytes.subarray(0, end);
    if (end > 0) this.width = measure(lines, this.measured);
    const { line, byte } = this.measured;
    this.measured = {
      line: line + lines.reduce((sum, one) => sum + (one === NEWLINE ? 1 : 0), 0),
      byte: byte + end,
    };
    this.unmeasured = bytes.slice(end);
  }
}

const NEWLINE = 10;

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
