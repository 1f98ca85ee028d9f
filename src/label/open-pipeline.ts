import { OptionError, show } from '../base/errors.js';
import { addressOf, readAddress } from '../base/read-address.js';
import { bundledModel, namedModel, unreadableModel } from '../model/bundled-models.js';
import type { Model } from '../model/model.js';
import { loadModel } from '../model/model-file.js';
import type { SentenceOptions } from '../text/text-scanner.js';
import type { LabelledChunk } from './labelled-sentence.js';
import { Pipeline, type TextLabelling } from './pipeline.js';

/** Labels raw text. */
export interface TextLabeller {
  /**
   * Labels a text.
   *
   * @param options of sentences of English: what line ends say, and further abbreviations.
   * @throws OptionError for what is no string.
   */
  (text: string, options?: SentenceOptions): TextLabelling;
  /** What it works with, for sentences that are split already. */
  readonly pipeline: Pipeline;
}

/**
 * What a model is taken from: the name of one in this package, the address of a file (in Node also its path), the bytes of
 * a file, or a loaded model.
 */
export type ModelSource = string | URL | Uint8Array | ArrayBuffer | Model;

/**
 * Loads models and makes one function of them that labels raw text.
 *
 *     const label = await pipeline('english-chunk');
 *     label('The dog barks.').chunks;
 *
 * A model that reads parts of speech names the model that fills them in; where it is given alone, and by name or address,
 * that one is loaded from beside it.
 *
 * @param sources models in the order in which they work; at least one.
 * @throws ModelFileError for a file that cannot be read or is no model, OptionError where models read what none fills in.
 */
export async function pipeline(...sources: readonly ModelSource[]): Promise<TextLabeller> {
  const models = await Promise.all(sources.map(openModel));
  const stages = sources.length === 1 ? [...(await modelsBefore(sources[0], models[0])), ...models] : models;
  const own = new Pipeline(stages);
  own.checkReadsText();
  return Object.assign((text: string, options?: SentenceOptions) => own.label(text, options), {
    pipeline: own,
  });
}

let entityLabeller: Promise<TextLabeller> | undefined;

/**
 * Finds names of persons (PER), organisations (ORG), places (LOC) and others (MISC) in English text, by the model
 * `english-entities` of this package, which is loaded once.
 *
 *     await entities('Ada Lovelace went to London.');
 *
 * @returns names in text order, with where they are.
 * @throws ModelFileError where the model cannot be read.
 */
export async function entities(text: string): Promise<readonly LabelledChunk[]> {
  entityLabeller ??= pipeline('english-entities').catch((error) => {
    // A load that failed is tried again by the next call.
    entityLabeller = undefined;
    throw error;
  });
  return (await entityLabeller)(text).chunks;
}

async function openModel(source: ModelSource): Promise<Model> {
  if (isNamed(source)) return openNamed(source, typeof source === 'string' ? namedModel(source) : source);
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) return loadModel(source);
  if (typeof source === 'object' && source !== null && 'tagSet' in source) return source;
  throw new OptionError(
    'models',
    `expected the name of a model, its address, its bytes or a loaded model, found ${show(source)}`,
  );
}

function isNamed(source: ModelSource): source is string | URL {
  return typeof source === 'string' || source instanceof URL;
}

/** The models that a model names to fill in what it reads, from where that one comes from. */
async function modelsBefore(source: ModelSource, { posModel }: Model): Promise<Model[]> {
  if (posModel === undefined || !isNamed(source)) return [];
  const file = /\.[a-z]+$/i.test(posModel) ? posModel : `${posModel}.safetensors`;
  // Bundlers rename files, so those of this package are found by name.
  const bundled = bundledModel(String(source)) && bundledModel(posModel);
  return [
    await openNamed(
      posModel,
      bundled ?? new URL(file, typeof source === 'string' ? addressOf(source) : source),
    ),
  ];
}

async function openNamed(source: string | URL, address: URL): Promise<Model> {
  let bytes: Uint8Array;
  try {
    bytes = await readAddress(address);
  } catch (error) {
    throw unreadableModel(String(source), error);
  }
  return loadModel(bytes, String(source));
}
