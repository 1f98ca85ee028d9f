import { InputError, type InputPlace } from '../base/errors.js';
import { type Corpus, columnStrings, placeOf } from '../data/corpus.js';
import { GoldTags } from '../tags/gold-tags.js';
import { SCHEMES, type SchemeName } from '../tags/scheme.js';
import { nameOf, withPlainTags } from '../tags/spelling.js';

/** Something odd in a data file. */
export interface Finding {
  /** Where it is; the whole file where no line is named. */
  readonly place: InputPlace;
  /** Sort of it, for programs. */
  readonly kind: string;
  /** What was found, and what it would be read as. */
  readonly message: string;
}

/** Most findings of one kind that are told of one file one by one. */
const MOST_ALIKE = 10;
/** Mean length from which sentences seem to lack the blank lines between them. */
const LONG = 200;
/** Characters that nobody sees: controls, zero-width ones, and blanks that are no spaces. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u00a0\u2000-\u200a\u202f\u3000\ufeff]/u;

/** What is odd in the data of a corpus whose last column holds labels. */
export function examine(given: Corpus, scheme: SchemeName): Finding[] {
  const corpus = withPlainTags(given, scheme);
  const { source } = corpus;
  const findings: Finding[] = [];
  const sentences = corpus.starts.length - 1;
  const tokens = corpus.lines.length;
  if (corpus.tagSpelling) {
    findings.push({
      place: { source },
      kind: 'spelling',
      message: `tags are spelled ${nameOf(corpus.tagSpelling)}`,
    });
  }
  if (tokens > LONG * sentences) {
    const message = `${tokens} tokens in ${sentences} sentences: blank lines between sentences may be missing`;
    findings.push({ place: { source }, kind: 'long-sentences', message });
  }
  findings.push(...invisible(corpus), ...(scheme === 'token' ? [] : oddTags(corpus)), ...repeated(corpus));
  return findings;
}

/** Sentences that a corpus has in common with one before. */
export function sharedWith(corpus: Corpus, earlier: Corpus): Finding[] {
  const known = new Set(texts(earlier));
  const shared = texts(corpus).flatMap((text, s) => (known.has(text) ? [s] : []));
  return limited(
    shared.map((s) => ({
      place: placeOf(corpus, s, 0),
      kind: 'shared-sentence',
      message: `the sentence is in ${earlier.source} too: scores on it say little about new text`,
    })),
  );
}

/** A finding as a line. */
export function findingText({ place, message }: Finding): string {
  return `${new InputError(place, message).message}\n`;
}

/** The first of many alike, and how many more there are. */
export function limited(findings: readonly Finding[]): Finding[] {
  const more = findings.length - MOST_ALIKE;
  if (more <= 0) return [...findings];
  const { place, kind } = findings[MOST_ALIKE - 1];
  return [
    ...findings.slice(0, MOST_ALIKE),
    { place: { source: place.source }, kind, message: `${more} more like that (${kind})` },
  ];
}

function invisible(corpus: Corpus): Finding[] {
  const found: Finding[] = [];
  corpus.columns.forEach((column, c) => {
    const odd = corpus.alphabets[c].toArray().map((text) => INVISIBLE.exec(text)?.[0]);
    if (odd.every((character) => character === undefined)) return;
    corpus.cells[c].forEach((id, token) => {
      const character = odd[id];
      if (character === undefined) return;
      const code = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
      const message = `the ${column} has the invisible character U+${code}, which makes it another ${column}`;
      found.push({
        place: { source: corpus.source, line: corpus.lines[token] },
        kind: 'invisible-character',
        message,
      });
    });
  });
  return limited(found);
}

function oddTags(corpus: Corpus): Finding[] {
  const column = corpus.columns.length - 1;
  const strings = corpus.alphabets[column].toArray();
  const isTag = strings.map((tag) => SCHEMES.iob2.parse(tag) !== undefined);
  const bad = [...corpus.cells[column].keys()].filter((token) => !isTag[corpus.cells[column][token]]);
  const place = (token: number) => ({ source: corpus.source, line: corpus.lines[token] });
  if (bad.length > 0) {
    return limited(
      bad.map((token) => ({
        place: place(token),
        kind: 'no-tag',
        message: `${JSON.stringify(strings[corpus.cells[column][token]])} is no tag of chunks; ${token === 0 ? 'is the line a header? --header 1' : '--task pos learns labels of any kind'}`,
      })),
    );
  }
  const gold = new GoldTags(corpus);
  const scheme = gold.schemeOf('iob2');
  const findings: Finding[] = [];
  for (let s = 0; s + 1 < corpus.starts.length; s++) {
    const first = corpus.starts[s];
    const regular = SCHEMES[scheme].encode(gold.spans(s), corpus.starts[s + 1] - first);
    columnStrings(corpus, column, s).forEach((tag, t) => {
      if (tag === regular[t]) return;
      const message = `${tag} is not as ${scheme} has it, and read as ${regular[t]}`;
      findings.push({ place: place(first + t), kind: 'irregular-tag', message });
    });
  }
  const types = new Set(strings.map((tag) => SCHEMES.iob2.parse(tag)?.type ?? ''));
  const byCase = new Map<string, string[]>();
  for (const type of types) byCase.set(type.toLowerCase(), [...(byCase.get(type.toLowerCase()) ?? []), type]);
  const alike = [...byCase.values()].filter((own) => own.length > 1);
  return [
    ...limited(findings),
    ...alike.map((own) => ({
      place: { source: corpus.source },
      kind: 'types-by-case',
      message: `the types ${own.join(' and ')} differ by case alone, and are read as different types`,
    })),
  ];
}

function repeated(corpus: Corpus): Finding[] {
  const firsts = new Map<string, number>();
  const all = texts(corpus, 1);
  const labelled = texts(corpus, 0);
  const findings: Finding[] = [];
  all.forEach((text, s) => {
    const first = firsts.get(text);
    if (first === undefined) firsts.set(text, s);
    else if (labelled[first] !== labelled[s]) {
      const line = placeOf(corpus, first, 0).line;
      const message = `the sentence of line ${line} stands here with other labels`;
      findings.push({ place: placeOf(corpus, s, 0), kind: 'contradiction', message });
    }
  });
  return limited(findings);
}

/** [S] cells of each sentence as one text, without so many of the last columns. */
function texts(corpus: Corpus, without = 1): string[] {
  const columns = corpus.columns.length - without;
  return Array.from({ length: corpus.starts.length - 1 }, (_, s) =>
    Array.from({ length: columns }, (_, c) => columnStrings(corpus, c, s).join(' ')).join('\t'),
  );
}
