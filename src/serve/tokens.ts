import { createHash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { appendFile, readFile, stat } from 'node:fs/promises';
import { ApiError } from '../api/api-error.js';
import { InputError, listNames, OptionError, quote } from '../base/errors.js';
import { encodeUtf8 } from '../base/utf8.js';
import { readProblem, writeBytes } from '../node/files.js';
import { ID_PATTERN } from '../project/project.js';

/** Roles: each may do what those before it may. */
export const ROLES = ['annotator', 'curator', 'owner'] as const;

/** A role. */
export type Role = (typeof ROLES)[number];

/** Somebody who may use the server. */
export interface Visitor {
  /** Name, which is that of the journal too. */
  readonly name: string;
  /** What they may do. */
  readonly role: Role;
}

/** A line of the file. */
interface TokenEntry extends Visitor {
  readonly salt: string;
  readonly hash: string;
}

/** Wrong tokens of one address in a minute after which no more are looked at. */
const MOST_FAILURES = 5;
const MINUTE = 60_000;
const HASH_BYTES = 32;

/** Tokens of those who may use a server, kept as salted hashes in a file, a JSON object a line. */
export class TokenFile {
  private readonly path: string;
  private entries = new Map<string, TokenEntry>();
  private read = -1;
  /** Visitors by SHA-256 of tokens found right; forgotten when the file changes. */
  private readonly known = new Map<string, Visitor>();
  private readonly failures = new Map<string, number[]>();

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Adds somebody, or gives a new token to who is there.
   *
   * @returns the token, which is not kept.
   */
  async invite(name: string, role: Role): Promise<string> {
    if (!ID_PATTERN.test(name)) {
      throw new OptionError('invite', `--invite: expected a name of a-z, 0-9 and -, found ${quote(name)}`);
    }
    const secret = randomBytes(HASH_BYTES).toString('base64url');
    const salt = randomBytes(16).toString('base64url');
    const line = `${JSON.stringify({ name, role, salt, hash: hashOf(secret, salt) })}\n`;
    await appendFile(this.path, line, { mode: 0o600 });
    return `${name}.${secret}`;
  }

  /** Removes somebody; their token is refused from then on. @throws OptionError where there is no such name. */
  async revoke(name: string): Promise<void> {
    await this.refresh();
    if (!this.entries.delete(name)) {
      const names = listNames([...this.entries.keys()]) || 'nobody';
      throw new OptionError('revoke', `--revoke: expected ${names}, found ${quote(name)}`);
    }
    const lines = [...this.entries.values()].map((entry) => `${JSON.stringify(entry)}\n`);
    await writeBytes(this.path, encodeUtf8(lines.join('')));
  }

  /** Number of those there are. @throws FileError, InputError for what the file holds. */
  async count(): Promise<number> {
    await this.refresh();
    return this.entries.size;
  }

  /**
   * Finds whose token it is.
   *
   * @param address where the request comes from.
   * @throws ApiError for a token that is nobody's, and after too many of these.
   */
  async visitor(token: string, address: string): Promise<Visitor> {
    const now = Date.now();
    const failed = (this.failures.get(address) ?? []).filter((time) => now - time < MINUTE);
    if (failed.length >= MOST_FAILURES) {
      throw new ApiError(429, 'forbidden', 'expected a pause of a minute after five wrong tokens');
    }
    await this.refresh();
    const digest = createHash('sha256').update(token).digest('base64');
    const known = this.known.get(digest);
    if (known) return known;
    const [name, secret = ''] = token.split('.', 2);
    const entry = this.entries.get(name);
    // Somebody who is not there takes as long.
    const hash = Buffer.from(hashOf(secret, entry?.salt ?? ''), 'base64url');
    const expected = Buffer.from(entry?.hash ?? '', 'base64url');
    if (entry && hash.length === expected.length && timingSafeEqual(hash, expected)) {
      const visitor = { name: entry.name, role: entry.role };
      this.known.set(digest, visitor);
      return visitor;
    }
    if (this.failures.size > 10_000) this.failures.clear();
    this.failures.set(address, [...failed, now]);
    throw new ApiError(401, 'forbidden', 'expected a token that was given out and not revoked');
  }

  /** Reads the file where it has changed. */
  private async refresh(): Promise<void> {
    let text: string;
    try {
      const { mtimeMs, size } = await stat(this.path);
      const state = mtimeMs + size;
      if (state === this.read) return;
      text = await readFile(this.path, 'utf8');
      this.read = state;
    } catch (error) {
      throw readProblem(this.path, error);
    }
    this.known.clear();
    this.entries = new Map();
    text.split('\n').forEach((line, index) => {
      if (line.trim() === '') return;
      const entry = readEntry(line);
      if (entry) this.entries.set(entry.name, entry);
      else {
        const expected = 'a JSON object with name, role, salt and hash, as serve --invite writes it';
        throw new InputError({ source: this.path, line: index + 1 }, `expected ${expected}, found another`);
      }
    });
  }
}

function readEntry(line: string): TokenEntry | undefined {
  try {
    const { name, role, salt, hash } = JSON.parse(line) as TokenEntry;
    const isSound =
      ID_PATTERN.test(name) && ROLES.includes(role) && typeof salt === 'string' && typeof hash === 'string';
    return isSound ? { name, role, salt, hash } : undefined;
  } catch {
    return undefined;
  }
}

function hashOf(secret: string, salt: string): string {
  return scryptSync(secret, salt, HASH_BYTES).toString('base64url');
}
