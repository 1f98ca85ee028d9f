import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../../src/base/utf8.js';
import { readColumns } from '../../src/data/corpus.js';
import { RegionCutter } from '../../src/data/formats/regions.js';
import { templateName } from '../../src/features/template.js';
import { labelRegion } from '../../src/jobs/label-region.js';
import { ColumnLabeller } from '../../src/label/label-columns.js';
import { UnitLabeller } from '../../src/label/label-units.js';
import type { LabelOptions } from '../../src/label/labeller.js';
import { Pipeline } from '../../src/label/pipeline.js';
import type { Model } from '../../src/model/model.js';
import { loadModel, saveModel } from '../../src/model/model-file.js';
import { learn } from '../../src/systems/learn.js';
import { trainStages } from '../../src/systems/stages.js';
import { Tagger } from '../../src/tag/tagger.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';

const SENTENCES = [
  'Reggie B-PER|Blinker I-PER|of O|Sheffield B-ORG|left O',
  'Blinker B-PER|spoke O|in O|Berlin B-LOC|. O',
  'BERLIN B-LOC|NEWS O|TODAY O',
  'the O|rise O|of O|profit O|in O|Berlin B-LOC',
  'Apple B-ORG|sells O|apple O|juice O',
];
const TEXT = Array.from({ length: 60 }, (_, i) => {
  const mark = i % 12 === 5 ? '-DOCSTART- O\n\n' : '';
  return `${mark}${SENTENCES[(i * 7) % SENTENCES.length].replaceAll('|', '\n')}\n`;
}).join('\n');
const OPTIONS: LabelOptions = { source: 'x', format: 'columns', confidence: false, onError: 'stop' };

const model = await train(
  readColumns(TEXT, { columns: ['word', '...', 'entity'] }),
  configure({ task: 'entities', options: { 'cut-off': 1, document: 3 } }),
);

function label(text: string, chunk: number, options = OPTIONS): string {
  const labeller = new ColumnLabeller(new Tagger(loadModel(saveModel(model))), options);
  const bytes = encodeUtf8(text);
  let out = '';
  for (let at = 0; at < bytes.length; at += chunk)
    out += decodeUtf8(labeller.push(bytes.slice(at, at + chunk)));
  return out + decodeUtf8(labeller.finish());
}

const words = TEXT.replace(/ \S+$/gm, '');

describe('a model that reads documents', () => {
  const whole = label(words, 1 << 20);

  it('keeps how many sentences count as a document', () => {
    expect(loadModel(saveModel(model)).configuration.document).toBe(3);
    expect(new Tagger(model).readsDocuments).toBe(true);
  });

  it('labels alike however the bytes come', () => {
    expect(whole.replace(/ \S+$/gm, '').replace(/^(-DOCSTART-).*/gm, '$1')).toBe(words);
    for (const chunk of [7, 64, 301]) expect(label(words, chunk)).toBe(whole);
  });

  it.each([40, 100, 400])('labels regions of %i bytes as the whole', (size) => {
    const labeller = new ColumnLabeller(new Tagger(model), OPTIONS);
    const cutter = new RegionCutter(size, labeller.documentSize);
    let out = '';
    const bytes = encodeUtf8(words);
    for (let at = 0; at < bytes.length; at += 50) {
      const region = cutter.push(bytes.slice(at, at + 50));
      if (region) out += decodeUtf8(labelRegion(labeller, region).output);
    }
    const last = cutter.finish();
    if (last) out += decodeUtf8(labelRegion(labeller, last).output);
    expect(out).toBe(whole);
  });

  it('labels alike with confidences, and as JSON', () => {
    const rated = label(words, 99, { ...OPTIONS, confidence: true });
    expect(rated.replace(/ \d\.\d{4}$/gm, '')).toBe(whole);
    const lines = label(words, 99, { ...OPTIONS, format: 'json' })
      .trim()
      .split('\n');
    const tags = lines.flatMap((line) =>
      (JSON.parse(line).tokens as { tag: string }[]).map(({ tag }) => tag),
    );
    expect(tags.length).toBeGreaterThan(100);
    const expected = whole.split('\n').filter((line) => /^(?!-DOCSTART-).* /.test(line));
    expect(tags).toEqual(expected.map((line) => line.split(' ')[1]));
  });

  it('labels each JSONL document by itself, as soon as it has come', () => {
    const labeller = new UnitLabeller(new Pipeline([model]), 'jsonl', { ...OPTIONS, format: 'jsonl' });
    const line = `${JSON.stringify({ text: 'Reggie Blinker spoke. Blinker left Berlin.', spans: [] })}\n`;
    const first = decodeUtf8(labeller.push(encodeUtf8(line)));
    expect(first).not.toBe('');
    expect(decodeUtf8(labeller.push(encodeUtf8(line)))).toBe(first);
  });
});

