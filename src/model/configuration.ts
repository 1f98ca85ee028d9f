import type { OptionDeclaration, OptionValues } from '../base/options.js';
import { DOCUMENT_SIZE, LONGEST_DOCUMENT } from '../data/documents.js';
import type { TokenUnit } from '../data/formats/input-unit.js';
import type { TemplateSet } from '../features/template.js';
import type { Direction } from '../tags/direction.js';
import { SCHEME_ALIASES, SCHEMES, type SchemeName } from '../tags/scheme.js';
import { TOKENIZER_HELP, type TokenizerName } from '../text/tokenizer-names.js';

/** How exactly the weights of a model are kept. */
export type Precision = 'float32' | 'int8';

/** Possible classes of training examples: of the other parts of the data, or of all of them but for masked copies. */
export type ClassVariant = 'jackknifed' | 'full';

/** Everything that decides what a trained model is, given the data; what does not (threads, paths) is left out. */
export interface Configuration {
  /** Name of the task it was derived from. */
  readonly task: string;
  /** Column names from the left; the last one holds the labels, `_` skips one. */
  readonly columns: readonly string[];
  /** Unit of tokens. */
  readonly tokens: TokenUnit;
  /** How text without tokens is cut into words, where that is not by the rules of English. */
  readonly tokenizer?: TokenizerName | undefined;
  /** Tag scheme used inside. */
  readonly scheme: SchemeName;
  /** Reading direction. */
  readonly direction: Direction;
  /** Feature templates, before the decoder's order leaves any out. */
  readonly templates: TemplateSet;
  /** Least number of occurrences of a feature. */
  readonly cutOff: number;
  /** Least number of occurrences of a word; none where every word counts. */
  readonly wordCutOff?: number | undefined;
  /** Which possible classes training examples see; none where no template reads possible classes. */
  readonly classes?: ClassVariant | undefined;
  /** Parts of the mask method, at least 2; none where it is not used. */
  readonly mask?: number | undefined;
  /** Sentences that count as a document where an input marks none; none where no template reads of documents. */
  readonly document?: number | undefined;
  /** Number of families of word clusters; none where there are none. */
  readonly clusters?: number | undefined;
  /** Names of the lists of names that templates can read; none where there are none. */
  readonly lists?: readonly string[] | undefined;
  /** 2 where a first stage labels the document before; absent for one stage. */
  readonly stages?: 2 | undefined;
  /** Name of the learner. */
  readonly learner: string;
  /** Name of the multiclass strategy; none for learners of all labels at once. */
  readonly strategy?: string | undefined;
  /** Name of the decoder. */
  readonly decoder: string;
  /** How exactly weights are kept: any float32, or one of 255 multiples of a step. */
  readonly precision: Precision;
  /** Seed of everything random. */
  readonly seed: number;
  /** Options of the learner, the strategy and the decoder. */
  readonly options: OptionValues;
}

/** Options that every model has, whatever learner, strategy and decoder it was made with. */
export const MODEL_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'scheme',
    kind: 'choice',
    choices: Object.keys(SCHEMES),
    aliases: SCHEME_ALIASES,
    help: 'tag scheme used inside the model; files are read in the scheme they have',
  },
  {
    name: 'tokenizer',
    kind: 'choice',
    choices: Object.keys(TOKENIZER_HELP),
    help: `cuts text without tokens into words, in training and labelling (default english, characters with --templates characters): ${Object.entries(
      TOKENIZER_HELP,
    )
      .map(([name, help]) => `${name}: ${help}`)
      .join('; ')}`,
  },
  {
    name: 'direction',
    advanced: true,
    kind: 'choice',
    choices: ['forward', 'backward'],
    help: 'reading direction',
  },
  {
    name: 'templates',
    kind: 'string',
    placeholder: 'NAME|FILE',
    file: 'read',
    help: 'feature templates: name of a set, or a file (own, CRF++ or Wapiti syntax)',
  },
  { name: 'cut-off', kind: 'integer', min: 1, help: 'drop features seen fewer times than this' },
  {
    name: 'word-cut-off',
    advanced: true,
    kind: 'integer',
    min: 1,
    default: 1,
    help: 'drop features of words (first column) seen fewer times than this; their affixes, shapes and types stay',
  },
  {
    name: 'classes',
    advanced: true,
    kind: 'choice',
    choices: ['jackknifed', 'full'],
    help:
      'possible classes (view .classes) of training words: jack-knifed, from the other parts of the data; full, from all ' +
      'data, jack-knifed in masked copies only (default jackknifed)',
  },
  {
    name: 'mask',
    advanced: true,
    kind: 'integer',
    min: 0,
    max: 1000,
    default: 0,
    placeholder: 'PARTS',
    help: 'train on each sentence a second time, with words unique to its part of the data treated as unknown; 0 turns this off',
  },
  {
    name: 'document',
    advanced: true,
    kind: 'integer',
    min: 1,
    max: LONGEST_DOCUMENT,
    default: DOCUMENT_SIZE,
    help: 'sentences that count as a document where the input marks none, for templates that read what the rest of a document says',
  },
  {
    name: 'stages',
    kind: 'integer',
    min: 1,
    max: 2,
    default: 1,
    help: 'two: a second model reads which labels a first one gives to the same words elsewhere in the document',
  },
  {
    name: 'precision',
    advanced: true,
    kind: 'choice',
    choices: ['float32', 'int8'],
    default: 'float32',
    help: 'precision of the stored weights; int8 makes the model a third of the size',
  },
  { name: 'seed', kind: 'integer', default: 1, min: 0, max: 4294967295, help: 'random seed' },
];
