import { type CharacterSpan, type Span, spanKey } from '../data/span.js';
import {
  bootstrapInterval,
  gwetsAc1,
  type Interval,
  krippendorffsAlpha,
  type SpanAgreement,
  spanAgreement,
} from '../evaluate/agreement.js';
import type { OpenDocument } from './document.js';

/** What somebody says of a project's sentences: their spans, or nothing where they have not accepted a sentence. */
export type PersonsSpans = (document: OpenDocument, sentence: number) => readonly CharacterSpan[] | undefined;

/** A sentence on which two people differ. */
export interface Difference {
  /** Document. */
  readonly document: OpenDocument;
  /** Number of the sentence. */
  readonly sentence: number;
  /** Spans of the first and of the second. */
  readonly spans: readonly [readonly CharacterSpan[], readonly CharacterSpan[]];
}

/** How two people agree on the sentences that both have accepted. */
export interface PairAgreement extends SpanAgreement {
  /** Number of these sentences. */
  readonly sentences: number;
  /** Interval of the exact F over documents. */
  readonly interval: Interval;
  /** Krippendorff's α of the tokens' labels. */
  readonly alpha: number;
  /** Gwet's AC1 of the tokens' labels. */
  readonly ac1: number;
  /** Sentences on which they differ. */
  readonly differences: readonly Difference[];
}

/** Label of a token in no span. */
const OUTSIDE = '';

/** How two people agree on some documents. */
export function agreementOf(
  documents: readonly OpenDocument[],
  first: PersonsSpans,
  second: PersonsSpans,
): PairAgreement {
  const labels: [string[], string[]] = [[], []];
  const differences: Difference[] = [];
  const byDocument = documents.map((document) => {
    const both: [Span[][], Span[][]] = [[], []];
    for (let sentence = 0; sentence < document.sentences; sentence++) {
      const [a, b] = [first(document, sentence), second(document, sentence)];
      if (a === undefined || b === undefined) continue;
      const spans = [a, b].map((own) => document.overTokens(sentence, own));
      spans.forEach((own, person) => {
        both[person].push(own);
        labels[person].push(...tokenLabels(own, document.tokens(sentence).length / 2));
      });
      const keys = [a, b].map((own) => own.map(spanKey).join());
      if (keys[0] !== keys[1]) differences.push({ document, sentence, spans: [a, b] });
    }
    return both;
  });
  const counted = byDocument.filter(([own]) => own.length > 0);
  const measure = (sample: readonly number[]) => {
    const all = [0, 1].map((person) => sample.flatMap((d) => counted[d][person]));
    return spanAgreement(all[0], all[1]);
  };
  const everything = counted.map((_, d) => d);
  return {
    ...measure(everything),
    sentences: counted.reduce((sum, [own]) => sum + own.length, 0),
    interval: bootstrapInterval(counted.length, (sample) => measure(sample).exact, 200),
    alpha: krippendorffsAlpha(labels),
    ac1: gwetsAc1(labels),
    differences,
  };
}

function tokenLabels(spans: readonly Span[], length: number): string[] {
  const labels = new Array<string>(length).fill(OUTSIDE);
  for (const { start, end, type } of spans) labels.fill(type, start, end);
  return labels;
}
