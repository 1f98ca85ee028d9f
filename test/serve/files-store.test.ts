import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FilesStore } from '../../src/serve/files-store.js';
import { decision, STORE_CONTRACT } from '../project/store-contract.js';

const folder = mkdtempSync(join(tmpdir(), 'spanwright-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a store of files', () => {
  it.each(Object.entries(STORE_CONTRACT))('%s', async (_, keeps) => {
    await keeps(async (name) => new FilesStore(join(folder, name)));
    // Nothing was written beside the stores.
    expect(readdirSync(tmpdir()).filter((name) => name === 'names')).toEqual([]);
  });

  it('cuts off a torn last line, says so, and says where a line was changed', async () => {
    const path = join(folder, 'keeps/names/journal/ana.jsonl');
    const before = readFileSync(path, 'utf8');
    const [first, ...rest] = before.split('\n');
    writeFileSync(path, [first.replace('PER', 'ORG'), ...rest].join('\n'));
    appendFileSync(path, '{"seq":4,"ti');
    const problems: string[] = [];
    const store = new FilesStore(join(folder, 'keeps'), (problem) => problems.push(problem));
    const journal = await store.journal('names', 'ana');
    expect(journal.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    await store.append('names', 'ana', [decision(4)]);
    await store.close();
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(4);
    expect(problems).toEqual([
      `${path}: the last line was torn, and is cut off: 12 bytes`,
      `${path}:2: not the line that followed when it was written`,
    ]);
  });
});
