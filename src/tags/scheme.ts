import { checkArgument } from '../base/arguments.js';
import { listNames, lookUp, quote, SpanwrightError } from '../base/errors.js';
import type { Span } from '../data/span.js';
import type { Direction } from './direction.js';

/** A tag taken apart. */
export interface ParsedTag {
  /** Part before the first hyphen: `O`, or a leading tag such as `B`. */
  readonly leading: string;
  /** Chunk type; empty for `O` and in untyped schemes. */
  readonly type: string;
}

/** Name of a tag scheme. */
export type SchemeName =
  | 'iob2'
  | 'ioe2'
  | 'iobes'
  | 'iob1'
  | 'ioe1'
  | 'bilou'
  | 'bmes'
  | 'bmewo'
  | 'bieo'
  | 'io'
  | 'b-bies'
  | 'e-bies'
  | 'bi-bies'
  | 'token';

/** Name of a scheme that can write any chunks: all but `token` and `io`. */
export type ChunkSchemeName = Exclude<SchemeName, 'token' | 'io'>;

/** A way to write spans as one tag per token. */
export interface TagScheme {
  /** Key in {@link SCHEMES}. */
  readonly name: SchemeName;
  /** One line of help. */
  readonly help: string;
  /** Leading tags without `O`, in the order in which tag sets list them. */
  readonly leadingTags: readonly string[];
  /** Leading tags that may follow, in text order, `O`, a sentence start or a chunk of another type. */
  readonly starts: readonly string[];
  /** Leading tags that `O`, a sentence end or a chunk of another type may follow, in text order. */
  readonly ends: readonly string[];
  /** Leading tags that open a chunk whatever stands before them, as tags are read; see {@link decodeTags}. */
  readonly opens: readonly string[];
  /** Leading tags after which any tag opens a chunk, as tags are read. */
  readonly closes: readonly string[];
  /** Leading tags that may follow, in text order, a leading tag of the same type. */
  readonly follows: Readonly<Record<string, readonly string[]>>;
  /**
   * Leading tag of the token at `offset` (from 0) in a chunk of `length` tokens; `touchesBefore` and
   * `touchesAfter` tell whether a chunk of the same type is adjacent on that side.
   */
  leading(offset: number, length: number, touchesBefore: boolean, touchesAfter: boolean): string;
  /** Takes a tag apart; undefined where it is none of any scheme. */
  parse(tag: string): ParsedTag | undefined;
  /** The tag of a leading tag and a chunk type. */
  format(leading: string, type: string): string;
  /** Tags `[length]` of a sentence, in text order; `spans` are in text order and do not overlap. */
  encode(spans: readonly Span[], length: number): string[];
}

/** A scheme as it is declared: what follows from the rest is left out. */
type SchemeRules = Omit<TagScheme, 'encode' | 'parse' | 'format'> & Partial<TagScheme>;

const IOBES: SchemeRules = {
  name: 'iobes',
  help: 'B, I and E on the first, inner and last tokens of a chunk, S on chunks of one token; also BIOES',
  leadingTags: ['B', 'I', 'E', 'S'],
  starts: ['B', 'S'],
  ends: ['E', 'S'],
  opens: ['B', 'S'],
  closes: ['E', 'S'],
  follows: { B: ['I', 'E'], I: ['I', 'E'], E: ['B', 'S'], S: ['B', 'S'] },
  leading: (offset, length) => {
    if (length === 1) return 'S';
    if (offset === 0) return 'B';
    return offset === length - 1 ? 'E' : 'I';
  },
};

/**
 * The tag schemes; those of chunks in the order in which `detectScheme` prefers them. IOB1 is Ramshaw & Marcus
 * (1995); IOB2, IOE1 and IOE2 are Tjong Kim Sang & Veenstra (1999). Wu et al. (2010b) name B-BIES, which refines the
 * beginning (B, B2, B3, M, E, S of Zhao, Huang & Li 2006), and E-BIES, which refines what precedes the end (B, BI, I, IE, E, S).
 * `bi-bies` has the tags of E-BIES and is ours: the middle of three tokens, which is both BI and IE, counts from the beginning.
 */
