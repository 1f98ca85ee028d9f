/**
 * Chunk scores as the CoNLL-2000 shared task's conlleval script counts them. A chunk is right when its start, its
 * end and its type are. Where chunks start and end is read off pairs of neighbouring tags (STARTS and ENDS below);
 * the script joins an E and a following B of the same type, and so does this where no scheme with S is met. Zero
 * denominators give 0.
 */
import { checkArgument } from '../base/arguments.js';
import { OptionError, SpanwrightError } from '../base/errors.js';
import {
  convertTags,
  decodeTags,
  type ParsedTag,
  parseTags,
  SCHEMES,
  type SchemeName,
} from '../tags/scheme.js';

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

/** Scores of {@link ChunkScorer}: counts over all types, by type and by token. */
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

/** Counts of each type. */
class TypeTallies {
  private readonly tallies = new Map<string, Tally>();

  of(type: string): Tally {
    let tally = this.tallies.get(type);
    if (tally === undefined) {
      tally = { gold: 0, predicted: 0, correct: 0 };
      this.tallies.set(type, tally);
    }
    return tally;
  }

  /** Types that were asked for, sorted by name (code units). */
  types(): string[] {
    return [...this.tallies.keys()].sort();
  }
}

/**
 * Scores sentences one after the other.
 *
 * The script knows no S. Where one is met all sentences, also those before, are read as schemes with S have it, in which
 * a B after an E starts a chunk of its own; where none is, as the script reads them.
 */
export class ChunkScorer {
  private readonly scheme: SchemeName | undefined;
  private readonly isStrict: boolean;
  /** Counts as the script reads tags. */
  private readonly asScript = new TypeTallies();
  /** Counts as schemes with S read tags. */
  private readonly parted = new TypeTallies();
  /** Whether tags are of a scheme with S. */
  private isParted: boolean;
  private tokens = 0;
  private sentences = 0;
  private correctTags = 0;

  /**
   * @param scheme the tags' scheme, where known. Files of IOBES without any S can only be told from ill-formed IOB or
   *   IOE tags if the scheme is given here; and tags of `token`, each of which counts as a chunk, always.
   * @param isStrict whether only chunks count whose tags are all as the scheme writes them, as seqeval's strict mode has it.
   */
  constructor(scheme?: SchemeName, isStrict = false) {
    this.scheme = scheme;
    this.isStrict = isStrict;
    if (isStrict && (scheme === undefined || scheme === 'token')) {
      throw new OptionError(
        'strict',
        '--strict: expected the scheme of the chunks, --scheme iob2 or another',
      );
    }
    const { opens = [], closes = [] } = scheme === undefined ? {} : SCHEMES[scheme];
    this.isParted = opens.length > 0 && closes.length > 0;
  }

  /**
   * Adds a sentence. Tags are compared for accuracy as they are given, before any conversion.
   *
   * @param gold `[T]`, in text order.
   * @param predicted `[T]`, in text order.
   * @param onCorrect told the first token of each chunk that is right.
   * @returns the sentence's own counts, by what is known of the scheme by now.
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
    const parsed = [gold, predicted].map((tags) => parseTags(tags, scheme)) as [ParsedTag[], ParsedTag[]];
    for (let i = 0; i < gold.length; i++) if (gold[i] === predicted[i]) this.correctTags++;
    this.tokens += gold.length;
    this.sentences++;
    if (!this.isStrict || scheme === undefined) return this.count(gold, predicted, parsed, onCorrect);
    const [right, found] = [gold, predicted].map((tags) => wellFormed(tags, scheme));
    return this.count(right, found, [parseTags(right, scheme), parseTags(found, scheme)], onCorrect);
  }

  /** Counts a sentence's chunks. */
  private count(
    gold: readonly string[],
    predicted: readonly string[],
    [goldTags, predictedTags]: readonly [ParsedTag[], ParsedTag[]],
    onCorrect?: (firstToken: number) => void,
  ): ChunkTally {
    const isReadable = [goldTags, predictedTags].every((tags) => !tags.some(isOfOwnRules));
    if (!isReadable) this.isParted = true;
    if (isReadable && !joins(goldTags) && !joins(predictedTags)) {
      return countChunks(goldTags, predictedTags, [this.asScript, this.parted], onCorrect);
    }
    const { isParted } = this;
    const parted = countChunks(
      parseTags(convertTags(gold, 'iob2')),
      parseTags(convertTags(predicted, 'iob2')),
      [this.parted],
      isParted ? onCorrect : undefined,
    );
    return isParted ? parted : countChunks(goldTags, predictedTags, [this.asScript], onCorrect);
  }