describe('a model with clusters and lists', async () => {
  const resources = {
    clusters: [{ name: 'c', source: 'c', text: '00\tBlinker\n01\tBerlin\n11\tApple\n' }],
    gazetteers: [{ name: 'city', source: 'g', text: 'Berlin\nSheffield\nNew York\n' }],
  };
  const configuration = configure({
    task: 'entities',
    preset: 'accurate',
    options: { 'cut-off': 1, document: 3 },
    clusters: 1,
    lists: ['city'],
  });
  const rich = await trainStages(readColumns(TEXT, { columns: ['word', '...', 'entity'] }), configuration, {
    resources,
  });

  it('keeps them in its file once, and labels alike once it is loaded', () => {
    const bytes = saveModel(rich);
    const loaded = loadModel(bytes);
    const sentence = { word: 'Blinker left New York for Sheffield'.split(' ') };
    expect(new Tagger(loaded).label(sentence)).toEqual(new Tagger(rich).label(sentence));
    expect(
      decodeUtf8(bytes.map((byte) => (byte < 128 ? byte : 63))).split('gazetteers.children').length,
    ).toBe(2);
    expect(loaded.configuration).toEqual(rich.configuration);
    const reads = loaded.configuration.templates.templates.map(templateName);
    expect(reads).toContain('list-city[0]');
    expect(reads).toContain('word.cluster.prefix4[0]');
  });
});

describe('a model of two stages', async () => {
  const columns = ['word', '...', 'entity'];
  const options = { 'cut-off': 1, document: 3 };
  const configuration = configure({ task: 'entities', preset: 'accurate', options });
  const two = await trainStages(readColumns(TEXT, { columns }), configuration);

  it('labels alike once it is saved and loaded, however the bytes come', () => {
    const loaded = loadModel(saveModel(two));
    expect(loaded.configuration.stages).toBe(2);
    expect(loaded.first?.configuration.stages).toBeUndefined();
    const labelBy = (model: Model, chunk: number) => {
      const labeller = new ColumnLabeller(new Tagger(model), OPTIONS);
      const bytes = encodeUtf8(words);
      let out = '';
      for (let at = 0; at < bytes.length; at += chunk) {
        out += decodeUtf8(labeller.push(bytes.slice(at, at + chunk)));
      }
      return out + decodeUtf8(labeller.finish());
    };
    const whole = labelBy(two, 1 << 20);
    expect(whole.match(/ B-PER$/gm)?.length).toBeGreaterThan(10);
    expect(labelBy(loaded, 33)).toBe(whole);
  });

  it('needs two documents, and templates that read the stage before', async () => {
    const corpus = readColumns('a O\n\nb O\n', { columns });
    await expect(trainStages(corpus, configuration)).rejects.toThrow(
      '--stages 2: expected two documents or more to train on, found 1',
    );
    expect(() => configure({ task: 'entities', options: { stages: 2, templates: 'words' } })).toThrow(
      '--stages 2: expected templates that read stage, majority',
    );
  });

  it('learns no corrected sentence', () => {
    expect(() => learn(two, { word: ['a'] }, [])).toThrow('expected a model of one stage');
  });
});
