/** What every store must do: functions that throw where one does not, so that a browser can run them too. */
import type { Decision } from '../../src/project/decisions.js';
import { makeDocument } from '../../src/project/document.js';
import type { Project } from '../../src/project/project.js';
import type { Store } from '../../src/project/store.js';

/** Makes a store; with the same name again, one that has what the first was given. */
export type StoreMaker = (name: string) => Promise<Store>;

const PROJECT: Project = {
  id: 'names',
  title: 'Names 🦊',
  created: 5,
  guidelines: 'A name is **one** span.',
  tokenizer: 'english',
  layers: [{ name: 'names', labels: ['PER', 'ORG'] }],
  strategy: 'mixed',
  overlap: 0.1,
};

const DOCUMENT = makeDocument({
  title: 'a.txt',
  text: 'Ana 👩‍🚀 ran.\r\nمرحبا 他在',
  sentences: [
    {
      tokens: [0, 3, 4, 9, 10, 13, 13, 14],
      words: ['Ana', '👩‍🚀', 'ran', '.'],
      columns: { pos: ['NNP', 'SYM', 'VBD', '.'] },
    },
    { tokens: [16, 21, 22, 23, 23, 24], words: ['مرحبا', '他', '在'], columns: { pos: ['X', 'X', 'X'] } },
  ],
  given: { names: [{ start: 0, end: 3, type: 'PER' }] },
});

/** A decision. */
export function decision(seq: number, more: Partial<Decision> = {}): Decision {
  const base = { seq, time: 1000 + seq, doc: DOCUMENT.id, sentence: 0, layer: 'names', kind: 'add' } as const;
  return { ...base, span: { start: 0, end: 3, type: 'PER' }, ...more };
}

function check(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(`expected ${what}`);
}

function same(found: unknown, expected: unknown, what: string): void {
  const [a, b] = [found, expected].map((value) => JSON.stringify(sorted(value)));
  check(a === b, `${what}: ${b}, found ${a}`);
}

/** A value whose objects have their members in order: databases keep their own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, own]) => [name, sorted(own)]),
  );
}

async function refuses(work: Promise<unknown>, code: string, what: string): Promise<void> {
  const found = await work.then(
    () => 'nothing',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
  check(found === code, `${what} to be refused with ${code}, found ${found}`);
}

/** The contract, by what it asks for. */
export const STORE_CONTRACT: Readonly<Record<string, (make: StoreMaker) => Promise<void>>> = {
  async 'is empty at first'(make) {
    const store = await make('empty');
    same(await store.projects(), [], 'projects');
    await refuses(store.documents('nothing'), 'not-found', 'documents of no project');
    await refuses(store.annotators('nothing'), 'not-found', 'annotators of no project');
    await refuses(store.append('nothing', 'ana', [decision(1)]), 'not-found', 'decisions in no project');
    await store.close();
  },
  async 'keeps projects, documents and journals'(make) {
    const first = await make('keeps');
    await first.saveProject(PROJECT);
    await first.saveProject({ ...PROJECT, id: 'older', created: 1 });
    await first.saveProject({ ...PROJECT, title: 'Renamed', trashed: true });
    const added = await first.addDocuments('names', [DOCUMENT, { ...DOCUMENT, title: 'the same text' }]);
    same(
      added.map(({ id }) => id),
      [DOCUMENT.id, `${DOCUMENT.id}-2`],
      'names of documents',
    );
    await first.append('names', 'zoe', [decision(1), decision(2, { kind: 'comment', text: 'héé 🦊' })]);
    await first.append('names', 'ana', [decision(1)]);
    await first.append('names', 'ana', [decision(2, { kind: 'undo', of: 1 })]);
    await first.close();
    const again = await make('keeps');
    same(
      await again.projects(),
      [
        { ...PROJECT, id: 'older', created: 1 },
        { ...PROJECT, title: 'Renamed', trashed: true },
      ],
      'projects',
    );
    same(await again.documents('names'), added, 'documents');
    same(await again.document('names', DOCUMENT.id), DOCUMENT, 'a document');
    same(await again.annotators('names'), ['ana', 'zoe'], 'annotators');
    same(
      await again.journal('names', 'zoe'),
      [decision(1), decision(2, { kind: 'comment', text: 'héé 🦊' })],
      'a journal',
    );
    same(
      (await again.journal('names', 'ana', 1)).map(({ seq }) => seq),
      [2],
      'the end of a journal',
    );
    same(await again.journal('names', 'nobody'), [], 'the journal of nobody');
    same(await again.documents('older'), [], 'documents of another project');
    await refuses(again.document('names', 'nothing'), 'not-found', 'no document');
    await again.append('names', 'ana', [decision(3)]);
    same((await again.journal('names', 'ana')).length, 3, 'decisions after opening again');
    await again.close();
  },
  async 'refuses decisions that skip or repeat a number, whole'(make) {
    const store = await make('numbers');
    await store.saveProject(PROJECT);
    await store.append('names', 'ana', [decision(1), decision(2)]);
    await refuses(store.append('names', 'ana', [decision(2)]), 'conflict', 'a number again');
    await refuses(store.append('names', 'ana', [decision(4)]), 'conflict', 'a number too far');
    await refuses(store.append('names', 'ana', [decision(3), decision(5)]), 'conflict', 'a gap');
    same(
      (await store.journal('names', 'ana')).map(({ seq }) => seq),
      [1, 2],
      'numbers',
    );
    await store.close();
  },
  async 'takes one of two that append at the same time, and loses nothing of ten that do'(make) {
    const store = await make('races');
    await store.saveProject(PROJECT);
    const both = await Promise.allSettled([
      store.append('names', 'ana', [decision(1, { ms: 1 })]),
      store.append('names', 'ana', [decision(1, { ms: 2 })]),
    ]);
    same(both.filter(({ status }) => status === 'fulfilled').length, 1, 'one that is taken');
    const people = Array.from({ length: 10 }, (_, p) => `person-${p}`);
    await Promise.all(
      people.map(async (name) => {
        for (let seq = 1; seq <= 20; seq++) await store.append('names', name, [decision(seq)]);
      }),
    );
    for (const name of people) same((await store.journal('names', name)).length, 20, `decisions of ${name}`);
    await store.close();
  },
  async 'refuses names that are paths'(make) {
    const store = await make('paths');
    await store.saveProject(PROJECT);
    for (const name of ['..', '../names', 'a/b', 'A', '', 'a'.repeat(65), 'con\u0000']) {
      await refuses(store.append('names', name, [decision(1)]), 'bad-request', `the annotator ${name}`);
      await refuses(store.documents(name), 'bad-request', `the project ${name}`);
      await refuses(
        store.addDocuments('names', [{ ...DOCUMENT, id: name }]),
        'bad-request',
        `the document ${name}`,
      );
    }
    await refuses(store.saveProject({ ...PROJECT, id: '../names' }), 'bad-request', 'a project');
    await store.close();
  },
};
