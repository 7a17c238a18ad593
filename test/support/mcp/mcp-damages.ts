import { REVISION } from './mcp.ts';

export type Fields = Record<string, unknown>;

/** A request that is being made: valid at first, then damaged. */
export interface Draft {
  method: string;
  path: string;
  headers: Record<string, string | undefined>;
  message: Fields;
  params: Fields;
  meta: Fields;
  write(message: Fields): string | undefined;
}

export type Damage = (draft: Draft) => void;

export interface SingleDamage {
  readonly what: string;
  readonly spoil: Damage;
}

const OWN = 'io.modelcontextprotocol';

type Place = (draft: Draft) => Fields;
const message: Place = (draft) => draft.message;
const params: Place = (draft) => draft.params;
const meta: Place = (draft) => draft.meta;

/** What fits nowhere in particular. */
const ANYTHING = [undefined, null, true, 1.5, 'x', [], {}];

/** Puts each value where another one, or none, belongs; undefined takes it away. */
function put(place: Place, key: string, values: readonly unknown[]): SingleDamage[] {
  return [...ANYTHING, ...values].map((value) => ({
    what: `${place.name} ${key}: ${JSON.stringify(value)}`,
    spoil: (draft) => {
      place(draft)[key] = value;
    },
  }));
}

function header(name: string, values: readonly (string | undefined)[]): SingleDamage[] {
  return values.map((value) => ({
    what: `${name}: ${value}`,
    spoil: (draft) => {
      draft.headers[name] = value;
    },
  }));
}

const PLACES: readonly (readonly [Place, string])[] = [
  ...['jsonrpc', 'id', 'method', 'params', 'extra'].map((key) => [message, key] as const),
  ...['name', 'arguments', 'cursor', '_meta', 'extra'].map((key) => [params, key] as const),
  ...['protocolVersion', 'clientCapabilities', 'clientInfo'].map((key) => [meta, `${OWN}/${key}`] as const),
  [meta, 'progressToken'],
];

/** Places that take whatever they are given. */
export const junkPlaces: readonly ((value: unknown) => Damage)[] = PLACES.map(
  ([place, key]) =>
    (value) =>
    (draft) => {
      place(draft)[key] = value;
    },
);

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

/** Every damage that was thought of, each by itself. */
export function singleDamages(tools: readonly string[]): readonly SingleDamage[] {
  const names = [...tools.slice(0, 3), 'no_such_tool', 'toString', 'HEALTH', ''];
  return [
    ...inMessage(names),
    ...inMeta(),
    ...inHeaders(names),
    ...wrapping(),
    ...addressing([...names.slice(0, 3), 'no_such_tool'].map((name) => name.replaceAll('_', '-'))),
    ...alsoMethod(),
    ...otherCalls(),
  ];
}

function inMessage(names: readonly string[]): SingleDamage[] {
  return [
    ...put(message, 'jsonrpc', ['1.0', '2', 2]),
    ...put(message, 'id', [0, -7, 'a', '', 2 ** 53, '1', 'Grüße ❄']),
    ...put(message, 'method', METHODS),
    ...put(message, 'params', [[], {}]),
    ...put(message, 'extra', [1]),
    ...put(message, 'result', [{}]),
    ...put(params, 'name', names),
    ...put(params, 'arguments', [{ extra: 1 }, '{}']),
    ...put(params, 'cursor', ['', 'x', 'MQ==', 1]),
    ...put(params, 'extra', [1]),
    ...put(params, 'task', [{ ttl: 1 }]),
    ...put(params, 'inputResponses', [{ a: { action: 'accept', content: {} } }]),
    ...put(params, 'requestState', ['state']),
    ...put(params, '_meta', [{}]),
  ];
}

function inMeta(): SingleDamage[] {
  return [
    ...put(meta, `${OWN}/protocolVersion`, VERSIONS),
    ...put(meta, `${OWN}/clientCapabilities`, [
      { elicitation: {} },
      { sampling: 5 },
      { roots: { listChanged: true } },
      { extensions: { 'example/x': {} } },
      { unknown: {} },
    ]),
    ...put(meta, `${OWN}/clientInfo`, [
      { name: 'only' },
      { name: 'a', version: '1', title: 'A', websiteUrl: 'https://a.example' },
      { name: 'a', version: '1', unknown: true },
      { name: 'a', version: 1 },
    ]),
    ...put(meta, `${OWN}/logLevel`, ['debug', 'loud']),
    ...put(meta, `${OWN}/unknown`, [1]),
    ...put(meta, 'progressToken', ['token', 7, 1.5]),
    ...put(meta, 'traceparent', ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01']),
    ...put(meta, 'example/key', [1]),
  ];
}

function inHeaders(names: readonly string[]): SingleDamage[] {
  const encoded = names.map((name) => `=?base64?${Buffer.from(name).toString('base64')}?=`);
  return [
    ...header('mcp-protocol-version', VERSIONS),
    ...header('mcp-method', [undefined, '', 'tools/list', 'tools/call', 'TOOLS/CALL', ' server/discover']),
    ...header('mcp-name', [undefined, ...names, ...encoded, '=?base64?!?=']),
    ...header('mcp-session-id', ['x', '5f6e2f5e-5c0b-4c58-9a53-0f8f3b0a0c11']),
    ...header('accept', [undefined, '*/*', 'application/json', 'text/event-stream', 'text/html', '']),
    ...header('content-type', [
      undefined,
      'application/json; charset=utf-8',
      'application/json;charset=latin1',
      'APPLICATION/JSON',
      'application/vnd.api+json',
      'text/plain',
      '',
    ]),
    ...header('content-encoding', ['identity', 'gzip']),
    ...header('last-event-id', ['1']),
    ...header('origin', ['http://localhost:1', 'https://elsewhere.example', 'null']),
    ...header('authorization', [undefined, 'Bearer nobody', 'Basic eDp5']),
  ];
}

/** The message in something else than one plain JSON object. */
function wrapping(): SingleDamage[] {
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
  return writers.map((write, index) => ({
    what: `body ${index}: ${write}`,
    spoil: (draft) => {
      draft.write = write;
    },
  }));
}

function addressing(paths: readonly string[]): SingleDamage[] {
  const tails = [
    ...paths.map((path) => `/${path}`),
    '/',
    '?toolsets=system',
    '?toolsets=discovery,campaigns&readonly=true',
    '?toolsets=nothing',
    '?readonly=true',
    '?unknown=1',
  ];
  return tails.map((tail) => ({
    what: `at ${tail}`,
    spoil: (draft) => {
      draft.path = draft.path.split('/', 4).join('/').replace(/\?.*/, '') + tail;
    },
  }));
}

function alsoMethod(): SingleDamage[] {
  return ['PUT', 'DELETE', 'PATCH'].map((method) => ({
    what: `by ${method}`,
    spoil: (draft) => {
      draft.method = method;
    },
  }));
}

/** Good calls of another tool: its name is more than ASCII, or there is none. */
function otherCalls(): SingleDamage[] {
  return ['{{campaignId}}', 'cmp_none'].map((campaignId) => ({
    what: `of campaign ${campaignId}`,
    spoil: ({ method, headers, message, params }) => {
      if (method !== 'POST' || message['method'] !== 'tools/call') return;
      headers['mcp-name'] = 'campaign_get';
      params['name'] = 'campaign_get';
      params['arguments'] = { campaignId };
    },
  }));
}
