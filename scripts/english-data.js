// The corpora that the English models are trained and scored on: CoNLL-2000, and the genres of GUM whose texts may be used freely,
// as sentences of words, parts of speech and chunk tags. Trees become chunks as `convert --from trees` makes them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { columnStrings, readColumns, readTrees } from '../dist/index.js';

/** Genres of GUM in public trees; those whose texts are CC BY or public domain, so that a model of them may be bundled, are true. */
export const GENRES = {
  academic: true,
  bio: false,
  conversation: true,
  court: true,
  essay: false,
  fiction: false,
  interview: true,
  letter: false,
  news: true,
  podcast: false,
  speech: true,
  textbook: true,
  vlog: true,
  voyage: false,
  whow: false,
};

const COLUMNS = ['word', 'pos', 'chunk'];

/** The sentences of a corpus: lists of words, parts of speech and tags. */
export function sentencesOf(corpus) {
  return Array.from({ length: corpus.starts.length - 1 }, (_, s) => {
    const [words, pos, tags] = COLUMNS.map((_name, c) => columnStrings(corpus, c, s));
    return { words, pos, tags };
  });
}

/** Sentences of a column file with words, parts of speech and chunks. */
export function columnSentences(path) {
  return sentencesOf(readColumns(readFileSync(path), { columns: COLUMNS, source: path }));
}

/** Sentences of the trees of a genre, with the tags of {@link withTreebankTags}. */
export function genreSentences(folder, genre) {
  return readdirSync(folder)
    .filter((name) => name.startsWith(`GUM_${genre}_`))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return sentencesOf(readTrees(readFileSync(path), { columns: COLUMNS, scheme: 'iob2', source: path }));
    })
    .map(withTreebankTags);
}

/** A corpus of sentences, named for the checks that training makes. */
export function corpusOfSentences(sentences, source, columns = COLUMNS) {
  const lines = sentences.map(
    ({ words, pos, tags }) => `${words.map((word, t) => `${word} ${pos[t]} ${tags[t]}\n`).join('')}\n`,
  );
  return readColumns(lines.join(''), { columns, source });
}

/** Tags as CoNLL-2000 has them: brackets, and `to` whatever follows it. */
function withTreebankTags({ words, pos, tags }) {
  const tagOf = (tag, word) =>
    tag === '-LRB-' ? '(' : tag === '-RRB-' ? ')' : tag === 'IN' && /^to$/i.test(word) ? 'TO' : tag;
  return { words, pos: pos.map((tag, t) => tagOf(tag, words[t])), tags };
}

const SPELLINGS = new Map([
  ['—', '--'],
  ['–', '--'],
  ['…', '...'],
  ['[', '-LSB-'],
  [']', '-RSB-'],
  ['(', '-LRB-'],
  [')', '-RRB-'],
  ['/', '\\/'],
  ['*', '\\*'],
]);

/** A sentence's words as the tokenizer gives them for raw text: hyphens inside words, quotes and dashes as the treebank has them. */
export function asTokenised({ words, pos, tags }) {
  const result = { words: [], pos: [], tags: [] };
  for (let t = 0; t < words.length; t++) {
    const last = result.words.length - 1;
    if (pos[t] === 'HYPH' && last >= 0 && t + 1 < words.length && words[t] === '-') {
      result.words[last] += `-${words[t + 1]}`;
      const isBefore = tags[t + 2]?.startsWith('I-NP') && /^NN/.test(pos[t + 2]);
      result.pos[last] = isBefore && !/^NN/.test(pos[t + 1]) ? 'JJ' : pos[t + 1];
      t++;
      continue;
    }
    result.words.push(spelled(words[t], pos[t]));
    result.pos.push(pos[t]);
    result.tags.push(tags[t]);
  }
  return result;
}

