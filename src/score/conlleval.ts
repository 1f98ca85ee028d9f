/**
 * Chunk scores as the CoNLL-2000 shared task's conlleval script counts them. A chunk is right when its start, its
 * end and its type are. Where chunks start and end is read off pairs of neighbouring tags (STARTS and ENDS below);
 * the script joins an E and a following B of the same type, and so does this. Zero denominators give 0.
 */
import { SpanwrightError } from '../base/errors.js';
import { convertTags, type ParsedTag, parseTags, SCHEMES, type SchemeName } from '../tags/scheme.js';

/** Numbers of chunks. */
export interface ChunkTally {
  /** Chunks in the gold standard. */
  readonly gold: number;
  /** Chunks predicted. */
  readonly predicted: number;
  /** Chunks predicted with the right start, end and type. */
  readonly correct: number;
}

/** Chunk counts, and the rates made of them. */
export interface ChunkCounts extends ChunkTally {
  /** 100 · correct / predicted. */
  readonly precision: number;
  /** 100 · correct / gold. */
  readonly recall: number;
  /** Harmonic mean of precision and recall, in percent. */
  readonly f1: number;
}

/** What {@link ChunkScorer} found: counts over all types, by type and by token. */
export interface ChunkScores extends ChunkCounts {
  /** Tokens scored. */
  readonly tokens: number;
  /** Sentences scored. */
  readonly sentences: number;
  /** Tokens whose predicted tag is the gold one. */
  readonly correctTags: number;
  /** 100 · correctTags / tokens. */
  readonly accuracy: number;
  /** Counts of each type that occurs in the gold standard or was predicted, sorted by name (code units). */
  readonly types: ReadonlyMap<string, ChunkCounts>;
}

/** {@link ChunkScores} as plain data. */
export interface ChunkScoresJson extends Omit<ChunkScores, 'types' | 'correctTags'> {
  /** Counts by type. */
  readonly types: Readonly<Record<string, ChunkCounts>>;
}

/** By leading tag: those after which it starts a chunk where both have the same type. */
const STARTS: Readonly<Record<string, string>> = { B: 'BIO', I: 'EO', E: 'EO' };

/** By leading tag: those before which it ends a chunk where both have the same type. */
const ENDS: Readonly<Record<string, string>> = { B: 'BO', I: 'BO', E: 'EIO' };

const OUTSIDE: ParsedTag = { leading: 'O', type: '' };

type Tally = { -readonly [key in keyof ChunkTally]: number };

/** Scores sentences one after the other. */
export class ChunkScorer {
  private readonly tallies = new Map<string, Tally>();
  private readonly scheme: SchemeName | undefined;
  private tokens = 0;
  private sentences = 0;
  private correctTags = 0;

  /**
   * @param scheme the tags' scheme, where known. The script knows no S: sentences with one are converted to IOB2
   *   before their chunks are counted. A sentence of IOBES tags without S can only be told from ill-formed IOB or
   *   IOE tags if the scheme is given here; and tags of `token`, each of which counts as a chunk, always.
   */
  constructor(scheme?: SchemeName) {
    this.scheme = scheme;
  }

  /**
   * Adds a sentence. Tags are compared for accuracy as they are given, before any conversion.
   *
   * @param gold `[T]`, in text order.
   * @param predicted `[T]`, in text order.
   * @param onCorrect told the first token of each chunk that is right.
   * @returns the sentence's own counts.
   * @throws SpanwrightError (`bad-tag`) where lengths differ or a tag is not of any scheme.
   */
  add(
    gold: readonly string[],
    predicted: readonly string[],
    onCorrect?: (firstToken: number) => void,
  ): ChunkTally {
    if (gold.length !== predicted.length) {
      const found = `${gold.length} gold and ${predicted.length} predicted ones`;
      throw new SpanwrightError('bad-tag', `expected as many predicted tags as gold ones, found ${found}`);
    }
    const { scheme } = this;
    let goldTags = parseTags(gold, scheme);
    let predictedTags = parseTags(predicted, scheme);
    const hasSingle = scheme !== undefined && SCHEMES[scheme].leadingTags.includes('S');
    if (hasSingle || !goldTags.every(isReadable) || !predictedTags.every(isReadable)) {
      goldTags = parseTags(convertTags(gold, 'iob2'));
      predictedTags = parseTags(convertTags(predicted, 'iob2'));
    }
    const counts = this.countChunks(goldTags, predictedTags, onCorrect);
    for (let i = 0; i < gold.length; i++) if (gold[i] === predicted[i]) this.correctTags++;
    this.tokens += gold.length;
    this.sentences++;
    return counts;
  }

