import { lookUp } from '../base/errors.js';
import {
  all,
  first,
  historyOrder,
  label,
  last,
  length,
  some,
  type Template,
  type TemplateSet,
  template,
  templateSet,
  token,
} from './template.js';
import { ANY_LIST } from './words/lists.js';

/** A template set that comes with the package. */
export interface NamedTemplateSet {
  /** One line of help. */
  readonly help: string;
  /** The templates, over the column `word`, most also over `pos`. */
  readonly set: TemplateSet;
}

const WINDOW = [[-2], [-1], [0], [1], [2]];
const ADJACENT = [
  [-2, -1],
  [-1, 0],
  [0, 1],
  [1, 2],
];
const TRIGRAMS = [
  [-2, -1, 0],
  [-1, 0, 1],
  [0, 1, 2],
];
const HISTORY = [template(label(-1)), template(label(-2)), template(label(-1), label(-2))];

const SMALL: readonly Template[] = [
  ...ngrams('word', [...WINDOW, [-1, 0], [0, 1]]),
  ...ngrams('pos', [...WINDOW, ...ADJACENT, ...TRIGRAMS]),
  ...HISTORY,
];

const PAPER_004: readonly Template[] = [
  ...ngrams('word', [...WINDOW, ...ADJACENT, [-1, 1]]),
  ...ngrams('pos', [...WINDOW, ...ADJACENT, [-1, 1], ...TRIGRAMS, [-3, -2, -1], [1, 2, 3]]),
  ...[-1, -2, 0, 1].map((at) => template(token('word', at), token('pos', at + 1))),
  ...[2, 3, 4].map((length) => template(token(`word.prefix${length}`, 0))),
  ...[2, 3, 4].map((length) => template(token(`word.suffix${length}`, 0))),
  template(token('word.type', 0)),
  ...HISTORY,
];

const PAPER_001: readonly Template[] = [...PAPER_004, template(token('word.classes', 0))];

const WIDE: readonly Template[] = [
  ...PAPER_004,
  ...[-1, 0, 1].map((at) => template(token('word', at), token('pos', at))),
  ...ngrams('pos', [
    [-2, -1, 0, 1],
    [-1, 0, 1, 2],
    [-2, -1, 0, 1, 2],
  ]),
  ...['word.suffix2', 'word.suffix3', 'word.type'].flatMap((view) => ngrams(view, [[-1], [1]])),
  ...ngrams('word.lower', [[-1], [0], [1]]),
  template(label(-1), token('pos', 0)),
  template(label(-1), token('word', 0)),
  template(label(-1), token('pos', -1), token('pos', 0)),
  template(label(-1), token('pos', 0), token('pos', 1)),
];

/** View that marks conjunctions, punctuation and numbers. */
const JOINTS = 'pos.match("^(?:CC|,|:|``|\'\'|CD)$")';

const CHUNK_LEVEL: readonly Template[] = [
  ...WIDE.filter((candidate) => historyOrder(candidate) === 0),
  ...ngrams('word.classes', [[-1], [0], [1]]),
  template(all('pos')),
  template(all('word')),
  template(length()),
  template(some(JOINTS)),
  template(first('word', 0), last('word', 0)),
  template(first('word', 0), last('pos', 0)),
  template(first('pos', 0), last('word', 0)),
  template(first('pos', 0), last('pos', 0), length()),
  template(first('pos', -1), last('pos', 1)),
  template(first('pos', -1), all('pos')),
  template(all('pos'), last('pos', 1)),
  template(first('pos', -1), first('pos', 0), last('pos', 0), last('pos', 1)),
  template(label(-1)),
  ...[
    [-1, 0],
    [0, 1],
    [-2, -1, 0],
  ].map((offsets) => template(label(-1), ...offsets.map((at) => first('pos', at)))),
  ...[[-1], [0], [-1, 0]].map((offsets) => template(label(-1), ...offsets.map((at) => first('word', at)))),
];

/** Templates that make sense for single tokens: those that read a token, or the label before and where a chunk begins. */
const TOKEN_LEVEL: readonly Template[] = CHUNK_LEVEL.filter(({ nodes }) =>
  nodes.every(({ kind }) => kind === 'token' || kind === 'label' || kind === 'first'),
);

const POS: readonly Template[] = [
  ...ngrams('word', [...WINDOW, [-1, 0], [0, 1], [-1, 1]]),
  ...ngrams('word.lower', [[-1], [0], [1]]),
  ...[1, 2, 3, 4].map((length) => template(token(`word.prefix${length}`, 0))),
  ...[1, 2, 3, 4, 5].map((length) => template(token(`word.suffix${length}`, 0))),
  ...ngrams('word.suffix2', [[-1], [1]]),
  ...ngrams('word.suffix3', [[-1], [1]]),
  ...ngrams('word.shape', [[-1], [0], [1]]),
  template(token('word.type', 0)),
  ...HISTORY,
  template(label(-1), token('word', 0)),
  template(label(-1), token('word', 1)),
];

