import { randomUUID } from 'node:crypto';
import { isInitializeRequest, type Server } from '@modelcontextprotocol/server';
import { makeTenant } from '../../store/engine/scope.ts';
import {
  deleteMcpSession,
  insertMcpSession,
  type McpSessionRow,
  type SessionKey,
} from '../../store/mcp-sessions.ts';
import type { Services } from '../../tools/core/context.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { unawaited } from '../../tools/core/unawaited.ts';
import type { Link } from '../ports/link.ts';
import { type LiveKey, type LiveSessions, liveSessions } from './live-sessions.ts';
import { cancelledIn } from './messages.ts';
import { type SessionNews, shareSessions } from './session-news.ts';
import { keepWithin, type SessionLimits } from './session-quota.ts';
import { isSessionId, sessionRow, touch } from './session-rows.ts';
import { type Given, rpcError, SessionServer } from './session-server.ts';

const IDLE_MS = 600_000;
/** What a client says of itself is kept for as long as the session: far more than any of them has to say. */
const INITIALIZE_MAX_BYTES = 16_384;
const INVALID_PARAMS = -32602;
const INVALID_REQUEST = -32600;
const NO_SESSION =
  'Bad Request: Mcp-Session-Id header is required. Send initialize first, then the mcp-session-id of its answer with every call.';
const BAD_GREETING =
  'Invalid params: initialize takes {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "…", "version": "…"}}.';
/** The one revision that has batches. */
const WITH_BATCHES = '2025-03-26';

/** One request of the initialize era, its body read. */
export interface SessionRequest extends Given {
  readonly sessionId: string | undefined;
  readonly owner: Omit<SessionKey, 'id'> & { readonly organizationId: number };
  /** Which tools of its surface the address has. */
  readonly chosen: string;
  /** A server for this request's address. */
  newServer(): Server;
}

export interface Sessions {
  handle(session: SessionRequest): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Sessions of the initialize era. A row says that a session is there and whose it is; the server behind it
 * lives in memory and is made again, from the initialize request kept in the row, wherever it is missing.
 */
export function createSessions(services: Services, limits: SessionLimits, link: Link | undefined): Sessions {
  const live = liveSessions<SessionServer>({
    max: limits.mcpSessionsLive,
    idleMs: IDLE_MS,
    clock: services.ports.clock,
    isBusy: (held) => held.isBusy,
    gone: (held) => unawaited(held.close(), services.log, 'closing a session'),
  });
  const news = shareSessions(services, link, live);
  return {
    handle: (session) =>
      isInitializeRequest(session.body)
        ? begin({ services, limits }, live, session)
        : proceed(services, { live, news }, session),
    close: async () => {
      await Promise.all(live.clear().map((held) => held.close()));
    },
  };
}

type Lives = LiveSessions<SessionServer>;

/** The sessions that this process has, and the way to tell the others of them. */
interface Holding {
  readonly live: Lives;
  readonly news: SessionNews;
}

interface Beginning {
  readonly services: Services;
  readonly limits: SessionLimits;
}

async function begin(
  { services, limits }: Beginning,
  live: Lives,
  session: SessionRequest,
): Promise<Response> {
  const initialize = JSON.stringify(session.body);
  if (Buffer.byteLength(initialize) > INITIALIZE_MAX_BYTES) return tooLarge();
  const id = await claimId(services, session, initialize);
  await keepWithin(services, limits, { id, ...session.owner });
  const held = new SessionServer(session.newServer(), id);
  // At work before it takes its room: what is not may have to go for what comes.
  const answering = held.pass(session);
  live.set({ id, organizationId: session.owner.organizationId }, held);
  return answering;
}

async function proceed(
  services: Services,
  { live, news }: Holding,
  session: SessionRequest,
): Promise<Response> {
  const { owner, sessionId } = session;
  if (sessionId === undefined) return noSession(session.body);
  const tenant = makeTenant(owner.organizationId);
  const key = { id: sessionId, ...owner };
  const row = await sessionRow(services, tenant, key);
  // A session of somebody else is answered like one that does not exist.
  if (row === undefined) return rpcError(404, -32001, 'Session not found');
  if (row.tools !== session.chosen) return rpcError(404, -32001, openedElsewhere(row));
  if (Array.isArray(session.body) && !hasBatches(row)) {
    return rpcError(
      400,
      INVALID_REQUEST,
      `Send one message a request: only revision ${WITH_BATCHES} has batches.`,
    );
  }
  await touch(services, tenant, row);
  const there = live.get(liveKey(row));
  const held = there ?? revived(row, session);
  const answering = held.pass(session);
  if (there === undefined) {
    live.set(liveKey(row), held);
    // One that cannot be taken up is let go of: the next request tries anew.
    answering.catch(() => live.delete(liveKey(row)));
  }
  const response = await answering;
  await endCalledOff(news, { key: liveKey(row), held }, session.body);
  if (session.request.method === 'DELETE' && response.ok) {
    live.delete(liveKey(row));
    await deleteMcpSession(services.store.db, tenant, key);
    news.ended(liveKey(row));
  }
  return response;
}

/** What this process has not under way another one may have. */
async function endCalledOff(
  news: SessionNews,
  { key, held }: { readonly key: LiveKey; readonly held: SessionServer },
  body: unknown,
): Promise<void> {
  for (const requestId of cancelledIn(body)) {
    if (held.has(requestId)) await held.endCancelled(requestId);
    else news.calledOff(key, requestId);
  }
}

function noSession(body: unknown): Response {
  return isFields(body) && body['method'] === 'initialize'
    ? rpcError(400, INVALID_PARAMS, BAD_GREETING)
    : rpcError(400, -32000, NO_SESSION);
}

/** A host that narrowed an address keeps tools away from its model: no session may lead around that. */
function openedElsewhere({ tools }: McpSessionRow): string {
  const address = tools === '' ? 'without a query' : `with ?${tools}`;
  return `Session not found here: it was opened at the address ${address}. Use that one, or initialize here.`;
}

function hasBatches({ initialize }: McpSessionRow): boolean {
  const request: unknown = JSON.parse(initialize);
  return isInitializeRequest(request) && request.params.protocolVersion === WITH_BATCHES;
}

/** Without the request's id: that may be what is too large. */
function tooLarge(): Response {
  return rpcError(
    400,
    INVALID_PARAMS,
    `Invalid params: initialize takes ${INITIALIZE_MAX_BYTES} bytes at the most.`,
  );
}

/** Keeps the id that the client asks for if it is free, and makes one otherwise. */
async function claimId(
  services: Services,
  { sessionId, owner, chosen }: SessionRequest,
  initialize: string,
): Promise<string> {
  const now = nowOf(services.ports.clock);
  const asked = sessionId !== undefined && isSessionId(sessionId) ? [sessionId] : [];
  for (const id of [...asked, randomUUID()]) {
    const claimed = await insertMcpSession(services.store.db, makeTenant(owner.organizationId), {
      id,
      principal: owner.principal,
      surface: owner.surface,
      tools: chosen,
      initialize,
      created_at: now,
      seen_at: now,
    });
    if (claimed) return id;
  }
  throw new Error('A random session id was taken.');
}

/** Takes up a session that this process does not hold: another one began it, or it lay idle for long. */
function revived(row: McpSessionRow, session: SessionRequest): SessionServer {
  return new SessionServer(session.newServer(), row.id, {
    url: session.request.url,
    body: row.initialize,
  });
}

function liveKey({ id, organization_id: organizationId }: McpSessionRow) {
  return { id, organizationId };
}
