import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeUtf8 } from '../base/utf8.js';
import { makeFolder, readProblem, writeBytes, writeProblem } from '../node/files.js';
import { checkDecision, type Decision } from '../project/decisions.js';
import { entryOf } from '../project/document.js';
import {
  checkId,
  checkProject,
  type DocumentEntry,
  type Project,
  type StoredDocument,
} from '../project/project.js';
import { checkSequence, freeName, missing, type Store } from '../project/store.js';
import { kept } from './kept.js';

const NEWLINE = 10;

/**
 * Projects as folders of files: `project.json`, `documents.jsonl` and `documents/`, and in `journal/` a file for each annotator to
 * which lines are added, on the disk before they are acknowledged. A last line that a death of the process tore is cut off.
 */
export class FilesStore implements Store {
  private readonly folder: string;
  private readonly warn: (problem: string) => void;
  private readonly journals = new Map<string, Promise<Journal>>();
  private readonly entries = new Map<string, Promise<Map<string, DocumentEntry>>>();
  /** Work on each project's documents, one after another. */
  private readonly turns = new Map<string, Promise<unknown>>();

  /**
   * @param folder where projects are; made where it is not there.
   * @param warn told of torn lines that were cut off, and of lines that were changed.
   */
  constructor(folder: string, warn: (problem: string) => void = () => undefined) {
    this.folder = folder;
    this.warn = warn;
  }

  async projects(): Promise<Project[]> {
    const names = await readdir(this.folder).catch(() => []);
    const found = await Promise.all(names.map((name) => this.readProject(name)));
    return found
      .filter((project) => project !== undefined)
      .sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
  }

  private async readProject(name: string): Promise<Project | undefined> {
    const text = await readIfThere(join(this.folder, name, 'project.json'));
    return text === undefined ? undefined : checkProject(JSON.parse(text));
  }

  async saveProject(project: Project): Promise<void> {
    const folder = this.pathOf(checkProject(project).id);
    await makeFolder(join(folder, 'documents'));
    await makeFolder(join(folder, 'journal'));
    await writeBytes(join(folder, 'project.json'), encodeUtf8(`${JSON.stringify(project, null, 2)}\n`));
  }

  async documents(project: string): Promise<DocumentEntry[]> {
    return [...(await this.entriesOf(project)).values()];
  }

  private entriesOf(project: string): Promise<Map<string, DocumentEntry>> {
    return kept(this.entries, project, async () => {
      const path = join(await this.existing(project), 'documents.jsonl');
      const lines = await this.wholeLines(path);
      return new Map(
        lines.map((line) => JSON.parse(line) as DocumentEntry).map((entry) => [entry.id, entry]),
      );
    });
  }

  addDocuments(project: string, documents: readonly StoredDocument[]): Promise<DocumentEntry[]> {
    return this.inTurn(project, async () => {
      const entries = await this.entriesOf(project);
      const folder = await this.existing(project);
      const added: DocumentEntry[] = [];
      for (const document of documents) {
        checkId('document', document.id);
        const id = freeName(
          document.id,
          (name) => entries.has(name) || added.some((entry) => entry.id === name),
        );
        const own = { ...document, id };
        await writeBytes(join(folder, 'documents', `${id}.json`), encodeUtf8(JSON.stringify(own)));
        added.push(entryOf(own));
      }
      const lines = added.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      await appendDurably(join(folder, 'documents.jsonl'), lines);
      for (const entry of added) entries.set(entry.id, entry);
      return added;
    });
  }

  async document(project: string, id: string): Promise<StoredDocument> {
    checkId('document', id);
    const text = await readIfThere(join(await this.existing(project), 'documents', `${id}.json`));
    if (text === undefined) throw missing('document', id);
    return JSON.parse(text) as StoredDocument;
  }

  async annotators(project: string): Promise<string[]> {
    const names = await readdir(join(await this.existing(project), 'journal'));
    return names.flatMap((name) => (name.endsWith('.jsonl') ? [name.slice(0, -'.jsonl'.length)] : [])).sort();
  }

  async journal(project: string, annotator: string, after = 0): Promise<Decision[]> {
    return (await this.journalOf(project, annotator)).decisions.slice(after);
  }