/** Words, shapes and types around, affixes, and the label before joined with some of them: what names are found by. */
const ENTITIES: readonly Template[] = [
  ...ngrams('word', [...WINDOW, ...ADJACENT, [-1, 1], [-3], [3]]),
  ...ngrams('word.lower', [[-1], [0], [1]]),
  ...[1, 2, 3, 4, 5].flatMap((length) => [
    template(token(`word.prefix${length}`, 0)),
    template(token(`word.suffix${length}`, 0)),
  ]),
  ...['word.prefix3', 'word.suffix3'].flatMap((view) => ngrams(view, [[-1], [1]])),
  ...ngrams('word.shape', [...WINDOW, [-1, 0], [0, 1], [-1, 0, 1]]),
  ...ngrams('word.type', [[-1], [0], [1], [-1, 0], [0, 1], [-1, 0, 1]]),
  template(token('word', -1), token('word.shape', 0)),
  template(token('word.shape', 0), token('word', 1)),
  ...HISTORY,
  ...[token('word', 0), token('word.shape', 0), token('word', -1), token('word', 1)].map((node) =>
    template(label(-1), node),
  ),
];

/** What the rest of the document says of the words around. */
const DOCUMENT: readonly Template[] = [
  ...ngrams('casing', [[-1], [0], [1], [-1, 0], [0, 1]]),
  template(token('casing', 0), token('word.type', 0)),
  ...ngrams('capitals', [[0]]),
  template(token('capitals', 0), token('word.shape', 0)),
  ...ngrams('truecase', [[-1], [0], [1]]),
  ...['truecase.shape', 'truecase.prefix3', 'truecase.suffix2', 'truecase.suffix3'].flatMap((view) =>
    ngrams(view, [[0]]),
  ),
  ...ngrams('mention', [[-1], [0], [1], [-1, 0], [0, 1]]),
  ...ngrams('mention-first', [[0]]),
  ...ngrams('mention-last', [[0]]),
  template(token('mention-first', 0), token('mention-last', 0)),
  template(token('mention', 0), token('mention-first', 0)),
  template(token('mention', 0), token('mention-last', 0)),
  ...ngrams('before-mention', [[0]]),
  ...ngrams('after-mention', [[0]]),
  ...ngrams('acronym', [[0]]),
  template(token('acronym', 0), token('word.shape', 0)),
];

/** What the stage before found for the same words elsewhere in the document; left out where there is one stage. */
const STAGE: readonly Template[] = [
  ...ngrams('majority', [[-1], [0], [1]]),
  template(token('majority', 0), token('word.shape', 0)),
  ...ngrams('entity-majority', [[0]]),
  ...ngrams('longer-majority', [[-1], [0], [1]]),
  template(token('majority', 0), token('longer-majority', 0)),
  template(token('entity-majority', 0), token('longer-majority', 0)),
  template(token('entity-majority', 0), token('stage', 0)),
  template(token('majority', 0), token('word.type', 0)),
  ...ngrams('majority', [
    [-1, 0],
    [0, 1],
  ]),
];

/** Clusters of words, once for each family; left out where there are none. */
const CLUSTERS: readonly Template[] = [
  ...ngrams('word.cluster', [...WINDOW, [-1, 0], [0, 1]]),
  ...[
    'word.cluster.prefix4',
    'word.cluster.prefix6',
    'word.cluster.prefix8',
    'word.cluster.prefix10',
  ].flatMap((view) => ngrams(view, [[-1], [0], [1]])),
  ...ngrams('word.cluster.prefix6', [
    [-1, 0],
    [0, 1],
    [-1, 0, 1],
  ]),
  template(label(-1), token('word.cluster.prefix6', 0)),
];

/** Lists of names, once for each list; left out where there are none. */
const LISTS: readonly Template[] = ngrams(ANY_LIST, [[-1], [0], [1], [-1, 0], [0, 1]]);

const HMM: readonly Template[] = [
  template(token('pos', 0)),
  template(token('word', 0), token('pos', 0)),
  ...[
    [token('pos', -1)],
    [token('pos', -2), token('pos', -1)],
    [token('pos', -2), token('word', -1), token('pos', -1)],
  ].flatMap((context) => [template(label(-1), ...context), template(label(-1), ...context, token('pos', 0))]),
];

const TYPES: readonly Template[] = ngrams('word.character-type', [
  [-1, 0, 1],
  [-2, -1, 0, 1, 2],
]);

const ADJACENT_CHARACTERS: readonly Template[] = [...ngrams('word.fold', [...WINDOW, ...ADJACENT]), ...TYPES];

const CHARACTERS: readonly Template[] = [
  ...ngrams('word.fold', [...WINDOW, ...ADJACENT, [-1, 1]]),
  ...TYPES,
  ...HISTORY,
];

const LENGTHS = ['begins', 'ends', 'inside'];

