import { type InputError, quote } from '../base/errors.js';
import { bracketLine, escapeLabel, escapeToken } from '../data/formats/brackets.js';
import { cellOf, isFilled, notText } from '../data/formats/cells.js';
import { isTaggedWord } from '../data/formats/characters.js';
import { formatConlluSentence } from '../data/formats/conllu.js';
import type { SentenceLabels } from '../data/formats/input-unit.js';
import { spansLine } from '../data/formats/spans-reader.js';
import { DOCUMENT_MARKS } from '../kernels/scan-columns.js';
import {
  type LabelledSentence,
  labelledChunks,
  labelledTokens,
  placer,
  tokenTexts,
} from './labelled-sentence.js';
import { spanRecord } from './span-records.js';

/** Makes the text of a labelled sentence, line ends included. */
export type SentenceWriter = (labelled: LabelledSentence) => string;

/** Name of an output format of labelling. */
export type LabelFormat =
  | 'columns'
  | 'brackets'
  | 'json'
  | 'jsonl'
  | 'spans-jsonl'
  | 'conllu'
  | 'segmented'
  | 'tagged';

/** A way to write labelled sentences. */
export interface OutputFormat {
  /** One line of help. */
  readonly help: string;
  /** Writes one. */
  readonly write: SentenceWriter;
  /** Column names that the format has other uses for. */
  readonly reserved?: readonly string[];
  /** Whether it has a place for confidences. */
  readonly hasConfidence?: true;
  /** Whether it has a place for several labellings of a sentence. */
  readonly hasAlternatives?: true;
  /** Says why it cannot hold a sentence, if it cannot: reading it again would give another. */
  readonly refuse?: (labelled: LabelledSentence) => string | undefined;
  /**
   * Writes a sentence of an input of tokens; absent where that is as of text.
   *
   * @param startsDocument whether the input marks that a document starts with it.
   */
  readonly writeTokens?: (labelled: LabelledSentence, startsDocument: boolean) => string;
  /**
   * Writes the sentences of one line of input as one line; absent where the format takes several.
   *
   * @param text the line, where it is that of a text.
   */
  readonly joinRecords?: (sentences: readonly LabelledSentence[], text: string | undefined) => string;
  /** Writes what could not be read; absent where the format has no place for it. */
  readonly writeUnread?: (problem: InputError, raw: string) => string;
}

const PLACE_KEYS = ['text', 'start', 'end', 'startCodePoint', 'endCodePoint'];

/** Output formats. */
export const LABEL_FORMATS: Readonly<Record<LabelFormat, OutputFormat>> = {
  columns: {
    help: 'one token per line, its label in the last column; column files get one more column',
    write: writeColumns,
    refuse: cellsNotText,
    hasConfidence: true,
  },
  brackets: {
    help: 'one sentence per line, chunks in brackets: [NP The dog] [VP barks] .',
    write: writeBrackets,
    joinRecords: (sentences) => joinLines(sentences, writeBrackets),
    refuse: cellsNotText,
    hasConfidence: true,
    writeUnread: (_problem, raw) => `${raw.replace(/\s+/g, ' ')}\n`,
  },
  json: {
    help: 'one JSON object per sentence and line: tokens and chunks with offsets',
    write: writeJson,
    joinRecords: (sentences) => `[${sentences.map((own) => writeJson(own).trimEnd()).join(',')}]\n`,
    hasConfidence: true,
    hasAlternatives: true,
    reserved: [...PLACE_KEYS, 'tag', 'confidence', 'marginals'],
    writeUnread: (problem, raw) => `${JSON.stringify({ error: problem.message, input: raw })}\n`,
  },
  jsonl: {
    help: 'JSON Lines with spans, as annotation tools use them: "text", "tokens", "spans"',
    write: writeSpans,
    joinRecords: (sentences, text = sentences[0]?.sentence.text ?? '') =>
      spansLine(text, sentences.map(labelsOf)),
    refuse: blankToken,
    hasConfidence: true,
    reserved: [...PLACE_KEYS, 'id'],
  },
  'spans-jsonl': {
    help: 'spans alone, a JSON object a document (of JSONL) or sentence: [start, end, type], in characters or tokens',
    write: (labelled) => spanRecord([labelled], 'sentence'),
    writeTokens: (labelled, startsDocument) => spanRecord([labelled], 'tokens', startsDocument),
    joinRecords: (sentences) => spanRecord(sentences, 'document'),
    hasConfidence: true,
    writeUnread: (problem, raw) => `${JSON.stringify({ error: problem.message, input: raw })}\n`,
  },
  conllu: {
    help: 'CoNLL-U; labels in the column of that name, else in MISC (Chunk=B-NP)',
    write: writeConllu,
    refuse: cellsNotText,
    reserved: ['id', 'form', 'misc', 'spaceafter', 'SpaceAfter'],
  },
  segmented: {
    help: 'one sentence (of raw text: one line) per line, words separated by spaces',
    write: writeSegmented,
    joinRecords: (sentences) => joinLines(sentences, writeSegmented),
    refuse: notWords,
  },
  tagged: {
    help: 'as segmented, each word with its part of speech: WORD/TAG',
    write: writeTagged,
    joinRecords: (sentences) => joinLines(sentences, writeTagged),
    refuse: (labelled) => notWords(labelled) ?? notTagged(labelled),
  },
};

