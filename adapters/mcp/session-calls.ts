import { makeTenant } from '../../store/engine/scope.ts';
import type { Caller } from '../../tools/core/context.ts';
import type { Tool } from '../../tools/core/define.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import type { App } from '../http/app.ts';
import type { Body } from '../http/envelope.ts';
import type { Visit } from '../http/visit.ts';
import type { Address } from './address.ts';
import { callDirectly, hasOnly, isCallId, REQUEST_MEMBERS, stampOf } from './direct-call.ts';
import { sessionRow, touch } from './session-rows.ts';

/** The revisions of the session era whose results have `structuredContent`. */
const REVISIONS: ReadonlySet<unknown> = new Set(['2025-06-18', '2025-11-25']);
const CALL_PARAMS: ReadonlySet<string> = new Set(['name', 'arguments']);
/** Who waits may call off, and that is heard by the official server alone. */
const WAITS = ['waitSeconds', 'waitMode'];

type Fields = Readonly<Record<string, unknown>>;

interface SessionCall {
  readonly id: string | number;
  readonly tool: Tool;
  readonly args: Fields;
}

interface Request {
  readonly visit: Visit;
  readonly caller: Caller;
  readonly address: Address;
  readonly body: unknown;
}

/**
 * Answers a call of the session era that only reads what is stored, where everything about it is beyond doubt: no
 * progress to tell, nobody to ask, nothing to wait for. Undefined: the official server answers.
 */
export async function answerInSession({ services }: App, request: Request): Promise<Body | undefined> {
  const { visit, caller, address } = request;
  const { 'mcp-session-id': id, 'mcp-protocol-version': revision } = visit.req.headers;
  if (typeof id !== 'string' || !REVISIONS.has(revision)) return undefined;
  const called = sessionCall(request);
  if (called === undefined) return undefined;
  const tenant = makeTenant(caller.organizationId);
  const row = await sessionRow(services, tenant, {
    id,
    principal: caller.principal,
    surface: address.surface,
  });
  if (row === undefined || row.tools !== address.chosen || revisionOf(row.initialize) !== revision)
    return undefined;
  await touch(services, tenant, row);
  visit.addHeader('Mcp-Session-Id', row.id);
  return callDirectly(services, called, {
    visit,
    server: address.server,
    stamp: unstamped,
    replayed: unstamped,
  });
}

const NO_STAMP = stampOf('');
const unstamped = () => NO_STAMP;

function sessionCall({ body, address }: Request): SessionCall | undefined {
  if (!isFields(body) || !hasOnly(body, REQUEST_MEMBERS) || body['jsonrpc'] !== '2.0') return undefined;
  const { id, method, params } = body;
  if (method !== 'tools/call' || !isCallId(id) || !isFields(params) || !hasOnly(params, CALL_PARAMS))
    return undefined;
  const { name, arguments: args = {} } = params;
  const tool = typeof name === 'string' ? address.catalog.tools.get(name) : undefined;
  if (tool === undefined || !isFields(args) || !isAtHand(tool, args)) return undefined;
  return { id, tool, args };
}

/** Whether the answer lies in our own database, and is there as soon as it is asked for. */
function isAtHand({ effect, openWorld, passesOn, question }: Tool, args: Fields): boolean {
  if (effect !== 'read' || openWorld === true || passesOn || question !== undefined) return false;
  return !(WAITS.some((name) => name in args) || (openWorld !== undefined && openWorld.by in args));
}

/** What the client asked for is what it got, or it would not say the same now. */
function revisionOf(initialize: string): unknown {
  const request: unknown = JSON.parse(initialize);
  return isFields(request) && isFields(request['params']) ? request['params']['protocolVersion'] : undefined;
}
