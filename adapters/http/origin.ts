import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusalFor } from '../../tools/core/boundary.ts';
import type { AppError } from '../../tools/core/errors/app-error.ts';
import { badRequest, forbidden } from '../../tools/core/errors/refusals.ts';
import { answering } from './answering.ts';
import type { App, Handler } from './app.ts';
import { mayBeOfCaller, notePage } from './browser-origins.ts';
import { sendFailure, sendJson } from './envelope.ts';
import { createHosts, type Hosts, malformed } from './hosts.ts';
import { timesSent } from './raw-headers.ts';
import { Visit } from './visit.ts';

/** A name of DNS has 253 characters at the most. */
const ORIGIN_MAX = 300;

/** Monitors and load balancers call the address of a machine, whatever it is. */
const HEALTH = /^\/(?:healthz?|readyz)\/?(?:\?|$)/;

const MCP = /^\/mcp\//;

/**
 * Where pages of any origin may call and read: what tells of the service, what registers programs and gives them
 * tokens, and MCP, which nobody reaches without one. A browser sends no cookie of ours along there that would count
 * (adapters/auth/session.ts), and names that were rebound fail by the Host.
 */
const FOR_ANY_PAGE = /^\/(?:mcp(?:\/|[?]|$)|\.well-known\/|auth\/(?:register|token|revoke)[/]?(?:[?]|$))/;

const ALLOWED_HEADERS = [
  'accept',
  'authorization',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'x-mcp-readonly',
  'x-mcp-toolsets',
  'x-request-id',
].join(', ');
const EXPOSED_HEADERS = [
  'ETag',
  'Idempotency-Replayed',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Policy',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/**
 * The door in front of everything: turns away requests that name another host, against rebound DNS names, and
 * those of foreign pages; lets pages of allowed origins read the answers. Clients that are no browsers send no
 * Origin and pass. True: the request is answered.
 */
export function createDoor(app: App, beyond: Handler): Handler {
  const hosts = createHosts(app);
  const origins = new Set(app.config.allowedOrigins);
  return (req, res) => {
    const error = refusalOf(req, { hosts, origins });
    if (error === undefined) return answerCors(req, res, FOR_ANY_PAGE.test(req.url ?? '') ? '*' : undefined);
    if (error.code === 'FORBIDDEN' && hosts.refusal(req.headers.host) === undefined && mayBeOfCaller(req)) {
      answering(askWhosePage(app, { req, res, error }, beyond), res, app.services.log);
    } else {
      turnAway(app, { req, res, error });
    }
    return true;
  };
}

/** Lets a page in that an organization has named as its own; what it may call with is asked once it is known. */
async function askWhosePage(app: App, refused: Refused, beyond: Handler): Promise<void> {
  const { req, res } = refused;
  try {
    const isKnown = await notePage(app.services, req, req.headers.origin ?? '');
    if (!isKnown) turnAway(app, refused);
    else if (!answerCors(req, res, undefined) && !beyond(req, res)) turnAway(app, refused);
  } catch (thrown) {
    const error = refusalFor(thrown, app.services.log, { doing: 'door' });
    turnAway(app, { ...refused, error });
  }
}

interface Allowed {
  readonly hosts: Hosts;
  readonly origins: ReadonlySet<string>;
}

function refusalOf(req: IncomingMessage, { hosts, origins }: Allowed): AppError | undefined {
  const { host, origin } = req.headers;
  if (isTwice(req.rawHeaders)) {
    return badRequest('The request has two Host or two Authorization headers.', {
      suggestion: 'Send each of them once.',
    });
  }
  const refused = HEALTH.test(req.url ?? '') ? malformed(host) : hosts.refusal(host);
  if (refused !== undefined || origin === undefined || FOR_ANY_PAGE.test(req.url ?? '')) return refused;
  if (origins.has(origin) || hosts.isOwnOrigin(origin, host)) return undefined;
  return foreignOrigin(origin);
}

/** An origin that the setting can hold is written as it has to stand there; anything else is not repeated. */
function foreignOrigin(origin: string): AppError {
  const canStand = origin.length <= ORIGIN_MAX && URL.canParse(origin) && new URL(origin).origin === origin;
  return forbidden(
    'The page that calls is of another origin.',
    canStand
      ? `Call from a page of this service, or have its operator start it with ALLOWED_ORIGINS=${origin} (several with commas).`
      : 'Call from a page of this service, or ask its operator to name the origin in ALLOWED_ORIGINS.',
  );
}

/** Something on the way may have looked at the one that Node drops. */
function isTwice(rawHeaders: readonly string[]): boolean {
  return timesSent(rawHeaders, 'host') > 1 || timesSent(rawHeaders, 'authorization') > 1;
}

interface Refused {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly error: AppError;
}

function turnAway({ services, trustedProxies }: App, { req, res, error }: Refused): void {
  const visit = new Visit(req, res, trustedProxies);
  visit.target = 'turned away';
  if (error.status === 403 && MCP.test(req.url ?? '')) sendJson(visit, 403, rpcBody(error));
  else sendFailure(visit, error);
  visit.log(services.log, error.status);
}

/** What a client of MCP makes of a refusal that is not about a message: an error without an id. */
function rpcBody({ message, suggestion = '' }: AppError): string {
  const told = `${message} ${suggestion}`.trim();
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message: told } });
}

/**
 * Lets a page of an allowed origin read the answer, or any page where all may. True: it was a preflight, and is
 * answered.
 */
function answerCors(req: IncomingMessage, res: ServerResponse, all: '*' | undefined): boolean {
  const { origin } = req.headers;
  if (origin === undefined) return false;
  res.setHeader('Access-Control-Allow-Origin', all ?? origin);
  res.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
  if (all === undefined) res.setHeader('Vary', 'Origin');
  if (req.method !== 'OPTIONS') return false;
  res
    .writeHead(204, {
      'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Max-Age': '600',
    })
    .end();
  return true;
}
