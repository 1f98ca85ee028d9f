import { describe, expect, it } from 'vitest';
import type { OptionValues } from '../../src/base/options.js';
import { readColumns, type SentenceColumns } from '../../src/data/corpus.js';
import type { Span } from '../../src/data/span.js';
import type { TemplateNode, TemplateSet } from '../../src/features/template.js';
import { readsChunk, templateName } from '../../src/features/template.js';
import { templateSetByName } from '../../src/features/template-sets.js';
import { parseTemplates } from '../../src/features/template-syntax.js';
import { parseView } from '../../src/features/views.js';
import type { ChunkModel } from '../../src/model/chunk-model.js';
import type { Model } from '../../src/model/model.js';
import { loadModel, saveModel } from '../../src/model/model-file.js';
import { readSafetensors, writeSafetensors } from '../../src/model/safetensors.js';
import { explain } from '../../src/tag/explain.js';
import { Tagger } from '../../src/tag/tagger.js';
import { SCHEMES } from '../../src/tags/scheme.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';
import { columnFile, corpusOf, makeSentences, TRAINING, UNSEEN } from './tiny.js';

function trainChunks(options: OptionValues = {}, templates?: string | TemplateSet): Promise<Model> {
  const configuration = configure({
    task: 'chunking',
    preset: 'chunk-level',
    options: { 'cut-off': 1, epochs: 30, ...(typeof templates === 'string' && { templates }), ...options },
    ...(typeof templates === 'object' && { templates }),
  });
  return train(corpusOf(columnFile(TRAINING)), configuration);
}

function spansOf(tagger: Tagger, columns: SentenceColumns): Span[] {
  tagger.decodeSentence(columns);
  return tagger.spans();
}

/** A segmentation: every token is in a chunk, `O` being the type of those outside. */
function fill(spans: readonly Span[], length: number): Span[] {
  const starts = new Map(spans.map((span) => [span.start, span]));
  const all: Span[] = [];
  for (let start = 0; start < length; start = (all.at(-1) as Span).end) {
    all.push(starts.get(start) ?? { start, end: start + 1, type: 'O' });
  }
  return all;
}

/** The score of a segmentation by definition: features as text, each with its weight. */
function scorerOf(model: Model, columns: SentenceColumns) {
  const { chunks, features, tagSet, weights } = model;
  if (!chunks) throw new Error('no model of chunks');
  const { length } = columns.word;
  const names = [...tagSet.types, ...(tagSet.tags.includes('O') ? ['O'] : [])];
  const tokenFeatures = new Map<string, number>();
  for (let f = 0; f < features.size; f++) {
    tokenFeatures.set(
      features
        .describe(f)
        .map(({ node, value }) => `${node}=${value}`)
        .join(' '),
      f,
    );
  }
  const chunkFeatures = new Map<string, number>();
  for (let f = 0; f < chunks.index.size; f++) chunkFeatures.set(chunks.index.describe(f, features.values), f);
  const at = (view: string, t: number, isChunk: boolean): string | undefined => {
    if (t < 0) return isChunk ? '<start>' : `<start${t}>`;
    if (t >= length) return isChunk ? '<end>' : `<end+${t - length + 1}>`;
    const { column, apply } = parseView(view, undefined, {
      classes: (of, value) => model.knowledge.classes?.of(of, value),
    });
    return apply(columns[column][t]);
  };
  const text = (nodes: readonly TemplateNode[], value: (node: TemplateNode) => string | undefined) => {
    const parts = nodes.map((node) => [templateName({ nodes: [node] }), value(node)]);
    return parts.some(([, read]) => read === undefined)
      ? undefined
      : parts.map((part) => part.join('=')).join(' ');
  };
  const { templates } = model.configuration.templates;
  return (segments: readonly Span[]): number => {
    let score = 0;
    segments.forEach(({ start, end, type }, i) => {
      const inside = columns.word.map((_, t) => t).slice(start, end);
      for (const t of inside) {
        const role = end - start === 1 ? 'S' : t === start ? 'B' : t === end - 1 ? 'E' : 'I';
        const label = tagSet.tags.indexOf(type === 'O' ? 'O' : `${role}-${type}`);
        for (const { nodes } of templates.filter((template) =>
          template.nodes.every(({ kind }) => kind === 'token'),
        )) {
          const feature = text(nodes, (node) =>
            node.kind === 'token' ? at(node.view, t + node.offset, false) : '',
          );
          const f = feature === undefined ? undefined : tokenFeatures.get(feature);
          if (f !== undefined) score += weights.weight(f, label);
        }
      }
      const previous = i === 0 ? names.length : names.indexOf(segments[i - 1].type);
      for (const template of templates) {
        const { nodes } = template;
        const joins = nodes.some(({ kind }) => kind === 'label');
        if (!readsChunk(template) && templateName(template) !== 'label[-1]') continue;
        const feature = text(
          nodes.filter(({ kind }) => kind !== 'label'),
          (node) => {
            if (node.kind === 'first') return at(node.view, start + node.offset, true);
            if (node.kind === 'last') return at(node.view, end - 1 + node.offset, true);
            if (node.kind === 'length') return String(Math.min(10, end - start));
            if (node.kind === 'symmetry') {
              const own = inside.map((t) => at(node.view, t, true));
              const alike = (count: number) =>
                own.slice(-count).join(' ') === own.slice(-1 - 2 * count, -1 - count).join(' ');
              const count = own.findIndex((_, i) => i > 0 && 2 * i < own.length && alike(i));
              return count > 0 ? own.at(-1 - count) : undefined;
            }
            if (node.kind !== 'all' && node.kind !== 'some') return undefined;
            const values = inside.map((t) => at(node.view, t, true)).filter((value) => value !== undefined);
            return values.length < (node.kind === 'all' ? inside.length : 1) ? undefined : values.join(' ');
          },
        );
        const f = feature === undefined ? undefined : chunkFeatures.get(feature);
        const lane = (joins ? previous * names.length : 0) + names.indexOf(type);
        if (f !== undefined) score += chunks.weights.weight(f, lane);
      }
    });
    return score;
  };
}

