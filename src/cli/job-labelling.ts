/** Labelling as a job: what its plan says of options and models, and how a worker labels a part. */
import { createHash } from 'node:crypto';
import { relative, resolve } from 'node:path';
import { InputError, ModelFileError, OptionError, show } from '../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../base/options.js';
import { VERSION } from '../base/version.js';
import { bordersOf } from '../data/formats/input-formats.js';
import type { JobModel, JobPart, JobPlan, JobSettings } from '../jobs/job-plan.js';
import { ColumnLabeller } from '../label/label-columns.js';
import { bundledModel } from '../model/bundled-models.js';
import { readModelBytes } from '../node/corpora.js';
import { fileSize, readChunks, readRange } from '../node/files.js';
import { type JobFolder, sha256 } from '../node/job-folder.js';
import type { PlanRequest } from '../node/plan-job.js';
import type { PartCounts, PartLabeller } from '../node/work-on-job.js';
import { labelHere } from './label-output.js';
import { LABEL_GROUPS, LabelSetup } from './label-setup.js';
import { encodingOf, posModelFile } from './options.js';

/** Options of workers that find files elsewhere than the plan says. */
export const PLACE_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'model',
    short: 'm',
    kind: 'string',
    placeholder: 'FILE',
    file: 'read',
    help: 'where the model is on this machine, if not where the plan says; it must be the same',
  },
  {
    name: 'inputs',
    kind: 'string',
    placeholder: 'FOLDER',
    help: 'folder that names of inputs are relative to on this machine, if not where it was',
  },
];

/** What a job of the given inputs is planned of. */
export async function planRequest(
  given: OptionValues,
  inputs: readonly string[],
  size: number,
): Promise<PlanRequest> {
  const own = Object.fromEntries(
    LABEL_GROUPS.flatMap(({ options }) => options)
      .filter(({ name }) => given[name] !== undefined)
      .map(({ name }) => [name, given[name]]),
  );
  if (own.abbreviations !== undefined) {
    throw new OptionError(
      'abbreviations',
      '--abbreviations: expected no such file in a job, whose workers may not have it',
    );
  }
  // Where the output goes decides no format: it is no terminal.
  const setup = await LabelSetup.of({ ...own, output: 'a file' }, inputs);
  const { inputFormat, format } = setup;
  if (typeof format !== 'string') {
    throw new OptionError(
      'format',
      '--format pretty: expected a format for programs; pretty is for reading on a terminal',
    );
  }
  const isOfColumns = inputFormat === 'columns';
  const labeller = isOfColumns
    ? setup.columnLabeller(setup.at({ input: inputs[0] }))
    : await setup.unitLabeller(inputFormat, setup.at({ input: inputs[0] }));
  const tagger = isOfColumns ? setup.tagger : (await setup.pipelineFor(inputFormat)).last;
  const { tokens, tokenizer } = tagger.model.configuration;
  const { readsDocuments, documentSize } = tagger;
  const { model: _, text: __, ...options } = own;
  return {
    settings: {
      version: VERSION,
      options: { ...options, 'input-format': inputFormat, format: setup.isTable ? 'parquet' : format },
      model: { name: setup.source, sha256: sha256(setup.bytes) },
      posModel: await posModelRecord(setup),
    },
    inputs,
    folder: process.cwd(),
    size,
    rule:
      own['join-unknown'] === true
        ? undefined
        : bordersOf(inputFormat, {
            tokens,
            tokenizer,
            readsDocuments,
            lineByLine: own['line-by-line'] === true,
          }),
    documentSize,
    header: own.header as number | undefined,
    encoding: encodingOf(own),
    measure: labeller instanceof ColumnLabeller ? (lines, from) => labeller.measure(lines, from) : undefined,
  };
}

/** The model that fills in parts of speech, if one does. */
async function posModelRecord(setup: LabelSetup): Promise<JobModel | null> {
  const { options, inputFormat } = setup;
  if (inputFormat === 'columns' || (await setup.pipelineFor(inputFormat)).earlier.length === 0) return null;
  const path = posModelFile(options, setup.load());
  if (path === undefined) return null;
  const name = options['pos-model'] === undefined ? '' : String(options['pos-model']);
  return { name, sha256: sha256(await readModelBytes(path)) };
}

