import type { IncomingMessage } from 'node:http';
import { lacksScope } from '../../tools/core/access.ts';
import { refusalFor } from '../../tools/core/boundary.ts';
import { call } from '../../tools/core/call.ts';
import type { Caller } from '../../tools/core/context.ts';
import { AppError } from '../../tools/core/errors/app-error.ts';
import { badBody, unauthorized, unclaimedAgent } from '../../tools/core/errors/refusals.ts';
import { asText } from '../../tools/core/schemas/as-text.ts';
import { asFields, isFields } from '../../tools/core/schemas/checks.ts';
import type { McpSurface } from '../../tools/core/surfaces.ts';
import { mcpSurfaces, surfaces } from '../../tools/core/surfaces.ts';
import { answering } from '../http/answering.ts';
import type { App, Handler } from '../http/app.ts';
import { readJson } from '../http/body.ts';
import { failOrCut, sendJson } from '../http/envelope.ts';
import type { Counted } from '../http/rate-limit.ts';
import { unmarked } from '../http/versioning.ts';
import { Visit } from '../http/visit.ts';
import { type Address, createAddresses } from './address.ts';
import { directRequest } from './direct.ts';
import { faultOf, fillIn, messagesOf, type RpcError, targetOf, withToolsCalled } from './messages.ts';
import type { IsSpecType, OfficialLane, OfficialRequest } from './official-lane.ts';
import type { Extension } from './server-parts.ts';
import { answerInSession } from './session-calls.ts';
import { unknownTool } from './unknown-tool.ts';

const surfaceAt: ReadonlyMap<string, McpSurface> = new Map(
  mcpSurfaces.map((surface) => [surfaces[surface].mcp.path, surface]),
);

/** An MCP server, or the address of one tool below it, and the query. */
const OWN_PATH = new RegExp(`^(${[...surfaceAt.keys()].join('|')})(?:/([a-z0-9-]+))?/?(?:\\?(.*))?$`);
const METHODS: readonly string[] = ['GET', 'POST', 'DELETE'];
const REFUSED = -32000;
const PARSE_ERROR = -32700;

export interface McpAdapter {
  readonly handle: Handler;
  close(): Promise<void>;
}

export interface McpOptions {
  /** False sends every request to the official server: for the test that holds both lanes side by side. */
  readonly directLane?: boolean;
  /** Told of each request that is answered directly, by its id: for the same test. */
  readonly onDirect?: (requestId: string) => void;
  /** Tools beyond the registry: for the build that proves the protocol. */
  readonly extension?: Extension | undefined;
}

/**
 * MCP over Streamable HTTP, both eras on one address: `/mcp/v2/buyer`, `/mcp/v2/storefront`, and below each
 * the per-tool addresses (interface, MCP tool-call endpoints). One function of Node's own requests.
 */
export function createMcp(app: App, { directLane = true, onDirect, extension }: McpOptions = {}): McpAdapter {
  const official = createOfficial(app);
  const addresses = createAddresses(app, extension);
  return {
    handle: (req, res) => {
      const match = OWN_PATH.exec(req.url ?? '');
      if (match === null || isCard(req, match[2])) return false;
      const [, server = '', path, given = ''] = match;
      const surface = surfaceAt.get(server);
      if (surface === undefined) return false;
      const { query, isByAlias } = unmarked(given);
      const visit = new Visit(req, res, app.trustedProxies);
      visit.watch = app.watch;
      visit.overload = app.overload;
      const place = { way: 'mcp', surface } as const;
      const { alias } = surfaces[surface].mcp;
      visit.challenge = () => app.tokenPlaces.challengeAt(place, isByAlias ? alias : undefined);
      const open = () => addresses.get(surface, query, req.headers);
      const service = { app, visit, official, directLane, onDirect, surface, open, path };
      answering(serve(service), res, app.services.log);
      return true;
    },
    close: async () => {
      await official.close();
      await addresses.close();
    },
  };
}

/** The card of a server is a document, for whoever has no credential yet: the pages answer it. */
function isCard({ method }: IncomingMessage, path: string | undefined): boolean {
  return path === 'server-card' && (method === 'GET' || method === 'HEAD');
}

/** The lane of the official server. */
interface Official {
  readonly loaded: OfficialLane | undefined;
  load(): Promise<OfficialLane>;
  close(): Promise<void>;
}

/** Loads the lane with its first request: a service is ready sooner, and many are only called directly. */
function createOfficial(app: App): Official {
  let loading: Promise<OfficialLane> | undefined;
  let lane: OfficialLane | undefined;
  const load = async () => {
    const { createOfficialLane } = await import('./official-lane.ts');
    lane = createOfficialLane(app);
    return lane;
  };
  return {
    get loaded() {
      return lane;
    },
    load: () => {
      loading ??= load();
      return loading;
    },
    close: async () => (await loading)?.close(),
  };
}

interface Service {
  readonly app: App;
  readonly visit: Visit;
  readonly official: Official;
  readonly directLane: boolean;
  readonly onDirect: McpOptions['onDirect'];
  readonly surface: McpSurface;
  /** The address that was called; throws when its query is wrong. */
  open(): Address;
  /** The tool's name with hyphens, on a per-tool address. */
  readonly path: string | undefined;
}

