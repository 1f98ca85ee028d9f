import { checkArgument } from '../base/arguments.js';
import type { Span } from '../data/span.js';
import type { ErrorAnalysis, LengthTally, SentenceErrors, Share } from '../evaluate/error-analysis.js';
import type { Block, Cell, Report, Run } from './report.js';

/** How much of an analysis a report shows. */
export interface ErrorReportOptions {
  /** Most sentences shown side by side; default 20. */
  readonly sentences?: number | undefined;
  /** Most words and confusions listed; default 20. */
  readonly rows?: number | undefined;
}

/** Lengths from this one on share a row. */
const LONGEST = 10;

/** Turns an analysis into a report. */
export function errorReport(analysis: ErrorAnalysis, options: ErrorReportOptions = {}): Report {
  checkArgument('analysis', analysis, 'analysis');
  checkArgument('options', options, 'object');
  const { scores, words, seen, sentences, name, confusions } = analysis;
  const { sentences: most = 20, rows = 20 } = options;
  const wrong = scores.tokens - scores.correctTags;
  const blocks: Block[] = [
    {
      kind: 'text',
      text:
        `${scores.sentences} sentences, ${scores.tokens} tokens, ${scores.gold} gold chunks: F ${scores.f1.toFixed(2)}, ` +
        `precision ${scores.precision.toFixed(2)}, recall ${scores.recall.toFixed(2)}, accuracy ${scores.accuracy.toFixed(2)}. ` +
        `${wrong} tags are wrong, and ${sentences.length} sentences have a wrong chunk.`,
    },
    ...fateBlocks(analysis),
    { kind: 'heading', text: 'Types taken for others' },
    { kind: 'text', text: 'Tokens in chunks of one type that are given another; O is outside all chunks.' },
    {
      kind: 'table',
      columns: ['gold', 'predicted', 'tokens'],
      rows: confused(confusions).slice(0, rows),
    },
    ...lengthBlocks(analysis),
    ...(seen ? seenBlocks(seen) : []),
    { kind: 'heading', text: 'Words whose tag is most often wrong' },
    {
      kind: 'table',
      columns: ['word', 'tokens', 'wrong', 'percent'],
      rows: words
        .slice(0, rows)
        .map(({ word, count, wrong: own }) => [word, count, own, rate(percent(own, count))]),
    },
    { kind: 'heading', text: 'Sentences with most errors' },
    { kind: 'text', text: 'Gold above, predicted below; what only one of the two has stands out.' },
    {
      kind: 'table',
      columns: ['place', 'chunks'],
      rows: sentences.slice(0, most).flatMap((own) => {
        const place = own.line === undefined ? `sentence ${own.sentence + 1}` : `line ${own.line}`;
        return [
          [place, bracketed(own, own.gold, own.predicted)],
          ['', bracketed(own, own.predicted, own.gold)],
        ];
      }),
    },
  ];
  return { title: `Errors of ${name}`, blocks };
}

/** Fates of gold chunks by type. */
function fateBlocks({ fates, scores }: ErrorAnalysis): Block[] {
  return [
    { kind: 'heading', text: 'What becomes of chunks' },
    {
      kind: 'text',
      text:
        'Gold chunks of each type: found; with the right bounds and another type; with the right type and other bounds; ' +
        'overlapped only by chunks of other types and bounds; overlapped by none. Spurious are predicted chunks where no gold chunk is.',
    },
    {
      kind: 'table',
      columns: ['type', 'gold', 'F', 'right', 'type', 'bounds', 'both', 'missed', 'spurious'],
      rows: [...fates].map(([type, own]) => [
        type,
        own.correct + own.type + own.boundary + own.both + own.missed,
        rate(scores.types.get(type)?.f1 ?? 0),
        own.correct,
        own.type,
        own.boundary,
        own.both,
        own.missed,
        own.spurious,
      ]),
    },
    {
      kind: 'chart',
      chart: {
        kind: 'bars',
        title: 'Errors by type',
        y: 'chunks',
        groups: [...fates.keys()],
        series: (
          [
            ['type', 'type'],
            ['bounds', 'boundary'],
            ['both', 'both'],
            ['missed', 'missed'],
            ['spurious', 'spurious'],
          ] as const
        ).map(([label, key]) => ({ name: label, values: [...fates.values()].map((own) => own[key]) })),
      },
    },
  ];
}

