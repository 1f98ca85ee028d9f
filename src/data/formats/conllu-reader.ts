import type { TextSentence } from '../../text/text-sentence.js';
import { filledCells, givenColumns, wordless } from './cells.js';
import { wordsAsCharacters } from './characters.js';
import { ConlluScanner, type ConlluSentence, conlluValue, setConlluValue } from './conllu.js';
import type { InputUnit, TokenUnit, UnitReader, UnitReaderOptions } from './input-unit.js';
import { rawLines } from './line-reader.js';

/** CoNLL-U; a unit is a sentence. */
export class ConlluReader implements UnitReader {
  private readonly scanner: ConlluScanner;
  private readonly source: string;
  private readonly columns: readonly string[];
  private readonly tokens: TokenUnit;

  constructor({ source, columns, tokens = 'words', from }: UnitReaderOptions) {
    this.scanner = new ConlluScanner(source, from);
    this.source = source;
    this.tokens = tokens;
    this.columns = columns;
  }

  push(chunk: Uint8Array): void {
    this.scanner.push(chunk);
  }

  end(): void {
    this.scanner.end();
  }

  next(): InputUnit | undefined {
    const found = this.scanner.next();
    if (found === undefined) return undefined;
    const raw = rawLines(found.lines);
    if (found.problem) return { problem: found.problem, sentences: [], raw };
    if (found.words.length === 0) return wordless(raw);
    const words = found.fields.map((fields) => conlluValue(fields, 'word') as string);
    const columns = givenColumns(words, this.columns, (t, name) => conlluValue(found.fields[t], name));
    if (this.tokens === 'characters') {
      const place = { source: this.source, line: found.firstLine };
      const tagged = words.map((word, t) => ({
        word: word.replace(/\s/gu, ''),
        tag: columns.pos?.[t] ?? '',
      }));
      return { problem: undefined, sentences: wordsAsCharacters(tagged, place), raw };
    }
    const lines = found.words.map((index) => found.firstLine + index);
    const one = { sentence: sentenceOf(found, words), columns, lines };
    return {
      problem: undefined,
      sentences: [one],
      startsDocument: found.lines.some(({ text }) => /^#\s*newdoc\b/.test(text)),
      raw,
      relabel: ([labels]) => relabelSentence(found, filledCells(labels, columns, true)),
    };
  }
}

/** The sentence's words with the spaces that SpaceAfter leaves between them. */
function sentenceOf({ fields }: ConlluSentence, words: readonly string[]): TextSentence {
  const tokens = new Uint32Array(2 * words.length);
  let text = '';
  words.forEach((word, t) => {
    tokens[2 * t] = text.length;
    text += word;
    tokens[2 * t + 1] = text.length;
    if (t + 1 < words.length && conlluValue(fields[t], 'SpaceAfter') !== 'No') text += ' ';
  });
  return { text, start: 0, startCodePoint: 0, tokens, words };
}

/** @param cells [T] what changes. */
function relabelSentence(sentence: ConlluSentence, cells: readonly ReadonlyMap<string, string>[]): string {
  const lines = sentence.lines.map(({ text }) => text);
  sentence.words.forEach((index, t) => {
    const fields = [...sentence.fields[t]];
    for (const [name, value] of cells[t]) setConlluValue(fields, name, value);
    lines[index] = fields.join('\t');
  });
  return sentence.lines.map(({ mark, ending }, i) => mark + lines[i] + ending).join('');
}