/** Refuses a plan of another version of the program, whose labels may differ. @throws InputError naming both. */
export function checkVersion({ path }: JobFolder, { version }: JobSettings): void {
  if (version === VERSION) return;
  throw new InputError(
    { source: path },
    `expected a job planned by Spanwright ${VERSION}, which runs here, found one of ${show(version)}, whose labels may ` +
      'differ; run that version, or plan the job anew in another folder',
  );
}

/**
 * What labels the parts of a job on this machine.
 *
 * @param given {@link PLACE_OPTIONS}.
 * @throws InputError for a plan of another version, ModelFileError where a model is not that of the plan.
 */
export async function partLabeller(
  folder: JobFolder,
  plan: JobPlan,
  given: OptionValues = {},
): Promise<PartLabeller> {
  const { settings, files } = plan;
  checkVersion(folder, settings);
  const inputs =
    given.inputs === undefined ? resolve(folder.path, plan.folder) : resolve(String(given.inputs));
  const locate = (name: string) => (bundledModel(name) ? name : resolve(inputs, name));
  const model = given.model === undefined ? locate(settings.model.name) : String(given.model);
  const posModel = settings.posModel?.name ? { 'pos-model': locate(settings.posModel.name) } : {};
  const setup = await LabelSetup.of({ ...settings.options, model, ...posModel }, [undefined]);
  checkSame(model, setup.bytes, settings.model, ' by --model');
  if (settings.posModel) {
    const path = posModelFile(setup.options, setup.load());
    if (path === undefined) {
      throw new ModelFileError(
        model,
        'expected beside it the model of parts of speech that the job was planned with, found none',
      );
    }
    checkSame(path, await readModelBytes(path), settings.posModel, '');
  }
  return async (part, write) => {
    const file = files[part.file];
    const hash = createHash('sha256');
    const path = resolve(inputs, file.name);
    const size = await fileSize(path);
    if (size > 0 && size !== file.size) throw changed(part, file.name);
    const chunks = file.whole
      ? readChunks(path, encodingOf(settings.options), (bytes) => hash.update(bytes))
      : hashed(readRange(path, part), hash);
    const from = file.whole ? undefined : part;
    const how = setup.at({ input: file.name, from });
    const labeller =
      setup.inputFormat === 'columns'
        ? setup.columnLabeller(how)
        : await setup.unitLabeller(setup.inputFormat, how);
    if (from && labeller instanceof ColumnLabeller) labeller.restart(from, file.width ?? undefined);
    return { ...(await labelChecked()), sentences: labeller.sentences, tokens: labeller.tokens };

    async function labelChecked(): Promise<Pick<PartCounts, 'badSentences' | 'firstProblem'>> {
      try {
        const { badSentences, firstProblem = null } = await labelHere(labeller, chunks, { write });
        checkInput(hash.digest('hex'), part, file.name);
        return { badSentences, firstProblem };
      } catch (error) {
        // What cannot be read may be new in the file.
        if (error === labeller.stopped) await checkRest();
        throw error;
      }
    }
    async function checkRest(): Promise<void> {
      const again = createHash('sha256');
      const add = (bytes: Uint8Array) => again.update(bytes);
      if (file.whole) for await (const _ of readChunks(path, encodingOf(settings.options), add));
      else for await (const chunk of readRange(path, part)) add(chunk);
      checkInput(again.digest('hex'), part, file.name);
    }
  };
}

async function* hashed(
  chunks: AsyncIterable<Uint8Array>,
  hash: { update(bytes: Uint8Array): unknown },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/** @throws InputError where an input is not what it was. */
function checkInput(hash: string, part: JobPart, source: string): void {
  if (hash !== part.sha256) throw changed(part, source);
}

function changed({ byte, bytes }: JobPart, source: string): InputError {
  return new InputError(
    { source, byte },
    `expected the ${bytes} bytes that the job was planned with, found others: the file has changed; put it back and ` +
      'job retry, or plan again with job plan --again, which keeps what is done of other parts',
  );
}

/** @throws ModelFileError where a model is not that of the plan. */
function checkSame(path: string, bytes: Uint8Array, expected: JobModel, how: string): void {
  const found = sha256(bytes);
  if (found === expected.sha256) return;
  throw new ModelFileError(
    path,
    `expected the model that the job was planned with (SHA-256 ${expected.sha256.slice(0, 16)}…), found another ` +
      `(${found.slice(0, 16)}…); give that one${how}`,
  );
}

/** The folder of inputs, as a plan has it. */
export function folderOfInputs({ path }: JobFolder, inputs: string): string {
  return relative(path, inputs);
}