function cellsNotText({ sentence, columns, tags }: LabelledSentence): string | undefined {
  return notText([sentence.text], ...Object.values(columns), tags);
}

/** Offsets say where tokens are, but not of what is white space. */
function blankToken({ sentence }: LabelledSentence): string | undefined {
  const blank = tokenTexts(sentence).find((token) => !isFilled(token));
  return blank === undefined ? undefined : `no place for tokens of nothing but blanks, found ${quote(blank)}`;
}

/** Text of words alone loses tokens that are in none, and those that are blank. */
function notWords({ sentence, columns, chunks = [] }: LabelledSentence): string | undefined {
  const tokens = tokenTexts(sentence);
  const inWords = chunks.reduce((sum, { start, end }) => sum + end - start, 0);
  if (inWords < tokens.length)
    return `no place for tokens that are in no word, found ${tokens.length - inWords}`;
  const blank = tokens.find((token) => /\s/u.test(token));
  if (blank !== undefined) return `no place for blanks in tokens, found ${quote(blank)}`;
  return notText([sentence.text], columns.word);
}

/** Words and tags that WORD/TAG does not give back. */
function notTagged(labelled: LabelledSentence): string | undefined {
  const problem = notText(labelled.tags);
  if (problem !== undefined) return problem;
  const texts = chunkTexts(labelled);
  const lost = texts.findIndex((word, c) => !isTaggedWord(word, labelled.chunks?.[c].type ?? '', c === 0));
  if (lost < 0) return undefined;
  const type = labelled.chunks?.[lost].type ?? '';
  return `no place for a word and tag that WORD/TAG does not give back, found ${quote(texts[lost])} with the tag ${quote(type)}`;
}

function writeColumns({ sentence, columns, tags, confidences }: LabelledSentence): string {
  const { word: _, ...others } = columns;
  const cells = [tokenTexts(sentence), ...Object.values(others), tags];
  if (confidences) cells.push(Array.from(confidences, (confidence) => confidence.toFixed(4)));
  let text = '';
  for (let t = 0; t < tags.length; t++) {
    text += `${cells.map((column, c) => columnCell(column[t], c === 0)).join(' ')}\n`;
  }
  return `${text}\n`;
}

/** A cell; a first one must make no line that stands between sentences, nor a byte order mark. */
function columnCell(text: string, isFirst: boolean): string {
  const cell = cellOf(text);
  const isMark = cell.startsWith('\ufeff') || DOCUMENT_MARKS.some((mark) => cell.startsWith(mark));
  return isFirst && isMark ? `_${cell}` : cell;
}

