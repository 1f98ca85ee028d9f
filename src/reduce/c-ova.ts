import { OptionError } from '../base/errors.js';
import type { TagSet } from '../tags/tag-set.js';
import type { Reduction } from './reduction.js';

/**
 * Constrained one-vs-all (Wu et al. 2008): labels that go on with a chunk (the interior group) are legal only after their
 * own type, so each is told from the labels that may stand anywhere (the begin group), and never from the interior labels of
 * other types. The paper's schemes have one interior label per type; where there are several (IOBES), they are told apart.
 */
export const cOva: Reduction = {
  name: 'c-ova',
  help: 'constrained one-vs-all: labels inside chunks compete only with labels that may start one',
  options: [],
  gives: 'margins',
  constrained: true,
  code({ tagSet }) {
    const interior = interiorLabels(tagSet);
    if (!interior.includes(1)) {
      throw new OptionError(
        'strategy',
        `--strategy c-ova: expected labels that only go on with a chunk, as longer chunks have in iob2 forward and ioe2 ` +
          `backward, found none among the ${tagSet.tags.length} of ${tagSet.scheme} ${tagSet.direction}`,
      );
    }
    const labels = tagSet.tags.length;
    const type = typesOf(tagSet);
    const signs = new Int8Array(labels * labels);
    for (let label = 0; label < labels; label++) {
      for (let problem = 0; problem < labels; problem++) {
        if (label === problem) signs[label * labels + problem] = 1;
        else if (interior[problem] === 0 || interior[label] === 0 || type[problem] === type[label]) {
          signs[label * labels + problem] = -1;
        }
      }
    }
    return { labels, problems: labels, signs };
  },
  decide: ({ labels }) => {
    return (margins, legal, legalAt, out) => {
      let looked = 0;
      for (let label = 0; label < labels; label++) {
        out[label] = margins[label];
        if (legal[legalAt + label] !== 0) looked++;
      }
      return looked;
    };
  },
};

/** [L] 1 for labels that may follow neither a boundary nor a label of another type. */
export function interiorLabels(tagSet: LabelTypes & Pick<TagSet, 'allowed'>): Uint8Array {
  const { tags, allowed } = tagSet;
  const labels = tags.length;
  const type = typesOf(tagSet);
  return Uint8Array.from(tags, (_, label) => {
    for (let previous = 0; previous <= labels; previous++) {
      const mayFollow = allowed[previous * (labels + 1) + label] !== 0;
      if (mayFollow && (previous === labels || type[previous] !== type[label])) return 0;
    }
    return 1;
  });
}

type LabelTypes = Pick<TagSet, 'tags' | 'typeOfLabel' | 'outside'>;

/** [L] types of labels; that of tokens in no chunk is none that a chunk may have. */
function typesOf({ typeOfLabel, outside }: LabelTypes): (string | undefined)[] {
  return typeOfLabel.map((type, label) => (label === outside ? undefined : type));
}
