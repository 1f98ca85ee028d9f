import { TOKENIZERS, type TokenizerName } from '../../text/tokenizers.js';
import {
  CharacterReader,
  lineTokenizer,
  parseRawLine,
  parseSegmentedLine,
  taggedLineParser,
} from './characters.js';
import { ConlluReader } from './conllu-reader.js';
import type { UnitReader, UnitReaderOptions } from './input-unit.js';
import type { BorderRule } from './part-cutter.js';
import { SpansReader } from './spans-reader.js';
import { TextReader } from './text-reader.js';
import { TreeReader } from './tree-reader.js';

/** A way to read inputs. */
export interface InputFormatEntry {
  /** One line of help. */
  readonly help: string;
  /** File name extensions that tell it, in lower case. */
  readonly extensions?: readonly string[];
  /** Whether it can hold labels: text cannot. */
  readonly holdsLabels: boolean;
}

/** A format whose inputs are read unit by unit: a document, a sentence or a line at a time. */
export interface UnitFormatEntry extends InputFormatEntry {
  /** Makes a reader. */
  read(options: UnitReaderOptions): UnitReader;
  /** Where an input may be cut into parts that are read apart; absent where it is read as a whole. */
  readonly borders?: (how: BorderOptions) => BorderRule | undefined;
}

/** Name of a format whose inputs are read unit by unit. */
export type UnitFormat = 'text' | 'jsonl' | 'conllu' | 'segmented' | 'tagged' | 'trees';

/** Name of an input format. */
export type InputFormat = 'columns' | UnitFormat;

/** Formats that are read unit by unit. */
export const UNIT_FORMATS: Readonly<Record<UnitFormat, UnitFormatEntry>> = {
  text: {
    help: 'raw text: English, or any text with a model of characters',
    holdsLabels: false,
    read: (options) => {
      const { source, tokens, tokenizer = 'english', lineByLine, from } = options;
      if (lineByLine) {
        const parse = tokens === 'characters' ? parseRawLine : lineTokenizer(tokenizer);
        return new CharacterReader(source, (text, place) => parse(text, place, LINE_START), from);
      }
      if (tokens === 'characters') return new CharacterReader(source, parseRawLine, from);
      return isParagraphs(tokenizer)
        ? new TextReader(options)
        : new CharacterReader(source, lineTokenizer(tokenizer), from);
    },
    borders: ({ tokens, tokenizer = 'english', lineByLine, readsDocuments }) => {
      if (readsDocuments) return undefined;
      return lineByLine || tokens === 'characters' || !isParagraphs(tokenizer) ? 'lines' : 'paragraphs';
    },
  },
  jsonl: {
    help: 'JSON Lines with spans, as annotation tools use them: "text", "tokens", "spans"',
    extensions: ['.jsonl', '.ndjson'],
    holdsLabels: true,
    read: (options) => new SpansReader(options),
    borders: () => 'lines',
  },
  conllu: {
    help: 'CoNLL-U; labels in the column of that name, else in MISC (Chunk=B-NP)',
    extensions: ['.conllu'],
    holdsLabels: true,
    read: (options) => new ConlluReader(options),
    borders: ({ readsDocuments }) => (readsDocuments ? 'conllu-documents' : 'conllu-sentences'),
  },
  segmented: {
    help: 'words separated by blanks, one sentence per line; for models of characters',
    holdsLabels: true,
    read: ({ source, from }) => new CharacterReader(source, parseSegmentedLine, from),
    borders: linesUnlessDocuments,
  },
  tagged: {
    help: 'as segmented, each word with its part of speech: WORD/TAG',
    holdsLabels: true,
    read: ({ source, columns, from }) =>
      new CharacterReader(source, taggedLineParser(columns.includes('pos')), from),
    borders: linesUnlessDocuments,
  },
  trees: {
    help: 'Penn Treebank brackets, one tree or many: words, parts of speech, and chunks that --phrases says',
    extensions: ['.mrg', '.ptb'],
    holdsLabels: true,
    read: (options) => new TreeReader(options),
  },
};

/** Where a line that is a text of its own starts. */
const LINE_START = { start: 0, startCodePoint: 0 };

/** Whether raw text is read in paragraphs, in which sentences go across lines, rather than in lines. */
function isParagraphs(tokenizer: TokenizerName): boolean {
  return tokenizer === 'english' || TOKENIZERS[tokenizer].tokens !== undefined;
}

function linesUnlessDocuments({ readsDocuments }: BorderOptions): BorderRule | undefined {
  return readsDocuments ? undefined : 'lines';
}

/** What decides where an input may be cut. */
export interface BorderOptions extends Pick<UnitReaderOptions, 'tokens' | 'tokenizer' | 'lineByLine'> {
  /** Whether labels depend on whole documents. */
  readonly readsDocuments: boolean;
}

/** Where an input may be cut into parts that are labelled apart; undefined: nowhere. */
export function bordersOf(format: InputFormat, how: BorderOptions): BorderRule | undefined {
  if (format !== 'columns') return UNIT_FORMATS[format].borders?.(how);
  return how.readsDocuments ? 'column-documents' : 'column-sentences';
}

/** All input formats. */
export const INPUT_FORMATS: Readonly<Record<InputFormat, InputFormatEntry>> = {
  columns: {
    help: 'one token per line, cells in columns, blank lines between sentences',
    holdsLabels: true,
  },
  ...UNIT_FORMATS,
};

/** Names of the formats that can hold labels. */
export const LABELLED_FORMATS = Object.entries(INPUT_FORMATS).flatMap(([name, { holdsLabels }]) =>
  holdsLabels ? [name] : [],
);

/** The format that an extension tells: `jsonl` of `.jsonl`. */
export function formatOfExtension(extension: string): InputFormat | undefined {
  const names = Object.keys(INPUT_FORMATS) as InputFormat[];
  return names.find((name) => INPUT_FORMATS[name].extensions?.includes(extension.toLowerCase()));
}
