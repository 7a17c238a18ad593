import { toNodeHandler } from '@modelcontextprotocol/node';
import { classifyInboundRequest, isSpecType } from '@modelcontextprotocol/server';
import type { Caller, Services } from '../../tools/core/context.ts';
import { setPairs, type Visit } from '../http/visit.ts';
import type { Address } from './address.ts';
import { officialServer, withPassenger } from './official.ts';
import { createSessions, type Sessions } from './sessions.ts';

const EVENTS = 'text/event-stream';
const BOTH = `application/json, ${EVENTS}`;

/** The way through the official server, with the sessions that live there. */
export interface OfficialLane {
  readonly isSpecType: IsSpecType;
  answer(request: OfficialRequest): Promise<void>;
  close(): Promise<void>;
}

/** The checks of the specification's own shapes. */
export type IsSpecType = typeof isSpecType;

export function createOfficialLane(services: Services): OfficialLane {
  const sessions = createSessions(services);
  return {
    isSpecType,
    answer: (request) => answerOfficially(request, sessions),
    close: () => sessions.close(),
  };
}

export interface OfficialRequest {
  readonly visit: Visit;
  readonly caller: Caller;
  readonly address: Address;
  readonly body: unknown;
}

/** Hands a request to the official server: stateless ones to their handler, the others to their session. */
async function answerOfficially(request: OfficialRequest, sessions: Sessions): Promise<void> {
  const { visit, caller, address, body } = request;
  const { res } = visit;
  setPairs(res, visit.headers());
  const authInfo = withPassenger({
    caller,
    requestId: visit.requestId,
    ip: visit.ip,
    server: address.server,
  });
  const req = Object.assign(visit.req, {
    auth: authInfo,
    method: visit.req.method ?? 'GET',
    url: visit.req.url ?? '/',
  });
  if (isStateless(visit, body)) {
    await toNodeHandler(address.modern)(req, res, body);
    return;
  }
  const wantsEvents = req.headers.accept?.includes(EVENTS) ?? false;
  // The session transport refuses whoever does not accept both; scripts accept what they get.
  if (req.method === 'POST') req.headers.accept = BOTH;
  const fetch = async (webRequest: Request): Promise<Response> => {
    const response = await sessions.handle({
      request: webRequest,
      body,
      sessionId: sessionIdOf(visit),
      owner: {
        organizationId: caller.organizationId,
        principal: caller.principal,
        surface: address.surface,
      },
      authInfo,
      newServer: () => officialServer(address.parts, address.catalog),
    });
    if (req.method === 'GET') return greeting(response);
    return wantsEvents || req.method !== 'POST' ? response : withoutEvents(response, Array.isArray(body));
  };
  await toNodeHandler({ fetch })(req, res, body);
}

function sessionIdOf({ req }: Visit): string | undefined {
  const id = req.headers['mcp-session-id'];
  return typeof id === 'string' ? id : undefined;
}

function isStateless({ req }: Visit, body: unknown): boolean {
  const { kind } = classifyInboundRequest({
    httpMethod: req.method ?? 'GET',
    ...header('protocolVersionHeader', req.headers['mcp-protocol-version']),
    ...header('mcpMethodHeader', req.headers['mcp-method']),
    ...header('mcpNameHeader', req.headers['mcp-name']),
    ...(body === undefined ? {} : { body }),
  });
  return kind !== 'legacy';
}

function header<K extends string>(
  key: K,
  value: string | string[] | undefined,
): { [P in K]?: string } | object {
  return typeof value === 'string' ? { [key]: value } : {};
}

/** An event stream that begins at once: its headers travel with its first bytes, and its reader waits for them. */
function greeting(response: Response): Response {
  if (!response.ok || response.body === null) return response;
  const comment = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(': listening\n\n')),
  });
  return new Response(response.body.pipeThrough(comment), response);
}

/** The answer of an event stream as plain JSON, for a caller that takes no events. A batch has a list of them. */
async function withoutEvents(response: Response, isBatch: boolean): Promise<Response> {
  if (response.headers.get('content-type') !== EVENTS) return response;
  const events = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  const answers = events.map((line) => line.slice('data: '.length)).filter(isAnswer);
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  return new Response(isBatch ? `[${answers.join(',')}]` : answers[0], { status: 200, headers });
}

/** A result or an error; not a notification on the way to it. */
function isAnswer(json: string): boolean {
  const message: unknown = JSON.parse(json);
  return typeof message === 'object' && message !== null && !('method' in message);
}