export const SCHEMES: Readonly<Record<SchemeName, TagScheme>> = {
  iob2: defineScheme({
    name: 'iob2',
    help: 'B on the first token of every chunk, I on the others',
    leadingTags: ['B', 'I'],
    starts: ['B'],
    ends: ['B', 'I'],
    opens: ['B'],
    closes: [],
    follows: { B: ['B', 'I'], I: ['B', 'I'] },
    leading: (offset) => (offset === 0 ? 'B' : 'I'),
  }),
  ioe2: defineScheme({
    name: 'ioe2',
    help: 'E on the last token of every chunk, I on the others',
    leadingTags: ['I', 'E'],
    starts: ['I', 'E'],
    ends: ['E'],
    opens: [],
    closes: ['E'],
    follows: { I: ['I', 'E'], E: ['I', 'E'] },
    leading: (offset, length) => (offset === length - 1 ? 'E' : 'I'),
  }),
  iobes: defineScheme(IOBES),
  iob1: defineScheme({
    name: 'iob1',
    help: 'I on all tokens of chunks, but B on the first one after an adjacent chunk of the same type',
    leadingTags: ['B', 'I'],
    starts: ['I'],
    ends: ['B', 'I'],
    opens: ['B'],
    closes: [],
    follows: { B: ['B', 'I'], I: ['B', 'I'] },
    leading: (offset, _length, touchesBefore) => (offset === 0 && touchesBefore ? 'B' : 'I'),
  }),
  ioe1: defineScheme({
    name: 'ioe1',
    help: 'I on all tokens of chunks, but E on the last one before an adjacent chunk of the same type',
    leadingTags: ['I', 'E'],
    starts: ['I', 'E'],
    ends: ['I'],
    opens: [],
    closes: ['E'],
    follows: { I: ['I', 'E'], E: ['I', 'E'] },
    leading: (offset, length, _touchesBefore, touchesAfter) =>
      offset === length - 1 && touchesAfter ? 'E' : 'I',
  }),
  bilou: defineScheme(respelled('bilou', { E: 'L', S: 'U' }, 'IOBES with L (last) for E and U (unit) for S')),
  bmes: defineScheme(respelled('bmes', { I: 'M' }, 'IOBES with M (middle) for I')),
  bmewo: defineScheme(
    respelled('bmewo', { I: 'M', S: 'W' }, 'IOBES with M (middle) for I and W (whole) for S'),
  ),
  bieo: defineScheme({
    name: 'bieo',
    help: 'B, I and E on the first, inner and last tokens of a chunk, B on chunks of one token',
    leadingTags: ['B', 'I', 'E'],
    starts: ['B'],
    ends: ['B', 'E'],
    opens: ['B'],
    closes: ['E'],
    follows: { B: ['B', 'I', 'E'], I: ['I', 'E'], E: ['B'] },
    leading: (offset, length) => {
      if (offset === 0) return 'B';
      return offset === length - 1 ? 'E' : 'I';
    },
  }),
  'b-bies': defineScheme({
    name: 'b-bies',
    help: 'six tags: B, B2 and B3 on the first three tokens, E on the last, M between, S on chunks of one token',
    leadingTags: ['B', 'B2', 'B3', 'M', 'E', 'S'],
    starts: ['B', 'S'],
    ends: ['E', 'S'],
    opens: ['B', 'S'],
    closes: ['E', 'S'],
    follows: {
      B: ['B2', 'E'],
      B2: ['B3', 'E'],
      B3: ['M', 'E'],
      M: ['M', 'E'],
      E: ['B', 'S'],
      S: ['B', 'S'],
    },
    leading: (offset, length) => {
      if (offset === 0) return length === 1 ? 'S' : 'B';
      if (offset === length - 1) return 'E';
      return ['B', 'B2', 'B3'][offset] ?? 'M';
    },
  }),
  'e-bies': defineScheme({
    name: 'e-bies',
    help: 'six tags: IOBES with BI after B and IE before E; the middle of three tokens is IE',
    leadingTags: ['B', 'BI', 'I', 'IE', 'E', 'S'],
    starts: ['B', 'S'],
    ends: ['E', 'S'],
    opens: ['B', 'S'],
    closes: ['E', 'S'],
    follows: {
      B: ['BI', 'IE', 'E'],
      BI: ['I', 'IE'],
      I: ['I', 'IE'],
      IE: ['E'],
      E: ['B', 'S'],
      S: ['B', 'S'],
    },
    leading: (offset, length) => {
      if (offset === 0) return length === 1 ? 'S' : 'B';
      if (offset === length - 1) return 'E';
      if (offset === length - 2) return 'IE';
      return offset === 1 ? 'BI' : 'I';
    },
  }),
  'bi-bies': defineScheme({
    name: 'bi-bies',
    help: 'six tags: IOBES with BI after B and IE before E; the middle of three tokens is BI',
    leadingTags: ['B', 'BI', 'I', 'IE', 'E', 'S'],
    starts: ['B', 'S'],
    ends: ['E', 'S'],
    opens: ['B', 'S'],
    closes: ['E', 'S'],
    follows: {
      B: ['BI', 'E'],
      BI: ['I', 'IE', 'E'],
      I: ['I', 'IE'],
      IE: ['E'],
      E: ['B', 'S'],
      S: ['B', 'S'],
    },
    leading: (offset, length) => {
      if (offset === 0) return length === 1 ? 'S' : 'B';
      if (offset === length - 1) return 'E';
      if (offset === 1) return 'BI';
      return offset === length - 2 ? 'IE' : 'I';
    },
  }),
  io: defineScheme({
    name: 'io',
    help: 'I on all tokens of chunks; adjacent chunks of the same type become one',
    leadingTags: ['I'],
    starts: ['I'],
    ends: ['I'],
    opens: [],
    closes: [],
    follows: { I: ['I'] },
    leading: () => 'I',
  }),
  token: defineScheme({
    name: 'token',
    help: 'no chunks: every token has a label of its own, such as a part of speech, and any may follow any',
    leadingTags: ['B'],
    starts: ['B'],
    ends: ['B'],
    opens: ['B'],
    closes: ['B'],
    follows: { B: ['B'] },
    leading: () => 'B',
    parse: (tag) => ({ leading: 'B', type: tag }),
    format: (_leading, type) => type,
  }),
};

