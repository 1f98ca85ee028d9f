import { OptionError } from '../../base/errors.js';
import { findCluster } from '../../features/clusters.js';
import type { TemplateSet } from '../../features/template.js';
import type { ViewKnowledge } from '../../features/views.js';
import type { TagSet } from '../../tags/tag-set.js';
import type { Configuration } from '../configuration.js';
import type { TensorReader, TensorWriter } from '../tensors.js';
import { classes } from './classes.js';
import { clusters } from './clusters.js';
import { gazetteers } from './gazetteers.js';
import type { KnowledgeKind, KnowledgeSource } from './kind.js';
import { variety } from './variety.js';
import { words } from './words.js';

/** All kinds of knowledge, in the order in which they are learned. */
export const KNOWLEDGE_KINDS = { words, variety, clusters, gazetteers, classes };

/** Knowledge of a model besides its weights, by the name of its kind; kinds that its configuration does not read are absent. */
export type Knowledge = {
  readonly [Name in keyof typeof KNOWLEDGE_KINDS]?:
    | ((typeof KNOWLEDGE_KINDS)[Name] extends KnowledgeKind<infer T> ? T : never)
    | undefined;
};

const KINDS = Object.entries(KNOWLEDGE_KINDS) as readonly (readonly [
  keyof Knowledge,
  KnowledgeKind<unknown>,
])[];

/**
 * Learns all kinds that a configuration reads.
 *
 * @param source training data; `examples` is given what the kinds before have learned.
 * @param earlier knowledge of the model that training goes on from; none where it starts anew.
 * @throws OptionError where training cannot go on from a model with such knowledge.
 */
export function learnKnowledge(
  configuration: Configuration,
  source: Omit<KnowledgeSource, 'examples'> & { examples: (learned: Knowledge) => KnowledgeSource['corpus'] },
  earlier: Knowledge | undefined,
): Knowledge {
  const learned: Record<string, unknown> = {};
  for (const [name, kind] of KINDS) {
    if (!kind.isRead(configuration, source.templates)) continue;
    if (earlier && kind.startsAnew) {
      throw new OptionError(
        'init',
        `expected a model to go on from without ${kind.title}, which were measured over all its data`,
      );
    }
    learned[name] = kind.learn({ ...source, examples: () => source.examples(learned) }, earlier?.[name]);
  }
  return learned;
}

/** What views read of a model's knowledge. */
export function viewKnowledge({ classes: known, clusters: families }: Knowledge): ViewKnowledge {
  return {
    classes: (view, value) => known?.of(view, value),
    cluster:
      families && ((family, value) => families[family - 1] && findCluster(families[family - 1], value)),
  };
}

/** Kinds that two stages share, so that files have them once. */
const SHARED = ['clusters', 'gazetteers'] as const;

/** What a first stage knows of its own, and what it shares with the second. */
export function sharedKnowledge(own: Knowledge, shared: Knowledge): Knowledge {
  return {
    ...own,
    ...Object.fromEntries(SHARED.flatMap((name) => (shared[name] ? [[name, shared[name]]] : []))),
  };
}

/** What a first stage knows without what it shares with the second. */
export function ownKnowledge(knowledge: Knowledge): Knowledge {
  return { ...knowledge, ...Object.fromEntries(SHARED.map((name) => [name, undefined])) };
}

/** Adds the tensors of all kinds that a model has. */
export function packKnowledge(knowledge: Knowledge, tensors: TensorWriter): void {
  for (const [name, kind] of KINDS) if (knowledge[name] !== undefined) kind.pack(knowledge[name], tensors);
}

/** Reads all kinds that a configuration reads. @throws Error as {@link KnowledgeKind.unpack}. */
export function unpackKnowledge(
  tensors: TensorReader,
  configuration: Configuration,
  templates: TemplateSet,
  tagSet: TagSet,
): Knowledge {
  const read = KINDS.filter(([, kind]) => kind.isRead(configuration, templates));
  return Object.fromEntries(
    read.map(([name, kind]) => [name, kind.unpack(tensors, templates, tagSet, configuration)]),
  );
}

/** How many entries each kind has that a model knows, by its title. */
export function knowledgeSizes(knowledge: Knowledge): Record<string, number> {
  const known = KINDS.filter(([name]) => knowledge[name] !== undefined);
  return Object.fromEntries(known.map(([name, kind]) => [kind.title, kind.size(knowledge[name])]));
}
