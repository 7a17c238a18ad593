import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App, Handler } from '../http/app.ts';
import { createDoor } from '../http/origin.ts';
import { versionedUrl } from '../http/versioning.ts';
import { requestIdOf } from '../http/visit.ts';
import { createMcp } from '../mcp/endpoint.ts';
import type { Extension } from '../mcp/server-parts.ts';
import { createRest } from '../rest/rest.ts';
import { createSignup } from '../signup/signup.ts';

/** A request as Express hands it over: mounted under a path, `url` is what comes after it. */
type MaybeMounted = IncomingMessage & { readonly baseUrl?: string };

/** What REST and MCP answer below where they stand; the rest is the application's around them. */
const OWN_PATH = /^\/(?:api|mcp|health|healthz|readyz|metrics)(?:[/?]|$)/;

/**
 * The door, REST, MCP and the unversioned addresses as one function of Node's request and response, made from
 * the registry. True: the request was turned away, or one of theirs.
 */
export function createHandler(app: App, extension?: Extension): { handle: Handler; close(): Promise<void> } {
  const rest = createRest(app);
  const door = createDoor(app, rest);
  const signup = createSignup(app);
  const mcp = createMcp(app, { extension });
  return {
    handle: (req, res) =>
      door(req, res) ||
      redirected(req, res) ||
      mcp.handle(req, res) ||
      signup(req, res) ||
      rest(req, res) ||
      app.operations(req, res),
    close: () => mcp.close(),
  };
}

/** The same as middleware, for an Express application that embeds the service. */
export function expressAdapter(app: App) {
  const { handle } = createHandler(app);
  return (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    if (!OWN_PATH.test(req.url ?? '') || !handle(req, res)) next();
  };
}

/** 308 keeps the method and the body (RFC 9110, section 15.4.9). */
function redirected(req: MaybeMounted, res: ServerResponse): boolean {
  const moved = versionedUrl(req.url ?? '/');
  if (moved === undefined) return false;
  const headers = { Location: `${req.baseUrl ?? ''}${moved}`, 'X-Request-Id': requestIdOf(req) };
  res.writeHead(308, { ...headers, 'Content-Length': '0' }).end();
  return true;
}
