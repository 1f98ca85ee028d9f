import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createApp, type StudioParts } from '../../src/serve/app.js';
import { ModelShelf } from '../../src/serve/model-shelf.js';

const model = (name: string) => fileURLToPath(new URL(`../../models/${name}.safetensors`, import.meta.url));

/** A server with the bundled English models, without a port and without the page. */
export function testApp(parts: Partial<StudioParts> = {}) {
  const shelf = new ModelShelf([
    { name: 'english-pos', path: model('english-pos') },
    { name: 'english-chunk', path: model('english-chunk'), before: 'english-pos' },
  ]);
  return createApp({ shelf, page: new Map(), hosts: new Set(['localhost']), ...parts });
}

/** A request of the page itself. */
export function request(
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  method?: string,
): Request {
  const isSent = body !== undefined;
  return new Request(`http://localhost${path}`, {
    method: method ?? (isSent ? 'POST' : 'GET'),
    headers: { host: 'localhost', ...(isSent && { 'content-type': 'application/json' }), ...headers },
    ...(isSent && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** Whether the page has been built. */
export const isBuilt = existsSync(fileURLToPath(new URL('../../dist/studio/main.js', import.meta.url)));
