// The corpora that the English models are trained and scored on: CoNLL-2000, and the genres of GUM whose texts may be used freely,
// as sentences of words, parts of speech and chunk tags. Trees become chunks as `convert --from trees` makes them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { columnStrings, PERTURBATIONS, readColumns, readTrees } from '../dist/index.js';

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

/** A corpus of sentences. @param columns word and pos, or chunk too. */
export function corpusOf(sentences, source, columns = COLUMNS) {
  const isOfChunks = columns.length === COLUMNS.length;
  const lines = sentences.map(({ words, pos, tags }) =>
    words.map((word, t) => `${word} ${pos[t]}${isOfChunks ? ` ${tags[t]}` : ''}\n`).join(''),
  );
  return readColumns(`${lines.join('\n')}\n`, { columns, source });
}

/**
 * CoNLL-2000's automatic parts of speech where its chunks, made by hand, say more: particles (B-PRT), adverbs that it calls
 * prepositions, and figures that it calls nouns.
 */
export function withMendedTags({ words, pos, tags }) {
  return {
    words,
    pos: pos.map((tag, t) => {
      if (tags[t] === 'B-PRT' && /^(?:IN|RB)$/.test(tag)) return 'RP';
      if (tag === 'NN' && /^\d+$/.test(words[t])) return 'CD';
      const isAdverb = tags[t] === 'B-ADVP' && !tags[t + 1]?.startsWith('I-');
      return isAdverb && tag === 'IN' && ADVERBS.test(words[t]) ? 'RB' : tag;
    }),
    tags,
  };
}

const ADVERBS = /^(?:up|down|out|off|over|around|about|along|in|on|through|by|before|after|ago)$/i;

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

/**
 * Copies of a random share of sentences, written otherwise as `evaluate --perturb` does.
 *
 * @param shares share of the sentences by the name of the perturbation.
 */
export function variantsOf(sentences, shares, seed = 1) {
  const random = randomFrom(seed);
  const source = { below: (bound) => Math.floor(random() * bound) };
  return sentences.flatMap((sentence) =>
    Object.entries(shares).flatMap(([name, share]) => {
      if (random() >= share) return [];
      const { words, dropped } = PERTURBATIONS[name].change(sentence.words, sentence.tags, source);
      const kept = (cells) => cells.filter((_, t) => !dropped?.[t]);
      return [{ ...sentence, words: kept(words), pos: kept(sentence.pos), tags: kept(sentence.tags) }];
    }),
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