  private countChunks(
    gold: readonly ParsedTag[],
    predicted: readonly ParsedTag[],
    onCorrect?: (firstToken: number) => void,
  ): ChunkTally {
    const counts = { gold: 0, predicted: 0, correct: 0 };
    let lastGold = OUTSIDE;
    let lastPredicted = OUTSIDE;
    // Whether chunks of the same type started together, and nothing has set them apart since.
    let agrees = false;
    let start = 0;
    for (let i = 0; i <= gold.length; i++) {
      const goldTag = i < gold.length ? gold[i] : OUTSIDE;
      const predictedTag = i < gold.length ? predicted[i] : OUTSIDE;
      if (agrees) {
        const goldEnds = endsChunk(lastGold, goldTag);
        const predictedEnds = endsChunk(lastPredicted, predictedTag);
        if (goldEnds && predictedEnds) {
          this.tally(lastGold.type).correct++;
          counts.correct++;
          onCorrect?.(start);
        }
        agrees = !goldEnds && !predictedEnds;
      }
      const goldStarts = startsChunk(lastGold, goldTag);
      const predictedStarts = startsChunk(lastPredicted, predictedTag);
      if (goldStarts) {
        this.tally(goldTag.type).gold++;
        counts.gold++;
      }
      if (predictedStarts) {
        this.tally(predictedTag.type).predicted++;
        counts.predicted++;
      }
      if (goldStarts && predictedStarts && goldTag.type === predictedTag.type) {
        agrees = true;
        start = i;
      }
      lastGold = goldTag;
      lastPredicted = predictedTag;
    }
    return counts;
  }

  private tally(type: string): Tally {
    let tally = this.tallies.get(type);
    if (tally === undefined) {
      tally = { gold: 0, predicted: 0, correct: 0 };
      this.tallies.set(type, tally);
    }
    return tally;
  }

  /** The scores of the sentences added so far. */
  scores(): ChunkScores {
    const { tokens, sentences, correctTags } = this;
    const all: Tally = { gold: 0, predicted: 0, correct: 0 };
    const types = new Map<string, ChunkCounts>();
    for (const type of [...this.tallies.keys()].sort()) {
      const tally = this.tally(type);
      all.gold += tally.gold;
      all.predicted += tally.predicted;
      all.correct += tally.correct;
      types.set(type, withRates(tally));
    }
    return {
      tokens,
      sentences,
      correctTags,
      accuracy: percent(correctTags, tokens),
      ...withRates(all),
      types,
    };
  }
}

/** The script's report, to the letter; only a bare type's line, which the script can repeat, stands once. */
export function conllevalTable(scores: ChunkScores): string {
  const { tokens, gold, predicted, correct, accuracy, types } = scores;
  let table = `processed ${tokens} tokens with ${gold} phrases; found: ${predicted} phrases; correct: ${correct}.\n`;
  if (tokens > 0) table += `accuracy: ${twoDecimals(accuracy)}%; ${formatRates(scores)}\n`;
  for (const [type, counts] of types) {
    table += `${type.padStart(17)}: ${formatRates(counts)}  ${counts.predicted}\n`;
  }
  return table;
}

/** A report on labels of single tokens (scheme `token`): how many are right, overall and by label. */
export function accuracyTable(scores: ChunkScores): string {
  const { tokens, sentences, correctTags, accuracy, types } = scores;
  let table = `processed ${tokens} tokens in ${sentences} sentences; correct: ${correctTags}; accuracy: ${twoDecimals(accuracy)}%\n`;
  for (const [type, counts] of types) {
    table += `${type.padStart(17)}: ${formatRates(counts)}  ${counts.predicted}\n`;
  }
  return table;
}

/** Scores as plain data, rates in percent. */
export function scoresToJson(scores: ChunkScores): ChunkScoresJson {
  const { correctTags: _, types, ...rest } = scores;
  return { ...rest, types: Object.fromEntries(types) };
}

/** Whether the script knows the tag. */
function isReadable(tag: ParsedTag): boolean {
  return tag.leading === 'O' || Object.hasOwn(STARTS, tag.leading);
}

function startsChunk(previous: ParsedTag, tag: ParsedTag): boolean {
  if (tag.leading === 'O') return false;
  return tag.type !== previous.type || STARTS[tag.leading].includes(previous.leading);
}

function endsChunk(previous: ParsedTag, tag: ParsedTag): boolean {
  if (previous.leading === 'O') return false;
  return tag.type !== previous.type || ENDS[previous.leading].includes(tag.leading);
}

function withRates({ gold, predicted, correct }: Tally): ChunkCounts {
  const precision = percent(correct, predicted);
  const recall = percent(correct, gold);
  const f1 = correct > 0 ? (2 * precision * recall) / (precision + recall) : 0;
  return { gold, predicted, correct, precision, recall, f1 };
}

function percent(part: number, whole: number): number {
  return whole > 0 ? (100 * part) / whole : 0;
}

function formatRates({ precision, recall, f1 }: ChunkCounts): string {
  return `precision: ${twoDecimals(precision)}%; recall: ${twoDecimals(recall)}%; FB1: ${twoDecimals(f1)}`;
}

/** `%6.2f`. C rounds exact ties to the even digit, `toFixed` upwards; they differ at .125 and .625. */
function twoDecimals(value: number): string {
  const isTie = (value * 8) % 4 === 1;
  return (isTie ? value - 0.001 : value).toFixed(2).padStart(6);
}
