import { joinWords } from '../../text/text-sentence.js';
import { wordsAsCharacters } from './characters.js';
import type { InputUnit, TokenUnit, UnitReader, UnitReaderOptions } from './input-unit.js';
import { LineReader } from './line-reader.js';
import { chunksOfTree, type PhraseKind, treeWords } from './tree-phrases.js';
import { type ScannedTree, TreeScanner } from './tree-scanner.js';

/** Penn Treebank brackets; a unit is a tree. */
export class TreeReader implements UnitReader {
  private readonly lines: LineReader;
  private readonly scanner: TreeScanner;
  private readonly source: string;
  private readonly phrases: PhraseKind;
  private readonly tokens: TokenUnit;
  /** Whether words of characters have their parts of speech as type. */
  private readonly withTags: boolean;
  /** Trees of the last line. */
  private found: ScannedTree[] = [];
  /** Lines since the last tree. */
  private raw = '';
  private ended = false;

  constructor({ source, columns, tokens = 'words', phrases = 'conll' }: UnitReaderOptions) {
    this.source = source;
    this.tokens = tokens;
    this.withTags = columns.includes('pos');
    this.lines = new LineReader(source);
    this.scanner = new TreeScanner(source);
    this.phrases = phrases;
  }

  push(chunk: Uint8Array): void {
    this.lines.push(chunk);
  }

  end(): void {
    this.lines.end();
    this.ended = true;
  }

  next(): InputUnit | undefined {
    for (;;) {
      const tree = this.found.shift();
      if (tree) return this.unitOf(tree);
      const line = this.lines.next();
      if (line === undefined) {
        if (!this.ended) return undefined;
        this.found = this.scanner.end();
        if (this.found.length === 0) return undefined;
      } else if (line.problem) {
        return { problem: line.problem, sentences: [], raw: line.bytes ?? '' };
      } else {
        this.raw += line.mark + line.text + line.ending;
        this.found = this.scanner.push(line.text, line.line);
      }
    }
  }

  private unitOf({ tree, problem }: ScannedTree): InputUnit {
    const { raw } = this;
    this.raw = '';
    if (tree === undefined) return { problem, sentences: [], raw };
    const words = treeWords(tree);
    if (words.length === 0) return { problem: undefined, sentences: [], raw };
    if (this.tokens === 'characters') {
      const tagged = words.map(({ word, pos }) => ({ word, tag: this.withTags ? pos : '' }));
      const place = { source: this.source, line: words[0].line };
      return { problem: undefined, sentences: wordsAsCharacters(tagged, place), raw };
    }
    const sentence = joinWords(words.map(({ word }) => word));
    const one = {
      sentence,
      columns: { word: sentence.words, pos: words.map(({ pos }) => pos) },
      spans: chunksOfTree(tree, this.phrases),
      lines: words.map(({ line }) => line),
    };
    return { problem: undefined, sentences: [one], raw };
  }
}
