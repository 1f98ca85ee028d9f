import { describe, expect, it } from 'vitest';
import * as api from '../../src/index.js';

type Call = (...args: never[]) => unknown;

const corpus = api.readColumns(
  'The DT B-NP\ndog NN I-NP\nbarks VBZ B-VP\n\nA DT B-NP\ncat NN I-NP\n\nShe PRP B-NP\nsees VBZ B-VP\n\n',
  { columns: ['word', 'pos', 'chunk'] },
);
const configuration = api.configure({ task: 'chunking', options: { 'cut-off': 1, epochs: 1 } });
const model = await api.train(corpus, configuration);
const tagger = new api.Tagger(model);
const pipeline = new api.Pipeline([model]);
const scores = api.scoreModel(tagger, corpus);
const sentence = { word: ['a'], pos: ['NN'] };
const report: api.Report = { title: 'a', blocks: [] };
const output = { name: 'a', gold: [['O']], predicted: [['O']], words: [['a']] };
const analysis = api.analyseErrors(output);
const how = { source: 'x', format: 'columns', confidence: false, onError: 'stop' } as const;
const text = { source: 'x', text: 'a b\n' };

/** A right call of functions and constructors of the API, by name; arguments of which any value is right are left out. */
const CALLS: Readonly<Record<string, readonly [call: (...args: never[]) => unknown, ...args: unknown[]]>> = {
  readColumns: [api.readColumns, 'a B-NP\n', { columns: ['word', 'chunk'] }],
  replaceColumn: [
    api.replaceColumn,
    corpus,
    'pos',
    [
      ['A', 'B', 'C'],
      ['D', 'E'],
      ['F', 'G'],
    ],
  ],
  selectSentences: [api.selectSentences, corpus, [0]],
  columnStrings: [api.columnStrings, corpus, 0, 0],
  configure: [api.configure, { task: 'chunking' }],
  train: [api.train, corpus, configuration, {}],
  loadModel: [api.loadModel, api.saveModel(model)],
  saveModel: [api.saveModel, model],
  learn: [api.learn, model, sentence, [{ start: 0, end: 1, type: 'NP' }]],
  convertTags: [api.convertTags, ['B-NP'], 'iobes'],
  decodeTags: [api.decodeTags, ['B-NP'], 'iob2'],
  detectScheme: [api.detectScheme, [['B-NP']]],
  splitText: [api.splitText, 'A b.'],
  tokenText: [api.tokenText, api.splitText('A b.')[0], 0],
  splitFolds: [api.splitFolds, 10, 2, 1],
  strataOf: [api.strataOf, corpus, 'iob2'],
  crossValidate: [api.crossValidate, corpus, configuration, { folds: 2, seed: 1 }],
  crossLabel: [api.crossLabel, corpus, configuration, { folds: 2, seed: 1 }],
  fitTemperature: [api.fitTemperature, corpus, configuration],
  fitUnknownWords: [api.fitUnknownWords, corpus, configuration],
  meanAndDeviation: [api.meanAndDeviation, [1, 2]],
  scoreModel: [api.scoreModel, tagger, corpus],
  scoreWords: [api.scoreWords, tagger, corpus],
  measureCalibration: [api.measureCalibration, tagger, corpus],
  readTemplates: [api.readTemplates, 'word[0]\n', 'x', ['word', 'pos']],
  formatTemplates: [api.formatTemplates, configuration.templates],
  templateSet: [api.templateSet, 'mine', [api.template(api.token('word', 0))]],
  parseGrid: [api.parseGrid, 'C=1', [{ name: 'C', kind: 'number', help: '' }]],
  gridPoints: [api.gridPoints, [{ name: 'C', values: [1] }]],
  pointText: [api.pointText, { C: 1 }],
  curveFolds: [api.curveFolds, api.splitFolds(10, 2, 1), [50]],
  unknownWordsOf: [api.unknownWordsOf, model],
  analyseErrors: [api.analyseErrors, output],
  errorReport: [api.errorReport, analysis, {}],
  reportToText: [api.reportToText, report],
  reportToMarkdown: [api.reportToMarkdown, report],
  reportToHtml: [api.reportToHtml, report],
  chartToSvg: [api.chartToSvg, { kind: 'lines', title: 'a', x: 'x', y: 'y', series: [] }],
  calibrationReport: [api.calibrationReport, api.measureCalibration(tagger, corpus)],
  curveReport: [api.curveReport, []],
  accuracyTable: [api.accuracyTable, scores],
  conllevalTable: [api.conllevalTable, scores],
  scoresToJson: [api.scoresToJson, scores],
  wordTable: [api.wordTable, api.scoreSegmentedTexts(text, text)],
  scoreSegmentedTexts: [api.scoreSegmentedTexts, text, text],
  Tagger: [make(api.Tagger), model, {}],
  'Tagger.label': [tagger.label.bind(tagger), sentence],
  'Tagger.decodeSentence': [tagger.decodeSentence.bind(tagger), sentence],
  Pipeline: [make(api.Pipeline), [model]],
  'Pipeline.label': [(given: string) => pipeline.label(given), 'A b.'],
  ColumnLabeller: [make(api.ColumnLabeller), tagger, how],
  'ColumnLabeller.push': [
    (chunk: Uint8Array) => new api.ColumnLabeller(tagger, how).push(chunk),
    new Uint8Array(),
  ],
  UnitLabeller: [make(api.UnitLabeller), pipeline, 'jsonl', how],
  CorpusBuilder: [make(api.CorpusBuilder), { columns: ['word'] }],
  'CorpusBuilder.push': [
    (chunk: Uint8Array) => new api.CorpusBuilder({ columns: ['word'] }).push(chunk),
    new Uint8Array(),
  ],
  UnitCorpusBuilder: [make(api.UnitCorpusBuilder), 'jsonl', { columns: ['word', 'chunk'], source: 'x' }],
};

function make(type: new (...args: never[]) => unknown): Call {
  return (...args) => new type(...args);
}

const WRONG = [
  null,
  undefined,
  42,
  Number.NaN,
  'x',
  {},
  [],
  [null],
  () => 0,
  new Uint8Array(3),
  true,
  { columns: 1 },
];

describe('a wrong call', () => {
  it.each(Object.entries(CALLS))('is refused by name, or does no harm: %s', async (_, [call, ...args]) => {
    for (const at of args.keys()) {
      for (const wrong of WRONG) {
        try {
          await call(...(args.with(at, wrong) as never[]));
        } catch (error) {
          // An error of the engine says nothing to who called.
          if (!(error instanceof api.SpanwrightError))
            throw new Error(`argument ${at}, ${String(wrong)}: ${error}`);
        }
      }
    }
  });

  it('says which argument, what was expected and what was found', () => {
    const call = api.train as unknown as (...args: unknown[]) => Promise<unknown>;
    expect(() => (api.splitText as unknown as (text: unknown) => void)(7)).toThrow(
      'text: expected a string, found 7',
    );
    return expect(call(corpus, { task: 'chunking' })).rejects.toThrow(
      'configuration: expected a configuration, as configure gives, found {"task":"chunking"}',
    );
  });
});
