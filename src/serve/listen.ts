import { createServer, type Server } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { OptionError } from '../base/errors.js';
import type { StudioEnvironment } from './guards.js';

/** A server that listens. */
export interface Listening {
  /** Port that it has. */
  readonly port: number;
  /** Ends it, and the connections it has. */
  close(): Promise<void>;
}

/** Milliseconds in which the head of a request must have come. */
const HEAD_TIME = 10_000;
/** Milliseconds after which a connection on which nothing moves ends. */
const IDLE_TIME = 30_000;
/** Most connections at a time. */
const MOST_CONNECTIONS = 256;
/** Hosts that nobody but this machine reaches. */
export const LOOPBACK = ['127.0.0.1', 'localhost', '::1', '[::1]'];

/** Whether a host is this machine's own. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host) || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Starts to listen. @throws OptionError for a port that is taken and a host that is not this machine's. */
export async function listen(app: Hono<StudioEnvironment>, host: string, port: number): Promise<Listening> {
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer(
    { headersTimeout: HEAD_TIME, requestTimeout: 0, keepAliveTimeout: 5000 },
    listener,
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(IDLE_TIME, (socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenProblem(error, host, port)));
    server.listen({ host: host.replace(/^\[|\]$/g, ''), port }, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function listenProblem(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new OptionError(
      'port',
      `--port: expected a free port of ${host}, found ${port} to be taken; 0 takes any`,
    );
  }
  if (error.code === 'EACCES')
    return new OptionError('port', `--port ${port}: expected one that you may listen on`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new OptionError('host', `--host: expected an address of this machine, found ${host}`);
  }
  return error;
}
