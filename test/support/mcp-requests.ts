import fc from 'fast-check';
import type { McpSurface } from '../../tools/core/surfaces.ts';
import { type HeaderFields, metaOf, type RawRequest, REVISION } from './mcp.ts';
import { argumentsFor, junk, type Known } from './mcp-arguments.ts';

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

type Fields = Record<string, unknown>;

/** A request that is being made: valid at first, then damaged. */
interface Draft {
  method: string;
  path: string;
  headers: Record<string, string | undefined>;
  message: Fields;
  params: Fields;
  meta: Fields;
  write(message: Fields): string | undefined;
}

type Damage = (draft: Draft) => void;

/**
 * Requests of the stateless era to one surface: half of them as a good client sends them, the others damaged in
 * up to three places.
 */
export function statelessRequests(
  surface: McpSurface,
  tools: readonly ListedTool[],
  known: Known,
): fc.Arbitrary<RawRequest> {
  const calls = tools.map(({ name, inputSchema }) =>
    argumentsFor(inputSchema, known).map((args) => draftOf(surface, 'tools/call', { name, arguments: args })),
  );
  const plain = fc
    .constantFrom('tools/list', 'server/discover')
    .map((method) => draftOf(surface, method, {}));
  const draft = fc.oneof({ weight: 3, arbitrary: fc.oneof(...calls) }, { weight: 1, arbitrary: plain });
  const damages = fc.oneof(fc.constant([]), fc.array(damage(tools), { minLength: 1, maxLength: 3 }));
  return fc.tuple(draft, damages).map(([make, list]) => {
    const made = make();
    for (const spoil of list) spoil(made);
    const body = made.write(made.message);
    const { method, path, headers } = made;
    return { method, path, headers, ...(body === undefined ? {} : { body }) };
  });
}

/** Made anew each time: what is generated is mapped more than once, and damaging changes it. */
function draftOf(surface: McpSurface, method: string, own: Fields): () => Draft {
  return () => {
    const meta = metaOf();
    const params = { ...own, _meta: meta };
    return {
      method: 'POST',
      path: `/mcp/v2/${surface}`,
      headers: headersFor(method, own['name']),
      message: { jsonrpc: '2.0', id: 1, method, params },
      params,
      meta,
      write: (message) => JSON.stringify(message),
    };
  };
}

function headersFor(method: string, name: unknown): Record<string, string | undefined> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
  };
}

type Place = (draft: Draft) => Fields;
const message: Place = (draft) => draft.message;
const params: Place = (draft) => draft.params;
const meta: Place = (draft) => draft.meta;

/** Puts a value where another one, or none, belongs; undefined takes it away. */
function put(place: Place, key: string, values: readonly unknown[]): fc.Arbitrary<Damage> {
  const value = fc.oneof(fc.constantFrom<unknown>(undefined, ...values), junk);
  return value.map((chosen) => (draft) => {
    place(draft)[key] = chosen;
  });
}

function header(name: string, values: readonly (string | undefined)[]): fc.Arbitrary<Damage> {
  return fc.constantFrom(...values).map((value) => (draft) => {
    draft.headers[name] = value;
  });
}

const METHODS = [
  'tools/call',
  'tools/list',
  'server/discover',
  'Tools/List',
  'tools/list ',
  'initialize',
  'ping',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'completion/complete',
  'logging/setLevel',
  'tasks/get',
  'notifications/initialized',
  'notifications/cancelled',
  'unknown/method',
  '',
];

const VERSIONS = [undefined, '2025-11-25', '2025-03-26', '2099-01-01', '', REVISION, ` ${REVISION} `, 'x'];

function damage(tools: readonly ListedTool[]): fc.Arbitrary<Damage> {
  const names = [...tools.slice(0, 3).map(({ name }) => name), 'no_such_tool', 'toString', 'HEALTH', ''];
  return fc.oneof(
    ...inMessage(names),
    ...inMeta(),
    ...inHeaders(names),
    wrapping(),
    addressing([...names.slice(0, 3), 'no_such_tool'].map((name) => name.replaceAll('_', '-'))),
    alsoMethod(),
  );
}

function inMessage(names: readonly string[]): fc.Arbitrary<Damage>[] {
  return [
    put(message, 'jsonrpc', ['1.0', '2', 2]),
    put(message, 'id', [0, -7, 'a', '', 2 ** 53, '1']),
    put(message, 'method', METHODS),
    put(message, 'params', [[], {}]),
    put(message, 'extra', [1]),
    put(message, 'result', [{}]),
    put(params, 'name', names),
    put(params, 'arguments', [{}, { extra: 1 }]),
    put(params, 'cursor', ['', 'x', 'MQ==', 1]),
    put(params, 'extra', [1]),
    put(params, 'task', [{ ttl: 1 }]),
    put(params, 'inputResponses', [{ a: { action: 'accept', content: {} } }]),
    put(params, 'requestState', ['state']),
    put(params, '_meta', [{}]),
  ];
}

