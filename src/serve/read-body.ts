import type { Context } from 'hono';
import { ApiError } from '../api/api-error.js';
import { type CheckedBody, checkBody } from '../api/check-body.js';
import type { ApiOperation } from '../api/operations.js';
import { findInvalidUtf8 } from '../base/utf8.js';

/** Most bytes of a body that is read as a whole. */
export const MOST_BODY = 32 << 20;

/** The bytes of a request's body. @throws ApiError beyond the limit, however long the body says it is. */
export async function readBody(context: Context, most = MOST_BODY): Promise<Uint8Array> {
  const tooLarge = () => new ApiError(413, 'too-large', `expected a body of at most ${most} bytes`);
  if (Number(context.req.header('content-length') ?? 0) > most) throw tooLarge();
  const stream = context.req.raw.body;
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (stream) {
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > most) throw tooLarge();
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks, length);
}

/** The JSON body of an operation, checked. @throws ApiError for what it is not. */
export async function readJsonBody(context: Context, operation: ApiOperation): Promise<CheckedBody> {
  const bytes = await readBody(context);
  const bad = findInvalidUtf8(bytes);
  if (bad >= 0) throw new ApiError(400, 'bad-request', `expected UTF-8, found another byte at ${bad}`);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  } catch (error) {
    throw new ApiError(400, 'bad-request', `expected JSON: ${(error as Error).message}`);
  }
  return checkBody(operation, value);
}
