import { checkArgument } from '../base/arguments.js';
import { InputError, SpanwrightError } from '../base/errors.js';
import { encodeUtf8 } from '../base/utf8.js';
import { UNIT_FORMATS } from '../data/formats/input-formats.js';
import type { InputUnit } from '../data/formats/input-unit.js';
import { wordsOfSpans } from '../data/span.js';
import { type SegmentedSentence, WordScorer, type WordScores } from '../score/word-scores.js';

/** A text and where it is from. */
export interface NamedText {
  /** Name of the input in messages. */
  readonly source: string;
  /** Its characters. */
  readonly text: string;
}

/** How {@link scoreSegmentedTexts} reads its texts. */
export interface ScoreSegmentedOptions {
  /** The training word list, for the rates of unknown and known words. */
  readonly vocabulary?: ReadonlySet<string> | undefined;
  /** Words parted by blanks, or WORD/TAG; default segmented. */
  readonly format?: 'segmented' | 'tagged' | undefined;
}

/**
 * Scores a segmentation against the gold standard, line by line; lines without words are passed over.
 *
 * @throws InputError where the two are not the same text, naming line and first difference.
 */
export function scoreSegmentedTexts(
  gold: NamedText,
  predicted: NamedText,
  { vocabulary, format = 'segmented' }: ScoreSegmentedOptions = {},
): WordScores {
  checkArgument('gold', gold, 'text');
  checkArgument('predicted', predicted, 'text');
  const scorer = new WordScorer(vocabulary);
  const expected = sentencesOf(gold, format);
  const found = sentencesOf(predicted, format);
  for (let s = 0; s < Math.max(expected.length, found.length); s++) {
    const [right, guess] = [expected[s], found[s]];
    if (right === undefined || guess === undefined) {
      const [longer, shorter] = right === undefined ? [predicted, gold] : [gold, predicted];
      throw new InputError(
        { source: longer.source, line: (right ?? guess).line },
        `expected the same lines in both files, found none for this one in ${shorter.source}`,
      );
    }
    try {
      scorer.add(right, guess);
    } catch (error) {
      if (!(error instanceof SpanwrightError)) throw error;
      throw new InputError({ source: predicted.source, line: guess.line }, error.message);
    }
  }
  return scorer.scores();
}

interface SentenceOfLine extends SegmentedSentence {
  readonly line: number;
}

function sentencesOf({ source, text }: NamedText, format: 'segmented' | 'tagged'): SentenceOfLine[] {
  const reader = UNIT_FORMATS[format].read({ source, columns: ['word', 'pos'] });
  reader.push(encodeUtf8(text));
  reader.end();
  const sentences: SentenceOfLine[] = [];
  for (let unit: InputUnit | undefined = reader.next(); unit; unit = reader.next()) {
    if (unit.problem) throw unit.problem;
    for (const { sentence, spans = [], lines } of unit.sentences) {
      sentences.push({
        line: lines[0],
        words: wordsOfSpans(sentence.words, spans),
        ...(format === 'tagged' && { tags: spans.map(({ type }) => type) }),
      });
    }
  }
  return sentences;
}
