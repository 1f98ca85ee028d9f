import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Progress } from '../../src/base/progress.js';
import { encodeUtf8 } from '../../src/base/utf8.js';
import { columnStrings, readColumns } from '../../src/data/corpus.js';
import type { LabelHistory, Rows } from '../../src/data/dataset.js';
import { extract } from '../../src/features/extractor.js';
import { withinOrder } from '../../src/features/template.js';
import { parseTemplates } from '../../src/features/template-syntax.js';
import {
  type ExtractionCase,
  extractionCase,
  featureText,
  featureTexts,
  sentenceFeatures,
} from './small-corpora.js';

/** [N] the features of each row as texts, made of strings alone. */
function naiveRows({ corpus, gold, options }: ExtractionCase): string[][] {
  const { templates, direction, cutOff } = options;
  const rows: string[][] = [];
  for (let s = 0; s + 1 < corpus.starts.length; s++) {
    const columns = Object.fromEntries(corpus.columns.map((name, c) => [name, columnStrings(corpus, c, s)]));
    const first = corpus.starts[s];
    const length = corpus.starts[s + 1] - first;
    for (let t = 0; t < length; t++) {
      const labelAt = (at: number) => (at < 0 ? -1 : gold[first + at]);
      rows.push(sentenceFeatures(templates, direction, columns, t, labelAt));
    }
  }
  const counts = new Map<string, number>();
  for (const feature of rows.flat()) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  return rows.map((row) => row.filter((feature) => (counts.get(feature) as number) >= cutOff).sort());
}

describe('extract', () => {
  it('finds the features that a naive extraction from strings finds', () => {
    fc.assert(
      fc.property(extractionCase, (example) => {
        const { index, dataset } = extract(example.corpus, example.gold, example.options);
        const { offsets, indices, features } = dataset.rows;
        const expected = naiveRows(example);
        const rows = expected.map((_, n) =>
          Array.from(indices.subarray(offsets[n], offsets[n + 1]), (f) => featureText(index, f)).sort(),
        );
        expect(rows).toEqual(expected);
        expect(features).toBe(index.size);
        expect(offsets).toHaveLength(expected.length + 1);
        expect(featureTexts(index).sort()).toEqual([...new Set(expected.flat())].sort());
        expect(dataset.labels).toEqual(example.gold);
        expect(dataset.starts).toEqual(example.corpus.starts);
      }),
      { numRuns: 600 },
    );
  });

  it('with split history keeps apart just the features that read the label before, for every such label', () => {
    fc.assert(
      fc.property(extractionCase, ({ corpus, gold, options }) => {
        const templates = withinOrder(options.templates, 1);
        const joint = extract(corpus, gold, { ...options, templates });
        const split = extract(corpus, gold, { ...options, templates, splitHistory: true });
        const { rows, history } = split.dataset as Required<typeof split.dataset>;
        const { alone, joined, previous } = history as LabelHistory;
        const row = ({ offsets, indices }: Rows, n: number) => [
          ...indices.subarray(offsets[n], offsets[n + 1]),
        ];
        expect(split.index.size).toBe(joint.index.size);
        for (let s = 0; s + 1 < corpus.starts.length; s++) {
          for (let n = corpus.starts[s]; n < corpus.starts[s + 1]; n++) {
            const before = n === corpus.starts[s] ? options.labels : gold[n - 1];
            const all = [
              ...row(rows, n),
              ...[alone[before]].filter((f) => f < joint.index.size),
              ...row(joined, n).filter((f) => previous[f] === before),
            ];
            expect(all.sort()).toEqual(row(joint.dataset.rows, n).sort());
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  const corpus = readColumns(encodeUtf8('The\ndog\n\nThe\n'), { columns: ['word'] });
  const templates = parseTemplates(
    'word[0]\nlabel[-1] word[-1]\nword.suffix3[1]\nlabel[-1]\nlabel[-1] label[-2]',
    'x',
    ['word'],
  );
  const textOf = (direction: 'forward' | 'backward', cutOff: number) => {
    const gold = Uint16Array.of(1, 0, 1);
    const { index, dataset } = extract(corpus, gold, { templates, direction, labels: 2, cutOff });
    const { offsets, indices } = dataset.rows;
    return [0, 1, 2].map((n) =>
      Array.from(indices.subarray(offsets[n], offsets[n + 1]), (f) => featureText(index, f)).sort(),
    );
  };

  it('reads labels in reading order, tokens in text order', () => {
    expect(textOf('backward', 1)).toEqual([
      // dog, the first word read
      [
        '',
        'label[-1]=-1',
        'label[-1]=-1 label[-2]=-1',
        'label[-1]=-1 word[-1]=The',
        'word.suffix3[1]=<end+1>',
        'word[0]=dog',
      ],
      // The, after dog got label 1
      [
        '',
        'label[-1]=1',
        'label[-1]=1 label[-2]=-1',
        'label[-1]=1 word[-1]=<start-1>',
        'word.suffix3[1]=dog',
        'word[0]=The',
      ],
      [
        '',
        'label[-1]=-1',
        'label[-1]=-1 label[-2]=-1',
        'label[-1]=-1 word[-1]=<start-1>',
        'word.suffix3[1]=<end+1>',
        'word[0]=The',
      ],
    ]);
  });

  it('leaves out what is seen less often than the cut-off', () => {
    expect(textOf('backward', 2)).toEqual([
      ['', 'label[-1]=-1', 'label[-1]=-1 label[-2]=-1', 'word.suffix3[1]=<end+1>'],
      ['', 'word[0]=The'],
      ['', 'label[-1]=-1', 'label[-1]=-1 label[-2]=-1', 'word.suffix3[1]=<end+1>', 'word[0]=The'],
    ]);
    expect(textOf('forward', 4)).toEqual([[], [], []]);
  });

  it('reports progress up to the last sentence', () => {
    const reports: Progress[] = [];
    extract(corpus, new Uint16Array(3), {
      templates,
      direction: 'forward',
      labels: 2,
      cutOff: 1,
      onProgress: (progress) => reports.push(progress),
    });
    expect(reports.at(-1)).toEqual({ kind: 'features', sentences: 2, total: 2 });
  });

  it('refuses a column that the corpus does not have, and too many labels for pairs of them', () => {
    const options = { direction: 'forward', labels: 2, cutOff: 1 } as const;
    const pos = parseTemplates('pos[0]', 'x', ['pos']);
    expect(() => extract(corpus, new Uint16Array(3), { ...options, templates: pos })).toThrow(
      'expected the column word, found "pos"',
    );
    const tooMany = () => extract(corpus, new Uint16Array(3), { ...options, templates, labels: 255 });
    expect(tooMany).toThrow('label pairs as features: expected at most 254 labels, found 255');
    expect(() => extract(corpus, new Uint16Array(3), { ...options, templates, labels: 254 })).not.toThrow();
  });
});