  /** Adds a gold chunk that no tokens are, so that none can be predicted. */
  addMissed(type: string): void {
    for (const tallies of [this.asScript, this.parted]) tallies.of(type).gold++;
  }

  /** The scores of the sentences added so far. */
  scores(): ChunkScores {
    const { tokens, sentences, correctTags } = this;
    const tallies = this.isParted ? this.parted : this.asScript;
    const all: Tally = { gold: 0, predicted: 0, correct: 0 };
    const types = new Map<string, ChunkCounts>();
    for (const type of tallies.types()) {
      const tally = tallies.of(type);
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

/** The tags without chunks that the scheme would write otherwise. */
export function wellFormed(tags: readonly string[], scheme: SchemeName): string[] {
  const { encode } = SCHEMES[scheme];
  const spans = decodeTags(tags, scheme);
  const regular = encode(spans, tags.length);
  const kept = spans.filter(({ start, end }) =>
    tags.slice(start, end).every((tag, i) => tag === regular[start + i]),
  );
  return encode(kept, tags.length);
}

/** The script's report, to the letter; only a bare type's line, which the script can repeat, stands once. */
export function conllevalTable(scores: ChunkScores): string {
  checkArgument('scores', scores, 'scores');
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
  checkArgument('scores', scores, 'scores');
  const { tokens, sentences, correctTags, accuracy, types } = scores;
  let table = `processed ${tokens} tokens in ${sentences} sentences; correct: ${correctTags}; accuracy: ${twoDecimals(accuracy)}%\n`;
  for (const [type, counts] of types) {
    table += `${type.padStart(17)}: ${formatRates(counts)}  ${counts.predicted}\n`;
  }
  return table;
}

/** Scores as plain data, rates in percent. */
export function scoresToJson(scores: ChunkScores): ChunkScoresJson {
  checkArgument('scores', scores, 'scores');
  const { correctTags: _, types, ...rest } = scores;
  return { ...rest, types: Object.fromEntries(types) };
}

/** Counts a sentence's chunks, and adds them to some tallies. */
function countChunks(
  gold: readonly ParsedTag[],
  predicted: readonly ParsedTag[],
  tallies: readonly TypeTallies[],
  onCorrect?: (firstToken: number) => void,
): ChunkTally {
  const counts = { gold: 0, predicted: 0, correct: 0 };
  const count = (what: keyof ChunkTally, type: string) => {
    counts[what]++;
    for (const each of tallies) each.of(type)[what]++;
  };
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
        count('correct', lastGold.type);
        onCorrect?.(start);
      }
      agrees = !goldEnds && !predictedEnds;
    }
    const goldStarts = startsChunk(lastGold, goldTag);
    const predictedStarts = startsChunk(lastPredicted, predictedTag);
    if (goldStarts) count('gold', goldTag.type);
    if (predictedStarts) count('predicted', predictedTag.type);
    if (goldStarts && predictedStarts && goldTag.type === predictedTag.type) {
      agrees = true;
      start = i;
    }
    lastGold = goldTag;
    lastPredicted = predictedTag;
  }
  return counts;
}

/** Whether the script does not know the tag. */
function isOfOwnRules({ leading }: ParsedTag): boolean {
  return leading !== 'O' && !Object.hasOwn(STARTS, leading);
}

/**
 * Scheme to give {@link ChunkScorer} for tags whose scheme is not known, so that it reads the first sentence as the last.
 *
 * @throws SpanwrightError (`bad-tag`) naming the first tag that no scheme has.
 */
export function schemeToScore(sequences: Iterable<readonly string[]>): SchemeName | undefined {
  for (const tags of sequences) if (parseTags(tags).some(isOfOwnRules)) return 'iobes';
  return undefined;
}

/** Whether the script joins chunks that end with E and begin with B. */
function joins(tags: readonly ParsedTag[]): boolean {
  return tags.some(
    ({ leading, type }, i) =>
      i > 0 && leading === 'B' && tags[i - 1].leading === 'E' && tags[i - 1].type === type,
  );
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
