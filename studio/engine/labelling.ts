import type { Span } from '../../src/data/span.js';
import { Pipeline, splitForPipeline } from '../../src/label/pipeline.js';
import type { Model } from '../../src/model/model.js';
import { loadModel } from '../../src/model/model-file.js';
import { explain } from '../../src/tag/explain.js';
import type { TextSentence } from '../../src/text/text-sentence.js';
import { tokenText } from '../../src/text/text-sentence.js';
import type { FoundSpan, LabelMethods, ModelFacts, ModelPlace, SentenceFacts } from './protocol.js';

const KBEST = 5;
const MOST_FEATURES = 12;
const pipelines = new Map<string, Pipeline>();
const models = new Map<string, Promise<Model>>();

/** The pipeline that was opened under a name. */
export function pipelineNamed(name: string): Pipeline {
  const found = pipelines.get(name);
  if (found === undefined) throw new Error(`expected a model that is open, found ${JSON.stringify(name)}`);
  return found;
}

async function fileOf(file: string | Uint8Array): Promise<Model> {
  if (typeof file !== 'string') return loadModel(file);
  const loaded = models.get(file) ?? fetchModel(file);
  models.set(file, loaded);
  loaded.catch(() => models.delete(file));
  return loaded;
}

async function fetchModel(address: string): Promise<Model> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  return loadModel(new Uint8Array(await response.arrayBuffer()), address);
}

async function open({ name, files }: ModelPlace): Promise<ModelFacts> {
  const pipeline = new Pipeline(await Promise.all(files.map(fileOf)));
  pipelines.set(name, pipeline);
  return { name, ...factsOf(pipeline.model) };
}

/** What views show of a model. */
export function factsOf({ configuration, tagSet, features, training }: Model): Omit<ModelFacts, 'name'> {
  const ofTokens = configuration.scheme === 'token';
  return {
    task: configuration.task,
    tokens: configuration.tokens,
    types: ofTokens ? tagSet.tags : tagSet.types,
    ofTokens,
    features: features.size,
    sentences: training.sentences,
  };
}

/** Spans over a sentence's tokens as spans over the characters of its text. */
export function placed(
  sentence: TextSentence,
  spans: readonly (Span & { confidence?: number | undefined })[],
): FoundSpan[] {
  return spans.map(({ start, end, type, confidence }) => ({
    start: sentence.start + sentence.tokens[2 * start],
    end: sentence.start + sentence.tokens[2 * end - 1],
    type,
    confidence,
  }));
}

/** Methods of labelling. */
export const methods: LabelMethods = {
  open,
  async label({ model, text }) {
    const pipeline = pipelineNamed(model);
    pipeline.checkReadsText();
    const started = performance.now();
    const split = splitForPipeline(pipeline, text);
    let tokens = 0;
    const columns = split.map(({ words }) => ({ word: words }));
    const sentences = pipeline
      .labelSentences(split, columns, true)
      .map(({ sentence, chunks, tags, confidences }) => {
        tokens += tags.length;
        const ofTokens = tags.map((type, t) => ({
          start: t,
          end: t + 1,
          type,
          confidence: confidences?.[t],
        }));
        return {
          start: sentence.start,
          end: sentence.start + sentence.text.length,
          tokens: sentence.tokens.map((offset) => offset + sentence.start),
          spans: placed(sentence, chunks ?? ofTokens),
        };
      });
    return { sentences, tokens, milliseconds: performance.now() - started };
  },
  async details({ model, text, sentence: number }): Promise<SentenceFacts> {
    const pipeline = pipelineNamed(model);
    const sentence = splitForPipeline(pipeline, text)[number];
    const [columns] = pipeline.fill([{ word: sentence.words }]);
    const why = explain(pipeline.last, columns);
    const tokens = why.map(({ label, rival, score, rivalScore, features }, t) => ({
      text: tokenText(sentence, t),
      label,
      ...(rival !== undefined && { rival, lead: score - (rivalScore ?? score) }),
      features: features.slice(0, MOST_FEATURES),
    }));
    pipeline.last.decodeSentence(columns);
    return { tokens, alternatives: alternativesOf(pipeline, sentence) };
  },
};

function alternativesOf({ last }: Pipeline, sentence: TextSentence): SentenceFacts['alternatives'] {
  try {
    last.checkAlternatives(KBEST);
  } catch {
    // Strategies that decide step by step have no other labellings.
    return [];
  }
  return last.alternatives(KBEST).map(({ probability, spans, tags }) => {
    const ofTokens = tags.map((type, t) => ({ start: t, end: t + 1, type }));
    return { probability, spans: placed(sentence, last.model.tagSet.scheme === 'token' ? ofTokens : spans) };
  });
}
