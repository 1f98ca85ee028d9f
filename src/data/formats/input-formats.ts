import { TOKENIZERS } from '../../text/tokenizers.js';
import {
  CharacterReader,
  lineTokenizer,
  parseRawLine,
  parseSegmentedLine,
  taggedLineParser,
} from './characters.js';
import { ConlluReader } from './conllu-reader.js';
import type { UnitReader, UnitReaderOptions } from './input-unit.js';
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
      const { source, tokens, tokenizer = 'english' } = options;
      if (tokens === 'characters') return new CharacterReader(source, parseRawLine);
      const isEnglish = tokenizer === 'english' || TOKENIZERS[tokenizer].tokens !== undefined;
      return isEnglish ? new TextReader(options) : new CharacterReader(source, lineTokenizer(tokenizer));
    },
  },
  jsonl: {
    help: 'JSON Lines with spans, as annotation tools use them: "text", "tokens", "spans"',
    extensions: ['.jsonl', '.ndjson'],
    holdsLabels: true,
    read: (options) => new SpansReader(options),
  },
  conllu: {
    help: 'CoNLL-U; labels in the column of that name, else in MISC (Chunk=B-NP)',
    extensions: ['.conllu'],
    holdsLabels: true,
    read: (options) => new ConlluReader(options),
  },
  segmented: {
    help: 'words separated by blanks, one sentence per line; for models of characters',
    holdsLabels: true,
    read: ({ source }) => new CharacterReader(source, parseSegmentedLine),
  },
  tagged: {
    help: 'as segmented, each word with its part of speech: WORD/TAG',
    holdsLabels: true,
    read: ({ source, columns }) => new CharacterReader(source, taggedLineParser(columns.includes('pos'))),
  },
  trees: {
    help: 'Penn Treebank brackets, one tree or many: words, parts of speech, and chunks that --phrases says',
    extensions: ['.mrg', '.ptb'],
    holdsLabels: true,
    read: (options) => new TreeReader(options),
  },
};

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
