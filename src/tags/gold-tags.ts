import { type Corpus, columnStrings } from '../data/corpus.js';
import type { Span } from '../data/span.js';
import { detectParsedScheme } from './detect-scheme.js';
import { decodeParsedTags, type ParsedTag, parseTags, SCHEMES, type SchemeName } from './scheme.js';

/** The tags in the last column of a corpus; each different tag is taken apart once. */
export class GoldTags {
  private readonly corpus: Corpus;
  private readonly scheme: SchemeName;
  private readonly column: number;
  /** By id of the cell; undefined for what is no tag. */
  private readonly parsed: readonly (ParsedTag | undefined)[];

  /** @param scheme the tags' scheme, where it matters: `token`, or any other. */
  constructor(corpus: Corpus, scheme: SchemeName = 'iob2') {
    this.corpus = corpus;
    this.scheme = scheme;
    this.column = corpus.columns.length - 1;
    this.parsed = corpus.alphabets[this.column].toArray().map((tag) => SCHEMES[scheme].parse(tag));
  }

  /**
   * The tags of a sentence, in text order.
   *
   * @throws SpanwrightError (`bad-tag`) naming the first tag that no scheme has.
   */
  tags(sentence: number): ParsedTag[] {
    const { corpus, column, parsed, scheme } = this;
    const { starts, cells } = corpus;
    const ids = cells[column];
    const tags: ParsedTag[] = [];
    for (let n = starts[sentence]; n < starts[sentence + 1]; n++) {
      const tag = parsed[ids[n]];
      if (tag === undefined) return parseTags(columnStrings(corpus, column, sentence), scheme);
      tags.push(tag);
    }
    return tags;
  }

  /**
   * The scheme that they are written in: `expected` unless another one has fewer tags that contradict it. Labels of single
   * tokens are of no other.
   */
  schemeOf(expected: SchemeName): SchemeName {
    if (expected === 'token') return expected;
    if (this.corpus.tagSpelling?.form === 'type') return 'io';
    const sentences = Array.from({ length: this.corpus.starts.length - 1 }, (_, s) => {
      const tags = this.tags(s);
      return { tags, spans: decodeParsedTags(tags) };
    });
    return detectParsedScheme(sentences, expected === 'io' ? 'iob1' : expected).scheme;
  }

  /**
   * The spans that they stand for, in text order.
   *
   * @throws SpanwrightError (`bad-tag`) as {@link tags}.
   */
  spans(sentence: number): Span[] {
    return decodeParsedTags(this.tags(sentence));
  }
}