const { token: _, io: __, ...chunkSchemes } = SCHEMES;

/** The schemes that can write any chunks. */
export const CHUNK_SCHEMES: Readonly<Record<ChunkSchemeName, TagScheme>> = chunkSchemes;

const OUTSIDE: ParsedTag = { leading: 'O', type: '' };

/** Other names of schemes, as other tools have them. */
export const SCHEME_ALIASES: Readonly<Record<string, SchemeName>> = {
  bio: 'iob2',
  iob: 'iob1',
  bioes: 'iobes',
  bieos: 'iobes',
  bioul: 'bilou',
  bmeso: 'bmes',
  bmeow: 'bmewo',
  bb2b3mes: 'b-bies',
};

/**
 * The scheme that a model file means by a name. Files of version 0.1 say `b-bies` for what is `bi-bies` now, and `bb2b3mes`
 * for what is `b-bies`.
 *
 * @param tags of the model, which tell the two apart.
 */
export function storedScheme(name: unknown, tags: unknown): unknown {
  if (name === 'bb2b3mes') return 'b-bies';
  const isOurs = name === 'b-bies' && Array.isArray(tags) && tags.some((tag) => /^(BI|IE)(-|$)/.test(tag));
  return isOurs ? 'bi-bies' : name;
}

/** Leading tags that open a chunk in some scheme of chunks, whatever stands before them. */
const OPENS = new Set(Object.values(CHUNK_SCHEMES).flatMap(({ opens }) => opens));