/** Every segmentation of a sentence into chunks of these types and at most that length. */
function* segmentations(
  length: number,
  types: readonly string[],
  longest: number,
  start = 0,
): Generator<Span[]> {
  if (start === length) yield [];
  for (let end = start + 1; end <= Math.min(length, start + longest); end++) {
    for (const type of end === start + 1 ? [...types, 'O'] : types) {
      for (const rest of segmentations(length, types, longest, end)) yield [{ start, end, type }, ...rest];
    }
  }
}

describe('chunk-level models', () => {
  it.each<OptionValues>([
    {},
    { k: 1 },
    { k: 10, margin: 'f1' },
    { margin: 'hamming' },
    { update: 'perceptron' },
    { lengths: 'any', values: 'any', pairs: 'any', bigrams: 'any' },
    { dictionary: 'none' },
    { scheme: 'iob2' },
  ])('learn their training data with %j', async (options) => {
    const tagger = new Tagger(await trainChunks(options));
    for (const { columns, spans } of TRAINING) expect(spansOf(tagger, columns)).toEqual(spans);
  });

  it.each([undefined, 'pos[0]\nsymmetry(pos)\nsymmetry(word.type) length\nlabel[-1]'])(
    'find the segmentation of the best score, as features and weights define it, with templates %j',
    async (lines) => {
      const templates = lines && parseTemplates(lines, 'symmetry', ['word', 'pos', 'chunk']);
      const model = await trainChunks({ epochs: 2 }, templates);
      const { index } = model.chunks as ChunkModel;
      const names = Array.from({ length: index.size }, (_, f) => index.describe(f, model.features.values));
      expect(names.some((name) => name.startsWith('symmetry(word.type)='))).toBe(templates !== undefined);
      const tagger = new Tagger(model, {
        options: { lengths: 'any', values: 'any', pairs: 'any', bigrams: 'any' },
      });
      const longest = Math.max(...(model.chunks?.limits.lengths ?? []));
      const short = UNSEEN.filter(({ word }) => word.length > 0 && word.length <= 6);
      expect(short.length).toBeGreaterThan(2);
      for (const columns of short) {
        const score = scorerOf(model, columns);
        const { length } = columns.word;
        let best = -Infinity;
        for (const segments of segmentations(length, model.tagSet.types, longest))
          best = Math.max(best, score(segments));
        expect(score(fill(spansOf(tagger, columns), length))).toBeCloseTo(best, 4);
      }
    },
  );

  it.each(['float32', 'int8'])(
    'are the same when saved and loaded, with weights as %s',
    async (precision) => {
      const model = await trainChunks({ precision });
      const bytes = saveModel(model);
      const loaded = loadModel(bytes);
      expect(saveModel(loaded)).toEqual(bytes);
      const [before, after] = [new Tagger(model), new Tagger(loaded)];
      for (const columns of UNSEEN) expect(after.label(columns)).toEqual(before.label(columns));
    },
  );

  it('load from files that know no limits on neighbours', async () => {
    const model = await trainChunks();
    const { tensors, metadata } = readSafetensors(saveModel(model), 'model');
    const { checksum: _, ...kept } = metadata;
    const old = Object.fromEntries(
      Object.entries(tensors).filter(([name]) => !name.startsWith('chunk.pair')),
    );
    const loaded = loadModel(writeSafetensors(old, kept));
    expect(loaded.chunks?.limits.pairs).toBeUndefined();
    const [before, after] = [new Tagger(model, { options: { pairs: 'any' } }), new Tagger(loaded)];
    for (const columns of UNSEEN) expect(spansOf(after, columns)).toEqual(spansOf(before, columns));
  });

  it('have the mean of the weights after each step: after one those of that step', async () => {
    const text = 'the DT B-NP\ndog NN I-NP\nbarks VB B-VP\nin IN B-PP\nit PRP B-NP\n. . O\n';
    const limits = { lengths: 'any', values: 'any', pairs: 'any', bigrams: 'any' };
    const options = { 'cut-off': 1, epochs: 1, update: 'perceptron', ...limits };
    const model = await train(
      corpusOf(text),
      configure({ task: 'chunking', preset: 'chunk-level', options }),
    );
    const weights = [...model.weights.values, ...(model.chunks as ChunkModel).weights.values];
    // A step of fixed size from zeros: features of the right chunks less those of the ones found.
    expect(weights.length).toBeGreaterThan(0);
    for (const weight of weights) expect(weight).toBe(Math.round(weight));
  });

  it('are the same bytes for the same seed', async () => {
    expect(saveModel(await trainChunks())).toEqual(saveModel(await trainChunks()));
  });

  it('write well-formed labels in every scheme, and say how sure they are', async () => {
    for (const options of [{}, { scheme: 'ioe2' }, { templates: '004', dictionary: 'none' }]) {
      const tagger = new Tagger(await trainChunks(options));
      const { tagSet } = tagger.model;
      for (const columns of UNSEEN) {
        const { spans, confidences } = tagger.label(columns);
        const { length } = columns.word;
        const labels = tagSet.tagStrings(tagger.labels, length);
        expect(labels).toEqual(SCHEMES[tagSet.scheme].encode(spans, length));
        expect(confidences).toHaveLength(length);
        for (const confidence of confidences) {
          expect(confidence).toBeGreaterThan(0);
          expect(confidence).toBeLessThanOrEqual(1);
        }
      }
    }
  });

  it('work for spans of words without parts of speech, with limits on a view of theirs', async () => {
    const lines = ['word[-1]', 'word[0]', 'word[1]', 'all(word)', 'first(word.type)[0] length', 'label[-1]'];
    const columns = ['word', 'entity'];
    const configuration = configure({
      task: 'chunking',
      preset: 'chunk-level',
      columns,
      templates: parseTemplates(lines.join('\n'), 'spans', columns),
      options: { dictionary: 'word.type', epochs: 20 },
    });
    const text = columnFile(TRAINING).replace(/^(\S+) \S+/gm, '$1');
    const tagger = new Tagger(await train(readColumns(text, { columns }), configuration));
    for (const {
      columns: { word },
      spans,
    } of TRAINING)
      expect(spansOf(tagger, { word })).toEqual(spans);
  });

  it('explain a chunk by its features', async () => {
    const tagger = new Tagger(await trainChunks());
    const columns = { word: ['the', 'old', 'dog', 'barks'], pos: ['DT', 'JJ', 'NN', 'VB'] };
    const [first, second, , verb] = explain(tagger, columns).map(({ label, features }) => ({
      label,
      texts: features.map(({ feature }) => feature),
    }));
    expect(first.label).toBe('B-NP');
    expect(first.texts).toEqual(
      expect.arrayContaining(['all(pos)=DT JJ NN', 'length=3', 'label[-1]=<start>']),
    );
    expect(second.texts.some((text) => text.startsWith('all('))).toBe(false);
    expect(verb.texts).toContain('label[-1]=NP');
  });

  it('leave out templates of labels that whole chunks cannot read', async () => {
    const model = await trainChunks({ dictionary: 'none' }, 'wide');
    expect(model.chunks?.index.templates.map(templateName)).toEqual(['label[-1]']);
    expect(model.features.templates.templates.map(templateName)).not.toContain('label[-1] word[0]');
  });
});

