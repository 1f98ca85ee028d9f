import { readFile, stat } from 'node:fs/promises';
import { ApiError } from '../api/api-error.js';
import { listNames, quote } from '../base/errors.js';
import { Pipeline } from '../label/pipeline.js';
import type { Model } from '../model/model.js';
import { loadModel } from '../model/model-file.js';
import { kept } from './kept.js';

/** A model that the server has. */
export interface ShelvedModel {
  /** Name in addresses. */
  readonly name: string;
  /** Path of its file. */
  readonly path: string;
  /** Name of the model that fills in a column which this one reads, if there is one. */
  readonly before?: string | undefined;
}

/** A model as clients are told of it. */
export interface ModelSummary {
  /** Name. */
  readonly name: string;
  /** Its task. */
  readonly task: string;
  /** Unit of tokens. */
  readonly tokens: string;
  /** Types of its chunks, or labels of tokens. */
  readonly types: readonly string[];
  /** Size of its file. */
  readonly bytes: number;
  /** Model that fills in a column. */
  readonly before?: string | undefined;
}

/** Models by name, each read when it is first needed. */
export class ModelShelf {
  private readonly entries: ReadonlyMap<string, ShelvedModel>;
  private readonly models = new Map<string, Promise<Model>>();
  private readonly pipelines = new Map<string, Promise<Pipeline>>();

  /** @param models those there are, each name once. */
  constructor(models: readonly ShelvedModel[]) {
    this.entries = new Map(models.map((model) => [model.name, model]));
  }

  /** Names and paths. */
  get all(): readonly ShelvedModel[] {
    return [...this.entries.values()];
  }

  /** The entry of a name. @throws ApiError with the names there are. */
  entry(name: string): ShelvedModel {
    const found = this.entries.get(name);
    if (found) return found;
    const names = listNames([...this.entries.keys()]);
    throw new ApiError(404, 'not-found', `expected the model ${names}, found ${quote(name)}`);
  }

  /** Bytes of a model's file. */
  async bytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await readFile(this.entry(name).path));
  }

  /** What clients are told of all models. */
  async summaries(): Promise<ModelSummary[]> {
    return Promise.all(
      this.all.map(async ({ name, path, before }) => {
        const { configuration, tagSet } = await this.model(name);
        const { task, tokens, scheme } = configuration;
        const types = scheme === 'token' ? tagSet.tags : tagSet.types.filter((type) => type !== '');
        return {
          name,
          task,
          tokens,
          types,
          bytes: (await stat(path)).size,
          ...(before !== undefined && { before }),
        };
      }),
    );
  }

  /** A model. */
  model(name: string): Promise<Model> {
    return kept(this.models, name, async () => loadModel(await this.bytes(name), name));
  }

  /** What labels text with a model. Labelling has no pause in it, so requests share one. */
  pipeline(name: string): Promise<Pipeline> {
    return kept(this.pipelines, name, async () => {
      const { before } = this.entry(name);
      const stages = before === undefined ? [name] : [before, name];
      return new Pipeline(await Promise.all(stages.map((stage) => this.model(stage))));
    });
  }
}