/** Leading tags after which any tag opens a chunk in some scheme of chunks. */
const CLOSES = new Set(Object.values(CHUNK_SCHEMES).flatMap(({ closes }) => closes));

/** Leading tags of any scheme of chunks, without `O`. */
export const LEADING_TAGS: readonly string[] = [
  ...new Set(Object.values(CHUNK_SCHEMES).flatMap((scheme) => scheme.leadingTags)),
];

/** IOBES with other letters for some of its leading tags. */
function respelled(name: SchemeName, letters: Readonly<Record<string, string>>, help: string): SchemeRules {
  const spell = (leading: string) => letters[leading] ?? leading;
  const spellAll = (leadings: readonly string[]) => leadings.map(spell);
  return {
    name,
    help,
    leadingTags: spellAll(IOBES.leadingTags),
    starts: spellAll(IOBES.starts),
    ends: spellAll(IOBES.ends),
    opens: spellAll(IOBES.opens),
    closes: spellAll(IOBES.closes),
    follows: Object.fromEntries(
      Object.entries(IOBES.follows).map(([leading, next]) => [spell(leading), spellAll(next)]),
    ),
    leading: (...place) => spell(IOBES.leading(...place)),
  };
}

function defineScheme(rules: SchemeRules): TagScheme {
  const format = rules.format ?? ((leading, type) => (type === '' ? leading : `${leading}-${type}`));
  return {
    parse: parseTag,
    ...rules,
    format,
    encode(spans, length) {
      const tags = new Array<string>(length).fill('O');
      visitTags(rules, spans, (i, leading, type) => {
        tags[i] = format(leading, type);
      });
      return tags;
    },
  };
}

/** Tells the leading tag and the type of every token that is in a span, in text order; the others have the tag `O`. */
export function visitTags(
  { leading }: Pick<TagScheme, 'leading'>,
  spans: readonly Span[],
  visit: (token: number, leading: string, type: string) => void,
): void {
  for (let s = 0; s < spans.length; s++) {
    const { start, end, type } = spans[s];
    const before = touches(spans[s - 1], spans[s]);
    const after = touches(spans[s], spans[s + 1]);
    for (let i = start; i < end; i++) visit(i, leading(i - start, end - start, before, after), type);
  }
}

/** Whether two successive spans are adjacent and of the same type. */
function touches(left: Span | undefined, right: Span | undefined): boolean {
  return left !== undefined && right !== undefined && left.end === right.start && left.type === right.type;
}

/**
 * Takes a tag apart at its first hyphen: `O`, `B-NP`, or a bare `B` of an untyped scheme.
 *
 * @returns undefined where no scheme has such a leading tag; callers say where that was.
 */
export function parseTag(tag: string): ParsedTag | undefined {
  if (tag === 'O') return OUTSIDE;
  const hyphen = tag.indexOf('-');
  const leading = hyphen < 0 ? tag : tag.slice(0, hyphen);
  if (!LEADING_TAGS.includes(leading)) return undefined;
  return { leading, type: hyphen < 0 ? '' : tag.slice(hyphen + 1) };
}

/**
 * Takes a sentence's tags apart.
 *
 * @param scheme the tags' scheme, where it matters: all schemes of chunks read tags alike.
 * @throws SpanwrightError (`bad-tag`) naming the first tag that no scheme has.
 */
export function parseTags(tags: readonly string[], scheme: SchemeName = 'iob2'): ParsedTag[] {
  const { parse } = lookUp(SCHEMES, scheme, 'scheme');
  return tags.map((tag, i) => {
    const parsed = parse(tag);
    if (parsed !== undefined) return parsed;
    const expected = `O, or ${listNames(LEADING_TAGS)} with or without "-type"`;
    throw new SpanwrightError('bad-tag', `tag ${i + 1}: expected ${expected}, found ${quote(tag)}`);
  });
}

