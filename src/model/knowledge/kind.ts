import type { Corpus } from '../../data/corpus.js';
import type { Resources } from '../../features/resource.js';
import type { TemplateSet } from '../../features/template.js';
import type { TagSet } from '../../tags/tag-set.js';
import type { Configuration } from '../configuration.js';
import type { TensorReader, TensorWriter } from '../tensors.js';

/** Training data as kinds of knowledge are learned from them. */
export interface KnowledgeSource {
  /** The corpus; its last column holds the labels. */
  readonly corpus: Corpus;
  /** Makes the corpus with the columns derived from kinds that stand before this one in the table. */
  readonly examples: () => Corpus;
  /** Templates, without those beyond the decoder's order. */
  readonly templates: TemplateSet;
  /** The labels. */
  readonly tagSet: TagSet;
  /** [N] label ids, sentence by sentence in reading order. */
  readonly labels: Uint16Array;
  /** [S] part of the data that each sentence is in, for jack-knifing. */
  readonly parts: Uint16Array;
  /** [S] words of each sentence where tokens are characters; else none. */
  readonly words: readonly (readonly string[])[];
  /** Files besides the training data; default none. */
  readonly resources?: Resources | undefined;
  /** Lines of raw text; default none. */
  readonly rawText?: readonly string[] | undefined;
}

/** One kind of what a model knows besides its weights: how it is learned, stored, checked and told. */
export interface KnowledgeKind<T> {
  /** Its key in `Model.knowledge`; the names of its tensors begin with it. */
  readonly name: string;
  /** Title for messages and `inspect`: a plural noun. */
  readonly title: string;
  /** Set for knowledge measured over all data, which training on more of them cannot go on from. */
  readonly startsAnew?: true;
  /** Whether models of such a configuration have it. */
  isRead(configuration: Configuration, templates: TemplateSet): boolean;
  /** Learns it. @param earlier that of the model that training goes on from. */
  learn(source: KnowledgeSource, earlier: T | undefined): T;
  /** Adds its tensors. */
  pack(knowledge: T, tensors: TensorWriter): void;
  /**
   * Reads what {@link pack} wrote.
   *
   * @returns undefined where the file is from before models had it.
   * @throws Error in one sentence where tensors are missing or do not fit each other.
   */
  unpack(
    tensors: TensorReader,
    templates: TemplateSet,
    tagSet: TagSet,
    configuration: Configuration,
  ): T | undefined;
  /** How many entries it has, for `inspect`. */
  size(knowledge: T): number;
}
