import { encodeUtf8 } from '../base/utf8.js';
import type { Span } from '../data/span.js';
import type { LabelledSentence } from './labelled-sentence.js';

/**
 * Unit of offsets in a record of spans: `tokens` of the sentence; UTF-16 units of the sentence's text, whose start the record has
 * (`sentence`); UTF-16 units of the document that the record is of (`document`).
 */
export type SpanOffsets = 'tokens' | 'sentence' | 'document';

/**
 * A record of the spans of a sentence, or of all sentences of a document, as a line of JSON: `spans` are lists of start, end
 * (exclusive), type and, where there are confidences, the confidence. `sentences` has the number of spans of each sentence, where
 * there is not exactly one; `doc` is there where the input marks that a document starts.
 */
export function spanRecord(
  sentences: readonly LabelledSentence[],
  offsets: SpanOffsets,
  startsDocument = false,
): string {
  let json = startsDocument ? '{"doc":true,' : '{';
  if (offsets === 'sentence' && sentences[0].sentence.start > 0)
    json += `"start":${sentences[0].sentence.start},`;
  json += '"spans":[';
  let isFirst = true;
  const counts: number[] = [];
  for (const { sentence, chunks, tags, confidences } of sentences) {
    // Labels of single tokens are spans of one token.
    const spans =
      chunks ?? tags.map((type, t) => ({ start: t, end: t + 1, type, confidence: confidences?.[t] }));
    const { tokens } = sentence;
    const base = offsets === 'document' ? sentence.start : 0;
    for (const { start, end, type, confidence } of spans) {
      const from = offsets === 'tokens' ? start : base + tokens[2 * start];
      const to = offsets === 'tokens' ? end : base + tokens[2 * end - 1];
      json += `${isFirst ? '' : ','}[${from},${to},${JSON.stringify(type)}${shownConfidence(confidence)}]`;
      isFirst = false;
    }
    counts.push(spans.length);
  }
  return `${json}]${counts.length === 1 ? '' : `,"sentences":${JSON.stringify(counts)}`}}\n`;
}

function shownConfidence(confidence: number | undefined): string {
  return confidence === undefined ? '' : `,${Math.round(confidence * 10000) / 10000}`;
}

/** Bytes that {@link spanRecord} gives of the spans of a sentence of tokens. */
export class SpanRecordWriter {
  private readonly types = new Map<string, string>();

  /** The record of a sentence, as bytes. @param confidenceOf gives the confidence of a span; default none is written. */
  write(spans: readonly Span[], startsDocument: boolean, confidenceOf?: (span: Span) => number): Uint8Array {
    let json = startsDocument ? '{"doc":true,"spans":[' : '{"spans":[';
    for (let i = 0; i < spans.length; i++) {
      const { start, end, type } = spans[i];
      let quoted = this.types.get(type);
      if (quoted === undefined) this.types.set(type, (quoted = JSON.stringify(type)));
      json += `${i === 0 ? '' : ','}[${start},${end},${quoted}${shownConfidence(confidenceOf?.(spans[i]))}]`;
    }
    return encodeUtf8(`${json}]}\n`);
  }
}
