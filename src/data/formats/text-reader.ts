import { TextScanner } from '../../text/text-scanner.js';
import { retokenised, TOKENIZERS } from '../../text/tokenizers.js';
import type { InputUnit, UnitReader, UnitReaderOptions } from './input-unit.js';
import { LineReader, rawLines } from './line-reader.js';

/** English raw text; a unit is a sentence. */
export class TextReader implements UnitReader {
  private readonly lines: LineReader;
  private readonly scanner: TextScanner;
  /** A line that is no text, until the sentences before it are taken. */
  private bad: InputUnit | undefined;
  private ended = false;

  /** What finds the tokens, where that is not English rules. */
  private readonly tokens: RegExp | undefined;

  constructor({ source, tokenizer = 'english', from, layout, abbreviations }: UnitReaderOptions) {
    this.lines = new LineReader(source, from);
    this.scanner = new TextScanner({ layout, abbreviations }, from);
    this.tokens = TOKENIZERS[tokenizer].tokens;
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
      const found = this.scanner.next();
      if (found) {
        const sentence = this.tokens ? retokenised(found, this.tokens) : found;
        const line = new Array<number>(sentence.words.length).fill(0);
        const one = { sentence, columns: { word: sentence.words }, lines: line };
        return { problem: undefined, sentences: [one], raw: sentence.text };
      }
      if (this.bad) {
        const { bad } = this;
        this.bad = undefined;
        return bad;
      }
      const line = this.lines.next();
      if (line === undefined) {
        if (!this.ended) return undefined;
        this.ended = false;
        this.scanner.end();
      } else if (line.problem) {
        this.bad = { problem: line.problem, sentences: [], raw: rawLines([line]) };
        this.scanner.end();
      } else this.scanner.push(line.text + line.ending);
    }
  }
}
