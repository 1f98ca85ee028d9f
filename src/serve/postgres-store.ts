import { OptionError, SpanwrightError } from '../base/errors.js';
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

/** What is used of the package `pg`, which somebody who wants this installs. */
interface Pool {
  query(text: string, values?: readonly unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  connect(): Promise<Client>;
  end(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): void;
}

/** A connection of the pool. */
interface Client extends Pick<Pool, 'query'> {
  release(isBroken?: boolean): void;
}

/** Changes of the tables in order; each is made once. NUL, which no text of PostgreSQL may hold, is kept out by keeping JSON as bytes. */
const MIGRATIONS: readonly string[] = [
  `create table project (id text primary key, created bigint not null, body bytea not null);
   create table document (project text not null references project, number integer not null, id text not null,
     entry bytea not null, body bytea not null, primary key (project, id), unique (project, number));
   create table decision (project text not null references project, annotator text not null, seq bigint not null,
     body bytea not null, primary key (project, annotator, seq));`,
];

/** Number of the lock under which tables are changed. */
const MIGRATION_LOCK = 8137001;
/** Code of an error of PostgreSQL: a key that there is already. */
const DUPLICATE = '23505';

/** Projects in PostgreSQL, for several servers at a time. */
export class PostgresStore implements Store {
  private readonly pool: Pool;

  private constructor(pool: Pool) {
    this.pool = pool;
  }

  /**
   * Connects, and brings the tables up to date.
   *
   * @param address `postgres://…`.
   * @throws OptionError where the package `pg` is not there, or no database is.
   */
  static async open(address: string): Promise<PostgresStore> {
    const pool = await poolOf(address);
    try {
      await migrate(pool);
    } catch (error) {
      await pool.end();
      throw new OptionError(
        'store',
        `--store: expected a database that answers: ${(error as Error).message}`,
      );
    }
    return new PostgresStore(pool);
  }

  async projects(): Promise<Project[]> {
    const { rows } = await this.pool.query('select body from project order by created, id collate "C"');
    return rows.map(({ body }) => fromBytes(body) as Project);
  }

  async saveProject(project: Project): Promise<void> {
    const { id, created } = checkProject(project);
    await this.pool.query(
      'insert into project values ($1, $2, $3) on conflict (id) do update set created = $2, body = $3',
      [id, created, toBytes(project)],
    );
  }

  async documents(project: string): Promise<DocumentEntry[]> {
    await this.checkThere(project);
    const { rows } = await this.pool.query('select entry from document where project = $1 order by number', [
      project,
    ]);
    return rows.map(({ entry }) => fromBytes(entry) as DocumentEntry);
  }

  async addDocuments(project: string, documents: readonly StoredDocument[]): Promise<DocumentEntry[]> {
    for (const { id } of documents) checkId('document', id);
    return this.inTransaction(project, async (client) => {
      const { rows } = await client.query('select id from document where project = $1', [project]);
      const names = new Set(rows.map(({ id }) => String(id)));
      const added: DocumentEntry[] = [];
      for (const document of documents) {
        const own = { ...document, id: freeName(document.id, (name) => names.has(name)) };
        const entry = entryOf(own);
        const values = [project, names.size, own.id, toBytes(entry), toBytes(own)];
        await client.query('insert into document values ($1, $2, $3, $4, $5)', values);
        names.add(own.id);
        added.push(entry);
      }
      return added;
    });
  }

  async document(project: string, id: string): Promise<StoredDocument> {
    checkId('document', id);
    await this.checkThere(project);
    const { rows } = await this.pool.query('select body from document where project = $1 and id = $2', [
      project,
      id,
    ]);
    if (rows.length === 0) throw missing('document', id);
    return fromBytes(rows[0].body) as StoredDocument;
  }

  async annotators(project: string): Promise<string[]> {
    await this.checkThere(project);
    const { rows } = await this.pool.query(
      'select distinct annotator collate "C" as annotator from decision where project = $1 order by 1',
      [project],
    );
    return rows.map(({ annotator }) => String(annotator));
  }

  async journal(project: string, annotator: string, after = 0): Promise<Decision[]> {
    checkId('annotator', annotator);
    await this.checkThere(project);
    const { rows } = await this.pool.query(
      'select body from decision where project = $1 and annotator = $2 and seq > $3 order by seq',
      [project, annotator, after],
    );
    return rows.map(({ body }) => checkDecision(fromBytes(body)));
  }

  async append(project: string, annotator: string, decisions: readonly Decision[]): Promise<void> {
    checkId('annotator', annotator);
    await this.inTransaction(undefined, async (client) => {
      await checkProjectThere(client, project);
      const { rows } = await client.query(
        'select coalesce(max(seq), 0) as last from decision where project = $1 and annotator = $2',
        [project, annotator],
      );
      checkSequence(Number(rows[0].last), decisions);
      for (const decision of decisions) {
        const values = [project, annotator, decision.seq, toBytes(decision)];
        await client.query('insert into decision values ($1, $2, $3, $4)', values);
      }
    });
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async checkThere(project: string): Promise<void> {
    await checkProjectThere(this.pool, project);
  }

  /** Does several things or none. @param locked project that nobody else adds documents to meanwhile. */
  private async inTransaction<T>(
    locked: string | undefined,
    work: (client: Client) => Promise<T>,
  ): Promise<T> {
    const client = await this.pool.connect();
    let isBroken = false;
    try {
      await client.query('begin');
      if (locked !== undefined) await checkProjectThere(client, locked, ' for update');
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => {
        isBroken = true;
      });
      if ((error as { code?: string }).code === DUPLICATE) {
        throw new SpanwrightError(
          'conflict',
          'expected the next number, found one that is there: somebody decided in between',
        );
      }
      throw error;
    } finally {
      client.release(isBroken);
    }
  }
}

async function checkProjectThere(client: Pick<Pool, 'query'>, project: string, lock = ''): Promise<void> {
  checkId('project', project);
  const { rows } = await client.query(`select 1 from project where id = $1${lock}`, [project]);
  if (rows.length === 0) throw missing('project', project);
}

async function poolOf(address: string): Promise<Pool> {
  // A name that bundlers leave alone: the package is somebody's own.
  const name = 'pg';
  try {
    const { default: pg } = (await import(name)) as { default: { Pool: new (options: object) => Pool } };
    const pool = new pg.Pool({ connectionString: address, max: 10 });
    // A connection that breaks while nobody uses it is made anew.
    pool.on('error', () => undefined);
    return pool;
  } catch (error) {
    throw new OptionError(
      'store',
      `--store: expected the package pg, which npm install pg adds: ${(error as Error).message}`,
    );
  }
}

/** Makes the changes that were not made yet, one server at a time. */
async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query('create table if not exists migration (number integer primary key)');
    const { rows } = await client.query('select count(*) as done from migration');
    for (let number = Number(rows[0].done); number < MIGRATIONS.length; number++) {
      await client.query(MIGRATIONS[number]);
      await client.query('insert into migration values ($1)', [number]);
    }
    await client.query('commit');
  } finally {
    client.release();
  }
}

function toBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function fromBytes(value: unknown): unknown {
  return JSON.parse(Buffer.from(value as Uint8Array).toString());
}
