import { toWebRequest } from '@modelcontextprotocol/node';
import { classifyInboundRequest, isSpecType } from '@modelcontextprotocol/server';
import type { Caller } from '../../tools/core/context.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import type { App } from '../http/app.ts';
import { limitedAccountOf } from '../http/rate-limit.ts';
import { setPairs, type Visit } from '../http/visit.ts';
import type { Address } from './address.ts';
import { requestIdsIn } from './messages.ts';
import { officialServer, withPassenger } from './official.ts';
import { CANCELLED } from './session-server.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { sendWeb } from './web-response.ts';

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

interface Lane {
  readonly app: App;
  readonly sessions: Sessions;
}

export function createOfficialLane(app: App): OfficialLane {
  const sessions = createSessions(app.services, app.config, app.link);
  return {
    isSpecType,
    answer: (request) => answerOfficially({ app, sessions }, request),
    close: () => sessions.close(),
  };
}

export interface OfficialRequest {
  readonly visit: Visit;
  readonly caller: Caller;
  readonly address: Address;
  /** The tool whose own address was called. */
  readonly only: string | undefined;
  readonly body: unknown;
}

/** Hands a request to the official server: stateless ones to their handler, the others to their session. */
async function answerOfficially(lane: Lane, request: OfficialRequest): Promise<void> {
  const { visit, body } = request;
  const { req, res } = visit;
  const takesEvents = req.headers.accept?.includes(EVENTS) ?? false;
  const stateless = isStateless(visit, body);
  // The session transport refuses whoever does not accept both; scripts accept what they get.
  if (!stateless && req.method === 'POST') req.headers.accept = BOTH;
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  const web = await toWebRequest(nodeRequest(visit), body, { signal: gone.signal });
  if (standsOpen(visit, body)) return answerStanding(lane, request, { web, stateless, takesEvents });
  const response = await respond(lane, request, { web, stateless, takesEvents });
  const plain = !stateless && !takesEvents && req.method === 'POST';
  await send(visit, plain ? await withoutEvents(response, body) : response);
}

function send(visit: Visit, response: Response, until?: AbortSignal): Promise<void> {
  setPairs(visit.res, visit.headers());
  return sendWeb(visit.res, response, until);
}

function nodeRequest({ req }: Visit) {
  return Object.assign(req, { method: req.method ?? 'GET', url: req.url ?? '/' });
}

interface Asked {
  readonly web: Request;
  readonly stateless: boolean;
  /** False for a script that takes what it gets, as plain JSON. */
  readonly takesEvents: boolean;
}

function respond(
  { sessions }: Lane,
  request: OfficialRequest,
  { web, stateless, takesEvents }: Asked,
): Promise<Response> {
  const { visit, caller, address, only, body } = request;
  const authInfo = withPassenger({
    caller,
    requestId: visit.requestId,
    ip: visit.ip,
    trace: visit.trace,
    attend: (askAgain) => visit.attend(askAgain),
    makeRoom: (tool) => visit.makeRoom(tool),
    server: address.server,
    only,
    takesEvents,
  });
  if (stateless) return address.modern.fetch(web, { authInfo, parsedBody: body });
  return sessions.handle({
    request: web,
    body,
    sessionId: sessionIdOf(visit),
    owner: {
      organizationId: caller.organizationId,
      principal: caller.principal,
      surface: address.surface,
    },
    chosen: address.chosen,
    authInfo,
    newServer: () => officialServer(address.parts, address.catalog, only),
  });
}

/** An answer that stays open until somebody has something to say: it needs no call under way to go on. */
function standsOpen({ req }: Visit, body: unknown): boolean {
  return req.method === 'GET' || (isFields(body) && body['method'] === 'subscriptions/listen');
}

/** It takes a seat among the event streams, and ends when the service stops. */
async function answerStanding(lane: Lane, request: OfficialRequest, asked: Asked): Promise<void> {
  const { visit, caller, address } = request;
  const { services, seats } = lane.app;
  const place = `mcp ${sessionIdOf(visit) ?? visit.requestId}`;
  const leave = seats.take({ address: place, account: limitedAccountOf(caller, address.surface) });
  try {
    const response = await respond(lane, request, asked);
    const until = AbortSignal.any([services.stopping, visit.attend(async () => {})]);
    await send(visit, asked.stateless ? response : greeting(response), until);
  } finally {
    leave();
  }
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

/**
 * The answer of an event stream as plain JSON, for a caller that takes no events. A batch has a list of them; a
 * call that was called off has none, and its caller is told so.
 */
async function withoutEvents(response: Response, body: unknown): Promise<Response> {
  if (response.headers.get('content-type') !== EVENTS) return response;
  const events = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  const answers = events.map((line) => line.slice('data: '.length)).filter(isAnswer);
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  const [only = JSON.stringify({ jsonrpc: '2.0', id: requestIdsIn(body)[0] ?? null, error: CANCELLED })] =
    answers;
  return new Response(Array.isArray(body) ? `[${answers.join(',')}]` : only, { status: 200, headers });
}

/** A result or an error; not a notification on the way to it. */
function isAnswer(json: string): boolean {
  const message: unknown = JSON.parse(json);
  return typeof message === 'object' && message !== null && !('method' in message);
}
