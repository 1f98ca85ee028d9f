import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Decision } from '../../src/project/decisions.js';
import { entryOf } from '../../src/project/document.js';
import {
  checkId,
  checkProject,
  type DocumentEntry,
  type Project,
  type StoredDocument,
} from '../../src/project/project.js';
import { checkSequence, freeName, missing, type Store } from '../../src/project/store.js';

interface Tables extends DBSchema {
  projects: { key: string; value: Project };
  entries: {
    key: [project: string, number: number];
    value: DocumentEntry & { project: string; number: number };
  };
  documents: { key: [project: string, id: string]; value: StoredDocument & { project: string } };
  decisions: {
    key: [project: string, annotator: string, seq: number];
    value: Decision & { project: string; annotator: string };
  };
}

const VERSION = 1;

/** Projects in the browser's own database, for pages without a server. */
export class IndexedStore implements Store {
  private readonly name: string;
  private opened: Promise<IDBPDatabase<Tables>> | undefined;

  /** @param name of the database. */
  constructor(name = 'spanwright') {
    this.name = name;
  }

  private database(): Promise<IDBPDatabase<Tables>> {
    this.opened ??= openDB<Tables>(this.name, VERSION, {
      upgrade(database) {
        database.createObjectStore('projects', { keyPath: 'id' });
        database.createObjectStore('entries', { keyPath: ['project', 'number'] });
        database.createObjectStore('documents', { keyPath: ['project', 'id'] });
        database.createObjectStore('decisions', { keyPath: ['project', 'annotator', 'seq'] });
      },
    });
    return this.opened;
  }

  async projects(): Promise<Project[]> {
    const all = await (await this.database()).getAll('projects');
    return all.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
  }

  async saveProject(project: Project): Promise<void> {
    const transaction = (await this.database()).transaction('projects', 'readwrite', {
      durability: 'strict',
    });
    await transaction.store.put(checkProject(project));
    await transaction.done;
  }

  async documents(project: string): Promise<DocumentEntry[]> {
    await this.checkThere(project);
    const all = await (await this.database()).getAll('entries', within(project));
    return all.map(({ project: _, number: __, ...entry }) => entry);
  }

  async addDocuments(project: string, documents: readonly StoredDocument[]): Promise<DocumentEntry[]> {
    await this.checkThere(project);
    const tables = ['entries', 'documents'] as const;
    const transaction = (await this.database()).transaction(tables, 'readwrite', { durability: 'strict' });
    const there = await transaction.objectStore('entries').getAll(within(project));
    const names = new Set(there.map(({ id }) => id));
    const added: DocumentEntry[] = [];
    for (const document of documents) {
      checkId('document', document.id);
      const own = { ...document, id: freeName(document.id, (name) => names.has(name)) };
      names.add(own.id);
      const entry = entryOf(own);
      await transaction.objectStore('documents').put({ ...own, project });
      await transaction
        .objectStore('entries')
        .put({ ...entry, project, number: there.length + added.length });
      added.push(entry);
    }
    await transaction.done;
    return added;
  }

  async document(project: string, id: string): Promise<StoredDocument> {
    const found = await (await this.database()).get('documents', [project, id]);
    if (found === undefined) throw missing('document', id);
    const { project: _, ...document } = found;
    return document;
  }

  async annotators(project: string): Promise<string[]> {
    await this.checkThere(project);
    const keys = await (await this.database()).getAllKeys('decisions', within(project));
    return [...new Set(keys.map(([, annotator]) => annotator))].sort();
  }

  async journal(project: string, annotator: string, after = 0): Promise<Decision[]> {
    await this.checkThere(project);
    checkId('annotator', annotator);
    const range = IDBKeyRange.bound(
      [project, annotator, after + 1],
      [project, annotator, Number.MAX_SAFE_INTEGER],
    );
    const all = await (await this.database()).getAll('decisions', range);
    return all.map(({ project: _, annotator: __, ...decision }) => decision);
  }

  async append(project: string, annotator: string, decisions: readonly Decision[]): Promise<void> {
    await this.checkThere(project);
    checkId('annotator', annotator);
    const transaction = (await this.database()).transaction('decisions', 'readwrite', {
      durability: 'strict',
    });
    const range = IDBKeyRange.bound([project, annotator, 0], [project, annotator, Number.MAX_SAFE_INTEGER]);
    const last = await transaction.store.openKeyCursor(range, 'prev');
    try {
      checkSequence(last === null ? 0 : last.key[2], decisions);
    } catch (error) {
      transaction.abort();
      await transaction.done.catch(() => undefined);
      throw error;
    }
    for (const decision of decisions) transaction.store.put({ ...decision, project, annotator });
    await transaction.done;
  }

  async close(): Promise<void> {
    (await this.opened)?.close();
    this.opened = undefined;
  }

  private async checkThere(project: string): Promise<void> {
    checkId('project', project);
    if ((await (await this.database()).getKey('projects', project)) === undefined)
      throw missing('project', project);
  }
}

/** Keys that begin with a project's name. */
function within(project: string): IDBKeyRange {
  return IDBKeyRange.bound([project], [project, []]);
}