const LEXICON: readonly Template[] = [
  ...CHARACTERS,
  ...LENGTHS.flatMap((column) => ngrams(column, [[-1], [0], [1]])),
  template(token('ends', -1), token('begins', 0)),
  template(token('ends', 0), token('begins', 0), token('inside', 0)),
  template(token('ends', -1), token('inside', -1), token('begins', 0)),
];

const WHOLE_WORDS: readonly Template[] = [
  ...LEXICON.filter((candidate) => historyOrder(candidate) === 0),
  template(all('word.fold')),
  template(length()),
  template(all('word.character-type')),
  template(first('word.fold', 0), last('word.fold', 0)),
  template(first('word.fold', -1), all('word.fold')),
  template(all('word.fold'), last('word.fold', 1)),
  template(first('word.character-type', -1), length(), last('word.character-type', 1)),
];

const VARIETIES = ['av2', 'av3', 'av4', 'av5', 'av6'];

/** As the two passes of Wu et al. (2010b) have it: each value around, and those of pairs and triples joined. */
const ACCESSOR_VARIETY: readonly Template[] = [
  ...CHARACTERS,
  ...VARIETIES.flatMap((column) => ngrams(column, [[-1], [0], [1]])),
  ...ngrams('av2', [...ADJACENT.slice(1, 3), [-1, 0, 1]]),
  ...ngrams('av3', [...ADJACENT.slice(1, 3), [-1, 0, 1]]),
  ...ngrams('repeats', [[0], [1], [0, 1]]),
];

/** The same without our types of characters, which the paper does not have. */
const PAPER_004_CHARACTERS: readonly Template[] = ACCESSOR_VARIETY.filter(
  (candidate) => !TYPES.includes(candidate),
);

/** The template sets that come with the package, by the name that `--templates` takes. */
export const TEMPLATE_SETS: Readonly<Record<string, NamedTemplateSet>> = {
  '001': {
    help: '004 and the possible classes of the word: the features of Wu et al. (2008)',
    set: templateSet('001', PAPER_001),
  },
  '004': {
    help: 'word and part-of-speech n-grams, affixes and type: the chunking set of Wu et al. (2010b)',
    set: templateSet('004', PAPER_004),
  },
  small: {
    help: 'word unigrams and bigrams, part-of-speech unigrams to trigrams: small models, quick to train',
    set: templateSet('small', SMALL),
  },
  wide: {
    help: '004 and longer part-of-speech n-grams, views of the neighbours, labels joined with tokens',
    set: templateSet('wide', WIDE),
  },
  'chunk-level': {
    help: 'wide without labels, possible classes, and features of whole chunks, for the decoder semi-markov',
    set: templateSet('chunk-level', CHUNK_LEVEL),
  },
  'token-level': {
    help: 'chunk-level without the features of whole chunks: what these are to be compared with',
    set: templateSet('token-level', TOKEN_LEVEL),
  },
  pos: {
    help: 'words around, affixes and shapes: parts of speech, or anything else read from words alone',
    set: templateSet('pos', POS),
  },
  words: {
    help: 'the same, under another name: what chunks are read from where columns have no parts of speech',
    set: templateSet('words', POS),
  },
  entities: {
    help: 'words, shapes, types and affixes around, and what the rest of the document says of them: for names',
    set: templateSet('entities', [...ENTITIES, ...DOCUMENT, ...STAGE, ...CLUSTERS, ...LISTS]),
  },
  hmm: {
    help: 'n-grams of parts of speech and labels, words beside: for the learner hmm',
    set: templateSet('hmm', HMM),
  },
  characters: {
    help: 'characters and their types around, for Chinese words: a token is a character',
    set: templateSet('characters', CHARACTERS),
  },
  'adjacent-characters': {
    help: 'characters without the pair of those on both sides, and no labels: smaller and quicker',
    set: templateSet('adjacent-characters', ADJACENT_CHARACTERS),
  },
  lexicon: {
    help: 'characters, and the lengths of the longest words of the training data that begin, end or go on there',
    set: templateSet('lexicon', LEXICON),
  },
  'whole-words': {
    help: 'lexicon without labels, and features of whole words, for the decoder semi-markov',
    set: templateSet('whole-words', WHOLE_WORDS),
  },
  'accessor-variety': {
    help: 'characters, their accessor variety in n-grams of 2 to 6, and reduplication',
    set: templateSet('accessor-variety', ACCESSOR_VARIETY),
  },
  '004-characters': {
    help: 'accessor-variety without types of characters: the Chinese set of Wu et al. (2010b)',
    set: templateSet('004-characters', PAPER_004_CHARACTERS),
  },
};

/**
 * A template set that comes with the package.
 *
 * @throws OptionError listing the valid names.
 */
export function templateSetByName(name: string): TemplateSet {
  return lookUp(TEMPLATE_SETS, name, 'templates').set;
}

/** One template per list of offsets: the view at all of them. */
function ngrams(view: string, windows: readonly (readonly number[])[]): Template[] {
  return windows.map((offsets) => template(...offsets.map((offset) => token(view, offset))));
}