function writeBrackets(labelled: LabelledSentence): string {
  const { sentence, chunks, tags, confidences } = labelled;
  const tokens = tokenTexts(sentence);
  if (chunks) return `${bracketLine(tokens, chunks)}\n`;
  const rating = (t: number) => (confidences ? `|${confidences[t].toFixed(2)}` : '');
  return `${tokens.map((token, t) => `${escapeToken(token)}/${escapeLabel(tags[t])}${rating(t)}`).join(' ')}\n`;
}

function writeSegmented(labelled: LabelledSentence): string {
  return `${chunkTexts(labelled).join(' ')}\n`;
}

function writeTagged(labelled: LabelledSentence): string {
  const words = chunkTexts(labelled).map((text, c) => `${text}/${labelled.chunks?.[c].type ?? ''}`);
  return `${words.join(' ')}\n`;
}

/** Sentences that have a line each, in one line. */
function joinLines(sentences: readonly LabelledSentence[], write: SentenceWriter): string {
  return `${sentences.map((own) => write(own).trimEnd()).join(' ')}\n`;
}

/** The characters of each chunk. */
function chunkTexts({ sentence, chunks = [] }: LabelledSentence): string[] {
  return chunks.map(({ start, end }) =>
    sentence.text.slice(sentence.tokens[2 * start], sentence.tokens[2 * end - 1]).replace(/\s/gu, ''),
  );
}

function writeJson(labelled: LabelledSentence): string {
  const { sentence, alternatives } = labelled;
  const place = JSON.stringify(placer(sentence)(0, sentence.text.length));
  const tokens = jsonArray(labelledTokens(labelled), ({ columns, tag, confidence, marginals, ...own }) => ({
    ...own,
    ...columns,
    tag,
    ...rounded(confidence),
    ...(marginals && {
      marginals: Object.fromEntries([...marginals].map(([name, p]) => [name, Math.round(p * 1e6) / 1e6])),
    }),
  }));
  const chunks = jsonArray(labelledChunks(labelled), ({ confidence, ...own }) => ({
    ...own,
    ...rounded(confidence),
  }));
  const others = alternatives?.map(({ probability, tags, spans }) => ({
    probability: Number(probability.toPrecision(6)),
    tags,
    chunks: labelled.chunks && [...labelledChunks({ sentence, chunks: spans })],
  }));
  const rest = others ? `,"alternatives":${JSON.stringify(others)}` : '';
  return `${place.slice(0, -1)},"tokens":${tokens},"chunks":${chunks}${rest}}\n`;
}

/** A JSON array, item by item: text without sentences may have a million tokens in one. */
function jsonArray<T>(items: Iterable<T>, show: (item: T) => object): string {
  let json = '[';
  for (const item of items) json += `${json.length > 1 ? ',' : ''}${JSON.stringify(show(item))}`;
  return `${json}]`;
}

/** A confidence as JSON has it: four digits, or no key. */
function rounded(confidence: number | undefined) {
  return confidence === undefined ? {} : { confidence: Math.round(confidence * 10000) / 10000 };
}

function writeSpans(labelled: LabelledSentence): string {
  const { sentence } = labelled;
  return spansLine(sentence.text, [labelsOf({ ...labelled, sentence: { ...sentence, start: 0 } })]);
}

/** Labels in the form that input formats write back. */
export function labelsOf({ sentence, columns, labelColumn, tags, chunks }: LabelledSentence): SentenceLabels {
  const { word: _, ...others } = columns;
  return {
    sentence,
    columns: { ...others, [labelColumn]: tags },
    labelColumn,
    chunks: chunks?.map(({ confidence, ...chunk }) => ({ ...chunk, ...rounded(confidence) })),
  };
}

function writeConllu({ sentence, columns, tags, labelColumn }: LabelledSentence): string {
  const { word: _, ...others } = columns;
  const { text, tokens } = sentence;
  return formatConlluSentence({
    text,
    words: tokenTexts(sentence),
    columns: { ...others, [labelColumn]: tags },
    spaceAfter: tags.map((_tag, t) => tokens[2 * t + 1] !== tokens[2 * t + 2]),
  });
}