describe('constraints', () => {
  const columns = { word: ['the', 'old', 'dog', 'barks'], pos: ['DT', 'JJ', 'NN', 'VB'] };
  const dog = { start: 0, end: 3, type: 'NP' };

  it('are met, even by spans that training never saw', async () => {
    const tagger = new Tagger(await trainChunks());
    const spans = (constraints?: Parameters<Tagger['label']>[1]) =>
      tagger.label(columns, constraints).spans.map(({ start, end, type }) => ({ start, end, type }));
    expect(spans()).toContainEqual(dog);
    expect(spans({ forbidden: [dog] })).not.toContainEqual(dog);
    expect(spans({ notBeginning: [{ token: 0, type: 'NP' }] })).not.toContainEqual(dog);
    expect(spans({ notBeginning: [{ token: 0 }] }).some(({ start }) => start === 0)).toBe(false);
    const strange = { start: 1, end: 4, type: 'PP' };
    expect(spans({ required: [strange] })).toContainEqual(strange);
    expect(spans({ required: [strange], forbidden: [{ start: 0, end: 1, type: 'NP' }] })).toContainEqual(
      strange,
    );
    expect(spans()).toContainEqual(dog);
  });

  it.each([
    [{ required: [{ ...dog, type: 'QP' }] }, 'span 0-3 QP: expected the type NP, PP or VP, found "QP"'],
    [{ forbidden: [{ ...dog, end: 5 }] }, 'span 0-5 NP: expected tokens from 0 to 4'],
    [
      { required: [dog, { start: 2, end: 4, type: 'VP' }] },
      'expected required spans that do not overlap, found 0-3 NP and 2-4 VP',
    ],
    [{ notBeginning: [{ token: 4 }] }, 'no span at 4: expected a token from 0 to 3'],
    [
      { notBeginning: [{ token: 1, type: 'QP' }] },
      'no span at 1: expected the type NP, PP or VP, found "QP"',
    ],
    [
      { required: [dog], notBeginning: [{ token: 0 }] },
      'expected 0-3 NP, which is required, to begin where it may begin',
    ],
    [
      { required: [dog], forbidden: [dog] },
      'expected a span to be required or forbidden, found 0-3 NP to be both',
    ],
  ])('that make no sense are refused: %j', async (constraints, message) => {
    const tagger = new Tagger(await trainChunks({ epochs: 1 }));
    expect(() => tagger.label(columns, constraints)).toThrow(
      expect.objectContaining({ option: 'constraints', message }),
    );
  });

  it('are refused where nothing can meet them', async () => {
    const words = makeSentences(6, 3).map(({ columns: given }) => ({
      columns: given,
      spans: given.word.map((_, t) => ({ start: t, end: t + 1, type: 'W' })),
    }));
    const configuration = configure({
      task: 'chunking',
      preset: 'chunk-level',
      options: { 'cut-off': 1, epochs: 1 },
    });
    const tagger = new Tagger(await train(corpusOf(columnFile(words)), configuration));
    const forbidden = [{ start: 0, end: 1, type: 'W' }];
    expect(() => tagger.label({ word: ['a'], pos: ['DT'] }, { forbidden })).toThrow(
      'found none: nothing is left for token 0 without the forbidden 0-1 W',
    );
    const second = [1, 2].map((end) => ({ start: 2 - end, end: 2, type: 'W' }));
    expect(() => tagger.label({ word: ['a', 'b'], pos: ['DT', 'NN'] }, { forbidden: second })).toThrow(
      'nothing is left for token 1 without the forbidden 1-2 W, 0-2 W',
    );
  });
});

