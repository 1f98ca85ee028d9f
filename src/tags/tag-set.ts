import { listNames, lookUp, OptionError, quote, SpanwrightError, show } from '../base/errors.js';
import type { Span } from '../data/span.js';
import { learnConsistency } from './consistency.js';
import type { Direction } from './direction.js';
import {
  decodeParsedTags,
  openingTable,
  type ParsedTag,
  parseTags,
  SCHEMES,
  type SchemeName,
  schemeTable,
  storedScheme,
  type TagScheme,
  visitTags,
} from './scheme.js';

/** Label id of a tag that a tag set does not have. */
export const UNKNOWN_LABEL = 65535;

/** Pairs of labels that are looked at, at most, to see whether sentences of all lengths have labels. */
const MOST_PAIRS = 2e8;

/**
 * Where a tag set's {@link TagSet.allowed} comes from: the training data, the scheme's own rules, or nowhere
 * (everything is allowed).
 */
export type LegalitySource = 'learned' | 'scheme' | 'none';

/** Form of a tag set in a model file. */
export interface TagSetJson {
  /** Tag scheme. */
  readonly scheme: SchemeName;
  /** Reading direction. */
  readonly direction: Direction;
  /** Tags `[L]`. */
  readonly tags: readonly string[];
  /** `L+1` rows of `L+1` digits, 0 or 1. */
  readonly allowed: readonly string[];
  /** Where `allowed` comes from. */
  readonly legality: LegalitySource;
}

/** The labels of a model: what they stand for and which may follow which. Label ids are indices into `tags`. */
export class TagSet {
  /** Tag scheme. */
  readonly scheme: SchemeName;
  /** Reading direction, the order of all label sequences. */
  readonly direction: Direction;
  /** Tags `[L]`: `O` first, then by type and by the scheme's order of leading tags. */
  readonly tags: readonly string[];
  /** Chunk types, in the order of the tags; one empty type where tags are untyped. */
  readonly types: readonly string[];
  /**
   * `[(L+1) × (L+1)]`, 1 where the column's label may be read right after the row's; the last row is the
   * sentence's start, the last column its end, both in reading direction.
   */
  readonly allowed: Uint8Array<ArrayBuffer>;
  /** Where {@link allowed} comes from. */
  readonly legality: LegalitySource;
  /** Label of tokens in no chunk; −1 where there is none. No name tells it: a type, or a label of tokens, may be called O. */
  readonly outside: number;
  /** [L] type of each label's chunk; empty for `O` and in untyped schemes. */
  readonly typeOfLabel: readonly string[];
  /**
   * `[(L+1) × (L+1)]`, 1 where the column's label opens a chunk right after the row's, in text order; the last row is
   * the sentence's start.
   */
  readonly opens: Uint8Array<ArrayBuffer>;
  /** [L] */
  private readonly parsed: readonly ParsedTag[];
  private readonly labels: ReadonlyMap<string, number>;
  private readonly parts = new TagNumbers();

  private constructor(
    scheme: SchemeName,
    direction: Direction,
    tags: readonly string[],
    allowed: Uint8Array<ArrayBuffer>,
    legality: LegalitySource,
  ) {
    this.scheme = scheme;
    this.direction = direction;
    this.tags = tags;
    this.allowed = allowed;
    this.legality = legality;
    this.parsed = parseTags(tags, scheme);
    this.outside = this.parsed.findIndex(({ leading }) => leading === 'O');
    this.types = [...new Set(this.parsed.filter((tag) => tag.leading !== 'O').map((tag) => tag.type))];
    this.typeOfLabel = this.parsed.map(({ type }) => type);
    this.opens = openingTable(this.parsed);
    this.labels = new Map(tags.map((tag, label) => [tag, label]));
    this.parsed.forEach(({ leading, type }, label) => {
      this.parts.set(leading, type, label);
    });
  }