/** Chunks by their length. */
function lengthBlocks({ name, lengths }: ErrorAnalysis): Block[] {
  return [
    { kind: 'heading', text: 'By length of the chunk' },
    lengthTable(lengths),
    {
      kind: 'chart',
      chart: {
        kind: 'lines',
        title: 'F by length of the chunk',
        x: 'tokens',
        y: 'F',
        series: [
          {
            name,
            points: grouped(lengths).map(({ length, ...tally }) => ({
              x: length,
              y: fScore(tally),
            })),
          },
        ],
      },
    },
  ];
}

/** Tokens and chunks by whether training saw their words. */
function seenBlocks(seen: NonNullable<ErrorAnalysis['seen']>): Block[] {
  const row = (what: string, { all, right }: Share): Cell[] => [what, all, right, rate(percent(right, all))];
  return [
    { kind: 'heading', text: 'Words that training never saw' },
    {
      kind: 'table',
      columns: ['what', 'all', 'right', 'percent'],
      rows: [
        row('tokens whose word was seen', seen.seenTokens),
        row('tokens whose word was not', seen.unseenTokens),
        row('gold chunks of seen words', seen.seenChunks),
        row('gold chunks with an unseen word', seen.chunksWithUnseen),
      ],
    },
  ];
}

/** Pairs of types that are confused, most often first. */
function confused(confusions: ErrorAnalysis['confusions']): Cell[][] {
  return confusions
    .filter(({ gold, predicted }) => gold !== predicted)
    .map(({ gold, predicted, tokens }) => [gold ?? 'O', predicted ?? 'O', tokens]);
}

/** Lengths with the long ones together. */
function grouped(lengths: readonly LengthTally[]): LengthTally[] {
  const short = lengths.filter(({ length }) => length < LONGEST);
  const long = lengths.filter(({ length }) => length >= LONGEST);
  if (long.length === 0) return short;
  const sum = (pick: (tally: LengthTally) => number) => long.reduce((total, tally) => total + pick(tally), 0);
  return [
    ...short,
    {
      length: LONGEST,
      gold: sum(({ gold }) => gold),
      predicted: sum(({ predicted }) => predicted),
      correct: sum(({ correct }) => correct),
    },
  ];
}

function lengthTable(lengths: readonly LengthTally[]): Block {
  return {
    kind: 'table',
    columns: ['tokens', 'gold', 'predicted', 'right', 'precision', 'recall', 'F'],
    rows: grouped(lengths).map(({ length, gold, predicted, correct }) => [
      length === LONGEST ? `${LONGEST} and more` : String(length),
      gold,
      predicted,
      correct,
      rate(percent(correct, predicted)),
      rate(percent(correct, gold)),
      rate(fScore({ gold, predicted, correct })),
    ]),
  };
}

/** A sentence with its chunks in brackets, those that `others` lacks marked. */
function bracketed({ words }: SentenceErrors, spans: readonly Span[], others: readonly Span[]): Run[] {
  const runs: Run[] = [];
  let at = 0;
  const plain = (end: number) => {
    if (end > at) runs.push({ text: `${words.slice(at, end).join(' ')} `, marked: false });
  };
  for (const { start, end, type } of spans) {
    plain(start);
    const agreed = others.some((other) => other.start === start && other.end === end && other.type === type);
    runs.push({ text: `[${type} ${words.slice(start, end).join(' ')}]`, marked: !agreed });
    runs.push({ text: ' ', marked: false });
    at = end;
  }
  plain(words.length);
  return runs;
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : (100 * part) / whole;
}

function fScore({ gold, predicted, correct }: Omit<LengthTally, 'length'>): number {
  return percent(2 * correct, gold + predicted);
}

/** A percentage as reports write it. */
function rate(value: number): string {
  return value.toFixed(2);
}
