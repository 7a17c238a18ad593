import {
  type CallToolResult,
  createMcpHandler,
  type InputRequiredResult,
  type McpHttpHandler,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { refusalFor } from '../../tools/core/boundary.ts';
import { call } from '../../tools/core/call.ts';
import type { Exchange, Visitor } from '../../tools/core/call-context.ts';
import { Unanswered } from '../../tools/core/consent.ts';
import type { CalledServer, Caller, Services } from '../../tools/core/context.ts';
import { askFor, questionFor } from './asking.ts';
import type { Catalog } from './catalog.ts';
import type { Prompts } from './prompts.ts';
import { failureContent, failureText, REPLAYED, successContent } from './result.ts';
import { capabilitiesOf, type Extension, type Identity, LIST_TTL_MS } from './server-parts.ts';
import { unknownTool } from './unknown-tool.ts';

const CACHE_HINT = { ttlMs: LIST_TTL_MS, cacheScope: 'public' } as const;

/** Who calls and under which request id: travels from the endpoint to the handlers beside the token. */
export interface Passenger {
  readonly caller: Caller | null;
  readonly requestId: string;
  readonly ip: string;
  readonly trace?: Visitor['trace'];
  readonly attend?: NonNullable<Visitor['attend']>;
  readonly makeRoom?: NonNullable<Visitor['makeRoom']>;
  /** Of the address of this request: a session may have begun at another one. */
  readonly server: CalledServer | undefined;
  /** The tool whose own address the request came to. */
  readonly only?: string | undefined;
  /** True: what the server says before its answer reaches the client. */
  readonly takesEvents: boolean;
}

/** What a host is told of an address beside its tools: it speaks of no others. */
export interface Told {
  readonly instructions: string;
  readonly prompts: Prompts;
}

export interface OfficialParts {
  readonly services: Services;
  identity(): Identity;
  /** `only`: the tool whose own address was called. */
  told(only: string | undefined): Told;
  readonly extension: Extension | undefined;
  /** Whether clients that can ask their person have to, before they spend. */
  readonly asks: boolean;
}

/** The official handler of stateless requests. */
export function modernServer(parts: OfficialParts, catalog: Catalog): McpHttpHandler {
  const make = ({ authInfo }: McpRequestContext) =>
    officialServer(parts, catalog, passengerIn(authInfo).only);
  return createMcpHandler(make, { legacy: 'reject' });
}

/**
 * The official server over a catalog. Made per request in the stateless era and per session in the other:
 * cheap, because the list is made once and no schema is converted here. `only`: the tool whose own address was called.
 */
export function officialServer(parts: OfficialParts, catalog: Catalog, only?: string): Server {
  const { identity, told, extension } = parts;
  const server = new Server(identity(), {
    capabilities: capabilitiesOf(extension),
    instructions: told(only).instructions,
    cacheHints: {
      'tools/list': CACHE_HINT,
      'server/discover': CACHE_HINT,
      'resources/list': CACHE_HINT,
      'resources/templates/list': CACHE_HINT,
      'prompts/list': CACHE_HINT,
    },
  });
  server.setRequestHandler('tools/list', (_, ctx) => ({
    tools: [...catalog.listAt(passengerOf(ctx).only)],
  }));
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params }) => {
    throw new ResourceNotFoundError(params.uri);
  });
  // A session may have begun at another address than this request came to.
  const promptsAt = (ctx: ServerContext) => told(passengerOf(ctx).only).prompts;
  server.setRequestHandler('prompts/list', (_, ctx) => ({ prompts: [...promptsAt(ctx).list] }));
  server.setRequestHandler('prompts/get', ({ params }, ctx) => {
    const answer = promptsAt(ctx).get(params.name, params.arguments ?? {});
    if ('refused' in answer) throw new ProtocolError(ProtocolErrorCode.InvalidParams, String(answer.refused));
    return answer;
  });
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const args = params.arguments ?? {};
    if (catalog.tools.has(params.name))
      return callRegistered(parts, catalog, { name: params.name, args, ctx, server });
    if (extension?.tools.some(({ name }) => name === params.name)) {
      return asResult(await extension.call(params.name, args, ctx));
    }
    throw noTool(params.name, catalog);
  });
  extension?.configure(server);
  return server;
}

function noTool(name: string, catalog: Catalog): ProtocolError {
  const { message, suggestion } = unknownTool(name, catalog);
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${message} ${suggestion}`);
}

/** What an extension gives back is the protocol's own vocabulary; the server checks it when it sends it. */
function asResult(value: unknown): CallToolResult {
  return value as CallToolResult;
}

interface ToolCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly ctx: ServerContext;
  readonly server: Server;
}

async function callRegistered(
  parts: OfficialParts,
  catalog: Catalog,
  called: ToolCall,
): Promise<CallToolResult | InputRequiredResult> {
  const { services } = parts;
  const { name, ctx } = called;
  const tool = catalog.tools.get(name);
  if (tool === undefined) throw noTool(name, catalog);
  try {
    const { output, replayed } = await call(services, tool, exchangeOf(parts, called));
    const content = { ...successContent(tool, output) };
    return {
      content: [{ type: 'text', text: JSON.stringify(content) }],
      structuredContent: content,
      ...(replayed ? { _meta: REPLAYED } : {}),
    };
  } catch (thrown) {
    if (thrown instanceof Unanswered) return questionFor(thrown, services.ports.digest);
    const { requestId } = passengerOf(ctx);
    const error = refusalFor(thrown, services.log, { requestId, doing: 'mcp call' });
    return {
      isError: true,
      content: [{ type: 'text', text: failureText(error) }],
      structuredContent: failureContent(error),
    };
  }
}

function exchangeOf({ services, asks }: OfficialParts, { args, ctx, server: asking }: ToolCall): Exchange {
  const { server, takesEvents, ...from } = passengerOf(ctx);
  const { digest } = services.ports;
  const { answerTimeoutMs: timeoutMs } = services.limits;
  const token = ctx.mcpReq._meta?.progressToken;
  let last = 0;
  return {
    from: { ...from, signal: ctx.mcpReq.signal },
    server,
    read: () => args,
    beforehand: () => args,
    ask: asks ? askFor(ctx, { server: asking, digest, timeoutMs, takesEvents }) : undefined,
    progress: (done, total, message) => {
      if (token === undefined || done <= last || ctx.mcpReq.signal.aborted) return;
      last = done;
      const params = { progressToken: token, progress: done, total, message };
      // Who hung up hears no more of it, and neither does who ended the session: the call goes on all the same.
      ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    },
  };
}

const passengers = new WeakMap<object, Passenger>();

/** Puts a passenger into the auth information that the official server hands through. */
export function withPassenger(passenger: Passenger) {
  const authInfo = { token: '', clientId: passenger.caller?.principal ?? '', scopes: [], extra: {} };
  passengers.set(authInfo.extra, passenger);
  return authInfo;
}

function passengerOf(ctx: ServerContext): Passenger {
  return passengerIn(ctx.http?.authInfo);
}

function passengerIn(authInfo: McpRequestContext['authInfo']): Passenger {
  const passenger = passengers.get(authInfo?.extra ?? {});
  return passenger ?? { caller: null, requestId: '', ip: '', server: undefined, takesEvents: false };
}