  /**
   * The tag set of training data: the tags that occur, and the consistency matrix learned from them. On very small
   * data that matrix can leave some sentence lengths without any legal labelling; then the scheme's own rules
   * replace it, and if too few tags were seen even for these, every sequence is allowed, so that decoders always
   * find one.
   *
   * @param sentences spans of each sentence, in text order and without overlaps, and its number of tokens.
   * @throws OptionError where `scheme` is not a scheme; SpanwrightError (`bad-tag`) where there are more tags than
   *   label ids.
   */
  static learn(
    scheme: SchemeName,
    direction: Direction,
    sentences: Iterable<{ readonly spans: readonly Span[]; readonly length: number }>,
  ): TagSet {
    const rules = lookUp(SCHEMES, scheme, 'scheme');
    const found: string[] = [];
    const numbers = new TagNumbers();
    const add = (tag: string) => {
      if (found.length === UNKNOWN_LABEL) {
        throw new SpanwrightError('bad-tag', `expected at most ${UNKNOWN_LABEL} different tags, found more`);
      }
      return found.push(tag) - 1;
    };
    let outside = UNKNOWN_LABEL;
    const sequences: Uint16Array[] = [];
    for (const { spans, length } of sentences) {
      const sequence = new Uint16Array(length).fill(UNKNOWN_LABEL);
      visitTags(rules, spans, (i, leading, type) => {
        let number = numbers.get(leading, type);
        if (number === undefined) {
          number = add(rules.format(leading, type));
          numbers.set(leading, type, number);
        }
        sequence[direction === 'forward' ? i : length - 1 - i] = number;
      });
      for (let i = 0; i < length; i++) {
        if (sequence[i] !== UNKNOWN_LABEL) continue;
        if (outside === UNKNOWN_LABEL) outside = add('O');
        sequence[i] = outside;
      }
      sequences.push(sequence);
    }

    const tags = sortTags(found, rules);
    const final = Uint16Array.from(found, (tag) => tags.indexOf(tag));
    for (const sequence of sequences) {
      for (let i = 0; i < sequence.length; i++) sequence[i] = final[sequence[i]];
    }

    // Labels of single tokens are never ill-formed; what training did not see in a row may yet come.
    if (scheme === 'token') {
      return new TagSet(scheme, direction, tags, schemeTable(scheme, tags, direction), 'scheme');
    }
    const learned = learnConsistency(tags, sequences);
    if (isLive(learned, tags.length)) return new TagSet(scheme, direction, tags, learned, 'learned');
    const own = schemeTable(scheme, tags, direction);
    if (isLive(own, tags.length)) return new TagSet(scheme, direction, tags, own, 'scheme');
    return new TagSet(scheme, direction, tags, new Uint8Array(own.length).fill(1), 'none');
  }

  /**
   * The same labels, where more training data show that more pairs of them may follow each other.
   *
   * @param sentences as for {@link learn}.
   * @throws OptionError for a tag that there is no label for.
   */
  extended(sentences: Iterable<{ readonly spans: readonly Span[]; readonly length: number }>): TagSet {
    const sequences: Uint16Array[] = [];
    for (const { spans, length } of sentences) {
      const sequence = new Uint16Array(length);
      this.encode(spans, length, sequence);
      if (sequence.includes(UNKNOWN_LABEL)) {
        const tag = SCHEMES[this.scheme].encode(spans, length).find((name) => !this.labels.has(name));
        throw new OptionError(
          'labels',
          `expected the labels of the model, ${listNames(this.tags)}, found ${quote(String(tag))}`,
        );
      }
      sequences.push(sequence);
    }
    if (this.legality !== 'learned') return this;
    const seen = learnConsistency(this.tags, sequences);
    const allowed = this.allowed.map((may, i) => may | seen[i]);
    return new TagSet(this.scheme, this.direction, this.tags, allowed, this.legality);
  }

  /**
   * The tag set of some chunk types: every tag that the scheme may write, whether it occurs or not, and the scheme's own
   * rules. `O` is among the tags where something is in no chunk.
   *
   * @param sentences as for {@link learn}.
   */
  static complete(
    scheme: SchemeName,
    direction: Direction,
    sentences: Iterable<{ readonly spans: readonly Span[]; readonly length: number }>,
  ): TagSet {
    const { leadingTags, format } = SCHEMES[scheme];
    const types = new Set<string>();
    const tags = new Set<string>();
    for (const { spans, length } of sentences) {
      let covered = 0;
      for (const { start, end, type } of spans) {
        types.add(type);
        covered += end - start;
      }
      if (covered < length) tags.add('O');
    }
    for (const type of types) for (const leading of leadingTags) tags.add(format(leading, type));
    const sorted = sortTags([...tags], SCHEMES[scheme]);
    return new TagSet(scheme, direction, sorted, schemeTable(scheme, sorted, direction), 'scheme');
  }

  /**
   * Reads what {@link toJSON} wrote.
   *
   * @throws Error saying which part is not as it should be.
   */
  static fromJSON(value: unknown): TagSet {
    const { direction, tags, allowed, legality, ...stored } = (value ?? {}) as Record<string, unknown>;
    const scheme = storedScheme(stored.scheme, tags);
    if (typeof scheme !== 'string' || !Object.hasOwn(SCHEMES, scheme)) {
      throw new Error(`tag set: ${show(scheme)} is not a tag scheme`);
    }
    if (direction !== 'forward' && direction !== 'backward') {
      throw new Error(`tag set: expected the direction forward or backward, found ${show(direction)}`);
    }
    if (legality !== 'learned' && legality !== 'scheme' && legality !== 'none') {
      throw new Error(`tag set: expected the legality learned, scheme or none, found ${show(legality)}`);
    }
    if (
      !isStringArray(tags) ||
      tags.length === 0 ||
      new Set(tags).size !== tags.length ||
      tags.length > UNKNOWN_LABEL
    ) {
      throw new Error('tag set: expected different tags, one or more');
    }
    const { parse, leadingTags } = SCHEMES[scheme as SchemeName];
    const alien = tags.find((tag) => !['O', ...leadingTags].includes(parse(tag)?.leading ?? ''));
    if (alien !== undefined) throw new Error(`tag set: ${show(alien)} is not a tag of ${scheme}`);
    const size = tags.length + 1;
    const isRow = (row: string) => row.length === size && /^[01]*$/.test(row);
    if (!isStringArray(allowed) || allowed.length !== size || !allowed.every(isRow)) {
      throw new Error(`tag set: expected ${size} rows of ${size} digits, 0 or 1, for what may follow what`);
    }
    const matrix = Uint8Array.from(allowed.join(''), Number);
    if (!isLive(matrix, tags.length)) {
      throw new Error(
        'tag set: expected tags that sentences of every length may have, found lengths without any',
      );
    }
    return new TagSet(scheme as SchemeName, direction, tags, matrix, legality);
  }

