import type { Corpus } from '../data/corpus.js';
import { historyOrder, withinOrder } from '../features/template.js';
import type { Configuration } from '../model/configuration.js';
import { checkTags } from '../tags/check-tags.js';
import { GoldTags } from '../tags/gold-tags.js';
import { SCHEMES } from '../tags/scheme.js';
import { withPlainTags } from '../tags/spelling.js';

/** Most labels whose pairs are numbered: with the sentence's start 255² pairs, which 16 bits count. */
const MOST_PAIRED = 254;

/**
 * The configuration without templates that read two labels back, where there are so many labels that their pairs could not be
 * numbered or searched.
 */
export function withinLabels(given: Corpus, configuration: Configuration): Configuration {
  const { templates, scheme } = configuration;
  if (templates.templates.every((own) => historyOrder(own) < 2)) return configuration;
  const { leadingTags } = SCHEMES[scheme];
  const corpus = withPlainTags(given, scheme);
  const tags = corpus.alphabets[corpus.columns.length - 1].toArray();
  if (tags.length * leadingTags.length < MOST_PAIRED) return configuration;
  checkTags(corpus, scheme);
  const gold = new GoldTags(corpus, scheme);
  const labels = new Set<string>();
  for (let s = 0; s + 1 < corpus.starts.length; s++) {
    for (const tag of SCHEMES[scheme].encode(gold.spans(s), corpus.starts[s + 1] - corpus.starts[s])) {
      labels.add(tag);
    }
  }
  return labels.size <= MOST_PAIRED
    ? configuration
    : { ...configuration, templates: withinOrder(templates, 1) };
}
