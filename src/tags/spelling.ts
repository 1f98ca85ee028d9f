/** Ways in which files spell the tags that schemes define: `B-PER` here, elsewhere `B_PER`, `PER-B`, `b-per` or `PER`. */
import { Alphabet } from '../data/alphabet.js';
import type { Corpus } from '../data/corpus.js';
import type { TagSpelling } from '../data/tag-spelling.js';
import { LEADING_TAGS, parseTag, type SchemeName } from './scheme.js';

/** The spelling of schemes themselves: `B-PER` and `O`. */
export const PLAIN_SPELLING: TagSpelling = { form: 'prefix', separator: '-', isLower: false, outside: 'O' };

/** All spellings by an example, the plain one first, in the order in which they are preferred. */
export const SPELLINGS: Readonly<Record<string, TagSpelling>> = Object.fromEntries(
  [
    ...(['prefix', 'suffix'] as const).flatMap((form) =>
      [false, true].flatMap((isLower) =>
        (['-', '_'] as const).map((separator) => ({ form, separator, isLower })),
      ),
    ),
    { form: 'type', separator: '-', isLower: false } as const,
  ]
    .flatMap((own) => (['O', 'o'] as const).map((outside): TagSpelling => ({ ...own, outside })))
    .map((spelling) => [nameOf(spelling), spelling]),
);

/** Example of a spelling: how it writes the first tag of a chunk of PER and what is in none, as in `B-PER/O`. */
export function nameOf(spelling: TagSpelling): string {
  return `${spellTag(spelling, 'B-PER')}/${spelling.outside}`;
}

/** A tag of a scheme, such as `B-PER`, as the spelling has it. */
export function spellTag({ form, separator, isLower, outside }: TagSpelling, tag: string): string {
  if (tag === 'O') return outside;
  const hyphen = tag.indexOf('-');
  const upper = hyphen < 0 ? tag : tag.slice(0, hyphen);
  const leading = isLower ? upper.toLowerCase() : upper;
  const type = hyphen < 0 ? '' : tag.slice(hyphen + 1);
  if (form === 'type') return type;
  if (type === '') return leading;
  return form === 'prefix' ? leading + separator + type : type + separator + leading;
}

/** The tag of a scheme that is spelled so; undefined where none is. */
export function unspellTag(
  { form, separator, isLower, outside }: TagSpelling,
  tag: string,
): string | undefined {
  if (tag === outside) return 'O';
  if (form === 'type') return tag.toLowerCase() === 'o' ? undefined : `I-${tag}`;
  const at = form === 'prefix' ? tag.indexOf(separator) : tag.lastIndexOf(separator);
  const [first, second] = [tag.slice(0, Math.max(at, 0)), tag.slice(at + 1)];
  const own = at < 0 ? tag : form === 'prefix' ? first : second;
  const leading = isLower ? own.toUpperCase() : own;
  if (!LEADING_TAGS.includes(leading) || (isLower && own !== own.toLowerCase())) return undefined;
  if (at < 0) return leading;
  return `${leading}-${form === 'prefix' ? second : first}`;
}

/**
 * The first spelling that all tags have. Types alone are only taken for such where no tag has a leading tag and some token
 * is in no chunk: else they may be parts of speech, or a misspelt tag.
 */
export function detectSpelling(tags: readonly string[]): TagSpelling | undefined {
  if (tags.every((tag) => parseTag(tag) !== undefined)) return PLAIN_SPELLING;
  const found = Object.values(SPELLINGS).find(
    (spelling) => spelling.form !== 'type' && tags.every((tag) => unspellTag(spelling, tag) !== undefined),
  );
  if (found) return found;
  const outside = tags.find((tag): tag is 'O' | 'o' => tag === 'O' || tag === 'o');
  const others = tags.filter((tag) => tag !== outside);
  const isBare = others.every((tag) => !/^[A-Za-z][A-Za-z]?\d?[-_]|[-_][A-Za-z]\d?$/.test(tag) && tag !== '');
  return outside !== undefined && isBare ? { ...PLAIN_SPELLING, form: 'type', outside } : undefined;
}

/**
 * The corpus with the tags of its last column as schemes spell them, and with a note of how it spelled them. As it is where
 * they are so already, where they are labels of single tokens, or where no spelling fits: then who reads them says which is
 * no tag.
 */
export function withPlainTags(corpus: Corpus, scheme: SchemeName): Corpus {
  if (scheme === 'token' || corpus.tagSpelling !== undefined) return corpus;
  const column = corpus.columns.length - 1;
  const ids = corpus.cells[column];
  const strings = corpus.alphabets[column].toArray();
  const isUsed = new Uint8Array(strings.length);
  for (const id of ids) isUsed[id] = 1;
  const spelling = detectSpelling(strings.filter((_, id) => isUsed[id] === 1));
  if (spelling === undefined || spelling === PLAIN_SPELLING) return corpus;
  const alphabet = new Alphabet();
  const plain = strings.map((tag) => alphabet.add(unspellTag(spelling, tag) ?? tag));
  return {
    ...corpus,
    alphabets: corpus.alphabets.with(column, alphabet),
    cells: corpus.cells.with(
      column,
      ids.map((id) => plain[id]),
    ),
    tagSpelling: spelling,
  };
}

/** Reads tags in any spelling as they come. Of tags whose spelling shows late, those before are in no chunk. */
export class TagReader {
  private readonly seen = new Set<string>();
  private hasOutside = false;
  private spelling: TagSpelling | undefined;

  /** @param spelling where it is known. */
  constructor(spelling?: TagSpelling) {
    this.spelling = spelling;
  }

  /** The spelling of the tags read so far. */
  get found(): TagSpelling {
    return this.spelling ?? PLAIN_SPELLING;
  }

  /**
   * Learns the spelling of a sentence's tags, which {@link read} then reads.
   *
   * @param tags its tags.
   * @param others tags predicted for it, if any: whether some token is in no chunk is up to the first.
   * @returns whether the spelling is another than before.
   */
  meet(tags: Iterable<string>, others: Iterable<string> = []): boolean {
    const before = this.seen.size;
    for (const tag of tags) {
      this.seen.add(tag);
      this.hasOutside ||= tag.toLowerCase() === 'o';
    }
    for (const tag of others) this.seen.add(tag);
    if (this.seen.size === before) return false;
    const earlier = this.spelling;
    const found = detectSpelling([...this.seen]);
    this.spelling = found?.form === 'type' && !this.hasOutside ? earlier : (found ?? earlier);
    return this.spelling !== earlier;
  }

  /** A tag as schemes spell it; undefined where it is none. */
  read(tag: string): string | undefined {
    return unspellTag(this.found, tag);
  }
}