  /** Form for the model file; {@link fromJSON} reads it. */
  toJSON(): TagSetJson {
    const size = this.tags.length + 1;
    const allowed = Array.from({ length: size }, (_, row) =>
      this.allowed.subarray(row * size, (row + 1) * size).join(''),
    );
    return {
      scheme: this.scheme,
      direction: this.direction,
      tags: this.tags,
      allowed,
      legality: this.legality,
    };
  }

  /**
   * Writes a sentence's label ids, in reading order, to `out[0 … length − 1]`; {@link UNKNOWN_LABEL} for tags that
   * the set does not have.
   *
   * @param spans in text order, without overlaps.
   * @param out `[≥ length]`
   */
  encode(spans: readonly Span[], length: number, out: Uint16Array): void {
    const backward = this.direction === 'backward';
    out.fill(this.outside < 0 ? UNKNOWN_LABEL : this.outside, 0, length);
    visitTags(SCHEMES[this.scheme], spans, (i, leading, type) => {
      out[backward ? length - 1 - i : i] = this.parts.get(leading, type) ?? UNKNOWN_LABEL;
    });
  }

  /**
   * The spans, in text order, that a sentence's labels stand for; ill-formed sequences are read leniently.
   *
   * @param labels `[≥ length]`, ids below L in reading order.
   */
  decode(labels: ArrayLike<number>, length: number): Span[] {
    return decodeParsedTags(this.inTextOrder(this.parsed, labels, length));
  }

  /**
   * A sentence's tags in text order.
   *
   * @param labels `[≥ length]`, ids below L in reading order.
   */
  tagStrings(labels: ArrayLike<number>, length: number): string[] {
    return this.inTextOrder(this.tags, labels, length);
  }

  private inTextOrder<T>(byLabel: readonly T[], labels: ArrayLike<number>, length: number): T[] {
    const backward = this.direction === 'backward';
    const values = new Array<T>(length);
    for (let i = 0; i < length; i++) values[i] = byLabel[labels[backward ? length - 1 - i : i]];
    return values;
  }
}

/** Numbers of tags, found by their parts: putting those together would make a string for every token. */
class TagNumbers {
  private readonly ofTypes = new Map<string, Map<string, number>>();

  get(leading: string, type: string): number | undefined {
    return this.ofTypes.get(type)?.get(leading);
  }

  set(leading: string, type: string, number: number): void {
    const ofType = this.ofTypes.get(type) ?? new Map<string, number>();
    ofType.set(leading, number);
    this.ofTypes.set(type, ofType);
  }
}

/** `O` first, then by type (code units), then by the scheme's order of leading tags. */
function sortTags(tags: readonly string[], scheme: TagScheme): string[] {
  const parsed = new Map(parseTags(tags, scheme.name).map((tag, i) => [tags[i], tag]));
  return [...tags].sort((left, right) => {
    const a = parsed.get(left) as ParsedTag;
    const b = parsed.get(right) as ParsedTag;
    if (a.leading === 'O' || b.leading === 'O') return a.leading === 'O' ? -1 : 1;
    if (a.type !== b.type) return a.type < b.type ? -1 : 1;
    return scheme.leadingTags.indexOf(a.leading) - scheme.leadingTags.indexOf(b.leading);
  });
}

/**
 * Whether sentences of every length ≥ 1 have a legal labelling: follows the set of labels that can stand at
 * position n from the start until a set comes back, and asks that each hold a label that may end the sentence. False where
 * none comes back within as many steps as can be afforded.
 */
function isLive(allowed: Uint8Array, labels: number): boolean {
  const size = labels + 1;
  const most = Math.min(1000, Math.max(16, Math.floor(MOST_PAIRS / size ** 2)));
  const seen = new Set<string>();
  let reached = allowed.subarray(labels * size, labels * size + labels);
  // Sets repeat after a handful of steps, but for matrices made to defeat this, which would take time and memory in labelling too.
  for (let step = 0; step < most; step++) {
    const key = reached.join('');
    if (seen.has(key)) return true;
    seen.add(key);
    const next = new Uint8Array(labels);
    let canEnd = false;
    for (let a = 0; a < labels; a++) {
      if (reached[a] === 0) continue;
      if (allowed[a * size + labels] !== 0) canEnd = true;
      for (let b = 0; b < labels; b++) next[b] |= allowed[a * size + b];
    }
    if (!canEnd) return false;
    reached = next;
  }
  return false;
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
