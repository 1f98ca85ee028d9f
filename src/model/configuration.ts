import type { OptionDeclaration, OptionValues } from '../base/options.js';
import type { TokenUnit } from '../data/formats/input-unit.js';
import type { TemplateSet } from '../features/template.js';
import type { Direction } from '../tags/direction.js';
import { SCHEME_ALIASES, SCHEMES, type SchemeName } from '../tags/scheme.js';

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
  /** What tokens are. */
  readonly tokens: TokenUnit;
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
    help: 'tag scheme used inside; files are read in whatever scheme they have',
  },
  {
    name: 'direction',
    kind: 'choice',
    choices: ['forward', 'backward'],
    help: 'reading direction: left to right, or right to left',
  },
  {
    name: 'templates',
    kind: 'string',
    placeholder: 'NAME|FILE',
    file: 'read',
    help: 'feature templates: a set by name, or a file (own, CRF++ or Wapiti syntax)',
  },
  { name: 'cut-off', kind: 'integer', min: 1, help: 'leave out features seen less often than this' },
  {
    name: 'word-cut-off',
    kind: 'integer',
    min: 1,
    default: 1,
    help: 'leave out every feature of words (first column) seen less often than this, but not of affixes, shapes, types',
  },
  {
    name: 'classes',
    kind: 'choice',
    choices: ['jackknifed', 'full'],
    help:
      'possible classes (view .classes) of training words: from the other parts of the data, or from all, and from the ' +
      'other parts in masked copies only (default jackknifed)',
  },
  {
    name: 'mask',
    kind: 'integer',
    min: 0,
    max: 1000,
    default: 0,
    placeholder: 'PARTS',
    help: 'train on every sentence again as if words that only its part of the data has were unknown; 0: do not',
  },
  {
    name: 'precision',
    kind: 'choice',
    choices: ['float32', 'int8'],
    default: 'float32',
    help: 'how exactly weights are kept; int8 makes a model of a third the size',
  },
  { name: 'seed', kind: 'integer', default: 1, min: 0, max: 4294967295, help: 'seed of everything random' },
];
