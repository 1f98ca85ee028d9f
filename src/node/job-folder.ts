import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../base/errors.js';
import { encodeUtf8 } from '../base/utf8.js';
import { type DonePart, type FailedPart, type JobPlan, planText, readPlan } from '../jobs/job-plan.js';
import { FileError, readProblem, writeProblem } from './files.js';
import { forgetTemporary, isLeftBehind, temporaryFor } from './temporary-files.js';

/** Name of the plan in a job's folder. */
const PLAN = 'job.json';
/** Folders in a job's folder, by what records they hold; in each a file a part, named by its key. */
const FOLDERS = ['parts', 'done', 'failed', 'lease', 'tmp'] as const;

/** Records of one kind. */
type RecordKind = (typeof FOLDERS)[number];

/** SHA-256 in hexadecimal. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * The folder of a job, which workers share: its plan, and for each part what was made of it, by the part's key. Nothing in it
 * is seen half-written. Small records are written at once, without giving other work a turn.
 */
export class JobFolder {
  /** Path of the folder. */
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** The plan. @throws InputError where there is none, or one of another version; FileError when it cannot be read. */
  plan(): JobPlan {
    const path = join(this.path, PLAN);
    if (existsSync(this.path) && !existsSync(path)) {
      throw new InputError(
        { source: this.path },
        `expected the folder of a job, found no ${PLAN} in it; job plan makes one`,
      );
    }
    try {
      return readPlan(readFileSync(path, 'utf8'), path);
    } catch (error) {
      throw readProblem(path, error);
    }
  }

  /** Whether there is a plan. */
  get isPlanned(): boolean {
    return existsSync(join(this.path, PLAN));
  }

  /** @throws FileError where the folder holds something else than a job. */
  checkUsable(): void {
    if (!existsSync(this.path) || this.isPlanned) return;
    let names: string[];
    try {
      names = readdirSync(this.path);
    } catch (error) {
      throw readProblem(this.path, error);
    }
    const others = names.filter((name) => !isOwn(name));
    if (others.length === 0) return;
    const found = others.length === 1 ? 'a file' : 'files';
    throw new FileError(
      this.path,
      `expected a folder that is new, empty or a job’s, found ${found} in it, such as ${others[0]}`,
    );
  }

  /**
   * Writes the plan, and the folders of records.
   *
   * @param replaces whether it may take the place of another.
   * @returns whether it is there now: not where another came first.
   * @throws FileError when it cannot be written, or the folder holds something else.
   */
  writePlan(plan: JobPlan, replaces: boolean): boolean {
    this.checkUsable();
    try {
      for (const name of FOLDERS) mkdirSync(join(this.path, name), { recursive: true });
      const temporary = this.writeTemporary(PLAN, planText(plan));
      const path = join(this.path, PLAN);
      if (replaces) return this.rename(temporary, path);
      try {
        linkSync(temporary, path);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        // Not every file system has links.
        return existsSync(path) ? false : this.rename(temporary, path);
      } finally {
        this.drop(temporary);
      }
    } catch (error) {
      throw writeProblem(this.path, error);
    }
  }

  /** Keys of the parts that have a record of a kind. */
  keys(kind: RecordKind): Set<string> {
    try {
      return new Set(readdirSync(join(this.path, kind)));
    } catch (error) {
      throw readProblem(join(this.path, kind), error);
    }
  }

  /** Path of a part's record. */
  pathOf(kind: RecordKind, key: string): string {
    return join(this.path, kind, key);
  }

  /** Whether a part has a record of a kind. */
  has(kind: RecordKind, key: string): boolean {
    return existsSync(this.pathOf(kind, key));
  }

  /** A record of a part that is done; undefined where there is none. @throws InputError for what is no such record. */
  done(key: string): DonePart | undefined {
    return this.record(
      'done',
      key,
      ({ bytes, sha256, tokens }: Partial<DonePart>) =>
        [typeof bytes, typeof sha256, typeof tokens].join() === 'number,string,number',
    );
  }

