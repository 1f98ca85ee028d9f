import { Hono } from 'hono';
import { setCookie } from 'hono/cookie';
import { ApiError } from '../api/api-error.js';
import { openApi } from '../api/openapi.js';
import { API_ROOT, LABEL_OPERATIONS, PROJECT_OPERATIONS } from '../api/operations.js';
import { type ErrorCode, isOutOfMemory, quote, SpanwrightError } from '../base/errors.js';
import { VERSION } from '../base/version.js';
import type { Store } from '../project/store.js';
import {
  addressOf,
  boundedRequests,
  identified,
  type StudioEnvironment,
  sameOrigin,
  securityHeaders,
  TOKEN_COOKIE,
} from './guards.js';
import { addLabelRoutes } from './label-routes.js';
import type { ModelShelf } from './model-shelf.js';
import type { PageFile } from './page-files.js';
import { addProjectRoutes } from './project-routes.js';
import { readBody } from './read-body.js';
import type { TokenFile } from './tokens.js';

/** What a server is made of. */
export interface StudioParts {
  /** Models that it labels with. */
  readonly shelf: ModelShelf;
  /** Files of the page by path. */
  readonly page: ReadonlyMap<string, PageFile>;
  /** Names of hosts that it goes by, without ports. */
  readonly hosts: ReadonlySet<string>;
  /** Tokens of those who may use it; absent: the person at this machine. */
  readonly tokens?: TokenFile | undefined;
  /** Where projects are kept; absent: in the browser. */
  readonly store?: Store | undefined;
}

/** Longest token that is looked at, in bytes. */
const MOST_TOKEN = 200;

/** The server, as a function from requests to answers: `app.request()` calls it without a port. */
export function createApp({ shelf, page, hosts, tokens, store }: StudioParts): Hono<StudioEnvironment> {
  const app = new Hono<StudioEnvironment>();
  const operations = store ? [...LABEL_OPERATIONS, ...PROJECT_OPERATIONS] : LABEL_OPERATIONS;
  app.onError((error) => errorAnswer(error));
  app.notFound((context) => {
    const found = quote(`${context.req.method} ${context.req.path}`);
    return errorAnswer(
      new ApiError(404, 'not-found', `expected one of the paths of the interface, found ${found}`),
    );
  });
  app.use(securityHeaders, boundedRequests(), sameOrigin(hosts));
  app.get('/studio.json', (context) =>
    context.json({
      version: VERSION,
      server: true,
      api: API_ROOT,
      needsToken: tokens !== undefined,
      projects: store !== undefined,
    }),
  );
  app.post(`${API_ROOT}/session`, async (context) => {
    const token = Buffer.from(await readBody(context, MOST_TOKEN))
      .toString()
      .replace(/^"|"$/g, '');
    const visitor = await tokens?.visitor(token, addressOf(context));
    if (visitor) {
      setCookie(context, TOKEN_COOKIE, token, {
        httpOnly: true,
        sameSite: 'Strict',
        path: '/',
        maxAge: 30 * 86_400,
      });
    }
    return context.json(visitor ?? {});
  });
  app.use(`${API_ROOT}/*`, identified(tokens));
  app.get(`${API_ROOT}/openapi.json`, (context) => context.json(openApi(operations)));
  app.get(`${API_ROOT}/visitor`, (context) => context.json(context.get('visitor')));
  addLabelRoutes(app, shelf);
  if (store) addProjectRoutes(app, store, tokens !== undefined);
  app.get('*', (context, next) => {
    const file = page.get(context.req.path);
    if (file === undefined) return next();
    const { bytes, packed, type, tag } = file;
    const headers = { 'content-type': type, etag: tag, 'cache-control': 'no-cache', vary: 'accept-encoding' };
    if (context.req.header('if-none-match') === tag) return Promise.resolve(context.body(null, 304, headers));
    const isPacked = /\bgzip\b/.test(context.req.header('accept-encoding') ?? '');
    const answer = isPacked
      ? context.body(packed, 200, { ...headers, 'content-encoding': 'gzip' })
      : context.body(bytes, 200, headers);
    return Promise.resolve(answer);
  });
  return app;
}

/** An error as JSON. Of what is nobody's mistake but the program's, no more is told. */
function errorAnswer(error: Error): Response {
  const status = statusOf(error);
  const isKnown = error instanceof SpanwrightError;
  const code = isKnown ? error.code : isOutOfMemory(error) ? 'no-memory' : 'failed';
  const message = isKnown ? error.message : 'the server failed at this request; its standard error says more';
  if (!isKnown) process.stderr.write(`${error.stack ?? error.message}\n`);
  return Response.json({ error: { code, message } }, { status });
}

/** Statuses of errors that are not those of a request's form. */
const STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = {
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  forbidden: 403,
  'no-memory': 500,
  'disk-failed': 500,
  'bad-file': 500,
};

function statusOf(error: Error): number {
  if (error instanceof ApiError) return error.status;
  return error instanceof SpanwrightError ? (STATUSES[error.code] ?? 400) : 500;
}
