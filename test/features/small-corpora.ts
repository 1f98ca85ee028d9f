import fc from 'fast-check';
import { encodeUtf8 } from '../../src/base/utf8.js';
import { type Corpus, readColumns } from '../../src/data/corpus.js';
import type { ExtractOptions } from '../../src/features/extractor.js';
import type { FeatureIndex } from '../../src/features/feature-index.js';
import {
  label,
  type Template,
  type TemplateNode,
  type TemplateSet,
  template,
  templateName,
  templateSet,
  token,
} from '../../src/features/template.js';
import { parseView } from '../../src/features/views.js';
import type { Direction } from '../../src/tags/direction.js';

/** A case for extraction. */
export interface ExtractionCase {
  readonly corpus: Corpus;
  /** [N] in reading order. */
  readonly gold: Uint16Array;
  readonly options: ExtractOptions;
}

const HISTORIES: readonly TemplateNode[][] = [[label(-1)], [label(-2)], [label(-1), label(-2)]];

const tokenNode = fc
  .record({
    view: fc.constantFrom('word', 'word', 'word.suffix2', 'word.prefix3', 'word.lower', 'pos', 'pos'),
    offset: fc.integer({ min: -3, max: 3 }),
  })
  .map(({ view, offset }) => token(view, offset));

const nodeKey = (nodes: readonly TemplateNode[]) =>
  nodes
    .map((node) => templateName({ nodes: [node] }))
    .sort()
    .join(' ');

const templates = fc
  .uniqueArray(
    fc.oneof(
      fc.constantFrom(...HISTORIES, []),
      fc
        .tuple(
          fc.uniqueArray(tokenNode, { minLength: 1, maxLength: 4, selector: (node) => nodeKey([node]) }),
          fc.constantFrom(false, false, true),
        )
        .map(([nodes, history]): TemplateNode[] => (history ? [label(-1), ...nodes] : nodes)),
    ),
    { minLength: 1, maxLength: 8, selector: nodeKey },
  )
  .map((list) =>
    templateSet(
      'random',
      list.map((nodes): Template => template(...nodes)),
    ),
  );

/** Random small corpora with templates of every sort, in both directions, with and without a cut-off. */
export const extractionCase: fc.Arbitrary<ExtractionCase> = fc
  .record({
    sentences: fc.array(
      fc.array(
        fc.record({
          // Some too short for the affixes, some equal but for case or affix.
          word: fc.constantFrom('a', 'ab', 'abc', 'Abc', 'xab', 'é𠮷'),
          pos: fc.constantFrom('N', 'V'),
          gold: fc.nat({ max: 2 }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      { minLength: 1, maxLength: 5 },
    ),
    templates,
    direction: fc.constantFrom('forward' as const, 'backward' as const),
    cutOff: fc.constantFrom(1, 1, 2, 3),
  })
  .map(({ sentences, templates, direction, cutOff }) => {
    const text = sentences
      .map((tokens) => tokens.map(({ word, pos }) => `${word} ${pos}\n`).join(''))
      .join('\n');
    return {
      corpus: readColumns(encodeUtf8(text), { columns: ['word', 'pos'] }),
      gold: Uint16Array.from(sentences.flat(), (token) => token.gold),
      options: { templates, direction, labels: 3, cutOff },
    };
  });

/** A feature as text. */
export function featureText(index: FeatureIndex, feature: number): string {
  return index
    .describe(feature)
    .map(({ node, value }) => `${node}=${value}`)
    .join(' ');
}

/** All features as text, by id. */
export function featureTexts(index: FeatureIndex): string[] {
  return Array.from({ length: index.size }, (_, feature) => featureText(index, feature));
}

/**
 * The features of one row as texts, made of strings alone.
 *
 * @param columns the sentence, in text order.
 * @param t position in reading order.
 * @param labelAt the label id at a position in reading order; −1 before the first.
 */
export function sentenceFeatures(
  templates: TemplateSet,
  direction: Direction,
  columns: Readonly<Record<string, readonly string[]>>,
  t: number,
  labelAt: (t: number) => number,
): string[] {
  const { length } = Object.values(columns)[0];
  const position = direction === 'forward' ? t : length - 1 - t;
  const read = (node: TemplateNode): string | number | undefined => {
    if (node.kind === 'label') return labelAt(t + node.offset);
    if (node.kind !== 'token') throw new Error(`no node of a token: ${node.kind}`);
    const at = position + node.offset;
    if (at < 0) return `<start${at}>`;
    if (at >= length) return `<end+${at - length + 1}>`;
    const view = parseView(node.view);
    return view.apply(columns[view.column][at]);
  };
  return templates.templates.flatMap(({ nodes }) => {
    const parts = nodes.map((node) => [templateName({ nodes: [node] }), read(node)]);
    if (parts.some(([, value]) => value === undefined)) return [];
    return [parts.map(([name, value]) => `${name}=${value}`).join(' ')];
  });
}
