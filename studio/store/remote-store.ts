import type { Decision } from '../../src/project/decisions.js';
import type { DocumentEntry, Project, StoredDocument } from '../../src/project/project.js';
import type { Store } from '../../src/project/store.js';
import { answerOf } from '../models.js';

/** Most UTF-16 units that are sent in one request. */
const MOST_AT_ONCE = 8_000_000;

/** Projects that the server keeps. */
export class RemoteStore implements Store {
  private readonly root: string;

  /** @param api where the interface begins. */
  constructor(api: string) {
    this.root = `${api}/projects`;
  }

  private path(...parts: readonly string[]): string {
    return [this.root, ...parts.map(encodeURIComponent)].join('/');
  }

  private send(path: string, body: object, method = 'POST'): Promise<unknown> {
    return answerOf(path, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  }

  async projects(): Promise<Project[]> {
    return ((await answerOf(this.root)) as { projects: Project[] }).projects;
  }

  async saveProject(project: Project): Promise<void> {
    await this.send(this.path(project.id), { project }, 'PUT');
  }

  async documents(project: string): Promise<DocumentEntry[]> {
    return ((await answerOf(this.path(project, 'documents'))) as { documents: DocumentEntry[] }).documents;
  }

  async addDocuments(project: string, documents: readonly StoredDocument[]): Promise<DocumentEntry[]> {
    const added: DocumentEntry[] = [];
    for (let next = 0; next < documents.length; ) {
      const first = next;
      let size = 0;
      do size += documents[next++].text.length;
      while (next < documents.length && size + documents[next].text.length < MOST_AT_ONCE);
      const part = documents.slice(first, next);
      const answer = await this.send(this.path(project, 'documents'), { documents: part });
      added.push(...(answer as { documents: DocumentEntry[] }).documents);
    }
    return added;
  }

  async document(project: string, id: string): Promise<StoredDocument> {
    return (await answerOf(this.path(project, 'documents', id))) as StoredDocument;
  }

  async annotators(project: string): Promise<string[]> {
    return ((await answerOf(this.path(project, 'annotators'))) as { annotators: string[] }).annotators;
  }

  async journal(project: string, annotator: string, after = 0): Promise<Decision[]> {
    const path = `${this.path(project, 'journal', annotator)}?after=${after}`;
    return ((await answerOf(path)) as { decisions: Decision[] }).decisions;
  }

  async append(project: string, annotator: string, decisions: readonly Decision[]): Promise<void> {
    await this.send(this.path(project, 'journal', annotator), { decisions });
  }

  async close(): Promise<void> {}
}
