import { InputError, quote } from '../base/errors.js';
import { encodeUtf8 } from '../base/utf8.js';
import { spansLine } from '../data/formats/spans-reader.js';
import type { CharacterSpan } from '../data/span.js';
import { LABEL_FORMATS, labelsOf } from '../label/formats.js';
import type { LabelledSentence } from '../label/labelled-sentence.js';
import { SCHEMES } from '../tags/scheme.js';
import { countPairs, offsetsIn } from '../text/code-points.js';
import type { OpenDocument } from './document.js';
import { writeZip } from './zip.js';

/** A document with the spans to export. */
export interface ExportedDocument {
  /** The document. */
  readonly document: OpenDocument;
  /** Spans of the layer, in text order. */
  readonly spans: readonly CharacterSpan[];
  /** Spans of other layers by name. */
  readonly others?: Readonly<Record<string, readonly CharacterSpan[]>> | undefined;
}

/** A format of exports. */
export interface ExportFormat {
  /** One line of help. */
  readonly help: string;
  /** Extension of its files. */
  readonly extension: string;
  /** Whether a span must cover whole tokens; others are widened to them. */
  readonly isOfTokens?: true;
  /** Unit of offsets to read it again with, where that is not UTF-16 units. */
  readonly offsets?: 'code-points';
  /** @throws InputError for what it cannot hold. */
  write(documents: readonly ExportedDocument[]): string | Uint8Array<ArrayBuffer>;
}

/** Name of a format of exports. */
export type ExportName =
  | 'jsonl'
  | 'doccano'
  | 'prodigy'
  | 'labelstudio'
  | 'columns'
  | 'conllu'
  | 'brat'
  | 'inline-xml';

/** Formats of exports. Each can be imported again. */
export const EXPORTS: Readonly<Record<ExportName, ExportFormat>> = {
  jsonl: {
    help: 'JSON Lines with tokens, sentences and all layers: nothing is lost',
    extension: '.jsonl',
    write: (documents) => documents.map(writeOwn).join(''),
  },
  doccano: {
    help: 'JSON Lines as doccano has them; offsets in code points',
    extension: '.jsonl',
    offsets: 'code-points',
    write: (documents) => documents.map(writeDoccano).join(''),
  },
  prodigy: {
    help: 'JSON Lines as Prodigy has them, with tokens; offsets in code points',
    extension: '.jsonl',
    offsets: 'code-points',
    write: (documents) => documents.map(writeProdigy).join(''),
  },
  labelstudio: {
    help: 'JSON as Label Studio has it',
    extension: '.json',
    write: (documents) => `${JSON.stringify(documents.map(labelStudioTask), null, 1)}\n`,
  },
  columns: {
    help: 'a token a line with IOB2 tags, -DOCSTART- before each of several documents',
    extension: '.txt',
    isOfTokens: true,
    write: (documents) =>
      documents.map((own) => writeSentences(own, documents.length > 1, 'columns')).join(''),
  },
  conllu: {
    help: 'CoNLL-U with IOB2 tags in MISC',
    extension: '.conllu',
    isOfTokens: true,
    write: (documents) =>
      documents.map((own) => writeSentences(own, documents.length > 1, 'conllu')).join(''),
  },
  brat: {
    help: 'brat standoff: a text and an annotation file for each document, in an archive',
    extension: '.zip',
    write: (documents) => writeZip(documents.flatMap(bratFiles)),
  },
  'inline-xml': {
    help: 'a document a line, spans as elements',
    extension: '.xml.txt',
    write: (documents) => documents.map(writeInline).join(''),
  },
};

function writeOwn({ document, spans, others = {} }: ExportedDocument): string {
  const { stored } = document;
  const labels = sentencesOf(document).map((sentence) =>
    labelsOf({ ...sentence, tags: [], labelColumn: '', chunks: [] }),
  );
  const plain = labels.map((own) => ({ ...own, columns: withoutLabels(own.columns) }));
  const json = JSON.parse(spansLine(stored.text, plain)) as { tokens: Record<string, unknown>[] };
  // The words that models read, where they are not those of the text.
  for (const [token, word] of stored.spellings ?? []) json.tokens[token].word = word;
  const points = offsetsIn(stored.text, 'code-points');
  const own = spans.map(({ start, end, type }) => ({
    start,
    end,
    startCodePoint: points(start),
    endCodePoint: points(end),
    label: type,
  }));
  const lengths = Array.from(
    { length: document.sentences },
    (_, s) => document.starts[s + 1] - document.starts[s],
  );
  const layers = Object.keys(others).length > 0 ? { layers: others } : {};
  return `${JSON.stringify({ title: stored.title, ...json, sentences: lengths, spans: own, ...layers })}\n`;
}

function withoutLabels(
  columns: Readonly<Record<string, readonly string[]>>,
): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(columns).filter(([name]) => name !== ''));
}