describe('what goes with whole chunks', () => {
  it.each<[OptionValues, string, string]>([
    [
      { learner: 'mira', direction: 'backward' },
      'direction',
      '--direction backward does not go with --decoder semi',
    ],
    [
      { learner: 'mira', decoder: 'hybrid' },
      'decoder',
      'does not go with --learner mira: expected semi-markov',
    ],
    [{ decoder: 'semi-markov' }, 'decoder', '--decoder semi-markov does not go with --strategy ova'],
    [
      { templates: 'chunk-level' },
      'templates',
      'expected no template of whole chunks with --decoder hybrid, found',
    ],
  ])('refuses %j', (options, option, message) => {
    expect(() => configure({ task: 'chunking', options })).toThrow(expect.objectContaining({ option }));
    expect(() => configure({ task: 'chunking', options })).toThrow(message);
  });

  it('lets defaults made for labels give way', () => {
    expect(configure({ task: 'chunking', options: { learner: 'mira' } })).toMatchObject({
      scheme: 'iobes',
      direction: 'forward',
      decoder: 'semi-markov',
    });
    expect(configure({ task: 'pos', options: { learner: 'mira' } })).toMatchObject({ scheme: 'token' });
  });

  it('refuses a dictionary that no template of chunks reads', async () => {
    await expect(trainChunks({ dictionary: 'word.shape' })).rejects.toThrow(
      '--dictionary: expected none or a view that templates of chunks read (',
    );
    expect(templateSetByName('chunk-level').templates.some(readsChunk)).toBe(true);
  });
});
