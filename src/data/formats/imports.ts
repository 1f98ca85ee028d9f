/**
 * Formats of other tools that are read by turning a whole file into lines of JSONL spans: for each a function from text to
 * lines, and how its files are told.
 */
import { InputError, type InputPlace, quote, show } from '../../base/errors.js';

/** A file of another tool, and one beside it where the format has two. */
export interface ImportedText {
  /** Content of the file. */
  readonly text: string;
  /** Content of the file beside it: the text that annotations are of. */
  readonly beside?: string | undefined;
}

/** Lines of JSONL spans, and what could not be taken over as it is. */
export interface Imported {
  /** Lines, each a JSON document. */
  readonly lines: readonly string[];
  /** Notes on annotations that were changed or left out. */
  readonly notes: readonly string[];
}

/** A format that is imported. */
export interface ImportFormat {
  /** One line of help. */
  readonly help: string;
  /** Whether the beginning of a file is of this format. @param extension of its name, in lower case. */
  recognises(start: string, extension: string): boolean;
  /** Extension of the file beside it that is needed too. */
  readonly beside?: string;
  /** @throws InputError for what cannot be read. */
  read(file: ImportedText, source: string): Imported;
}

/** Name of an imported format. */
export type ImportName = 'brat' | 'labelstudio' | 'opennlp' | 'inline-xml' | 'word-tag';

