/**
 * Word segmentation as the SIGHAN bake-offs score it, by character offsets: a word is right when a word of the gold
 * standard starts and ends where it does. A gold word is out of vocabulary (OOV) when the training word list does not
 * have it, letter for letter, and in vocabulary (IV) otherwise.
 */
import { checkArgument } from '../base/arguments.js';
import { quote, SpanwrightError } from '../base/errors.js';

/** A sentence as words, with a tag each where they have one. */
export interface SegmentedSentence {
  /** [W] the words. */
  readonly words: readonly string[];
  /** [W] their parts of speech, if any. */
  readonly tags?: readonly string[] | undefined;
}

/** Precision, recall and their harmonic mean, in percent. */
export interface WordRates {
  /** Words predicted that are right. */
  readonly correct: number;
  /** 100 · correct / predicted. */
  readonly precision: number;
  /** 100 · correct / gold. */
  readonly recall: number;
  /** Harmonic mean of precision and recall. */
  readonly f1: number;
}

/** Scores of {@link WordScorer}; rates in percent. */
export interface WordScores extends WordRates {
  /** Sentences scored. */
  readonly sentences: number;
  /** Characters (code points) scored. */
  readonly tokens: number;
  /** Share of characters that begin a word in both, or in neither. */
  readonly accuracy: number;
  /** Words in the gold standard. */
  readonly gold: number;
  /** Words predicted. */
  readonly predicted: number;
  /** Share of gold words that the training word list does not have; absent without such a list, as the next two. */
  readonly oovRate?: number;
  /** Share of these that are right. */
  readonly recallOov?: number;
  /** Share of the other gold words that are right. */
  readonly recallIv?: number;
  /** Rates of words whose part of speech is right too, where words have one. */
  readonly tagged?: WordRates;
}

/** Scores sentences one after the other. */
export class WordScorer {
  private readonly vocabulary: ReadonlySet<string> | undefined;
  private sentences = 0;
  private characters = 0;
  private agreeing = 0;
  private gold = 0;
  private predicted = 0;
  private correct = 0;
  private outside = 0;
  private correctOutside = 0;
  private correctTagged = 0;
  private hasTags = false;

  /** @param vocabulary the training word list, if the rates of OOV and IV words are wanted. */
  constructor(vocabulary?: ReadonlySet<string>) {
    this.vocabulary = vocabulary;
  }

  /**
   * Adds a sentence.
   *
   * @throws SpanwrightError (`different-text`) where the two are not the same characters, naming the first difference.
   */
  add(gold: SegmentedSentence, predicted: SegmentedSentence): void {
    checkSameText(gold.words.join(''), predicted.words.join(''));
    this.hasTags ||= gold.tags !== undefined && predicted.tags !== undefined;
    this.sentences++;
    this.gold += gold.words.length;
    this.predicted += predicted.words.length;
    const { vocabulary } = this;
    let start = 0;
    let p = 0;
    let predictedStart = 0;
    let bothBegin = 0;
    let characters = 0;
    gold.words.forEach((word, g) => {
      while (predictedStart < start) predictedStart += predicted.words[p++].length;
      const begins = predictedStart === start;
      const isRight = begins && predicted.words[p].length === word.length;
      if (begins) bothBegin++;
      if (isRight) {
        this.correct++;
        if (gold.tags && gold.tags[g] === predicted.tags?.[p]) this.correctTagged++;
      }
      if (vocabulary && !vocabulary.has(word)) {
        this.outside++;
        if (isRight) this.correctOutside++;
      }
      start += word.length;
      characters += [...word].length;
    });
    this.characters += characters;
    this.agreeing += characters - gold.words.length - predicted.words.length + 2 * bothBegin;
  }

  /** Adds gold words that no characters of one sentence are, so that none can be found. */
  addMissed(words: number): void {
    this.gold += words;
  }

  /** The scores of all sentences added. */
  scores(): WordScores {
    const { gold, predicted, correct, outside, correctOutside, characters } = this;
    return {
      sentences: this.sentences,
      tokens: characters,
      accuracy: percent(this.agreeing, characters),
      gold,
      predicted,
      ...rates(gold, predicted, correct),
      ...(this.vocabulary && {
        oovRate: percent(outside, gold),
        recallOov: percent(correctOutside, outside),
        recallIv: percent(correct - correctOutside, gold - outside),
      }),
      ...(this.hasTags && { tagged: rates(gold, predicted, this.correctTagged) }),
    };
  }
}

/** The scores as lines for reading. */
export function wordTable(scores: WordScores): string {
  checkArgument('scores', scores, 'wordScores');
  const { sentences, tokens, gold, predicted, correct, precision, recall, f1, tagged } = scores;
  const lines = [
    `processed ${sentences} sentences, ${tokens} characters; words: gold ${gold}, found ${predicted}, correct ${correct}`,
    `words:        recall ${shown(recall)}; precision ${shown(precision)}; F ${f1.toFixed(2)}`,
  ];
  if (tagged) {
    const { recall: r, precision: p, f1: f } = tagged;
    lines.push(`words + tags: recall ${shown(r)}; precision ${shown(p)}; F ${f.toFixed(2)}`);
  }
  const oov = oovText(scores);
  if (oov !== undefined) lines.push(oov);
  return `${lines.join('\n')}\n`;
}

/** Line about unknown and known words; empty without a training word list. */
export function oovText({ oovRate, recallOov, recallIv }: WordScores): string | undefined {
  if (oovRate === undefined) return undefined;
  return `OOV rate ${shown(oovRate)}; recall of OOV words ${shown(recallOov)}, of IV words ${shown(recallIv)}`;
}

function shown(rate = 0): string {
  return `${rate.toFixed(2)}%`;
}

function rates(gold: number, predicted: number, correct: number): WordRates {
  const precision = percent(correct, predicted);
  const recall = percent(correct, gold);
  return {
    correct,
    precision,
    recall,
    f1: correct > 0 ? (2 * precision * recall) / (precision + recall) : 0,
  };
}

function percent(part: number, whole: number): number {
  return whole > 0 ? (100 * part) / whole : 0;
}

function checkSameText(gold: string, predicted: string): void {
  if (gold === predicted) return;
  const expected = [...gold];
  const found = [...predicted];
  const at = expected.findIndex((character, i) => character !== found[i]);
  const first = at < 0 ? expected.length : at;
  const name = (characters: string[]) =>
    first < characters.length ? quote(characters[first]) : 'the end of the line';
  throw new SpanwrightError(
    'different-text',
    `character ${first + 1}: expected ${name(expected)} as in the gold standard, found ${name(found)}`,
  );
}