function spelled(word, tag) {
  if (/^["“”«»„]$/.test(word)) return tag === '``' ? '``' : "''";
  if (/^['‘’‚]$/.test(word)) return tag === '``' ? '`' : "'";
  return SPELLINGS.get(word) ?? word.replaceAll('’', "'");
}

/** Numbers in [0, 1) from a seed. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const title = (word) => word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** Ways in which people write that corpora do not: each a function of a sentence and a source of random numbers. */
export const VARIANTS = {
  lower: ({ words, ...rest }) => ({ ...rest, words: words.map((word) => word.toLowerCase()) }),
  upper: ({ words, ...rest }) => ({ ...rest, words: words.map((word) => word.toUpperCase()) }),
  title: ({ words, pos, tags }) => ({
    words: words.map((word, t) => (/^(?:IN|DT|CC|TO)$/.test(pos[t]) && t > 0 ? word : title(word))),
    pos,
    tags,
  }),
  first: ({ words, ...rest }) => ({ ...rest, words: [words[0].toLowerCase(), ...words.slice(1)] }),
  unpunctuated: ({ words, pos, tags }) => {
    const kept = words.flatMap((_, t) => (/^[.,:]$/.test(pos[t]) && !tags[t].startsWith('I') ? [] : [t]));
    const pick = (list) => kept.map((t) => list[t]);
    return kept.length === 0
      ? { words, pos, tags }
      : { words: pick(words), pos: pick(pos), tags: pick(tags) };
  },
  typos: ({ words, ...rest }, random) => ({
    ...rest,
    words: words.map((word) =>
      /^\p{L}{5,}$/u.test(word) && random() < 0.15 ? mistyped(word, random) : word,
    ),
  }),
  hashtags: ({ words, pos, tags }, random) => ({
    words: words.map((word, t) =>
      /^NNP?S?$/.test(pos[t]) && /^\p{L}+$/u.test(word) && random() < 0.4 ? `#${word}` : word,
    ),
    pos,
    tags,
  }),
};

/** A word with two letters exchanged, one left out or one doubled. */
function mistyped(word, random) {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const kind = Math.floor(random() * 3);
  if (kind === 0) return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
  return kind === 1 ? word.slice(0, at) + word.slice(at + 1) : word.slice(0, at) + word[at] + word.slice(at);
}

/** Variants of a random share of sentences. @param shares of each kind of variant. */
export function variantsOf(sentences, shares, seed = 1) {
  const random = randomFrom(seed);
  return sentences.flatMap((sentence) =>
    Object.entries(shares).flatMap(([name, share]) =>
      random() < share ? [VARIANTS[name](sentence, random)] : [],
    ),
  );
}

const FINAL = /^(?:[.?!]+|…|\.\.\.|.*\w\.)$/;
const CLOSING = /^(?:''|['"’”)\]]|-RRB-|-RSB-)$/;
const AFTER_NO_BLANK = /^(?:[,.;:?!%\])’”]|''|-R[RCS]B-|\.\.\.|…|n['’]t|['’](?:s|S|re|ve|ll|m|d|M))$/;
const BEFORE_NO_BLANK = /^(?:[$#[(“‘]|-L[RCS]B-|(?:C|US|A)\$)$/;
const AS_WRITTEN = new Map([
  ['-LRB-', '('],
  ['-RRB-', ')'],
  ['-LCB-', '{'],
  ['-RCB-', '}'],
  ['``', '"'],
  ["''", '"'],
  ['`', "'"],
]);

/**
 * Sentences as one text, as people write it: marks without blanks before them, no full stop after an abbreviation's. Sentences without a
 * final mark (headings, broken off speech) are paragraphs of their own.
 *
 * @returns the text, and `start-end` of each sentence in it.
 */
export function writtenText(sentences) {
  let text = '';
  let isOwn = false;
  const bounds = sentences.map(({ words, pos }) => {
    let last = words.length - 1;
    while (last > 0 && CLOSING.test(words[last])) last--;
    const isHeading = !FINAL.test(words[last]);
    if (text !== '') text += isHeading || isOwn ? '\n\n' : ' ';
    isOwn = isHeading;
    const start = text.length;
    words.forEach((word, t) => {
      const before = words[t - 1] ?? '';
      if (word === '.' && /^.*\w\.$/.test(before)) return;
      const isJoined =
        t === 0 ||
        AFTER_NO_BLANK.test(word) ||
        BEFORE_NO_BLANK.test(before) ||
        pos[t] === 'HYPH' ||
        pos[t - 1] === 'HYPH' ||
        pos[t - 1] === '``' ||
        pos[t] === "''" ||
        pos[t] === 'POS';
      text += (isJoined ? '' : ' ') + (AS_WRITTEN.get(word) ?? word.replace(/\\([/*])/g, '$1'));
    });
    return `${start}-${text.length}`;
  });
  return { text, bounds };
}
