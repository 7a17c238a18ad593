import { restPaths } from '../../../tools/core/addresses.ts';
import type { Tool } from '../../../tools/core/define.ts';
import { serversOf, surfaces } from '../../../tools/core/surfaces.ts';
import { ask, type Said } from '../server/ask.ts';
import { headersOf } from './browsers.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One call of a tool, however it travels. */
export interface ToolCall {
  readonly url: string;
  readonly key?: string | undefined;
  readonly tool: Tool;
  readonly args: Fields;
  /** A key under which a change may be repeated. */
  readonly repeatKey?: string | undefined;
  /** Over REST: the versions that a change may be made on. */
  readonly ifMatch?: string | undefined;
}

export interface Outcome {
  /** The status of HTTP. */
  readonly status: number;
  /** The output of the tool, or what it says of its failure. */
  readonly content: Fields;
  readonly failed: boolean;
  readonly headers: Headers;
  /** True when it says that it was given before. */
  readonly replayed: boolean;
}

/** A way to call a tool. */
export type Lane = (call: ToolCall) => Promise<Outcome>;

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** REST: fields in the path, the others in the query of a GET and in the body of anything else. */
export const overRest: Lane = async (call) => {
  const { url, key, tool, args, repeatKey, ifMatch } = call;
  // What is about MCP has no other way.
  if (tool.rest === undefined) return overMcp(call);
  const [template = ''] = bestPath(tool, args);
  const inPath = [...template.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inWords(args[name])));
  const others = Object.entries(args).filter(([name]) => !inPath.includes(name));
  const inQuery = tool.rest.method === 'GET';
  const query = inQuery
    ? `?${new URLSearchParams(Object.fromEntries(others.map(([name, value]) => [name, inWords(value)])))}`
    : '';
  const response = await ask(`${url}${path}${query}`, {
    method: tool.rest.method,
    headers: {
      ...headersOf(key),
      ...(inQuery ? {} : { 'content-type': 'application/json' }),
      ...(repeatKey === undefined ? {} : { 'idempotency-key': repeatKey }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    },
    ...(inQuery ? {} : { body: JSON.stringify(Object.fromEntries(others)) }),
  });
  // 204 has no body.
  const { data, error } = asFields(JSON.parse(response.text || '{}'));
  const failed = response.status >= 400;
  return {
    status: response.status,
    content: asFields(failed ? error : data),
    failed,
    headers: response.headers,
    replayed: response.headers.get('idempotency-replayed') === 'true',
  };
};

/** A value as a text: a list by its entries, an object as JSON, because it may bring a `toString` that throws. */
export function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(',');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** A tool may have further paths: one without parameters is for calls that have none to give. */
function bestPath(tool: Tool, args: Fields): string[] {
  const fits = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => name in args);
  return restPaths(tool.surface, tool.rest)
    .filter(fits)
    .sort((one, other) => other.length - one.length);
}

/** What MCP does not know has no other way. */
function onlyRest(call: ToolCall): Promise<Outcome> | undefined {
  return call.tool.restOnly ? overRest(call) : undefined;
}

/** `tools/call`, stateless, on the address of the surface. */
export const overMcp: Lane = (call) =>
  onlyRest(call) ??
  post(call, { path: mcpPath(call.tool), headers: statelessHeaders(call.tool), meta: META });

/** The same with a progress token, which the official server answers. */
export const overOfficialMcp: Lane = (call) =>
  onlyRest(call) ??
  post(call, {
    path: mcpPath(call.tool),
    headers: statelessHeaders(call.tool),
    meta: { ...META, progressToken: 1 },
  });

/** `POST {mcp}/<tool-with-hyphens>` in a session, as the interface writes it. */
const overToolAddress: Lane = async (call) => {
  if (call.tool.restOnly) return overRest(call);
  const path = mcpPath(call.tool, `/${call.tool.name.replaceAll('_', '-')}`);
  const opened = await rpc(call, {
    path,
    headers: {},
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'lane', version: '1' },
    },
  });
  const session = opened.headers.get('mcp-session-id');
  return post(call, { path, headers: session === null ? {} : { 'mcp-session-id': session } });
};

export const lanes: Readonly<Record<string, Lane>> = {
  REST: overRest,
  'tools/call on the direct lane': overMcp,
  'tools/call on the official server': overOfficialMcp,
  'the address of the tool, in a session': overToolAddress,
};

interface RpcCall {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly meta?: Fields;
}

async function post(call: ToolCall, { path, headers, meta }: RpcCall): Promise<Outcome> {
  const params = {
    name: call.tool.name,
    arguments: call.repeatKey === undefined ? call.args : { ...call.args, idempotencyKey: call.repeatKey },
    ...(meta === undefined ? {} : { _meta: meta }),
  };
  const response = await rpc(call, { path, headers, method: 'tools/call', params });
  const answer = messageOf(response.text);
  const result = asFields(answer['result']);
  const failed = result['isError'] === true || response.status >= 400;
  const content = asFields(result['structuredContent'] ?? answer['error']);
  const replayed = asFields(result['_meta'])['idempotencyReplayed'] === true;
  return { status: response.status, content, failed, headers: response.headers, replayed };
}

function rpc(
  { url, key }: ToolCall,
  { path, headers, method, params }: RpcCall & { method: string; params: Fields },
): Promise<Said> {
  return ask(`${url}${path}`, {
    method: 'POST',
    headers: {
      ...headersOf(key),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

/** The answer in JSON, or the last message of an event stream. */
function messageOf(text: string): Fields {
  if (text.startsWith('{')) return asFields(JSON.parse(text));
  const data = text.split('\n').filter((line) => line.startsWith('data: {'));
  return asFields(JSON.parse(data.at(-1)?.slice('data: '.length) ?? '{}'));
}

function statelessHeaders(tool: Tool): Record<string, string> {
  return { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': tool.name };
}

/** The address of a surface, narrowed to the tool's own toolset so that it is not left to the default list. */
function mcpPath({ surface, toolset }: Pick<Tool, 'surface' | 'toolset'>, below = ''): string {
  const [server = 'buyer'] = serversOf(surface);
  return `${surfaces[server].mcp.path}${below}?toolsets=${toolset}`;
}

function asFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