function writeDoccano({ document, spans }: ExportedDocument): string {
  const { text, title } = document.stored;
  const points = offsetsIn(text, 'code-points');
  return `${JSON.stringify({ text, title, label: spans.map(({ start, end, type }) => [points(start), points(end), type]) })}\n`;
}

function writeProdigy({ document, spans }: ExportedDocument): string {
  const { stored, bounds, length } = document;
  const points = offsetsIn(stored.text, 'code-points');
  const tokens = Array.from({ length }, (_, t) => ({
    text: stored.text.slice(bounds[2 * t], bounds[2 * t + 1]),
    start: points(bounds[2 * t]),
    end: points(bounds[2 * t + 1]),
    id: t,
    ws: t + 1 < length && bounds[2 * t + 2] > bounds[2 * t + 1],
  }));
  const own = spans.map(({ start, end, type }) => ({ start: points(start), end: points(end), label: type }));
  return `${JSON.stringify({ text: stored.text, title: stored.title, tokens, spans: own, answer: 'accept' })}\n`;
}

function labelStudioTask({ document, spans }: ExportedDocument, index: number): object {
  const { text } = document.stored;
  const result = spans.map(({ start, end, type }, s) => ({
    id: `s${s + 1}`,
    from_name: 'label',
    to_name: 'text',
    type: 'labels',
    value: { start, end, text: text.slice(start, end), labels: [type] },
  }));
  return { id: index + 1, data: { text }, annotations: [{ id: index + 1, result }] };
}

function writeSentences(
  { document, spans }: ExportedDocument,
  isMarked: boolean,
  format: 'columns' | 'conllu',
): string {
  const mark = format === 'columns' ? '-DOCSTART- O\n\n' : `# newdoc id = ${document.stored.id}\n`;
  const { write, refuse } = LABEL_FORMATS[format];
  let next = 0;
  const sentences = sentencesOf(document).map((sentence, s) => {
    const own: CharacterSpan[] = [];
    while (
      next < spans.length &&
      (s + 1 === document.sentences || spans[next].start < document.startOf(s + 1))
    ) {
      own.push(spans[next++]);
    }
    const chunks = document.overTokens(s, own);
    const tags = SCHEMES.iob2.encode(chunks, sentence.sentence.words.length);
    const labelled = { ...sentence, chunks, tags, labelColumn: format === 'conllu' ? 'chunk' : 'label' };
    const problem = refuse?.(labelled);
    if (problem)
      throw new InputError({ source: document.stored.title }, `the format ${format} has ${problem}`);
    return write(labelled);
  });
  return (isMarked ? mark : '') + sentences.join('');
}

/** The sentences of a document, without labels. */
function sentencesOf(document: OpenDocument): LabelledSentence[] {
  const { stored } = document;
  const names = Object.keys(stored.columns ?? {});
  let points = 0;
  let counted = 0;
  return Array.from({ length: document.sentences }, (_, s) => {
    const start = document.startOf(s);
    points += start - counted - countPairs(stored.text, counted, start);
    counted = start;
    const words = document.words(s);
    const text = stored.text.slice(start, document.endOf(s));
    const tokens = document.tokens(s).map((offset) => offset - start);
    const cells = names.map((name) => [name, document.cells(name, s) as readonly string[]]);
    return {
      sentence: { text, start, startCodePoint: points, tokens, words },
      columns: { word: words, ...Object.fromEntries(cells) },
      labelColumn: 'label',
      tags: [],
      chunks: [],
      confidences: undefined,
    };
  });
}

function bratFiles({ document, spans }: ExportedDocument): { name: string; bytes: Uint8Array }[] {
  const { text, id } = document.stored;
  const points = offsetsIn(text, 'code-points');
  const lines = spans.map(({ start, end, type }, s) => {
    const covered = text.slice(start, end).replace(/[\r\n]/g, ' ');
    return `T${s + 1}\t${type} ${points(start)} ${points(end)}\t${covered}\n`;
  });
  return [
    { name: `${id}.txt`, bytes: encodeUtf8(text) },
    { name: `${id}.ann`, bytes: encodeUtf8(lines.join('')) },
  ];
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function writeInline({ document, spans }: ExportedDocument): string {
  const { text, title } = document.stored;
  const refuse = (problem: string): never => {
    throw new InputError({ source: title }, `the format inline-xml has no place for ${problem}`);
  };
  if (/[\r\n]/.test(text)) refuse('line ends in a text');
  if (text.trim() === '') refuse('a text of nothing but blanks');
  const escaped = (part: string) => part.replace(/[&<>]/g, (character) => ESCAPES[character]);
  let line = '';
  let next = 0;
  for (const { start, end, type } of spans) {
    if (!/^[A-Za-z][\w.-]*$/.test(type)) refuse(`the label ${quote(type)}, which can name no element`);
    line += `${escaped(text.slice(next, start))}<${type}>${escaped(text.slice(start, end))}</${type}>`;
    next = end;
  }
  return `${line}${escaped(text.slice(next))}\n`;
}
