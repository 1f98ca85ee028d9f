import { InputError, show } from '../base/errors.js';
import type { OptionValues } from '../base/options.js';
import type { ColumnWidth } from '../data/formats/columns.js';
import type { PartStart } from '../data/formats/part-cutter.js';

/** Version of the layout of a job's folder. */
export const JOB_FORMAT = 1;

/** Most parts of a job: as many files as a folder holds well. */
export const MOST_PARTS = 100_000;

/** A model of a job. */
export interface JobModel {
  /** Its file, or the name of a bundled one. */
  readonly name: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** Everything but the input that a job's output depends on. */
export interface JobSettings {
  /** Version of Spanwright. */
  readonly version: string;
  /** Options of `label`, input and output format among them. */
  readonly options: OptionValues;
  /** The model that labels. */
  readonly model: JobModel;
  /** The model that fills in parts of speech before, where one does. */
  readonly posModel: JobModel | null;
}

/** An input file of a job. */
export interface JobFile {
  /** Path, from the job's folder of inputs. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Whether it is read as a whole, being packed, or of an encoding or format that is not cut. */
  readonly whole: boolean;
  /** Columns of the first token of a column file. */
  readonly width: ColumnWidth | null;
}

/** A part of a job: some bytes of a file. */
export interface JobPart extends PartStart {
  /** Index of its file. */
  readonly file: number;
  /** How many bytes it has, unpacked. */
  readonly bytes: number;
  /** SHA-256 of them, in hexadecimal. */
  readonly sha256: string;
  /** Name of its records: 32 hexadecimal digits of the SHA-256 of all that its output depends on. */
  readonly key: string;
}

/** Plan of a job. */
export interface JobPlan {
  /** What its output depends on besides the input. */
  readonly settings: JobSettings;
  /** The folder that names of files are relative to; itself relative to the job's folder. */
  readonly folder: string;
  /** Its files, in the order of the output. */
  readonly files: readonly JobFile[];
  /** Its parts, in the order of the output. */
  readonly parts: readonly JobPart[];
}

/** Record of a part that is done. */
export interface DonePart {
  /** Name of the part's records. */
  readonly key: string;
  /** Bytes of the output. */
  readonly bytes: number;
  /** SHA-256 of the output, in hexadecimal. */
  readonly sha256: string;
  /** Sentences labelled. */
  readonly sentences: number;
  /** Tokens labelled. */
  readonly tokens: number;
  /** Sentences or documents that could not be read, and were skipped or kept. */
  readonly badSentences: number;
  /** The first of them. */
  readonly firstProblem: string | null;
  /** Seconds that it took. */
  readonly seconds: number;
  /** Machine that did it. */
  readonly host: string;
  /** Number of the attempt that succeeded, from 1. */
  readonly attempt: number;
  /** When it was done, in milliseconds since 1970. */
  readonly finished: number;
}

/** Record of a part that failed. */
export interface FailedPart {
  /** Name of the part's records. */
  readonly key: string;
  /** Whether its input is to blame, so that trying again changes nothing; else a machine is. */
  readonly isInput: boolean;
  /** What happened, with the place in the input. */
  readonly message: string;
  /** Line in the file, from 1, where that is known. */
  readonly line: number | null;
  /** Offset in the file, in bytes, where that is known. */
  readonly byte: number | null;
  /** How often it was tried. */
  readonly attempts: number;
  /** Machine that tried last. */
  readonly host: string;
}

/** What stands between the head of a plan's text and its parts, a line each. */
const PARTS = '"parts":[\n';

/** Parts that are written at a time. */
const PIECE = 1000;

/** The text of a plan in pieces: JSON with a part a line. */
export function* planText({ settings, folder, files, parts }: JobPlan): Generator<string> {
  const head = JSON.stringify({ jobFormat: JOB_FORMAT, settings, folder });
  yield `${head.slice(0, -1)},\n"files":[\n${files.map((file) => JSON.stringify(file)).join(',\n')}\n],\n${PARTS}`;
  for (let from = 0; from < parts.length; from += PIECE) {
    const rows = parts.slice(from, from + PIECE).map((part) => {
      const { file, byte, bytes, line, start, startCodePoint, sha256, key } = part;
      return JSON.stringify([file, byte, bytes, line, start, startCodePoint, sha256, key] satisfies PartRow);
    });
    yield `${from > 0 ? ',\n' : ''}${rows.join(',\n')}`;
  }
  yield '\n]}\n';
}

/** A part as a plan's text has it. */
type PartRow = [number, number, number, number, number, number, string, string];

/**
 * Reads the text of a plan.
 *
 * @param source names its file in messages.
 * @throws InputError where it is none, or one of another version of the folder's layout.
 */
export function readPlan(text: string, source: string): JobPlan {
  const refuse = (problem: string): never => {
    throw new InputError({ source }, problem);
  };
  // Parts are many, and so read one by one.
  const at = text.indexOf(`\n${PARTS}`) + 1;
  let plan: Partial<JobPlan> & { jobFormat?: unknown } = {};
  let parts: JobPart[] = [];
  try {
    plan = (JSON.parse(at > 0 ? `${text.slice(0, at)}"parts":[]}` : text) ?? {}) as typeof plan;
    if (at > 0) parts = readParts(text, at + PARTS.length);
  } catch {
    refuse('expected the plan of a job, found no JSON');
  }
  const { jobFormat, settings, folder, files } = plan;
  if (jobFormat === undefined || settings === undefined || folder === undefined || !Array.isArray(files)) {
    return refuse('expected the plan of a job, found other JSON');
  }
  if (jobFormat !== JOB_FORMAT) {
    refuse(
      `expected a job folder of format ${JOB_FORMAT}, found format ${show(jobFormat)}, of another version of Spanwright`,
    );
  }
  return { settings, folder, files: files as JobFile[], parts };
}

/** @throws SyntaxError where the text was cut short. */
function readParts(text: string, from: number): JobPart[] {
  const parts: JobPart[] = [];
  for (let at = from; text[at] !== ']'; ) {
    const end = text.indexOf('\n', at);
    if (end < 0) throw new SyntaxError('no end');
    if (end > at) {
      const row = JSON.parse(text.slice(at, text[end - 1] === ',' ? end - 1 : end)) as PartRow;
      const [file, byte, bytes, line, start, startCodePoint, sha256, key] = row;
      parts.push({ file, byte, bytes, line, start, startCodePoint, sha256, key });
    }
    at = end + 1;
  }
  return parts;
}

/** `corpus/a.txt, bytes 0 … 67108863`, as messages name a part. */
export function describePart({ files }: Pick<JobPlan, 'files'>, { file, byte, bytes }: JobPart): string {
  const { name, whole } = files[file];
  return whole ? name : `${name}, bytes ${byte} … ${byte + bytes - 1}`;
}
