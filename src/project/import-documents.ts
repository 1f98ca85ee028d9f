import { InputError, SpanwrightError } from '../base/errors.js';
import { decodeUtf8, encodeUtf8, findInvalidUtf8 } from '../base/utf8.js';
import { columnStrings, readColumns } from '../data/corpus.js';
import { looksLikeConllu } from '../data/formats/column-hints.js';
import { IMPORTS, importNamed } from '../data/formats/imports.js';
import { formatOfExtension, UNIT_FORMATS } from '../data/formats/input-formats.js';
import { LineEndReader } from '../data/formats/line-ends.js';
import { parseSpansLine } from '../data/formats/spans-jsonl.js';
import { isTokenLists, parseTokenLists } from '../data/formats/token-lists.js';
import type { CharacterSpan } from '../data/span.js';
import { detectScheme } from '../tags/detect-scheme.js';
import { decodeTags, parseTag, type SchemeName } from '../tags/scheme.js';
import { detectSpelling, PLAIN_SPELLING, unspellTag } from '../tags/spelling.js';
import type { OffsetUnit } from '../text/code-points.js';
import { joinWords } from '../text/text-sentence.js';
import { TOKENIZERS, type TokenizerName } from '../text/tokenizers.js';
import { makeDocument, type TokenisedSentence } from './document.js';
import type { StoredDocument } from './project.js';
import { readZip } from './zip.js';

/** A file to import. */
export interface GivenFile {
  /** Name with its extension. */
  readonly name: string;
  /** Its bytes. */
  readonly bytes: Uint8Array;
}

/** How files are imported. */
export interface ImportOptions {
  /** How texts without tokens are cut. */
  readonly tokenizer: TokenizerName;
  /** Layer that spans go to. */
  readonly layer: string;
  /** Whether spans count as annotated; else they are suggestions. */
  readonly isGold: boolean;
  /** Unit of offsets in JSONL; default UTF-16 units. */
  readonly offsets?: OffsetUnit | undefined;
  /** Whether files are text whatever they look like. */
  readonly isText?: boolean | undefined;
}

/** What files hold. */
export interface ImportedDocuments {
  /** The documents. */
  readonly documents: readonly StoredDocument[];
  /** Labels that occur, those that are most frequent first. */
  readonly labels: readonly string[];
  /** What was detected, a line a file. */
  readonly detected: readonly string[];
  /** What could not be read, each with its place. */
  readonly problems: readonly string[];
}

/** Problems that are told; the others are counted. */
const MOST_PROBLEMS = 100;
/** Characters by which a file is recognised. */
const BEGINNING = 1 << 16;

/** Reads files of texts, with spans where they have any. A bad document is left out, and told of with its place. */
export function importDocuments(files: readonly GivenFile[], options: ImportOptions): ImportedDocuments {
  const importer = new Importer(options);
  const unpacked = files.flatMap((file) => (isZip(file.bytes) ? readZip(file.bytes, file.name) : [file]));
  const texts = new Map(unpacked.map((file) => [file.name, file]));
  for (const file of unpacked) {
    // The text beside an annotation file comes with that.
    const isBeside = file.name.endsWith('.txt') && texts.has(file.name.replace(/\.txt$/, '.ann'));
    if (!isBeside) importer.file(file, texts.get(file.name.replace(/\.ann$/, '.txt')));
  }
  return importer.result();
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] <= 5;
}

class Importer {
  private readonly options: ImportOptions;
  private readonly documents: StoredDocument[] = [];
  private readonly counts = new Map<string, number>();
  private readonly detected: string[] = [];
  private readonly problems: string[] = [];
  private problemCount = 0;

  constructor(options: ImportOptions) {
    this.options = options;
  }

  result(): ImportedDocuments {
    const { documents, detected, problems, problemCount } = this;
    const labels = [...this.counts].sort((a, b) => b[1] - a[1]).map(([label]) => label);
    const more = problemCount > problems.length ? [`and ${problemCount - problems.length} more`] : [];
    return { documents, labels, detected, problems: [...problems, ...more] };
  }

  /** Reads a file. @param beside the text that its annotations are of, where the format has two files. */
  file(file: GivenFile, beside: GivenFile | undefined): void {
    const { name } = file;
    try {
      const text = textOf(file);
      const extension = /\.[^.]+$/.exec(name)?.[0] ?? '';
      const beginning = text.slice(0, BEGINNING);
      const known = formatOfExtension(extension);
      const other = known ? undefined : importNamed(beginning, extension);
      const before = this.documents.length;
      const what = this.options.isText ? 'text' : (other ?? known ?? guessFormat(beginning));
      if (what === 'text') this.add(name, text, this.split(text), undefined);
      else if (other !== undefined) {
        const own = { text, beside: beside && textOf(beside) };
        this.jsonl(IMPORTS[other].read(own, name).lines, name, 'utf16');
      } else if (what === 'jsonl') this.jsonl(text.split('\n'), name, this.options.offsets ?? 'utf16');
      else if (what === 'conllu') this.conllu(text, name);
      else this.columns(text, name);
      const count = this.documents.length - before;
      this.detected.push(`${name}: ${what}, ${count} document${count === 1 ? '' : 's'}`);
    } catch (error) {
      this.problem(error);
    }
  }

