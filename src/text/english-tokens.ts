/**
 * Splits what stands between blanks into tokens as the Penn Treebank does: punctuation and contractions apart, numbers,
 * abbreviations and addresses whole. What a token is called (`word`) is the treebank's spelling where that differs:
 * `` and '' for double quotes, -LRB- for a bracket, -- for dashes, \/ for a slash inside a word.
 */
import { ABBREVIATIONS, LEADING_ABBREVIATIONS } from './abbreviations.js';
import { isHighSurrogate, isLowSurrogate } from './code-points.js';

/** Receives tokens in text order. */
export type TokenSink = (start: number, end: number, word: string) => void;

// Classes of ASCII characters; everything else is a letter, a mark or a symbol by its Unicode properties.
const SYMBOL = 0;
const LETTER = 1;
const DIGIT = 2;
const CLASSES = new Uint8Array(128);
for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_')
  CLASSES[letter.charCodeAt(0)] = LETTER;
for (const digit of '0123456789') CLASSES[digit.charCodeAt(0)] = DIGIT;

const APOSTROPHE = 0x27;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
const AMPERSAND = 0x26;
const QUOTE = 0x22;
const DOLLAR = 0x24;
const PLUS = 0x2b;
const STAR = 0x2a;
const BACKQUOTE = 0x60;
const EN_DASH = 0x2013;
const EM_DASH = 0x2014;
const RIGHT_SINGLE = 0x2019;
const ELLIPSIS = 0x2026;
const SOFT_HYPHEN = 0xad;

/** Punctuation with a name of its own in the treebank, or that opens or closes something. */
const WORDS: Readonly<Record<string, string>> = {
  '(': '-LRB-',
  ')': '-RRB-',
  '[': '-LSB-',
  ']': '-RSB-',
  '{': '-LCB-',
  '}': '-RCB-',
  '“': '``',
  '„': '``',
  '«': '``',
  '”': "''",
  '»': "''",
  '‘': '`',
  '‚': '`',
  '’': "'",
  '–': '--',
  '—': '--',
  '―': '--',
  '…': '...',
  '*': '\\*',
};
const OPENING = '([{“„«‘‚`';

