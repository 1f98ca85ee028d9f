import type { Context, Hono } from 'hono';
import { ApiError } from '../api/api-error.js';
import { checkQuery } from '../api/check-body.js';
import { API_ROOT, type ApiOperation, LABEL_OPERATIONS, MOST_TEXT } from '../api/operations.js';
import { InputError } from '../base/errors.js';
import type { OptionValues } from '../base/options.js';
import { encodeUtf8 } from '../base/utf8.js';
import { LABEL_FORMATS, type LabelFormat } from '../label/formats.js';
import { UnitLabeller } from '../label/label-units.js';
import type { ErrorPolicy, Labeller } from '../label/labeller.js';
import { splitForPipeline } from '../label/pipeline.js';
import { explain } from '../tag/explain.js';
import type { StudioEnvironment } from './guards.js';
import type { ModelShelf } from './model-shelf.js';
import { readJsonBody } from './read-body.js';

/** Most bytes of a line of a stream. */
const MOST_LINE = 1 << 20;
const NEWLINE = 10;

/** The declaration of an operation. */
export function operationNamed(operations: readonly ApiOperation[], id: string): ApiOperation {
  return operations.find((operation) => operation.id === id) as ApiOperation;
}

/** Adds the routes of labelling. */
export function addLabelRoutes(app: Hono<StudioEnvironment>, shelf: ModelShelf): void {
  const label = operationNamed(LABEL_OPERATIONS, 'label');
  const explaining = operationNamed(LABEL_OPERATIONS, 'explain');
  app.get(`${API_ROOT}/models`, async (context) => {
    const models = (await shelf.summaries()).map((own) => ({
      ...own,
      file: `${API_ROOT}/models/${own.name}/file`,
    }));
    return context.json({ models });
  });
  app.get(`${API_ROOT}/models/:model/file`, async (context) => {
    const bytes = await shelf.bytes(context.req.param('model'));
    return context.body(bytes, 200, {
      'content-type': 'application/octet-stream',
      'cache-control': 'no-cache',
    });
  });
  app.post(`${API_ROOT}/label`, async (context) => {
    const type = (context.req.header('content-type') ?? '').split(';', 1)[0];
    const query = checkQuery(label.query ?? [], context.req.query());
    return type === label.streams ? labelStream(context, shelf, query) : labelText(context, shelf, label);
  });
  app.post(`${API_ROOT}/explain`, async (context) => {
    const body = await readJsonBody(context, explaining);
    const text = textOf(body.text);
    const pipeline = await shelf.pipeline(String(body.model));
    const sentences = splitForPipeline(pipeline, text).map((sentence) => {
      const [columns] = pipeline.fill([{ word: sentence.words }]);
      const tokens = explain(pipeline.last, columns).map(({ cells: _, ...own }, t) => ({
        text: sentence.text.slice(sentence.tokens[2 * t], sentence.tokens[2 * t + 1]),
        ...own,
        features: own.features.slice(0, Number(body.features)),
      }));
      return { text: sentence.text, start: sentence.start, tokens };
    });
    return context.json({ model: String(body.model), sentences });
  });
}

function textOf(text: unknown): string {
  if (typeof text !== 'string') throw new ApiError(400, 'bad-request', 'text: expected a string');
  if (text.length <= MOST_TEXT) return text;
  throw new ApiError(
    413,
    'too-large',
    `text: expected at most ${MOST_TEXT} characters, found ${text.length}; longer ones go as application/x-ndjson`,
  );
}

async function labelText(context: Context, shelf: ModelShelf, operation: ApiOperation): Promise<Response> {
  const body = await readJsonBody(context, operation);
  const text = textOf(body.text);
  const pipeline = await shelf.pipeline(String(body.model));
  pipeline.checkReadsText();
  const split = splitForPipeline(pipeline, text);
  if (body.kbest !== undefined) pipeline.last.checkAlternatives(Number(body.kbest));
  const labelled = pipeline.labelSentences(
    split,
    split.map(({ words }) => ({ word: words })),
    body.confidence === true,
    body.kbest as number | undefined,
  );
  const sentences = labelled.map((sentence) => LABEL_FORMATS.json.write(sentence).trimEnd());
  const json = `{"model":${JSON.stringify(body.model)},"sentences":[${sentences.join(',')}]}`;
  return context.body(json, 200, { 'content-type': 'application/json' });
}

async function labelStream(context: Context, shelf: ModelShelf, query: OptionValues): Promise<Response> {
  const pipeline = await shelf.pipeline(String(query.model));
  const labeller = new UnitLabeller(pipeline, 'jsonl', {
    source: '<request>',
    format: query.format as LabelFormat,
    confidence: query.confidence === true,
    kbest: query.kbest as number | undefined,
    onError: query['on-error'] as ErrorPolicy,
  });
  const { body } = context.req.raw;
  const chunks = (body ?? new Blob([]).stream()) as unknown as AsyncIterable<Uint8Array>;
  const output = labelledChunks(labeller, boundedLines(chunks));
  // What is wrong with the first document is said with a status.
  const first = await output.next();
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      if (!first.done) controller.enqueue(first.value);
    },
    async pull(controller) {
      try {
        const { done, value } = await output.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        // The status has gone out: the problem is the last line.
        const { code = 'bad-request', message } = error as InputError;
        controller.enqueue(encodeUtf8(`${JSON.stringify({ error: { code, message } })}\n`));
        controller.close();
      }
    },
    async cancel() {
      await output.return(undefined);
    },
  });
  return context.body(stream, 200, { 'content-type': 'application/x-ndjson' });
}

/** Output of a labeller, as its input comes; a turn is given to other requests after each chunk. */
async function* labelledChunks(
  labeller: Labeller,
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of input) {
    const out = labeller.push(chunk);
    if (out.length > 0) yield out.slice();
    if (labeller.stopped) throw labeller.stopped;
    await new Promise(setImmediate);
  }
  const rest = labeller.finish();
  if (rest.length > 0) yield rest.slice();
  if (labeller.stopped) throw labeller.stopped;
}

/** Chunks of a stream whose lines are not too long. @throws InputError at one that is. */
async function* boundedLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  let line = 1;
  for await (const chunk of input) {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from);
      const last = end < 0 ? chunk.length : end;
      length += last - from;
      if (length > MOST_LINE) {
        throw new InputError({ source: '<request>', line }, `expected a line of at most ${MOST_LINE} bytes`);
      }
      if (end < 0) break;
      from = end + 1;
      length = 0;
      line++;
    }
    yield chunk;
  }
}