  private problem(error: unknown): void {
    if (!(error instanceof SpanwrightError)) throw error;
    this.problemCount++;
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(error.message);
  }

  private add(
    title: string,
    text: string,
    sentences: readonly TokenisedSentence[],
    given: Readonly<Record<string, readonly CharacterSpan[]>> | undefined,
  ): void {
    for (const { type } of Object.values(given ?? {}).flat())
      this.counts.set(type, (this.counts.get(type) ?? 0) + 1);
    const { isGold } = this.options;
    this.documents.push(makeDocument({ title, text, sentences, given, ...(given && { isGold }) }));
  }

  private split(text: string): TokenisedSentence[] {
    return TOKENIZERS[this.options.tokenizer].split(text).map(({ start, tokens, words }) => ({
      tokens: tokens.map((offset) => offset + start),
      words,
    }));
  }

  private jsonl(lines: readonly string[], source: string, offsets: OffsetUnit): void {
    lines.forEach((line, index) => {
      if (line.trim() === '') return;
      const place = { source, line: index + 1 };
      try {
        if (isTokenLists(line)) this.tokenLists(line, place);
        else this.document(line, place, offsets);
      } catch (error) {
        this.problem(error);
      }
    });
  }

  private document(line: string, place: { source: string; line: number }, offsets: OffsetUnit): void {
    const { text, spans, tokens } = parseSpansLine(line, place, offsets);
    const json = JSON.parse(line) as Record<string, unknown>;
    const title = typeof json.title === 'string' ? json.title : `${place.source} ${place.line}`;
    const layers = ownLayers(json.layers);
    const given = spans && {
      ...layers,
      [this.options.layer]: spans.map(({ start, end, type }) => ({ start, end, type })),
    };
    if (tokens === undefined || tokens.length === 0) {
      this.add(title, text, this.split(text), given);
      return;
    }
    const names = [...tokens[0].fields.keys()].filter((name) =>
      tokens.every(({ fields }) => fields.has(name)),
    );
    const isRight = (own: unknown): own is number[] =>
      Array.isArray(own) &&
      own.every((n) => Number.isInteger(n) && n > 0) &&
      own.reduce((a, b) => a + b, 0) === tokens.length;
    const lengths = isRight(json.sentences) ? json.sentences : [tokens.length];
    let first = 0;
    const sentences = lengths.map((length): TokenisedSentence => {
      const own = tokens.slice(first, (first += length));
      return {
        tokens: own.flatMap(({ start, end }) => [start, end]),
        words: own.map(({ start, end, fields }) => fields.get('word') ?? text.slice(start, end)),
        columns: Object.fromEntries(
          names
            .filter((name) => name !== 'word')
            .map((name) => [name, own.map(({ fields }) => fields.get(name) as string)]),
        ),
      };
    });
    this.add(title, text, sentences, given);
  }

  private tokenLists(line: string, place: { source: string; line: number }): void {
    const { tokens, lists, tagKey } = parseTokenLists(line, place, this.options.layer);
    const tags = tagKey === undefined ? undefined : lists.get(tagKey);
    this.sentences(`${place.source} ${place.line}`, [{ words: [...tokens], tags, columns: {} }]);
  }

  private conllu(text: string, source: string): void {
    const reader = UNIT_FORMATS.conllu.read({
      source,
      columns: ['word', 'upos', 'pos', this.options.layer, 'chunk'],
    });
    reader.push(encodeUtf8(text));
    reader.end();
    let rows: Row[] = [];
    const finish = () => {
      if (rows.length > 0) this.sentences(source, rows);
      rows = [];
    };
    for (let unit = reader.next(); unit; unit = reader.next()) {
      if (unit.problem) {
        this.problem(unit.problem);
        continue;
      }
      for (const { sentence, columns } of unit.sentences) {
        if (unit.startsDocument) finish();
        const whole = (name: string) =>
          columns[name]?.includes(undefined) ? undefined : (columns[name] as string[] | undefined);
        const [upos, pos] = [whole('upos'), whole('pos')];
        rows.push({
          words: [...sentence.words],
          bounds: sentence,
          tags: whole(this.options.layer) ?? whole('chunk'),
          columns: { ...(upos && { upos }), ...(pos && { pos }) },
        });
      }
    }
    finish();
  }