/** Addresses and names of the web. Bounded, so that no text makes every position read far. */
const ADDRESS =
  /(?:[a-z][a-z\d+.-]{0,20}:\/\/|www\.)[^\s<>"“”]+|[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|[@#][\p{L}_][\p{L}\p{N}_]*/giuy;
/** What an address may end with in a text, but is not part of it. */
const AFTER_ADDRESS = ".,;:!?'’)]}*_";
const EMOTICON = /[:;=8][-o^']?[()[\]DPpd/\\|](?![\p{L}\p{N}])|<3/uy;
const EMOJI =
  /(?:\p{Regional_Indicator}{2}|[#*0-9]\ufe0f?\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*)/uy;
/** Words with an apostrophe in front, and what of them is a token of its own. */
const LEADING_APOSTROPHE =
  /['’](?:t(?=(?:is|was)(?![\p{L}\p{N}]))|(?:s|m|d|ll|re|ve|em|til|cause|n|round|bout|\d\ds?)(?![\p{L}\p{N}]))/iuy;
/** Currencies written as letters and a sign. */
const CURRENCY = /(?:US|C|CA|A|AU|HK|NZ|NT|S|R)\$/y;
/** Words that are two without an apostrophe between; the first part's length. */
const JOINED: Readonly<Record<string, number>> = {
  cannot: 3,
  gonna: 3,
  gotta: 3,
  wanna: 3,
  gimme: 3,
  lemme: 3,
};

/** Tokenises blank-free stretches of text one after the other. */
export class EnglishTokens {
  /** Whether a straight double quote that stands alone would close a quotation. */
  private quoteIsOpen = false;

  /** Forgets open quotations: a new paragraph begins. */
  reset(): void {
    this.quoteIsOpen = false;
  }

  /** Splits `text[start … end − 1]`, in which there is no white space. */
  split(text: string, start: number, end: number, sink: TokenSink): void {
    if (isPlainWord(text, start, end)) {
      splitWord(text, start, end, sink);
      return;
    }
    const blob = text.slice(start, end);
    const special = /[@#]|:\/\/|www\./i.test(blob);
    let i = 0;
    while (i < blob.length) {
      const from = i;
      i = this.splitNext(blob, i, special, (tokenStart, tokenEnd, word) => {
        sink(start + tokenStart, start + tokenEnd, word);
      });
      if (i <= from)
        throw new Error(`tokenising stands still in ${JSON.stringify(blob.slice(from, from + 20))}`);
    }
  }

  /** Finds the token or tokens at `i`; returns where the next one starts. */
  private splitNext(blob: string, i: number, special: boolean, sink: TokenSink): number {
    const unit = blob.charCodeAt(i);
    if (special) {
      const end = addressEnd(blob, i);
      if (end > i) {
        sink(i, end, blob.slice(i, end));
        return end;
      }
    }
    if (unit === APOSTROPHE || unit === RIGHT_SINGLE) return splitApostrophe(blob, i, sink);
    if (isWordUnit(blob, i) || startsNumber(blob, i)) return splitWordAt(blob, i, sink);
    if (unit === QUOTE) return this.splitQuote(blob, i, sink);
    if (unit === BACKQUOTE && blob.charCodeAt(i + 1) === BACKQUOTE) {
      this.quoteIsOpen = true;
      sink(i, i + 2, '``');
      return i + 2;
    }
    if (unit === DOT) {
      let end = i + 1;
      while (blob.charCodeAt(end) === DOT && end - i < 3) end++;
      sink(i, end, blob.slice(i, end));
      return end;
    }
    if (unit === HYPHEN && blob.charCodeAt(i + 1) === HYPHEN) {
      let end = i + 2;
      while (blob.charCodeAt(end) === HYPHEN) end++;
      sink(i, end, '--');
      return end;
    }
    let end = matchEnd(EMOTICON, blob, i) || matchEnd(EMOJI, blob, i);
    const isPicture = end > i;
    if (!isPicture) end = i + (isPair(blob, i) ? 2 : 1);
    // Marks and joiners belong to what is before them.
    while (end < blob.length && isMark(blob, end)) end += isPair(blob, end) ? 2 : 1;
    const token = blob.slice(i, end);
    if (!isPicture && unit === SLASH) sink(i, end, '\\/');
    else sink(i, end, (!isPicture && WORDS[token]) || token);
    if (token === '“') this.quoteIsOpen = true;
    if (token === '”') this.quoteIsOpen = false;
    return end;
  }

  /** A straight double quote opens before a word and after a blank or an opening mark, else closes. */
  private splitQuote(blob: string, i: number, sink: TokenSink): number {
    const opensHere = i === 0 || OPENING.includes(blob[i - 1]) || isDash(blob.charCodeAt(i - 1));
    let opens = opensHere && !/^["'’”).,;:!?\]}]*$/.test(blob.slice(i + 1));
    if (blob.length === 1) opens = !this.quoteIsOpen;
    this.quoteIsOpen = opens;
    sink(i, i + 1, opens ? '``' : "''");
    return i + 1;
  }
}

/** ASCII letters only: the most frequent case by far. */
function isPlainWord(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127 || CLASSES[unit] !== LETTER) return false;
  }
  return true;
}

function splitApostrophe(blob: string, i: number, sink: TokenSink): number {
  const next = i + 1;
  if (blob.charCodeAt(i) === APOSTROPHE && blob.charCodeAt(next) === APOSTROPHE) {
    sink(i, i + 2, "''");
    return i + 2;
  }
  const end = matchEnd(LEADING_APOSTROPHE, blob, i);
  if (end > i && (i === 0 || !isWordUnit(blob, i - 1))) {
    sink(i, end, blob.slice(i, end).replace('’', "'"));
    return end;
  }
  const opens =
    (i === 0 || OPENING.includes(blob[i - 1]) || blob.charCodeAt(i - 1) === QUOTE) && isWordUnit(blob, next);
  sink(i, next, opens && blob.charCodeAt(i) === APOSTROPHE ? '`' : "'");
  return next;
}

/** Splits the word that starts at `i`, with what belongs to it: inner hyphens, points, commas in numbers. */
function splitWordAt(blob: string, i: number, sink: TokenSink): number {
  const currency = matchEnd(CURRENCY, blob, i);
  if (currency > i) {
    sink(i, currency, blob.slice(i, currency));
    return currency;
  }
  let end = i;
  if (!isWordUnit(blob, end)) end++;
  while (end < blob.length) {
    if (isWordUnit(blob, end)) end += isPair(blob, end) ? 2 : 1;
    else if (joinsWord(blob, i, end)) end++;
    else break;
  }
  if (blob.charCodeAt(end) === PLUS && blob.charCodeAt(end + 1) === PLUS) end += 2;
  if (blob.charCodeAt(end) === DOT && blob.charCodeAt(end + 1) !== DOT && keepsStop(blob.slice(i, end))) {
    sink(i, end + 1, spell(blob.slice(i, end + 1)));
    return end + 1;
  }
  splitWord(blob, i, end, sink);
  return end;
}

/** Whether the character at `at`, no letter or digit, goes on with the word that began at `start`. */
function joinsWord(blob: string, start: number, at: number): boolean {
  if (at === start) return false;
  const unit = blob.charCodeAt(at);
  const nextIsWord = at + 1 < blob.length && isWordUnit(blob, at + 1);
  switch (unit) {
    case SOFT_HYPHEN:
      return true;
    case HYPHEN:
      // A hyphen may also hang: pre- and post-war.
      return nextIsWord || (blob.charCodeAt(at + 1) !== HYPHEN && /^[,.;:)]*$/.test(blob.slice(at + 1)));
    case APOSTROPHE:
    case RIGHT_SINGLE:
    case SLASH:
    case AMPERSAND:
      return nextIsWord;
    case DOT:
      return nextIsWord && !isMissingBlank(blob, start, at);
    case COMMA:
    case COLON:
    case EN_DASH:
      return isDigit(blob.charCodeAt(at - 1)) && isDigit(blob.charCodeAt(at + 1));
    default:
      return false;
  }
}

/** `word.Next`: a full stop whose blank was forgotten, rather than a name with a dot. */
function isMissingBlank(blob: string, start: number, at: number): boolean {
  return /^[a-z]{3,}$/.test(blob.slice(start, at)) && /^[A-Z][a-z]+/.test(blob.slice(at + 1));
}

/** Whether a full stop after the word belongs to it. */
function keepsStop(word: string): boolean {
  if (/^\p{Lu}$/u.test(word)) return true;
  // What counts is what stands behind the last hyphen: non-U.S.
  const last = word.slice(word.lastIndexOf('-') + 1);
  if (LEADING_ABBREVIATIONS.has(last) || ABBREVIATIONS.has(last)) return true;
  // Parts of one letter or two: U.S, a.m, e.g, Ph.D.
  return /^(?:\p{L}{1,2}\.)+\p{L}{1,2}$/u.test(last);
}

/** Splits contractions off a word, the last one last. */
function splitWord(text: string, start: number, end: number, sink: TokenSink): void {
  const length = end - start;
  if (length === 5 || length === 6) {
    const word = text.slice(start, end);
    const lower = word.toLowerCase();
    if (Object.hasOwn(JOINED, lower)) {
      const cut = JOINED[lower];
      sink(start, start + cut, word.slice(0, cut));
      sink(start + cut, end, word.slice(cut));
      return;
    }
  }
  const cut = contraction(text, start, end);
  if (cut > start) {
    splitWord(text, start, cut, sink);
    sink(cut, end, spell(text.slice(cut, end)));
  } else sink(start, end, spell(text.slice(start, end)));
}

/** Where a contraction at the end of a word starts; 0 where there is none. */
function contraction(text: string, start: number, end: number): number {
  const third = text.charCodeAt(end - 3);
  const second = text.charCodeAt(end - 2);
  const last = text.charCodeAt(end - 1) | 32;
  if (isApostrophe(second) && end - 2 > start) {
    if (last === 0x74) return (third | 32) === 0x6e && end - 3 > start ? end - 3 : 0; // n't
    return last === 0x73 || last === 0x6d || last === 0x64 ? end - 2 : 0; // 's 'm 'd
  }
  if (isApostrophe(third) && end - 3 > start) {
    const pair = text.slice(end - 2, end).toLowerCase();
    return pair === 'll' || pair === 're' || pair === 've' ? end - 3 : 0;
  }
  return 0;
}

/** A word as the treebank writes it. */
function spell(word: string): string {
  let plain = true;
  for (let i = 0; i < word.length; i++) {
    const unit = word.charCodeAt(i);
    if (unit === SLASH || unit === STAR || unit === RIGHT_SINGLE) plain = false;
  }
  return plain ? word : word.replace(/[/*]/g, '\\$&').replaceAll('’', "'");
}

function addressEnd(blob: string, i: number): number {
  if (i > 0 && isWordUnit(blob, i - 1)) return 0;
  let end = matchEnd(ADDRESS, blob, i);
  // A bracket that the address itself opened stays: /wiki/Tag_(metadata)
  while (end > i && AFTER_ADDRESS.includes(blob[end - 1])) {
    if (blob[end - 1] === ')' && blob.slice(i, end).includes('(')) break;
    end--;
  }
  return end;
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

/** `-5`, `.5`, `+3` after a blank or an opening mark. */
function startsNumber(blob: string, i: number): boolean {
  const unit = blob.charCodeAt(i);
  if (unit !== HYPHEN && unit !== DOT && unit !== PLUS) return false;
  if (i > 0 && !OPENING.includes(blob[i - 1]) && blob.charCodeAt(i - 1) !== DOLLAR) return false;
  return isDigit(blob.charCodeAt(i + 1));
}

/** Whether a letter, digit or mark stands at `i`. */
function isWordUnit(text: string, i: number): boolean {
  const unit = text.charCodeAt(i);
  if (unit < 128) return CLASSES[unit] !== SYMBOL;
  if (unit >= EN_DASH && unit <= ELLIPSIS) return false;
  return (
    /^(?:[\p{L}\p{N}\p{M}]|\u200c|\u200d)/u.test(text.slice(i, i + 2)) &&
    !/^\p{Emoji_Modifier}/u.test(text.slice(i, i + 2))
  );
}

function isMark(text: string, i: number): boolean {
  return text.charCodeAt(i) > 127 && /^(?:\p{M}|\u200d|\ufe0f)/u.test(text.slice(i, i + 2));
}

function isPair(text: string, i: number): boolean {
  return isHighSurrogate(text.charCodeAt(i)) && isLowSurrogate(text.charCodeAt(i + 1));
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isApostrophe(unit: number): boolean {
  return unit === APOSTROPHE || unit === RIGHT_SINGLE;
}

function isDash(unit: number): boolean {
  return unit === HYPHEN || unit === EN_DASH || unit === EM_DASH;
}
