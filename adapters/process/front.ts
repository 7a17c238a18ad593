import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { refusalFor } from '../../tools/core/boundary.ts';
import { MINUTE_MS } from '../../tools/core/moments.ts';
import { answering } from '../http/answering.ts';
import type { App } from '../http/app.ts';
import { sendFailure } from '../http/envelope.ts';
import { KEEP_ALIVE_MS } from '../http/keep-alive.ts';
import { LOOK_EVERY_MS as LOOP_LOOK_MS } from '../http/overload.ts';
import { closeSoon, isLong } from '../http/unread-body.ts';
import { Visit } from '../http/visit.ts';
import type { Extension } from '../mcp/server-parts.ts';
import type { createPages } from '../pages/pages.ts';
import { LOOK_EVERY_MS, watchConnections } from './connections.ts';
import { createHandler } from './handler.ts';
import { faultOf, refuseGarbage, refuseTunnel } from './refused-requests.ts';

const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = MINUTE_MS;
/** How often, once the service is stopping, connections without a request are closed. */
const IDLE_GRACE_MS = 500;

export interface Front {
  readonly server: Server;
  /** Makes the pages before anybody asks for one. */
  warm(): Promise<void>;
  /** Takes no new connections, answers what is under way, and resolves when every connection is closed. */
  drain(deadlineMs: number): Promise<void>;
}

/** The server of the process: REST and MCP on Node's own requests, pages by Express behind them. */
export function createFront(app: App, extension?: Extension): Front {
  const { handle, close } = createHandler(app, extension);
  const pages = pagesOf(app);
  const { config, services } = app;
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Of those that wait for nothing we look after all together.
    keepAliveTimeout: 0,
    // Node would answer without a body: ours is the envelope.
    requireHostHeader: false,
  });
  // Node would pass over those beyond its limit without a word: too many are refused.
  server.maxHeadersCount = 0;
  const connections = watchConnections(server, { ...config, keepAliveMs: KEEP_ALIVE_MS });
  const looking = setInterval(connections.look, LOOK_EVERY_MS).unref();
  const lookingAtLoop = setInterval(app.overload.look, LOOP_LOOK_MS).unref();
  server.once('close', () => {
    clearInterval(looking);
    clearInterval(lookingAtLoop);
  });
  services.stopping.addEventListener('abort', () => connections.endAfterLast(), { once: true });
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    if (!connections.admit(req, res)) return;
    if (isLong(req)) readNoFurther(req, res);
    const fault = faultOf(req, config.headersMax);
    if (fault !== undefined) {
      res.setHeader('Connection', 'close');
      sendFailure(new Visit(req, res, app.trustedProxies), fault);
      return;
    }
    req.url = originForm(req.url);
    if (!handle(req, res)) answering(pages.answer(req, res), res, services.log);
  };
  server.on('request', serve);
  // An expectation that nobody knows may be passed over (RFC 9110, section 10.1.1).
  server.on('checkExpectation', serve);
  server.on('connect', (_req, socket: Socket) => refuseTunnel(socket));
  const closeIdle = idleCloser(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseGarbage(error, socket, connections),
  );
  return {
    server,
    warm: pages.warm,
    drain: async (deadlineMs) => {
      // The servers of MCP last: calls under way are answered through them.
      await drain(server, { closeIdle, deadlineMs });
      await close();
    },
  };
}

/** The pages, made when the first of them is asked for or a while after the start: ready comes sooner without them. */
function pagesOf(app: App) {
  let made: Promise<ReturnType<typeof createPages>> | undefined;
  const make = () => {
    made ??= import('../pages/pages.ts').then((module) => module.createPages(app));
    return made;
  };
  return {
    answer: async (req: IncomingMessage, res: ServerResponse) => {
      try {
        (await make())(req, res);
      } catch (error) {
        const refusal = refusalFor(error, app.services.log, { doing: 'pages' });
        sendFailure(new Visit(req, res, app.trustedProxies), refusal);
      }
    },
    warm: async () => {
      // What cannot be made is told to whoever asks for a page.
      await make().catch(() => undefined);
    },
  };
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** The path of a request that came in absolute form (RFC 9112, section 3.2.2). */
function originForm(url = '/'): string {
  if (url.startsWith('/')) return url;
  const path = url.replace(ORIGIN, '');
  return path === url || path.startsWith('/') ? path : `/${path}`;
}

/** An answer that comes before a long body is whole ends the connection: Node would read on for as long as it comes. */
function readNoFurther(req: IncomingMessage, res: ServerResponse): void {
  res.once('finish', () => {
    if (!req.complete) closeSoon(req.socket);
  });
}

/** Closes connections that wait for no answer, those too that never asked for one: Node counts them as busy. */
function idleCloser(server: Server): () => void {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return () => {
    server.closeIdleConnections();
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };
}

interface Drain {
  closeIdle(): void;
  readonly deadlineMs: number;
}

function drain(server: Server, { closeIdle, deadlineMs }: Drain): Promise<void> {
  return new Promise((resolve) => {
    // Again and again: a connection is idle only when its request is answered.
    // After what has come was read: a process that was held up finds its timer due before the requests that wait.
    const idle = setInterval(() => setImmediate(closeIdle), IDLE_GRACE_MS);
    const late = setTimeout(() => server.closeAllConnections(), deadlineMs);
    // The HTTP server's own close would cut idle connections at once, and with them a request on its way.
    NetServer.prototype.close.call(server, () => {
      clearInterval(idle);
      clearTimeout(late);
      resolve();
    });
  });
}
