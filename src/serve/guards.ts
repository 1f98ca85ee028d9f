import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { ApiError } from '../api/api-error.js';
import { quote } from '../base/errors.js';
import type { TokenFile, Visitor } from './tokens.js';

/** What handlers find in a request's context. */
export interface StudioEnvironment {
  /** Values that guards set. */
  Variables: {
    /** Who asks. */
    visitor: Visitor;
  };
  /** What the server of Node adds; none where an app is called without one. */
  Bindings: NodeBindings;
}

/** What the server of Node adds to a request. */
export interface NodeBindings {
  /** The request as Node has it. */
  readonly incoming?: Pick<IncomingMessage, 'socket'>;
}

/** Policy for what the page may load: nothing but its own files, and no script from strings. */
export const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types spanwright',
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

/** Types of bodies that pages of other origins cannot send without asking first. */
const BODY_TYPES = ['application/json', 'application/x-ndjson', 'application/octet-stream'];
/** Most requests that are worked on at a time. */
const MOST_AT_ONCE = 64;
/** Name of the cookie that holds a token. */
export const TOKEN_COOKIE = 'spanwright-token';

/** Puts the headers on every answer that keep a page to itself. */
export const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
};

/** Refuses requests beyond a number at a time. */
export function boundedRequests(most = MOST_AT_ONCE): MiddlewareHandler {
  let running = 0;
  return async (context, next) => {
    if (running >= most) {
      context.header('retry-after', '1');
      throw new ApiError(503, 'busy', `expected at most ${most} requests at a time`);
    }
    running++;
    try {
      await next();
    } finally {
      running--;
    }
  };
}

/**
 * Refuses names of hosts that are not the server's, which a page elsewhere may have had resolved to this machine, requests that
 * pages of other origins make, and bodies of types that such pages can send unasked.
 *
 * @param hosts names of hosts, without ports, that the server goes by.
 */
export function sameOrigin(hosts: ReadonlySet<string>): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host') ?? '';
    if (!hosts.has(hostName(host))) {
      throw new ApiError(403, 'forbidden', `expected a Host that this server goes by, found ${quote(host)}`);
    }
    const { method } = context.req;
    if (method !== 'GET' && method !== 'HEAD') checkOrigin(context, host);
    await next();
  };
}

function checkOrigin(context: Context, host: string): void {
  const site = context.req.header('sec-fetch-site');
  const origin = context.req.header('origin');
  const isSame = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  if (!isSame || (site !== undefined && site !== 'same-origin' && site !== 'none')) {
    throw new ApiError(
      403,
      'forbidden',
      `expected a request of the same origin, found ${quote(origin ?? site ?? '')}`,
    );
  }
  const type = (context.req.header('content-type') ?? '').split(';', 1)[0].trim().toLowerCase();
  if (!BODY_TYPES.includes(type)) {
    throw new ApiError(
      415,
      'bad-request',
      `expected the content type application/json, found ${quote(type)}`,
    );
  }
}

/** A host without its port: `[::1]:80` is `[::1]`. */
function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

/** Who asks where there are no tokens: the person at this machine. */
const LOCAL: Visitor = { name: 'me', role: 'owner' };

/** Finds out who asks: by the token in a header or cookie, or the one person where there are no tokens. */
export function identified(tokens: TokenFile | undefined): MiddlewareHandler<StudioEnvironment> {
  return async (context, next) => {
    if (tokens === undefined) context.set('visitor', LOCAL);
    else {
      const bearer = /^Bearer (\S+)$/.exec(context.req.header('authorization') ?? '')?.[1];
      const token = bearer ?? getCookie(context, TOKEN_COOKIE);
      if (token === undefined) throw new ApiError(401, 'forbidden', 'expected a token, found none');
      context.set('visitor', await tokens.visitor(token, addressOf(context)));
    }
    await next();
  };
}

/** Where a request comes from. */
export function addressOf(context: Context<StudioEnvironment>): string {
  return context.env?.incoming?.socket?.remoteAddress ?? 'unknown';
}