function inMeta(): fc.Arbitrary<Damage>[] {
  const own = 'io.modelcontextprotocol';
  return [
    put(meta, `${own}/protocolVersion`, VERSIONS),
    put(meta, `${own}/clientCapabilities`, [
      { elicitation: {} },
      { sampling: 5 },
      { roots: { listChanged: true } },
      { extensions: { 'example/x': {} } },
      { unknown: {} },
    ]),
    put(meta, `${own}/clientInfo`, [
      { name: 'only' },
      { name: 'a', version: '1', title: 'A', websiteUrl: 'https://a.example' },
      { name: 'a', version: '1', unknown: true },
      { name: 'a', version: 1 },
    ]),
    put(meta, `${own}/logLevel`, ['debug', 'loud']),
    put(meta, `${own}/unknown`, [1]),
    put(meta, 'progressToken', ['token', 7, 1.5]),
    put(meta, 'traceparent', ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01']),
    put(meta, 'example/key', [1]),
  ];
}

function inHeaders(names: readonly string[]): fc.Arbitrary<Damage>[] {
  const encoded = names.map((name) => `=?base64?${Buffer.from(name).toString('base64')}?=`);
  return [
    header('mcp-protocol-version', VERSIONS),
    header('mcp-method', [undefined, '', 'tools/list', 'tools/call', 'TOOLS/CALL', ' server/discover']),
    header('mcp-name', [undefined, ...names, ...encoded, '=?base64?!?=']),
    header('mcp-session-id', ['x', '5f6e2f5e-5c0b-4c58-9a53-0f8f3b0a0c11']),
    header('accept', [undefined, '*/*', 'application/json', 'text/event-stream', 'text/html', '']),
    header('content-type', [
      undefined,
      'application/json; charset=utf-8',
      'application/json;charset=latin1',
      'APPLICATION/JSON',
      'application/vnd.api+json',
      'text/plain',
      '',
    ]),
    header('content-encoding', ['identity', 'gzip']),
    header('last-event-id', ['1']),
    header('origin', ['http://localhost:1', 'https://elsewhere.example', 'null']),
    header('authorization', [undefined, 'Bearer nobody', 'Basic eDp5']),
  ];
}

/** The message in something else than one plain JSON object. */
function wrapping(): fc.Arbitrary<Damage> {
  const writers: readonly Draft['write'][] = [
    (one) => JSON.stringify([one]),
    (one) => JSON.stringify([one, { ...one, id: 2 }]),
    (one) => JSON.stringify({ message: one }),
    (one) => ` \n${JSON.stringify(one, null, 2)}\n`,
    (one) => `\uFEFF${JSON.stringify(one)}`,
    (one) => JSON.stringify(one).slice(0, -1),
    (one) => JSON.stringify(one).replace('"2.0"', '"1.0","jsonrpc":"2.0"'),
    () => '[]',
    () => 'null',
    () => '""',
    () => '{}',
    () => '',
    () => undefined,
    () => '{"jsonrpc":"2.0","id":1,"result":{}}',
    () => '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    () => '['.repeat(100),
    () => `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'{"a":'.repeat(80)}1${'}'.repeat(80)}}`,
  ];
  return fc.constantFrom(...writers).map((write) => (draft) => {
    draft.write = write;
  });
}

function addressing(paths: readonly string[]): fc.Arbitrary<Damage> {
  const tails = [
    ...paths.map((path) => `/${path}`),
    '/',
    '?toolsets=system',
    '?toolsets=discovery,campaigns&readonly=true',
    '?toolsets=nothing',
    '?readonly=true',
    '?unknown=1',
  ];
  return fc.constantFrom(...tails).map((tail) => (draft) => {
    draft.path = draft.path.split('/', 4).join('/').replace(/\?.*/, '') + tail;
  });
}

function alsoMethod(): fc.Arbitrary<Damage> {
  return fc.constantFrom('PUT', 'DELETE', 'PATCH').map((method) => (draft) => {
    draft.method = method;
  });
}

/** The same request as another person sends it: with that person's ids and credential. */
export function sentBy(
  raw: RawRequest,
  { key, ids, requestId }: { key: string; ids: Readonly<Record<string, string>>; requestId: string },
): RawRequest {
  const fill = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => ids[name] ?? '');
  const headers: HeaderFields = {
    authorization: `Bearer ${key}`,
    'x-request-id': requestId,
    ...raw.headers,
  };
  return { ...raw, headers, ...(raw.body === undefined ? {} : { body: fill(raw.body) }) };
}
