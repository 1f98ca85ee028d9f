import { LineReader } from '../data/formats/line-reader.js';
import { Labeller, type LabelOptions } from '../label/labeller.js';
import type { Tagger } from '../tag/tagger.js';
import { findWords } from './found-words.js';
import type { UnknownWords } from './unknown-words.js';

/** A line of the text. */
interface SegmentedLine {
  readonly mark: string;
  readonly ending: string;
  /** The words of each stretch without blanks. */
  readonly stretches: readonly (readonly string[])[];
}

/**
 * Segments raw text as `LineLabeller` does, and joins unknown words: written when the whole text has been read, which is kept
 * in memory.
 */
export class JoiningLabeller extends Labeller {
  private readonly tagger: Tagger;
  private readonly unknown: UnknownWords;
  private readonly lines: LineReader;
  private readonly segmented: SegmentedLine[] = [];

  /** @param unknown what the words found are noted in. */
  constructor(tagger: Tagger, unknown: UnknownWords, options: LabelOptions) {
    super(options, 'text', [...tagger.inputColumns, tagger.labelColumn]);
    this.tagger = tagger;
    this.unknown = unknown;
    this.lines = new LineReader(options.source);
  }

  protected read(chunk: Uint8Array | undefined): void {
    if (chunk) this.lines.push(chunk);
    else this.lines.end();
  }

  protected labelNext(): boolean {
    const line = this.lines.next();
    if (line === undefined) return false;
    if (line.problem) {
      this.refuse(line.problem);
      return true;
    }
    const { mark, ending, text } = line;
    const stretches = text.split(/\s+/u).filter((stretch) => stretch !== '');
    this.segmented.push({ mark, ending, stretches: stretches.map((stretch) => this.segment(stretch)) });
    return true;
  }

  protected override addRest(): void {
    for (const { mark, ending, stretches } of this.segmented) {
      const words = stretches.flatMap((stretch) => this.unknown.join(stretch));
      this.out.addText(mark + words.join(' ') + ending);
    }
  }

  private segment(stretch: string): readonly string[] {
    const characters = [...stretch];
    const { words, confidences } = findWords(this.tagger, characters);
    this.unknown.add(words, confidences);
    this.sentences++;
    this.tokens += characters.length;
    return words;
  }
}
