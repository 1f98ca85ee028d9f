import { checkArgument } from '../base/arguments.js';
import { lookUp } from '../base/errors.js';
import { Random } from '../base/random.js';
import { type Corpus, columnStrings, SentenceCollector } from '../data/corpus.js';
import type { Pipeline } from '../label/pipeline.js';
import { scoreModel } from '../label/score-model.js';
import type { Tagger } from '../tag/tagger.js';

/** A sentence that is changed: its words, and which of its tokens stay. */
export interface PerturbedSentence {
  /** [T] words. */
  readonly words: readonly string[];
  /** [T] whether a token is left out. */
  readonly dropped?: readonly boolean[] | undefined;
}

/** Source of random numbers. */
export interface RandomSource {
  /** A random integer in `0 … bound − 1`. */
  below(bound: number): number;
}

/** A way in which people write otherwise than corpora do. */
export interface Perturbation {
  /** One line of help. */
  readonly help: string;
  /** Whether each sentence is joined with the next, two and two. */
  readonly joins?: boolean;
  /**
   * Changes a sentence.
   *
   * @param labels [T] cells of the last column.
   */
  change(words: readonly string[], labels: readonly string[], random: RandomSource): PerturbedSentence;
}

/** Name of a perturbation. */
export type PerturbationName =
  | 'lower'
  | 'upper'
  | 'title'
  | 'small-start'
  | 'typos'
  | 'unpunctuated'
  | 'hashtags'
  | 'joined';

/** One word of five letters or more in so many is mistyped. */
const TYPO_EVERY = 10;
/** One word of four letters or more in so many is a hashtag. */
const HASHTAG_EVERY = 10;
/** Words that headlines do not capitalise. */
const SMALL_WORDS = new Set('a an and as at but by for from in into of on or over the to up with'.split(' '));

const mapped = (
  change: (word: string, token: number, random: RandomSource) => string,
): Perturbation['change'] => {
  return (words, _labels, random) => ({ words: words.map((word, t) => change(word, t, random)) });
};

/** All perturbations. Brackets and quotes as treebanks spell them (`-LRB-`) stay. */
export const PERTURBATIONS: Readonly<Record<PerturbationName, Perturbation>> = {
  lower: { help: 'all in small letters', change: mapped((word) => recased(word, word.toLowerCase())) },
  upper: { help: 'all in capitals', change: mapped((word) => word.toUpperCase()) },
  title: {
    help: 'words with a capital, as in headlines',
    change: mapped((word, t) => (t > 0 && SMALL_WORDS.has(word) ? word : capitalised(word))),
  },
  'small-start': {
    help: 'the first word in small letters',
    change: mapped((word, t) => (t === 0 ? recased(word, word.toLowerCase()) : word)),
  },
  typos: {
    help: 'every tenth longer word with two letters exchanged, one left out or one doubled',
    change: mapped((word, _t, random) =>
      /^\p{L}{5,}$/u.test(word) && random.below(TYPO_EVERY) === 0 ? mistyped(word, random) : word,
    ),
  },
  unpunctuated: {
    help: 'without punctuation outside of chunks',
    change: (words, labels) => {
      const dropped = words.map(
        (word, t) => (/^\p{P}+$/u.test(word) || /^-[LR][RSC]B-$/.test(word)) && isOutside(labels[t]),
      );
      return { words, ...(dropped.includes(false) && { dropped }) };
    },
  },
  hashtags: {
    help: 'every tenth longer word a hashtag',
    change: mapped((word, _t, random) =>
      /^\p{L}{4,}$/u.test(word) && random.below(HASHTAG_EVERY) === 0 ? `#${word}` : word,
    ),
  },
  joined: { help: 'sentences joined two and two', joins: true, change: (words) => ({ words }) },
};

/** Punctuation has a part of speech of its own, which begins with no letter, or is in no chunk. */
function isOutside(label: string): boolean {
  return label === 'O' || !/^\p{L}/u.test(label);
}

function recased(word: string, other: string): string {
  return /^-[A-Z]+-$/.test(word) ? word : other;
}

function capitalised(word: string): string {
  return word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** A word of five letters or more with two letters exchanged, one left out or one doubled. */
function mistyped(word: string, random: RandomSource): string {
  const at = 1 + random.below(word.length - 2);
  const kind = random.below(3);
  if (kind === 0) return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
  return word.slice(0, at) + (kind === 1 ? '' : word[at] + word[at]) + word.slice(at + 1);
}

/**
 * A corpus written otherwise: words change, and with `unpunctuated` tokens go; labels stay what they are.
 *
 * @param corpus words in its first column, labels in its last.
 * @throws OptionError for a name that is none.
 */
export function perturb(corpus: Corpus, name: PerturbationName, seed = 1): Corpus {
  checkArgument('corpus', corpus, 'corpus');
  const { change, joins = false } = lookUp(PERTURBATIONS, name, 'perturb');
  const random = new Random(seed);
  const { columns, starts, source, lines } = corpus;
  const collector = new SentenceCollector(columns, source);
  const count = starts.length - 1;
  const cellsOf = (s: number): string[][] => {
    const cells = columns.map((_, c) => columnStrings(corpus, c, s));
    const { words, dropped } = change(cells[0], cells[cells.length - 1], random);
    const all = [words, ...cells.slice(1)];
    return all.map((column) => column.filter((_, t) => !dropped?.[t]));
  };
  const step = joins ? 2 : 1;
  for (let s = 0; s < count; s += step) {
    const parts = Array.from({ length: Math.min(step, count - s) }, (_, i) => cellsOf(s + i));
    const cells = columns.map((_, c) => parts.flatMap((part) => part[c]));
    const at = lines[starts[s]];
    collector.add(cells, new Array<number>(cells[0].length).fill(at));
  }
  return { ...collector.finish(corpus.sha256), tagSpelling: corpus.tagSpelling };
}

/** Score of a model on a corpus that is written otherwise. */
export interface PerturbedScore {
  /** Name of the perturbation. */
  readonly name: PerturbationName;
  /** F of chunks, or accuracy where every token has a label, in percent. */
  readonly score: number;
  /** Points lost against the corpus as it is. */
  readonly loss: number;
}

/**
 * Scores a model on a corpus in which words change as people write them, in each of the ways of {@link PERTURBATIONS}.
 *
 * @param asIs its score on the corpus as it is, in percent.
 */
export function measureRobustness(
  labeller: Tagger | Pipeline,
  corpus: Corpus,
  asIs: number,
): PerturbedScore[] {
  checkArgument('labeller', labeller, 'labeller');
  const tagger = 'last' in labeller ? labeller.last : labeller;
  const isOfTokens = tagger.model.tagSet.scheme === 'token';
  return (Object.keys(PERTURBATIONS) as PerturbationName[]).map((name) => {
    const { accuracy, f1 } = scoreModel(labeller, perturb(corpus, name));
    const score = isOfTokens ? accuracy : f1;
    return { name, score, loss: asIs - score };
  });
}
