import { PossibleClasses, viewsBeforeClasses } from '../../features/possible-classes.js';
import type { KnowledgeKind } from './kind.js';

/** Possible classes of values (Wu et al. 2008): the labels that training data give each, where templates read them. */
export const classes: KnowledgeKind<PossibleClasses> = {
  name: 'classes',
  title: 'values with possible classes',
  startsAnew: true,
  isRead: (_, templates) => viewsBeforeClasses(templates).length > 0,
  learn: ({ examples, templates, tagSet, labels, parts }) =>
    PossibleClasses.learn(examples(), templates, tagSet, labels, parts),
  pack(knowledge, tensors) {
    [...knowledge.pack().values()].forEach(({ values, labels }, v) => {
      tensors.addStrings(`classes.${v}`, values);
      tensors.add(`classes.${v}.labels`, labels);
    });
  },
  unpack(tensors, templates, { tags }) {
    const packed = viewsBeforeClasses(templates).map(
      (view, v) =>
        [
          view,
          {
            values: tensors.strings(`classes.${v}`),
            labels: tensors.array(`classes.${v}.labels`, Uint8Array),
          },
        ] as const,
    );
    return PossibleClasses.unpack(tags, new Map(packed));
  },
  size: (knowledge) => knowledge.size,
};
