import type { IncomingMessage } from 'node:http';
import type { ServerCapabilities } from '@modelcontextprotocol/server';
import type { CalledServer, Services } from '../../tools/core/context.ts';
import type { Tool } from '../../tools/core/define.ts';
import { once } from '../../tools/core/once.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import type { Body } from '../http/envelope.ts';
import type { Visit } from '../http/visit.ts';
import type { Catalog } from './catalog.ts';
import { callDirectly, hasOnly, headOf, isCallId, REQUEST_MEMBERS, stampOf } from './direct-call.ts';
import type { OfficialParts } from './official.ts';
import type { IsSpecType } from './official-lane.ts';
import { REPLAYED } from './result.ts';
import { type Identity, LIST_TTL_MS } from './server-parts.ts';

/** The revision of the stateless era. */
const REVISION = '2026-07-28';
const META_VERSION = 'io.modelcontextprotocol/protocolVersion';
const META_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const META_CLIENT = 'io.modelcontextprotocol/clientInfo';
const META_SERVER = 'io.modelcontextprotocol/serverInfo';

type Fields = Readonly<Record<string, unknown>>;

/** A request that is beyond doubt: answered here, in the words the official server would use. */
export type DirectRequest =
  | { readonly method: 'tools/list' | 'server/discover'; readonly id: string | number }
  | {
      readonly method: 'tools/call';
      readonly id: string | number;
      readonly tool: Tool;
      readonly args: Fields;
    };

interface Known {
  readonly catalog: Catalog;
  /** Once it is loaded; without it, what needs its check stays in doubt. */
  readonly isSpecType: IsSpecType | undefined;
}

/**
 * Reads a stateless request that is well-formed in every respect, for a tool of the registry, and asks for
 * nothing but its answer. Anything else is undefined, and goes to the official server.
 */
export function directRequest(
  req: IncomingMessage,
  body: unknown,
  { catalog, isSpecType }: Known,
): DirectRequest | undefined {
  if (!isFields(body) || !hasOnly(body, REQUEST_MEMBERS) || body['jsonrpc'] !== '2.0') return undefined;
  const { id, method, params } = body;
  if (!isDirect(method) || !isCallId(id) || !isFields(params)) return undefined;
  if (!isPlainMeta(params['_meta'], isSpecType) || !headersAgree(req, method)) return undefined;
  if (method !== 'tools/call') return hasOnly(params, LIST_PARAMS) ? { method, id } : undefined;
  return directCall(req, { id, params, catalog });
}

function isDirect(method: unknown): method is DirectRequest['method'] {
  return method === 'tools/call' || method === 'tools/list' || method === 'server/discover';
}

const NOTHING: ReadonlySet<string> = new Set();
const LIST_PARAMS = new Set(['_meta']);
const CALL_PARAMS = new Set(['_meta', 'name', 'arguments']);
const META_MEMBERS = new Set([META_VERSION, META_CAPABILITIES, META_CLIENT]);

function directCall(
  req: IncomingMessage,
  { id, params, catalog }: { id: string | number; params: Fields; catalog: Catalog },
): DirectRequest | undefined {
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string' || !isFields(args) || !hasOnly(params, CALL_PARAMS)) return undefined;
  const tool = catalog.tools.get(name);
  if (tool === undefined || req.headers['mcp-name'] !== name) return undefined;
  if (mayAsk(tool, params['_meta'])) return undefined;
  return { method: 'tools/call', id, tool, args };
}

/** A question to the person behind the client is put by the official server. */
function mayAsk(tool: Tool, meta: unknown): boolean {
  if (tool.question === undefined && !tool.passesOn) return false;
  const capabilities = isFields(meta) ? meta[META_CAPABILITIES] : undefined;
  return isFields(capabilities) && 'elicitation' in capabilities;
}

function headersAgree({ headers }: IncomingMessage, method: string): boolean {
  return (
    headers['mcp-protocol-version'] === REVISION &&
    headers['mcp-method'] === method &&
    headers['content-type'] === 'application/json'
  );
}

/** The required keys, and who the client is; a progress token needs the official server. */
function isPlainMeta(meta: unknown, isSpecType: IsSpecType | undefined): boolean {
  if (!isFields(meta) || !hasOnly(meta, META_MEMBERS) || meta[META_VERSION] !== REVISION) return false;
  const client = meta[META_CLIENT];
  const capabilities = meta[META_CAPABILITIES];
  return (
    // Some declare none, and the check of the specification's own shape takes its time.
    (isEmpty(capabilities) || isSpecType?.ClientCapabilities(capabilities) === true) &&
    (client === undefined || isSpecType?.Implementation(client) === true)
  );
}

function isEmpty(value: unknown): boolean {
  return isFields(value) && hasOnly(value, NOTHING);
}

/** Answers direct requests, everything that does not change made once. */
export interface DirectLane {
  /** `only`: the tool whose own address was called. */
  answer(request: DirectRequest, visit: Visit, only?: string): Promise<Body>;
}

interface DirectParts {
  identity(): Identity;
  told: OfficialParts['told'];
  readonly capabilities: ServerCapabilities;
  readonly catalog: Catalog;
  readonly server: CalledServer;
}

export function createDirectLane(services: Services, server: DirectParts): DirectLane {
  const stampWith = (more: object) =>
    stampOf(
      `,"resultType":"complete","_meta":${JSON.stringify({ [META_SERVER]: server.identity(), ...more })}`,
    );
  const stamp = once(() => stampWith({}));
  const replayed = once(() => stampWith(REPLAYED));
  const cache = `"ttlMs":${LIST_TTL_MS},"cacheScope":"public"`;
  // As bytes, because encoding some sixty kilobytes anew each time would cost more than all the rest.
  const listOf = (json: string) => Buffer.from(`{"tools":${json},${cache}${stamp().text}}}`);
  const listed = once(() => listOf(server.catalog.listJson));
  const listedAt = (only: string | undefined) =>
    only === undefined ? listed() : listOf(JSON.stringify(server.catalog.listAt(only)));
  const discoveredAt = (only: string | undefined) =>
    Buffer.from(
      `{"supportedVersions":["${REVISION}"],"capabilities":${JSON.stringify(
        server.capabilities,
      )},"instructions":${JSON.stringify(server.told(only).instructions)},${cache}${stamp().text}}}`,
    );
  const discovered = once(() => discoveredAt(undefined));
  return {
    answer: (request, visit, only) => {
      if (request.method === 'tools/call')
        return callDirectly(services, request, { visit, stamp, replayed, server: server.server });
      const told = () => (only === undefined ? discovered() : discoveredAt(only));
      const result = request.method === 'tools/list' ? listedAt(only) : told();
      return Promise.resolve(Buffer.concat([Buffer.from(headOf(request.id)), result]));
    },
  };
}