  /** A record of a part that failed; undefined where there is none. @throws InputError for what is no such record. */
  failed(key: string): FailedPart | undefined {
    return this.record('failed', key, ({ message }: Partial<FailedPart>) => typeof message === 'string');
  }

  private record<T extends { readonly key: string }>(
    kind: RecordKind,
    key: string,
    isSound: (record: Partial<T>) => boolean,
  ): T | undefined {
    const text = this.read(kind, key);
    if (text === undefined) return undefined;
    try {
      const record = JSON.parse(text) as Partial<T>;
      if (record.key === key && isSound(record)) return record as T;
    } catch {
      // Said below.
    }
    throw new InputError(
      { source: this.pathOf(kind, key) },
      `expected a record of the part ${key}, found something else`,
    );
  }

  /** Text of a record; undefined where there is none. */
  read(kind: RecordKind, key: string): string | undefined {
    const path = this.pathOf(kind, key);
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw readProblem(path, error);
    }
  }

  /** Writes a record in place of what there is. @throws FileError when it cannot be written. */
  write(kind: RecordKind, key: string, record: object): void {
    const path = this.pathOf(kind, key);
    try {
      this.rename(this.writeTemporary(key, [`${JSON.stringify(record)}\n`]), path);
    } catch (error) {
      throw writeProblem(path, error);
    }
  }

  /** Writes a record where there is none. @returns whether that was so. @throws FileError when it cannot be written. */
  create(kind: RecordKind, key: string, record: object): boolean {
    const path = this.pathOf(kind, key);
    let file: number;
    try {
      file = openSync(path, 'wx');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw writeProblem(path, error);
    }
    try {
      writeSync(file, `${JSON.stringify(record)}\n`);
    } catch (error) {
      rmSync(path, { force: true });
      throw writeProblem(path, error);
    } finally {
      closeSync(file);
    }
    return true;
  }

  /** Removes a record if there is one. */
  remove(kind: RecordKind, key: string): void {
    rmSync(this.pathOf(kind, key), { force: true });
  }

  /** Takes a record away. @returns whether this call did, and no other. */
  take(kind: RecordKind, key: string): boolean {
    const away = this.temporary(key);
    try {
      renameSync(this.pathOf(kind, key), away);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw writeProblem(this.pathOf(kind, key), error);
    } finally {
      this.drop(away);
    }
  }

  /** Path of a temporary file for a record, on the same disk; removed when the process ends before {@link drop}. */
  temporary(key: string): string {
    return temporaryFor(join(this.path, 'tmp', key));
  }

  /** Removes a temporary file, if it is still there. */
  drop(temporary: string): void {
    rmSync(temporary, { force: true });
    forgetTemporary(temporary);
  }

  /** Gives a temporary file the name of a record. */
  rename(temporary: string, path: string): boolean {
    renameSync(temporary, path);
    forgetTemporary(temporary);
    return true;
  }

  /** Removes temporary files of processes that are gone. */
  removeAbandoned(): void {
    for (const name of readdirSync(join(this.path, 'tmp'))) {
      const path = join(this.path, 'tmp', name);
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (isLeftBehind(name) || age > OLD) rmSync(path, { force: true });
    }
  }

  private writeTemporary(key: string, pieces: Iterable<string>): string {
    const temporary = this.temporary(key);
    try {
      const file = openSync(temporary, 'wx');
      try {
        for (const piece of pieces) {
          const bytes = encodeUtf8(piece);
          for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
        }
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      this.drop(temporary);
      throw error;
    }
    return temporary;
  }
}

/** Milliseconds after which a temporary file of another machine is taken for one that was left behind: a day. */
const OLD = 86_400_000;

/** Whether a name in a job's folder is the job's own. */
function isOwn(name: string): boolean {
  return name === PLAN || (FOLDERS as readonly string[]).includes(name);
}
