import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const listed = readdirSync(root).flatMap((name) =>
  ['bench', 'docs', 'examples', 'experiments', 'models', 'scripts', 'src', 'test'].includes(name)
    ? readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((path) => join(name, path))
    : [name],
);
// The reference in docs/api is made, not written.
const files = listed.filter((name) => !/^docs[/\\]api/.test(name)).sort();
const documents = files.filter((name) => name.endsWith('.md'));
const sources = files.filter((name) => /^(src|bench|scripts|test)\/.*\.[jt]s$/.test(name));

/** The anchors that GitHub gives a document's headings. */
function anchors(document: string): string[] {
  const headings = read(document)
    .replace(/```[\s\S]*?```/g, '')
    .matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, text]) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replace(/ /g, '-'),
  );
}

/** The ways to cite an entry of the bibliography: as its key, or by the first author "et al.". */
const citations = (key: string) => [key, key.replace(/^([^,]+?)(,| and| et al\.).* (\S+)$/, '$1 et al. $3')];

describe('documents', () => {
  it.each(documents)('%s links only to what there is', (document) => {
    const broken = [...read(document).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)]
      .map((match) => match[1] ?? match[2])
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path, anchor] = link.split('#');
        const target = path === '' ? document : join(dirname(document), path);
        if (!existsSync(join(root, target))) return true;
        return anchor !== undefined && !anchors(target).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  it('name papers that the bibliography has, by author and year', () => {
    const keys = new Set(
      [...read('docs/BIBLIOGRAPHY.md').matchAll(/^- \*\*(.+?)\*\*/gm)].flatMap((match) =>
        citations(match[1]),
      ),
    );
    const name = '\\p{Lu}[\\p{L}’-]+(?: (?:Kim )?\\p{Lu}\\p{L}+)?';
    const citation = new RegExp(
      `((?:${name}, )*${name} (?:and|&) ${name}|${name} et al\\.)(?:,)? \\(?((?:19|20)\\d\\d[a-z]?)\\b`,
      'gu',
    );
    const unknown: string[] = [];
    let cited = 0;
    for (const file of [...documents, ...sources].filter((each) => each !== 'docs/BIBLIOGRAPHY.md')) {
      const text = read(file).replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ');
      for (const [, authors, year] of text.matchAll(citation)) {
        cited++;
        if (!keys.has(`${authors.replace(/ &/g, ' and')} ${year}`))
          unknown.push(`${file}: ${authors} ${year}`);
      }
    }
    expect(unknown).toEqual([]);
    expect(cited).toBeGreaterThan(keys.size);
  });

  it('give no numbers to papers', () => {
    // Written by way of parts, so that this file is none of those found.
    const number = new RegExp(`${'paper'}s? \\(?00\\d|METHODS\\.?( section)? \\d`);
    expect([...documents, ...sources].filter((file) => number.test(read(file)))).toEqual([]);
  });
});