/** The imported formats, in the order in which files are tried. */
export const IMPORTS: Readonly<Record<ImportName, ImportFormat>> = {
  brat: {
    help: 'BRAT standoff: FILE.ann beside FILE.txt; spans in several parts are read from first to last',
    recognises: (start, extension) => extension === '.ann' && /^(?:[TREAMN#*]\S*\t|\s*$)/.test(start),
    beside: '.txt',
    read: readBrat,
  },
  labelstudio: {
    help: 'Label Studio exports, JSON and JSON-MIN',
    recognises: (start, extension) => extension === '.json' && /^\s*\[\s*\{/.test(start),
    read: readLabelStudio,
  },
  opennlp: {
    help: 'OpenNLP name samples: tokens between blanks, names as <START:type> … <END>',
    recognises: (start) => /(?:^|\s)<START(?::\S+)?>\s.*\s<END>(?:\s|$)/m.test(start),
    read: (file, source) => readLines(file, source, openNlpLine),
  },
  'inline-xml': {
    help: 'text with names in elements, a document a line: <PER>Ana</PER> ran.',
    recognises: (start) =>
      /^[^<\n]*<([A-Za-z][\w.-]*)>[^<\n]+<\/\1>/m.test(start) && !/^\s*<\?xml/.test(start),
    read: (file, source) => readLines(file, source, inlineLine),
  },
  'word-tag': {
    help: 'words with their labels, a sentence a line: The_DT dog_NN',
    recognises: (start) => {
      const [line] = start.split('\n').filter((own) => own.trim() !== '');
      const words = line?.trim().split(/\s+/) ?? [];
      return words.length > 1 && words.every((word) => /^.+_[^_]+$/.test(word));
    },
    read: (file, source) => readLines(file, source, wordTagLine),
  },
};

/** The format that a file is of by its beginning, if it is one of these. */
export function importNamed(start: string, extension: string): ImportName | undefined {
  return (Object.keys(IMPORTS) as ImportName[]).find((name) =>
    IMPORTS[name].recognises(start, extension.toLowerCase()),
  );
}

interface PointSpan {
  readonly startCodePoint: number;
  readonly endCodePoint: number;
  readonly label: string;
}

function readBrat({ text, beside = '' }: ImportedText, source: string): Imported {
  const spans: PointSpan[] = [];
  let parted = 0;
  text.split(/\r?\n/).forEach((line, index) => {
    if (!line.startsWith('T')) return;
    const place = { source, line: index + 1 };
    const [, annotation = ''] = line.split('\t');
    const parts = /^(\S+) (\d+ \d+(?:;\d+ \d+)*)$/.exec(annotation);
    if (parts === null) {
      throw new InputError(place, `expected TYPE START END after the first tab, found ${quote(annotation)}`);
    }
    const offsets = parts[2].split(/[ ;]/).map(Number);
    if (offsets.length > 2) parted++;
    spans.push({ startCodePoint: offsets[0], endCodePoint: offsets[offsets.length - 1], label: parts[1] });
  });
  const document = JSON.stringify({ text: beside, spans: inOrder(spans) });
  const notes = parted === 0 ? [] : [`${source}: spans in several parts, read from first to last: ${parted}`];
  return { lines: [document], notes };
}

function inOrder(spans: readonly PointSpan[]): PointSpan[] {
  return [...spans].sort((a, b) => a.startCodePoint - b.startCodePoint);
}

function readLabelStudio({ text }: ImportedText, source: string): Imported {
  let tasks: unknown;
  try {
    tasks = JSON.parse(text);
  } catch (error) {
    throw new InputError({ source }, `expected a JSON list of tasks: ${(error as Error).message}`);
  }
  if (!Array.isArray(tasks))
    throw new InputError({ source }, `expected a JSON list of tasks, found ${show(tasks)}`);
  let cancelled = 0;
  const lines = tasks.flatMap((task: unknown, i) => {
    const refuse = (problem: string): never => {
      throw new InputError({ source }, `task ${i + 1}: ${problem}`);
    };
    if (!isRecord(task)) return refuse(`expected an object, found ${show(task)}`);
    const own = isRecord(task.data) ? task.data : task;
    const body = own.text ?? Object.values(own).find((value) => typeof value === 'string');
    if (typeof body !== 'string') return refuse('expected a text, found none');
    const annotations = (Array.isArray(task.annotations) ? task.annotations : []).filter(isRecord);
    const valid = annotations.filter(({ was_cancelled: isCancelled }) => isCancelled !== true);
    cancelled += annotations.length - valid.length;
    if (annotations.length > 0 && valid.length === 0) return [];
    const results = isRecord(task.data)
      ? (valid[0]?.result ?? [])
      : Object.values(task).find(
          (value) => Array.isArray(value) && value.some((entry) => isRecord(entry) && 'start' in entry),
        );
    const spans = (Array.isArray(results) ? results : []).filter(isRecord).flatMap((result) => {
      const value = isRecord(result.value) ? result.value : result;
      const labels = value.labels ?? value.hypertextlabels;
      if (!Array.isArray(labels)) return [];
      if (labels.length !== 1) return refuse(`expected one label a span, found ${show(labels)}`);
      return [{ start: value.start, end: value.end, label: labels[0] }];
    });
    return [JSON.stringify({ text: body, spans })];
  });
  return {
    lines,
    notes: cancelled === 0 ? [] : [`${source}: cancelled annotations, left out: ${cancelled}`],
  };
}

/** Turns each line that is not blank into a document. */
function readLines(
  { text }: ImportedText,
  source: string,
  read: (line: string, place: InputPlace) => object,
): Imported {
  const lines = text.split(/\r?\n/).map((line, index) => {
    return line.trim() === '' ? '' : JSON.stringify(read(line, { source, line: index + 1 }));
  });
  return { lines, notes: [] };
}

/** A document of tokens one blank apart. */
class TokenDocument {
  private text = '';
  private readonly tokens: object[] = [];
  private readonly spans: object[] = [];

  /** Offset at which the next token starts. */
  get next(): number {
    return this.text === '' ? 0 : this.text.length + 1;
  }

  add(word: string, fields: object = {}): void {
    const start = this.next;
    this.text += (start === 0 ? '' : ' ') + word;
    this.tokens.push({ start, end: this.text.length, ...fields });
  }

  close(start: number, label: string): void {
    this.spans.push({ start, end: this.text.length, label });
  }

  /** @param withSpans whether its labels are spans, not fields of tokens. */
  json(withSpans: boolean): object {
    const { text, tokens, spans } = this;
    return { text, tokens, ...(withSpans && { spans }) };
  }
}

function openNlpLine(line: string, place: InputPlace): object {
  const document = new TokenDocument();
  let open: { start: number; label: string } | undefined;
  for (const word of line.trim().split(/\s+/)) {
    const begin = /^<START(?::(\S+))?>$/.exec(word);
    if (begin || word === '<END>') {
      if ((begin !== null) === (open !== undefined)) {
        throw new InputError(place, `expected <START> and <END> in turn, found ${quote(word)}`);
      }
      if (open) document.close(open.start, open.label);
      open = begin ? { start: document.next, label: begin[1] ?? 'default' } : undefined;
    } else document.add(word);
  }
  if (open) throw new InputError(place, 'expected <END> after <START>, found the end of the line');
  return document.json(true);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function inlineLine(line: string, place: InputPlace): object {
  let text = '';
  const spans: object[] = [];
  let open: { start: number; label: string } | undefined;
  for (const [part] of line.matchAll(/<\/?[A-Za-z][\w.-]*>|[^<]+|</g)) {
    const tag = /^<(\/?)(.+)>$/.exec(part);
    if (tag === null) text += part.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name]);
    else if (tag[1] === '') {
      if (open)
        throw new InputError(
          place,
          `expected </${open.label}> first, found ${quote(part)}: names do not nest`,
        );
      open = { start: text.length, label: tag[2] };
    } else {
      if (open?.label !== tag[2])
        throw new InputError(place, `expected an element that ends here, found ${quote(part)}`);
      spans.push({ start: open.start, end: text.length, label: open.label });
      open = undefined;
    }
  }
  if (open) throw new InputError(place, `expected </${open.label}>, found the end of the line`);
  return { text, spans };
}

function wordTagLine(line: string, place: InputPlace): object {
  const document = new TokenDocument();
  for (const word of line.trim().split(/\s+/)) {
    const parts = /^(.+)_([^_]+)$/.exec(word);
    if (parts === null) throw new InputError(place, `expected WORD_TAG, found ${quote(word)}`);
    document.add(parts[1], { [TAG_FIELD]: parts[2] });
  }
  return document.json(false);
}

/** Field of a token that holds its label, whatever the label column is called. */
export const TAG_FIELD = 'tag';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