  private columns(text: string, source: string): void {
    const width = (/^(?!-DOCSTART-).*\S.*$/m.exec(text)?.[0] ?? '').trim().split(/\s+/).length;
    const middle = Array.from({ length: Math.max(0, width - 2) }, (_, c) =>
      c === 0 ? 'pos' : `column${c + 2}`,
    );
    const corpus = readColumns(text, { columns: ['word', ...middle, 'label'], source });
    const { starts, documents, columns } = corpus;
    let rows: Row[] = [];
    const all: Row[][] = [];
    for (let s = 0; s + 1 < starts.length; s++) {
      if (s === 0 || documents?.[s] !== documents?.[s - 1]) all.push((rows = []));
      const [words, ...cells] = columns.map((_, c) => columnStrings(corpus, c, s));
      const tags = cells.pop();
      rows.push({ words, tags, columns: Object.fromEntries(middle.map((name, c) => [name, cells[c]])) });
    }
    const spelling = detectSpelling(all.flat().flatMap(({ tags = [] }) => tags)) ?? PLAIN_SPELLING;
    const plain = all.map((own) =>
      own.map((row) => ({ ...row, tags: row.tags?.map((tag) => unspellTag(spelling, tag) ?? tag) })),
    );
    const scheme = schemeOf(plain.flat());
    plain.forEach((own, d) => {
      this.sentences(plain.length === 1 ? source : `${source} ${d + 1}`, own, scheme);
    });
  }

  /** Adds a document whose text is sentences of words, a line each. */
  private sentences(title: string, rows: readonly Row[], scheme = schemeOf(rows)): void {
    let text = '';
    const spans: CharacterSpan[] = [];
    const sentences = rows.map(({ words, tags, columns, bounds }): TokenisedSentence => {
      if (text !== '') text += '\n';
      const base = text.length;
      const sentence = bounds ?? joinWords(words);
      text += sentence.text;
      const tokens = sentence.tokens.map((offset) => offset + base);
      for (const { start, end, type } of tags ? decodeTags(tags, scheme) : []) {
        spans.push({ start: tokens[2 * start], end: tokens[2 * end - 1], type });
      }
      return { tokens, words, columns };
    });
    const isLabelled = rows.some(({ tags }) => tags !== undefined);
    this.add(title, text, sentences, isLabelled ? { [this.options.layer]: spans } : undefined);
  }
}

/** A sentence in words. */
interface Row {
  readonly words: string[];
  readonly tags: readonly string[] | undefined;
  readonly columns: Readonly<Record<string, string[]>>;
  readonly bounds?: { readonly text: string; readonly tokens: Uint32Array };
}

/** The scheme of tags; that of single tokens where they are no tags of chunks. */
function schemeOf(rows: readonly Row[]): SchemeName {
  const tags = rows.flatMap((row) => (row.tags ? [row.tags] : []));
  return tags.flat().every((tag) => parseTag(tag) !== undefined) ? detectScheme(tags).scheme : 'token';
}

function textOf({ name, bytes }: GivenFile): string {
  const bad = findInvalidUtf8(bytes);
  if (bad >= 0) throw new InputError({ source: name, byte: bad }, 'expected UTF-8, found another byte');
  // A byte order mark is none of the text's characters.
  return decodeUtf8(bytes).replace(/^\uFEFF/, '');
}

/** What a file without a telling name is: CoNLL-U or columns where its first lines look like it, else text. */
function guessFormat(beginning: string): 'conllu' | 'columns' | 'jsonl' | 'text' {
  const lines = decodeUtf8(new LineEndReader().read(encodeUtf8(beginning))).split('\n');
  const first = lines.slice(0, Math.max(1, lines.length - 1)).filter((line) => line.trim() !== '');
  const sentence = first.slice(0, 40);
  if (sentence.length === 0) return 'text';
  if (sentence.every((line) => line.startsWith('{'))) return 'jsonl';
  const upToBlank = lines.slice(0, Math.max(0, lines.indexOf('')));
  if (upToBlank.length > 0 && looksLikeConllu(upToBlank)) return 'conllu';
  const rows = sentence
    .filter((line) => !line.startsWith('-DOCSTART-'))
    .map((line) => line.trim().split(/\s+/));
  const width = rows[0]?.length ?? 0;
  const isEven = width > 1 && rows.every((cells) => cells.length === width);
  const hasTags = rows.every((cells) => parseTag(cells[cells.length - 1]) !== undefined);
  const isShort = rows.length > 3 && width < 5 && lines.includes('');
  return isEven && (hasTags || isShort) ? 'columns' : 'text';
}

function ownLayers(value: unknown): Record<string, readonly CharacterSpan[]> {
  if (typeof value !== 'object' || value === null) return {};
  const layers: Record<string, readonly CharacterSpan[]> = {};
  for (const [name, spans] of Object.entries(value))
    if (Array.isArray(spans)) layers[name] = spans as CharacterSpan[];
  return layers;
}