  async append(project: string, annotator: string, decisions: readonly Decision[]): Promise<void> {
    await (await this.journalOf(project, annotator)).append(decisions);
  }

  private journalOf(project: string, annotator: string): Promise<Journal> {
    checkId('annotator', annotator);
    return kept(this.journals, `${project}/${annotator}`, async () => {
      const path = join(await this.existing(project), 'journal', `${annotator}.jsonl`);
      return new Journal(path, await this.wholeLines(path), this.warn);
    });
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.turns.values());
    const journals = await Promise.allSettled(this.journals.values());
    for (const one of journals) if (one.status === 'fulfilled') await one.value.close();
  }

  private inTurn<T>(project: string, work: () => Promise<T>): Promise<T> {
    const before = this.turns.get(project) ?? Promise.resolve();
    const own = before.then(work, work);
    this.turns.set(project, own);
    own.catch(() => undefined);
    return own;
  }

  private pathOf(project: string): string {
    checkId('project', project);
    return join(this.folder, project);
  }

  /** Folder of a project. @throws SpanwrightError where there is none. */
  private async existing(project: string): Promise<string> {
    const path = this.pathOf(project);
    if (!(await stat(join(path, 'project.json')).catch(() => undefined))?.isFile())
      throw missing('project', project);
    return path;
  }

  /** Lines of a file; a last one that has no end is cut off. */
  private async wholeLines(path: string): Promise<string[]> {
    const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return new Uint8Array(0);
      throw readProblem(path, error);
    });
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end < bytes.length) {
      await truncate(path, end);
      this.warn(`${path}: the last line was torn, and is cut off: ${bytes.length - end} bytes`);
    }
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, end).toString();
    return text === '' ? [] : text.slice(0, -1).split('\n');
  }
}

/** A line of a journal that waits to be on the disk. */
interface Waiting {
  readonly lines: string;
  resolve(): void;
  reject(error: unknown): void;
}

/** A journal. Decisions that come while others are written go to the disk together. */
class Journal {
  readonly decisions: Decision[] = [];
  private readonly path: string;
  private file: FileHandle | undefined;
  private hash = '';
  private waiting: Waiting[] = [];
  private writing: Promise<void> | undefined;
  /** Problem after which nothing more is taken: what the file holds is not known. */
  private broken: unknown;

  constructor(path: string, lines: readonly string[], warn: (problem: string) => void) {
    this.path = path;
    lines.forEach((line, index) => {
      const { prev, ...rest } = JSON.parse(line) as Decision & { prev: string };
      if (prev !== this.hash) warn(`${path}:${index + 1}: not the line that followed when it was written`);
      this.decisions.push(checkDecision(rest));
      this.hash = hashOf(line);
    });
  }

  append(decisions: readonly Decision[]): Promise<void> {
    if (this.broken !== undefined) return Promise.reject(this.broken);
    checkSequence(this.decisions.length, decisions);
    const lines = decisions.map((decision) => {
      const line = JSON.stringify({ ...decision, prev: this.hash });
      this.hash = hashOf(line);
      return `${line}\n`;
    });
    this.decisions.push(...decisions);
    return new Promise((resolve, reject) => {
      this.waiting.push({ lines: lines.join(''), resolve, reject });
      this.writing ??= this.write().finally(() => {
        this.writing = undefined;
      });
    });
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        this.file ??= await open(this.path, 'a');
        await this.file.appendFile(batch.map(({ lines }) => lines).join(''));
        await this.file.datasync();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        this.broken = writeProblem(this.path, error);
        for (const { reject } of [...batch, ...this.waiting]) reject(this.broken);
        this.waiting = [];
      }
    }
  }

  async close(): Promise<void> {
    await this.writing;
    await this.file?.close();
    this.file = undefined;
  }
}

function hashOf(line: string): string {
  return createHash('sha256').update(line).digest('hex').slice(0, 16);
}

async function appendDurably(path: string, text: string): Promise<void> {
  try {
    const file = await open(path, 'a');
    try {
      await file.appendFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw writeProblem(path, error);
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw readProblem(path, error);
  }
}
