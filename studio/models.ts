import { signal } from '@preact/signals';
import { annotatorName } from './annotator.js';
import { Engine } from './engine/engine.js';
import type { LabelMethods, ModelFacts } from './engine/protocol.js';

/** A model as the server, or the file beside a static page, lists it. */
export interface ListedModel {
  /** Name. */
  readonly name: string;
  /** Task. */
  readonly task: string;
  /** Bytes of its file. */
  readonly bytes: number;
  /** Model that works before it. */
  readonly before?: string | undefined;
  /** Address of its file. */
  readonly file: string;
}

/** What the page is told by the place that it comes from. */
export interface Place {
  /** Version of the program. */
  readonly version: string;
  /** Whether a server with the HTTP interface is there. */
  readonly server: boolean;
  /** Where the interface begins. */
  readonly api?: string;
  /** Whether the server asks for a token. */
  readonly needsToken?: boolean;
  /** Whether the server keeps projects. */
  readonly projects?: boolean;
  /** Models of a static page. */
  readonly models?: readonly ListedModel[];
}

/** The models there are; undefined until they are known. */
export const models = signal<readonly ListedModel[] | undefined>(undefined);
/** Problem that keeps the page from working, if there is one. */
export const problem = signal<string | undefined>(undefined);
/** Whether a token is asked for. */
export const asksToken = signal(false);
/** Where the page comes from; undefined until it is known. */
export const place = signal<Place | undefined>(undefined);

let labeller: Engine<LabelMethods> | undefined;
/** Bytes of models that somebody opened or trained. */
const ownBytes = new Map<string, Uint8Array>();
const opened = new Map<string, Promise<ModelFacts>>();

/** The worker that labels, started when it is first needed. */
export function engine(): Engine<LabelMethods> {
  labeller ??= new Engine<LabelMethods>('worker.js');
  return labeller;
}

/** Finds out what there is. */
export async function findModels(): Promise<void> {
  try {
    const found = (await answerOf('studio.json')) as Place;
    place.value = found;
    if (!found.server) models.value = found.models ?? [];
    else models.value = ((await answerOf(`${found.api}/models`)) as { models: ListedModel[] }).models;
    asksToken.value = false;
    if (found.needsToken)
      annotatorName.value = ((await answerOf(`${found.api}/visitor`)) as { name: string }).name;
  } catch (error) {
    if ((error as { status?: number }).status === 401) asksToken.value = true;
    else problem.value = (error as Error).message;
  }
}

/** What stands at an address, as JSON. @throws Error with the server's message. */
export async function answerOf(address: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(address, init);
  if (response.ok) return response.json();
  const body = (await response.json().catch(() => undefined)) as { error?: { message: string } } | undefined;
  const message = body?.error?.message ?? `${address}: ${response.status} ${response.statusText}`;
  throw Object.assign(new Error(message), { status: response.status });
}

/** Loads a model into the worker, once. */
export function openModel(name: string): Promise<ModelFacts> {
  const found = opened.get(name);
  if (found) return found;
  const file = (own: string) => new URL(listed(own).file, document.baseURI).href;
  const { before } = listed(name);
  const files = before === undefined ? [file(name)] : [file(before), file(name)];
  return remember(name, engine().ask('open', { name, files }));
}

/** Loads a model of one's own from its bytes. */
export function openBytes(name: string, bytes: Uint8Array): Promise<ModelFacts> {
  ownBytes.set(name, bytes);
  const own = { name, task: '', bytes: bytes.length, file: '' };
  return remember(name, engine().ask('open', { name, files: [bytes] })).then((facts) => {
    models.value = [
      ...(models.value ?? []).filter((other) => other.name !== name),
      { ...own, task: facts.task },
    ];
    return facts;
  });
}

/** Files of a model and of those that work before it, in their order. */
export async function modelFiles(name: string): Promise<Uint8Array[]> {
  const own = ownBytes.get(name);
  if (own) return [own];
  const { before, file } = listed(name);
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file}: ${response.status} ${response.statusText}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return before === undefined ? [bytes] : [...(await modelFiles(before)), bytes];
}

function listed(name: string): ListedModel {
  const found = models.value?.find((model) => model.name === name);
  if (found === undefined) throw new Error(`expected a model of the list, found ${JSON.stringify(name)}`);
  return found;
}

function remember(name: string, facts: Promise<ModelFacts>): Promise<ModelFacts> {
  opened.set(name, facts);
  facts.catch(() => opened.delete(name));
  return facts;
}
