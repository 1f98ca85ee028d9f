/**
 * Splits what stands between blanks into tokens as the Penn Treebank does: punctuation and contractions apart, numbers,
 * abbreviations and addresses whole. What a token is called (`word`) is the treebank's spelling where that differs:
 * `` and '' for double quotes, -LRB- for a bracket, -- for dashes, \/ for a slash inside a word. Letters of any script
 * are letters, so a run of Chinese is one token.
 */
import { Uint32List } from '../base/growable.js';
import { ABBREVIATIONS, LEADING_ABBREVIATIONS, STATES, UNCASED_ABBREVIATIONS } from './abbreviations.js';
import { isHighSurrogate, isLowSurrogate } from './code-points.js';

// Classes of UTF-16 units; what is not ASCII is looked up when it is first seen. Letters, digits and marks make words.
const UNKNOWN = 0;
const SYMBOL = 1;
const LETTER = 2;
const DIGIT = 3;
const MARK = 4;
/** [65,536] */
const CLASSES = new Uint8Array(0x10000).fill(SYMBOL, 0, 128);
for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_')
  CLASSES[letter.charCodeAt(0)] = LETTER;
for (const digit of '0123456789') CLASSES[digit.charCodeAt(0)] = DIGIT;

const QUOTE = 0x22;
const DOLLAR = 0x24;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const APOSTROPHE = 0x27;
const STAR = 0x2a;
const PLUS = 0x2b;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
const AT = 0x40;
const HASH = 0x23;
const BACKSLASH = 0x5c;
const BACKQUOTE = 0x60;
const TILDE = 0x7e;
const SOFT_HYPHEN = 0xad;
const EN_DASH = 0x2013;
const EM_DASH = 0x2014;
const RIGHT_SINGLE = 0x2019;
const KEYCAP = 0x20e3;
const EMOJI_STYLE = 0xfe0f;

/** Punctuation that the treebank spells otherwise. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['(', '-LRB-'],
  [')', '-RRB-'],
  ['[', '-LSB-'],
  [']', '-RSB-'],
  ['{', '-LCB-'],
  ['}', '-RCB-'],
  ['“', '``'],
  ['„', '``'],
  ['«', '``'],
  ['”', "''"],
  ['»', "''"],
  ['‘', '`'],
  ['‚', '`'],
  ['–', '--'],
  ['—', '--'],
  ['―', '--'],
  ['…', '...'],
  ['*', '\\*'],
  ['/', '\\/'],
]);
const OPENING = '([{“„«‘‚`';
/** Characters that may stand between a closing quote and the next blank. */
const AFTER_QUOTE = '"\'’”).,;:!?]}';

