import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopback } from '../net/addresses.ts';
import type { App } from './app.ts';

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A name or a bracketed address, and perhaps a port (RFC 9110, section 7.2). */
const HOST = /^(\[[\da-f:.]+\]|[^:[\]/?#@]+)(?::\d*)?$/i;

const ALLOWED_HEADERS = [
  'authorization',
  'content-type',
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
 * Whether a request names us and comes from a page that may call us: against rebound DNS names and foreign
 * pages. Clients that are no browsers send no Origin and pass.
 */
export function isForeign(app: App, { headers }: IncomingMessage): boolean {
  return !isOwnHost(app, headers.host) || !isAllowedOrigin(app, headers.origin);
}

/** Behind loopback only loopback names are ours; elsewhere a proxy may call us by a name we do not know. */
function isOwnHost(app: App, host: string | undefined): boolean {
  if (!isLoopback(app.config.host) && app.config.host !== 'localhost') return true;
  const name = HOST.exec(host ?? '')?.[1]?.toLowerCase();
  return name !== undefined && (LOOPBACK_NAMES.has(name) || name === hostnameOf(app.services.publicUrl()));
}

function isAllowedOrigin(app: App, origin: string | undefined): boolean {
  if (origin === undefined) return true;
  const own = new URL(app.services.publicUrl());
  if (origin === own.origin || app.config.allowedOrigins.includes(origin)) return true;
  const name = hostnameOf(origin);
  return LOOPBACK_NAMES.has(own.hostname) && name !== undefined && LOOPBACK_NAMES.has(name);
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** Lets a page of an allowed origin read the answer. True: it was a preflight, and is answered. */
export function answerCors(app: App, req: IncomingMessage, res: ServerResponse): boolean {
  const { origin } = req.headers;
  if (origin === undefined || !isAllowedOrigin(app, origin)) return false;
  res.setHeader('Access-Control-Allow-Origin', origin);
  res.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
  res.setHeader('Vary', 'Origin');
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