async function serve(service: Service): Promise<void> {
  const { app, visit, surface } = service;
  visit.target = 'mcp';
  try {
    app.limits.countIp(visit.ip, visit);
    const known = app.identify(visit.req);
    const caller = known instanceof Promise ? await known : known;
    await answer(service, admitted(service, app.tokenPlaces.callerAt({ way: 'mcp', surface }, caller)));
  } catch (thrown) {
    failOrCut(
      visit,
      refusalFor(thrown, app.services.log, { requestId: visit.requestId, doing: 'mcp request' }),
    );
  } finally {
    visit.log(app.services.log, visit.res.statusCode);
  }
}

/** Somebody, and within the limit of the account, as in front of REST. */
function admitted({ app, visit, surface }: Service, caller: Caller | null): Caller {
  if (caller === null) throw unauthorized('MCP needs a credential.');
  visit.caller = caller;
  // Not a word of MCP is read of an agent that nobody claimed, `initialize` neither.
  if (caller.kind === 'anonymous_agent') throw unclaimedAgent();
  app.limits.countAccount(caller, surface, visit);
  return caller;
}

async function answer(service: Service, caller: Caller): Promise<void> {
  const { visit, path } = service;
  if (!METHODS.includes(visit.req.method ?? '')) return refuseMethod(visit);
  const address = service.open();
  const name = path?.replaceAll('-', '_');
  if (name !== undefined && !address.catalog.tools.has(name)) throw unknownTool(name, address.catalog);
  const body = await readBody(service);
  if (body instanceof AppError) return sendRpcError(visit, 400, { code: PARSE_ERROR, message: body.message });
  countMessages(service, caller, body);
  fillIn(body);
  const fault = faultOf(body, name);
  if (fault !== undefined) return sendRpcError(visit, 400, fault);
  if (caller.withheld !== undefined) await refuseMissingScope(service, address, { caller, body });
  withToolsCalled(body, address.catalog, (tool) => visit.makeRoom(tool));
  await handOn(service, { visit, caller, address, only: name, body });
}

/** Answers directly what is beyond doubt; the official server answers the rest. */
async function handOn(service: Service, request: OfficialRequest): Promise<void> {
  const { app, official, directLane, onDirect } = service;
  const { visit, address, only, body } = request;
  visit.target = targetOf(visit.req, body, address.catalog);
  if (directLane && visit.req.headers['mcp-session-id'] !== undefined) {
    const answered = await answerInSession(app, request);
    if (answered !== undefined) return sendJson(visit, 200, answered);
  }
  const read = (isSpecType?: IsSpecType) =>
    directLane ? directRequest(visit.req, body, { catalog: address.catalog, isSpecType }) : undefined;
  const { loaded } = official;
  const direct = read(loaded?.isSpecType);
  // What is in doubt may be settled by the checks that come with the official server.
  const settled = direct ?? (loaded === undefined ? read((await official.load()).isSpecType) : undefined);
  if (settled === undefined) return (await official.load()).answer(request);
  onDirect?.(visit.requestId);
  sendJson(visit, 200, await address.direct.answer(settled, visit, only));
}

/**
 * A call for which its program lacks a scope ends with the status that clients know how to go on from; any other
 * refusal is the result of the tool. The call is made all the same: what it would have changed is in the log.
 */
async function refuseMissingScope(
  { app, visit }: Service,
  { catalog, server }: Address,
  { caller, body }: { readonly caller: Caller; readonly body: unknown },
): Promise<void> {
  if (!isFields(body) || body['method'] !== 'tools/call') return;
  const { params } = body;
  const tool = isFields(params) ? catalog.tools.get(asText(params['name'])) : undefined;
  if (tool === undefined || !lacksScope(tool, caller)) return;
  const args = asFields(asFields(params)['arguments']);
  await call(app.services, tool, { from: visit, server, read: () => args, beforehand: () => args });
}

function refuseMethod(visit: Visit): void {
  visit.addHeader('Allow', METHODS.join(', '));
  sendRpcError(visit, 405, { code: REFUSED, message: 'Method not allowed.' });
}

/** The body of a POST; what is no JSON comes back as the reason. */
async function readBody({ app, visit }: Service): Promise<unknown> {
  if (visit.req.method !== 'POST') return undefined;
  try {
    const body = readJson(visit.req, app.bodyLimits);
    return (body instanceof Promise ? await body : body) ?? badBody('The body is empty.');
  } catch (thrown) {
    return refusalFor(thrown, app.services.log, { requestId: visit.requestId, doing: 'reading a body' });
  }
}

/** A batch is as many requests as it has messages; one of them was counted with the way in. */
function countMessages({ app, visit, surface }: Service, caller: Caller, body: unknown): void {
  const messages = messagesOf(body).length - 1;
  if (messages <= 0) return;
  const batch: Counted = { messages };
  try {
    app.limits.countIp(visit.ip, batch);
    app.limits.countAccount(caller, surface, batch);
  } finally {
    visit.quota = batch.quota ?? visit.quota;
  }
}

function sendRpcError(visit: Visit, status: number, { code, message, id = null }: RpcError): void {
  sendJson(visit, status, JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id }));
}
