import type { Span } from '../../src/data/span.js';
import type { Model } from '../../src/model/model.js';
import { loadModel } from '../../src/model/model-file.js';
import { learn } from '../../src/systems/learn.js';
import { Tagger } from '../../src/tag/tagger.js';
import type { SuggestedSpan, SuggestMethods } from './protocol.js';

let model: Model | undefined;
let tagger: Tagger | undefined;

function take(next: Model): void {
  model = next;
  tagger = new Tagger(next);
}

/** Methods of suggestions while somebody annotates. */
export const methods: SuggestMethods = {
  async take({ bytes }) {
    take(loadModel(bytes));
  },
  async suggest({ words, required, forbidden }) {
    if (tagger === undefined || words.length === 0) return [];
    const { types } = tagger.model.tagSet;
    const isKnown = ({ type }: Span) => types.includes(type);
    const { spans } = tagger.label(
      { word: words },
      { required: required.filter(isKnown), forbidden: forbidden.filter(isKnown) },
    );
    // What the model does not know yet stays free.
    const unknown = required.filter((span) => !isKnown(span));
    return spans.filter(
      (span) => !unknown.some(({ start, end }) => start < span.end && span.start < end),
    ) as SuggestedSpan[];
  },
  async learn({ words, spans }) {
    if (model === undefined) return false;
    try {
      const learned = learn(model, { word: words }, spans);
      if (learned !== model) take(learned);
      return learned !== model;
    } catch {
      // A label that the model does not have comes with the next training.
      return false;
    }
  },
};