// Regular expressions are for rare blobs only, and bounded: a token may be megabytes long.
const URL_START = /(?:[a-z][a-z\d+.-]{0,20}:\/\/|www\.)(?=[\p{L}\p{N}[])/iuy;
const MAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/uy;
/** Characters that end an address. */
const NOT_IN_URL = '<>"“”—';
const AFTER_URL = ".,;:!?'’)]}*_";
/** `/usr`, `~/x` and `../x`, as far as they are no words. */
const PATH_START = /(?:~|\.\.?)?\/(?=[\p{L}_])/uy;
/** Faces of one mark for the eyes, and the heart. */
const EMOTICON = /(?:[:;=][-o^']?[()[\]DPpd/\\|]|<3)(?![\p{L}\p{N}])/uy;
const EMOJI =
  /\p{Regional_Indicator}{2}|[#*0-9]\ufe0f?\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?){0,9}[\u{e0020}-\u{e007f}]{0,9}/uy;
/** Words with an apostrophe in front, and what of them is a token of its own. */
const LEADING_APOSTROPHE =
  /['’](?:t(?=(?:is|was)(?![\p{L}\p{N}]))|(?:s|m|d|ll|re|ve|em|til|cause|n['’]?|round|bout|\d\ds?)(?![\p{L}\p{N}]))/iuy;
/** Currencies written as letters and a sign. */
const CURRENCY = /(?:US|C|CA|A|AU|HK|NZ|NT|M|S|R)\$/y;
/** Parts of one letter or two: U.S, a.m, e.g, Ph.D. */
const DOTTED = /^(?:\p{L}{1,2}\.)+\p{L}{1,2}$/u;
/** Words that are two without an apostrophe between; the first part's length. */
const JOINED: ReadonlyMap<string, number> = new Map([
  ['cannot', 3],
  ['gonna', 3],
  ['gotta', 3],
  ['wanna', 3],
  ['gimme', 3],
  ['lemme', 3],
]);
const LONGEST_ABBREVIATION = 12;
/** Most contractions split off one word: y'all'd've has two. */
const MOST_CONTRACTIONS = 3;

/** Tokenises blank-free stretches of text one after the other, and holds the tokens found. */
export class EnglishTokens {
  /** [2 × tokens] start and end of each token. */
  readonly offsets = new Uint32List(128);
  /** [tokens] the treebank's spelling. */
  readonly words: string[] = [];
  /** Whether a straight double quote that stands alone would close a quotation. */
  private quoteIsOpen = false;
  private readonly abbreviations: ReadonlySet<string>;

  /** @param abbreviations further ones, in small letters, without their last full stop. */
  constructor(abbreviations: ReadonlySet<string> = new Set()) {
    this.abbreviations = abbreviations;
  }

  /** Forgets open quotations: a new paragraph begins. */
  closeQuotes(): void {
    this.quoteIsOpen = false;
  }

  /** Forgets the tokens. */
  clear(): void {
    this.offsets.length = 0;
    this.words.length = 0;
  }

  /** Appends the tokens of `text[start … end − 1]`, in which there is no white space, and around which there is. */
  split(text: string, start: number, end: number): void {
    let i = start;
    while (i < end && isAsciiWordUnit(text.charCodeAt(i))) i++;
    if (i === end) {
      this.addWord(text, start, end);
      return;
    }
    if (i === end - 1 && i > start) {
      const last = text.charCodeAt(i);
      if (last === COMMA || last === DOT) {
        this.addWord(text, start, i, last === DOT);
        if (last === COMMA) this.add(i, end, ',');
        return;
      }
    }
    const hasAddress = mayHaveAddress(text, i, end);
    i = start;
    while (i < end) {
      const addressEnd = hasAddress ? findAddressEnd(text, i, start, end) : i;
      if (addressEnd > i) {
        this.add(i, addressEnd, text.slice(i, addressEnd));
        i = addressEnd;
      } else i = this.splitNext(text, i, start, end);
    }
  }

  private add(start: number, end: number, word: string): void {
    this.offsets.push(start);
    this.offsets.push(end);
    this.words.push(word);
  }

  /** Adds a token and returns its end. */
  private addTo(start: number, end: number, word: string): number {
    this.add(start, end, word);
    return end;
  }

  /** Adds a word of ASCII letters and digits, and the full stop after it where there is one. */
  private addWord(text: string, start: number, end: number, stop = false): void {
    const word = text.slice(start, end);
    if (stop && this.keepsStop(word)) {
      this.add(start, end + 1, text.slice(start, end + 1));
      return;
    }
    const cut = word.length === 5 || word.length === 6 ? JOINED.get(word.toLowerCase()) : undefined;
    if (cut !== undefined) {
      this.add(start, start + cut, word.slice(0, cut));
      this.add(start + cut, end, word.slice(cut));
    } else this.add(start, end, word);
    if (stop) this.add(end, end + 1, '.');
  }

  /** Whether a full stop after the word belongs to it, also as the word I is an initial only after a name. */
  private keepsStop(word: string): boolean {
    if (word === 'I') return /^\p{Lu}/u.test(this.words.at(-1) ?? '');
    if (isAbbreviation(word)) return true;
    return this.abbreviations.size > 0 && this.abbreviations.has(word.toLowerCase());
  }

  /** Finds the token or tokens at `i` of the blob `start … end − 1`; returns where the next one starts. */
  private splitNext(text: string, i: number, start: number, end: number): number {
    const unit = text.charCodeAt(i);
    const next = text.charCodeAt(i + 1);
    if (isWordUnit(text, i)) return this.splitWord(text, i, i, end);
    const opens = i === start || OPENING.includes(text[i - 1]) || text.charCodeAt(i - 1) === QUOTE;
    if ((opens || text.charCodeAt(i - 1) === DOLLAR) && isSign(unit) && isDigit(next))
      return this.splitWord(text, i, i + 1, end);
    if (opens && (unit === SLASH || unit === DOT || unit === TILDE)) {
      const pathEnd = matchEnd(PATH_START, text, i);
      if (pathEnd > i) return this.splitWord(text, i, pathEnd, end);
    }
    switch (unit) {
      case APOSTROPHE:
      case RIGHT_SINGLE:
        return this.splitApostrophe(text, i, start, opens);
      case QUOTE:
        return this.splitQuote(text, i, start, end);
      case BACKQUOTE:
        if (next !== BACKQUOTE) break;
        this.quoteIsOpen = true;
        return this.addTo(i, i + 2, '``');
      case DOT: {
        let dotsEnd = i + 1;
        while (text.charCodeAt(dotsEnd) === DOT && dotsEnd - i < 3) dotsEnd++;
        return this.addTo(i, dotsEnd, text.slice(i, dotsEnd));
      }
      case HYPHEN:
        if (next !== HYPHEN) break;
        return this.addTo(i, runEnd(text, i), '--');
      case STAR: {
        if (next !== STAR) break;
        const starsEnd = runEnd(text, i);
        return this.addTo(i, starsEnd, '\\*'.repeat(starsEnd - i));
      }
    }
    return this.splitSymbol(text, i, start);
  }

  /** Splits off a symbol or picture, with the marks and joiners after it. */
  private splitSymbol(text: string, i: number, start: number): number {
    let end = 0;
    // A face stands alone, so that ":)" closes a bracket elsewhere.
    if (i === start) end = matchEnd(EMOTICON, text, i);
    if (end === 0 && (text.charCodeAt(i) > 127 || isKeycap(text, i))) end = matchEnd(EMOJI, text, i);
    const isPicture = end > 0;
    if (!isPicture) end = i + unitsAt(text, i);
    while (isMark(text, end)) end += unitsAt(text, end);
    const token = text.slice(i, end);
    if (token === '“') this.quoteIsOpen = true;
    if (token === '”') this.quoteIsOpen = false;
    return this.addTo(i, end, isPicture ? token : (WORDS.get(token) ?? token));
  }

  /** A straight double quote opens before a word and after a blank or an opening mark, else closes. */
  private splitQuote(text: string, i: number, start: number, end: number): number {
    const before = text.charCodeAt(i - 1);
    let opens = i === start || OPENING.includes(text[i - 1]) || isDash(before);
    // '"No" is what he said,' she said.
    if (i === start + 1 && isApostrophe(before)) opens = true;
    if (opens) {
      const limit = Math.min(end, i + 10);
      let after = i + 1;
      while (after < limit && AFTER_QUOTE.includes(text[after])) after++;
      opens = after < limit;
    }
    if (end - start === 1) opens = !this.quoteIsOpen;
    this.quoteIsOpen = opens;
    return this.addTo(i, i + 1, opens ? '``' : "''");
  }

  private splitApostrophe(text: string, i: number, start: number, opens: boolean): number {
    const isStraight = text.charCodeAt(i) === APOSTROPHE;
    if (isStraight && text.charCodeAt(i + 1) === APOSTROPHE) {
      this.quoteIsOpen = false;
      return this.addTo(i, i + 2, "''");
    }
    const end = i === start || !isWordUnit(text, i - 1) ? matchEnd(LEADING_APOSTROPHE, text, i) : 0;
    if (end > i) return this.addTo(i, end, text.slice(i, end).replaceAll('’', "'"));
    return this.addTo(i, i + 1, isStraight && opens && isWordUnit(text, i + 1) ? '`' : "'");
  }

  /**
   * Splits the word that starts at `start` and is certain before `from`, with what belongs to it: inner hyphens,
   * points, commas in numbers.
   */
  private splitWord(text: string, start: number, from: number, blobEnd: number): number {
    const hasDollar = text.charCodeAt(start + 1) === DOLLAR || text.charCodeAt(start + 2) === DOLLAR;
    const currencyEnd = hasDollar ? matchEnd(CURRENCY, text, start) : 0;
    if (currencyEnd > 0) return this.addTo(start, currencyEnd, text.slice(start, currencyEnd));
    let end = from;
    let isPlain = from === start;
    for (;;) {
      if (isWordUnit(text, end)) end += unitsAt(text, end);
      else if (text.charCodeAt(end) === DOT && text.charCodeAt(end + 1) === HYPHEN) {
        // Calif.-based
        if (!isWordUnit(text, end + 2) || !isAbbreviation(text.slice(start, end))) break;
        isPlain = false;
        end += 2;
      } else if (end > start && joinsWord(text, end, blobEnd, isPlain)) {
        isPlain = false;
        end++;
      } else break;
    }
    if (text.charCodeAt(end) === PLUS && text.charCodeAt(end + 1) === PLUS) end += 2;
    const hasStop = text.charCodeAt(end) === DOT && text.charCodeAt(end + 1) !== DOT;
    if (hasStop && this.keepsStop(text.slice(start, end)))
      return this.addTo(start, end + 1, spell(text.slice(start, end + 1)));
    if (isPlain) this.addWord(text, start, end);
    else this.addContractions(text, start, end, MOST_CONTRACTIONS);
    return end;
  }

  /** Adds a word and, apart, the contractions at its end. */
  private addContractions(text: string, start: number, end: number, most: number): void {
    const cut = most > 0 ? contraction(text, start, end) : 0;
    if (cut === 0) {
      this.add(start, end, spell(text.slice(start, end)));
      return;
    }
    this.addContractions(text, start, cut, most - 1);
    this.add(cut, end, spell(text.slice(cut, end)));
  }
}

/** Whether the character at `at`, no letter, digit or mark, goes on with the word before it. */
function joinsWord(text: string, at: number, blobEnd: number, isPlain: boolean): boolean {
  const next = text.charCodeAt(at + 1);
  switch (text.charCodeAt(at)) {
    case SOFT_HYPHEN:
      return true;
    case HYPHEN:
      // A hyphen may also hang: pre- and post-war.
      return isWordUnit(text, at + 1) || at + 1 === blobEnd || ',;:)'.includes(text[at + 1]);
    case APOSTROPHE:
    case RIGHT_SINGLE:
    case SLASH:
    case BACKSLASH:
    case AMPERSAND:
      return isWordUnit(text, at + 1);
    case PERCENT:
      // 20%-owned
      return isDigit(text.charCodeAt(at - 1)) && next === HYPHEN && isWordUnit(text, at + 2);
    case DOT:
      return isWordUnit(text, at + 1) && !(isPlain && isMissingBlank(text, at));
    case COLON:
      if (next === BACKSLASH) return isWordUnit(text, at + 2);
      return isDigit(text.charCodeAt(at - 1)) && isDigit(next);
    case COMMA:
    case EN_DASH:
      return isDigit(text.charCodeAt(at - 1)) && isDigit(next);
    default:
      return false;
  }
}

/** `word.Next`: a full stop whose blank was forgotten, rather than a name with a dot. */
function isMissingBlank(text: string, at: number): boolean {
  return /^[a-z]{3}\.[A-Z][a-z]/.test(text.slice(Math.max(0, at - 3), at + 3));
}

/** Whether the word, its full stop left out, is an abbreviation. */
function isAbbreviation(word: string): boolean {
  if (word.length === 1 && /\p{Lu}/u.test(word)) return true;
  // What counts is what stands behind the last hyphen: non-U.S.
  const last = word.slice(word.lastIndexOf('-') + 1);
  if (last.length > LONGEST_ABBREVIATION) return false;
  if (
    LEADING_ABBREVIATIONS.has(last) ||
    ABBREVIATIONS.has(last) ||
    STATES.has(last) ||
    UNCASED_ABBREVIATIONS.has(last)
  )
    return true;
  return last.includes('.') && DOTTED.test(last);
}

/** Where a contraction at the end of a word starts; 0 where there is none. */
function contraction(text: string, start: number, end: number): number {
  const third = text.charCodeAt(end - 3);
  const last = text.charCodeAt(end - 1) | 32;
  if (end - 2 > start && isApostrophe(text.charCodeAt(end - 2))) {
    if (last === 0x74) return (third | 32) === 0x6e && end - 3 > start ? end - 3 : 0; // n't
    return last === 0x73 || last === 0x6d || last === 0x64 ? end - 2 : 0; // 's 'm 'd
  }
  if (end - 3 > start && isApostrophe(third)) {
    const pair = text.slice(end - 2, end).toLowerCase();
    return pair === 'll' || pair === 're' || pair === 've' ? end - 3 : 0;
  }
  return 0;
}

/** A word as the treebank writes it. */
function spell(word: string): string {
  return /[/*’]/.test(word) ? word.replace(/[/*]/g, '\\$&').replaceAll('’', "'") : word;
}

/** Whether the blob holds an @ or #, `//` or `www.`, without which there are no addresses. */
function mayHaveAddress(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit === AT || unit === HASH || (unit === SLASH && text.charCodeAt(i + 1) === SLASH)) return true;
    if (unit === DOT && (text.charCodeAt(i - 1) | 32) === 0x77 && /^www$/i.test(text.slice(i - 3, i)))
      return true;
  }
  return false;
}

/** Where the address, @name or #tag at `i` ends; `i` where there is none. */
function findAddressEnd(text: string, i: number, start: number, blobEnd: number): number {
  if (i > start && isWordUnit(text, i - 1)) return i;
  const unit = text.charCodeAt(i);
  if (unit === AT || unit === HASH) {
    let end = i + 1;
    if (isDigit(text.charCodeAt(end)) || isMark(text, end)) return i;
    while (isWordUnit(text, end)) end += unitsAt(text, end);
    return end > i + 1 ? end : i;
  }
  let end = matchEnd(URL_START, text, i);
  if (end === 0) {
    end = matchEnd(MAIL, text, i);
    while (text.charCodeAt(end - 1) === HYPHEN) end--;
    return Math.max(i, end);
  }
  // A bracket that the address itself opened stays: /wiki/Tag_(metadata)
  let open = 0;
  for (; end < blobEnd && !NOT_IN_URL.includes(text[end]); end++) {
    if (text[end] === '(') open++;
    if (text[end] === ')') open--;
  }
  while (AFTER_URL.includes(text[end - 1])) {
    if (text[end - 1] === ')' && open++ >= 0) break;
    end--;
  }
  return end;
}

/** Where a run of the unit at `i` ends. */
function runEnd(text: string, i: number): number {
  const unit = text.charCodeAt(i);
  let end = i + 1;
  while (text.charCodeAt(end) === unit) end++;
  return end;
}

/** Where the match of a sticky pattern at `at` ends; 0 where there is none. */
function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

function isAsciiWordUnit(unit: number): boolean {
  return unit < 128 && CLASSES[unit] >= LETTER;
}

/** Whether a letter, digit or mark stands at `i`. */
function isWordUnit(text: string, i: number): boolean {
  const found = classAt(text, i);
  return found >= LETTER && !(found === DIGIT && isKeycap(text, i));
}

function isMark(text: string, i: number): boolean {
  return text.charCodeAt(i) > 127 && classAt(text, i) === MARK;
}

function classAt(text: string, i: number): number {
  if (i >= text.length) return SYMBOL;
  const unit = text.charCodeAt(i);
  if (unit >= 0xd800 && unit <= 0xdfff) return isPair(text, i) ? classify(text.slice(i, i + 2)) : SYMBOL;
  if (CLASSES[unit] === UNKNOWN) CLASSES[unit] = classify(String.fromCharCode(unit));
  return CLASSES[unit];
}

function classify(character: string): number {
  if (/^[\p{M}\u200c\u200d]/u.test(character)) return MARK;
  return /^[\p{L}\p{N}]/u.test(character) ? LETTER : SYMBOL;
}

/** Whether the character at `i` is to be drawn as a key: 1️⃣ */
function isKeycap(text: string, i: number): boolean {
  const next = text.charCodeAt(i + 1);
  return next === KEYCAP || (next === EMOJI_STYLE && text.charCodeAt(i + 2) === KEYCAP);
}

function isPair(text: string, i: number): boolean {
  return isHighSurrogate(text.charCodeAt(i)) && isLowSurrogate(text.charCodeAt(i + 1));
}

/** UTF-16 units of the character at `i`. */
function unitsAt(text: string, i: number): number {
  return isPair(text, i) ? 2 : 1;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isSign(unit: number): boolean {
  return unit === HYPHEN || unit === DOT || unit === PLUS;
}

function isApostrophe(unit: number): boolean {
  return unit === APOSTROPHE || unit === RIGHT_SINGLE;
}

function isDash(unit: number): boolean {
  return unit === HYPHEN || unit === EN_DASH || unit === EM_DASH;
}
