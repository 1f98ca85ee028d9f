import { grown } from '../../base/growable.js';
import { CAPITALISED } from './word-forms.js';
import type { WordColumn, WordDocument, WordMatcher } from './word-kind.js';

/** Names of the columns that say what the stage before labelled. */
export const STAGE_COLUMNS = ['stage', 'majority', 'entity-majority', 'longer-majority'];

/**
 * What the labels of an earlier stage say of a word's other occurrences in the document (Krishnan and Manning 2006): `stage` (its
 * own label), `majority` (the label most frequent among its other occurrences), `entity-majority` (the type most frequent among
 * other spans of the same words as the span that it is in) and `longer-majority` (among other spans that are longer and have
 * all the words of that span, or the word itself where it is in none). Equals go to the first type by name.
 */
export class Majorities implements WordMatcher {
  readonly columns: readonly WordColumn[];
  private readonly types: number;
  /** [forms × (types + 1)] by lower-case form: how often each label, none first. */
  private labels = new Uint32Array(0);
  /** [T] 1 + the type of each token's span, 0 for none. */
  private typeOf = new Uint8Array(0);
  /** [T] 1 + the span of each token, 0 for none. */
  private spanOf = new Uint32Array(0);

  /** @param types names of the types that the stage before gives, ascending. */
  constructor(types: readonly string[]) {
    this.types = types.length;
    const strings = ['-', 'O', ...types];
    this.columns = [
      { name: 'stage', strings: ['O', ...types.flatMap((type) => [`B-${type}`, `I-${type}`])] },
      { name: 'majority', strings },
      { name: 'entity-majority', strings },
      { name: 'longer-majority', strings },
    ];
  }

  match(document: WordDocument, [stage, majority, entity, longer]: readonly Uint32Array[]): void {
    const { forms, words, starts, sentences, spans } = document;
    const length = starts[sentences];
    const width = this.types + 1;
    const { typeOf, spanOf } = this.markSpans(document, stage);
    this.labels = grown(this.labels, forms.size * width);
    const { labels } = this;
    const counts = (t: number) => (forms.flags[words[t]] & CAPITALISED) !== 0 || typeOf[t] > 0;
    for (let t = 0; t < length; t++) if (counts(t)) labels[forms.lower[words[t]] * width + typeOf[t]]++;
    for (let t = 0; t < length; t++) {
      const at = forms.lower[words[t]] * width;
      majority[t] = counts(t) ? this.most(labels, at, typeOf[t]) : 0;
      entity[t] = longer[t] = 0;
    }
    if (spans) this.matchSpans(document, spanOf, entity, longer);
    for (let t = 0; t < length; t++) {
      const at = forms.lower[words[t]] * width;
      labels.fill(0, at, at + width);
    }
  }

  /** Marks the tokens of spans. */
  private markSpans({ starts, sentences, spans }: WordDocument, stage: Uint32Array) {
    const length = starts[sentences];
    this.typeOf = grown(this.typeOf, length);
    this.spanOf = grown(this.spanOf, length);
    const { typeOf, spanOf } = this;
    typeOf.fill(0, 0, length);
    spanOf.fill(0, 0, length);
    stage.fill(0, 0, length);
    for (let i = 0; spans && i < spans.length; i += 3) {
      for (let t = spans[i]; t < spans[i + 1]; t++) {
        typeOf[t] = 1 + spans[i + 2];
        spanOf[t] = 1 + i / 3;
        stage[t] = 1 + 2 * spans[i + 2] + (t > spans[i] ? 1 : 0);
      }
    }
    return { typeOf, spanOf };
  }

  /** 1 + the label most frequent without one occurrence of `own`, 0 for none. */
  private most(counts: Uint32Array, at: number, own: number): number {
    let best = 0;
    let found = 0;
    for (let type = 0; type <= this.types; type++) {
      const count = counts[at + type] - (type === own ? 1 : 0);
      if (count <= best) continue;
      best = count;
      found = 1 + type;
    }
    return found;
  }

  /** Fills the majorities of spans of the same words, and of longer ones. */
  private matchSpans(
    { forms, words, starts, sentences, spans }: WordDocument,
    spanOf: Uint32Array,
    entity: Uint32Array,
    longer: Uint32Array,
  ): void {
    if (!spans) return;
    const width = this.types + 1;
    const texts: string[] = [];
    const sameText = new Map<string, Uint32Array>();
    /** Spans of two words or more by the lower-case form of each of their words. */
    const having = new Map<number, Set<number>>();
    for (let i = 0; i < spans.length; i += 3) {
      const own: number[] = [];
      for (let t = spans[i]; t < spans[i + 1]; t++) own.push(forms.lower[words[t]]);
      const text = own.join(' ');
      texts.push(text);
      const counts = sameText.get(text) ?? new Uint32Array(width);
      counts[1 + spans[i + 2]]++;
      sameText.set(text, counts);
      if (own.length < 2) continue;
      for (const form of own) {
        const list = having.get(form) ?? new Set();
        having.set(form, list.add(i / 3));
      }
    }
    const counts = new Uint32Array(width);
    let last = -1;
    let known = 0;
    for (let t = 0; t < starts[sentences]; t++) {
      const span = spanOf[t] - 1;
      if (span >= 0 && span === last) {
        entity[t] = entity[t - 1];
        longer[t] = known;
        continue;
      }
      last = span;
      const candidates = having.get(forms.lower[words[t]]);
      if (span >= 0)
        entity[t] = this.most(sameText.get(texts[span]) as Uint32Array, 0, 1 + spans[3 * span + 2]);
      known = 0;
      if (candidates && (span >= 0 || (forms.flags[words[t]] & CAPITALISED) !== 0)) {
        const text = span >= 0 ? ` ${texts[span]} ` : ` ${forms.lower[words[t]]} `;
        const length = text.split(' ').length - 2;
        counts.fill(0);
        for (const other of candidates) {
          if (other === span || spans[3 * other + 1] - spans[3 * other] <= length) continue;
          if (` ${texts[other]} `.includes(text)) counts[1 + spans[3 * other + 2]]++;
        }
        known = this.most(counts, 0, -1);
      }
      longer[t] = known;
    }
  }
}