/**
 * The spans that a sentence's tags stand for, in text order. One lenient reading for all schemes of chunks: it inverts
 * each one's `encode`, and ill-formed tags become spans in the way conlleval counts them, except that a B after an E
 * always starts a chunk (conlleval joins the two).
 *
 * @param scheme the tags' scheme, where it matters: `token`, or any other.
 * @throws SpanwrightError (`bad-tag`) naming the first tag that no scheme has.
 */
export function decodeTags(tags: readonly string[], scheme: SchemeName = 'iob2'): Span[] {
  checkArgument('tags', tags, 'strings');
  return decodeParsedTags(parseTags(tags, scheme));
}

/** {@link decodeTags} for tags already taken apart. */
export function decodeParsedTags(tags: readonly ParsedTag[]): Span[] {
  const spans: Span[] = [];
  let start = 0;
  let previous = OUTSIDE;
  for (let i = 0; i <= tags.length; i++) {
    const tag = i < tags.length ? tags[i] : OUTSIDE;
    const opens = opensChunk(previous, tag);
    if (previous.leading !== 'O' && (opens || tag.leading === 'O')) {
      spans.push({ start, end: i, type: previous.type });
    }
    if (opens) start = i;
    previous = tag;
  }
  return spans;
}

/**
 * Which tag opens a chunk after which, in text order.
 *
 * @param tags [L]
 * @returns `[(L+1) × (L+1)]`, 1 where the column's tag opens a chunk right after the row's; the last row and column are
 *   the sentence's boundary.
 */
export function openingTable(tags: readonly ParsedTag[]): Uint8Array<ArrayBuffer> {
  const symbols = [...tags, OUTSIDE];
  return Uint8Array.from(
    symbols.flatMap((previous) => symbols.map((tag) => (opensChunk(previous, tag) ? 1 : 0))),
  );
}

function opensChunk(previous: ParsedTag, tag: ParsedTag): boolean {
  if (tag.leading === 'O') return false;
  if (OPENS.has(tag.leading) || tag.type !== previous.type) return true;
  return previous.leading === 'O' || CLOSES.has(previous.leading);
}

/**
 * A sentence's tags written in another scheme.
 *
 * @throws SpanwrightError (`bad-tag`) as {@link decodeTags}; OptionError where `to` is not a scheme.
 */
export function convertTags(tags: readonly string[], to: ChunkSchemeName): string[] {
  checkArgument('tags', tags, 'strings');
  return lookUp(CHUNK_SCHEMES, to, 'scheme').encode(decodeTags(tags), tags.length);
}

/**
 * Which tag may follow which by a scheme's own rules.
 *
 * @param tags `[L]`, tags of that scheme.
 * @returns `[(L+1) × (L+1)]`, 1 where the column's tag may be read right after the row's; the last row is the
 *   sentence's start, the last column its end, both in reading direction.
 * @throws SpanwrightError (`bad-tag`) naming the first tag that no scheme has.
 */
export function schemeTable(
  scheme: SchemeName,
  tags: readonly string[],
  direction: Direction,
): Uint8Array<ArrayBuffer> {
  const { starts, ends, follows } = SCHEMES[scheme];
  // A sentence boundary has the same neighbours as an O.
  const symbols = [...parseTags(tags, scheme), OUTSIDE];
  const size = symbols.length;
  const table = new Uint8Array(size * size);
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < size; b++) {
      const left = symbols[direction === 'forward' ? a : b];
      const right = symbols[direction === 'forward' ? b : a];
      const inside = left.leading !== 'O' && right.leading !== 'O' && left.type === right.type;
      const legal = inside
        ? follows[left.leading].includes(right.leading)
        : (left.leading === 'O' || ends.includes(left.leading)) &&
          (right.leading === 'O' || starts.includes(right.leading));
      table[a * size + b] = legal ? 1 : 0;
    }
  }
  return table;
}
