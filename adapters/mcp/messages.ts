import type { IncomingMessage } from 'node:http';
import { asText } from '../../tools/core/schemas/as-text.ts';
import { asFields, isFields } from '../../tools/core/schemas/checks.ts';

/** What is looked at in a body before anybody answers it, whichever lane that will be. */

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

type Fields = Record<string, unknown>;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly id?: string | number | null;
}

/** What is wrong with the messages of a body; on the address of one tool, its name too. */
export function faultOf(body: unknown, tool: string | undefined): RpcError | undefined {
  const messages = messagesOf(body);
  const lacking = messages.map(lacks).find((name) => name !== undefined);
  if (lacking !== undefined) return fault(body, INVALID_PARAMS, `${lacking} has to be there, as text.`);
  if (tool !== undefined && messages.some((message) => callsAnother(message, tool))) {
    return fault(body, INVALID_PARAMS, `This address calls ${tool}: params.name must say the same.`);
  }
  if (messages.some(hasOddArguments)) return fault(body, INVALID_PARAMS, ODD_ARGUMENTS);
  const untold = messages.map(argumentThatIsNoText).find((name) => name !== undefined);
  if (untold !== undefined) return fault(body, INVALID_PARAMS, noText(untold));
  if (messages.some(expectsNothing)) {
    return fault(body, INVALID_REQUEST, 'A request needs an id: without one nothing can answer it.');
  }
  if (messages.some(hasOddCursor)) {
    return fault(body, INVALID_PARAMS, 'params.cursor is none that was given out: leave it out.');
  }
  return undefined;
}

const ODD_ARGUMENTS =
  'Send params.arguments as a JSON object, such as {"take": 10}, not as a list or as JSON in a string. Leave it out where nothing is to be said.';

/** What a method cannot do without, in its params. */
const NEEDED: ReadonlyMap<unknown, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** Where in a message that is missing. */
function lacks(message: unknown): string | undefined {
  if (!isFields(message)) return undefined;
  const name = NEEDED.get(message['method']);
  return name === undefined || typeof paramsOf(message)[name] === 'string' ? undefined : `params.${name}`;
}

/** A slip of models that write JSON by hand. */
function hasOddArguments(message: unknown): boolean {
  if (!isFields(message) || !NEEDED.has(message['method'])) return false;
  const args = paramsOf(message)['arguments'];
  return args !== undefined && !isFields(args);
}

/** The arguments of prompts are text, each of them (MCP, prompts/get). */
function argumentThatIsNoText(message: unknown): string | undefined {
  if (!isFields(message) || message['method'] !== 'prompts/get') return undefined;
  const given = Object.entries(asFields(paramsOf(message)['arguments']));
  return given.find(([, value]) => typeof value !== 'string')?.[0];
}

/** A name that is no name is not repeated. */
const NAME = /^\w{1,64}$/;

function noText(name: string): string {
  const which = NAME.test(name) ? `params.arguments.${name}` : 'each argument';
  return `Send ${which} as text, such as "5000", or leave it out.`;
}

function paramsOf(message: Fields): Fields {
  const { params } = message;
  return asFields(params);
}

function fault(body: unknown, code: number, message: string): RpcError {
  const id = isFields(body) ? body['id'] : null;
  return { code, message, id: isId(id) ? id : null };
}

/**
 * Fills in what scripts leave out that know the interface and not the whole protocol: what a client says of itself
 * when it greets, and arguments that are null where there are none.
 */
export function fillIn(body: unknown): void {
  for (const message of messagesOf(body).filter(isFields)) {
    if (message['method'] === 'initialize') message['params'] = greeting(message['params'] ?? {});
    if (WITH_ARGUMENTS.has(message['method'])) leaveOutNulls(paramsOf(message), ['arguments']);
    if (message['method'] === 'prompts/get') leaveOutNulls(asFields(paramsOf(message)['arguments']));
  }
}

const WITH_ARGUMENTS: ReadonlySet<unknown> = new Set(['tools/call', 'prompts/get']);

function leaveOutNulls(fields: Fields, names = Object.keys(fields)): void {
  for (const name of names) if (fields[name] === null) delete fields[name];
}

/** The newest revision that has sessions. */
const WITH_SESSIONS = '2025-11-25';

function greeting(params: unknown): unknown {
  if (!isFields(params)) return params;
  const { protocolVersion, capabilities, clientInfo } = params;
  return {
    ...params,
    protocolVersion: protocolVersion ?? WITH_SESSIONS,
    capabilities: capabilities ?? {},
    clientInfo: namedClient(clientInfo ?? {}),
  };
}

function namedClient(client: unknown): unknown {
  if (!isFields(client)) return client;
  return { ...client, name: client['name'] ?? 'unnamed', version: client['version'] ?? '0' };
}

/** The messages of a body: of a batch each, else the one that it is. */
export function messagesOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body];
}

function callsAnother(message: unknown, name: string): boolean {
  return isFields(message) && message['method'] === 'tools/call' && paramsOf(message)['name'] !== name;
}

/** A request that lacks its id would be taken for a notification, and be dropped without a word. */
function expectsNothing(message: unknown): boolean {
  if (!isFields(message) || 'id' in message) return false;
  const { method } = message;
  return typeof method === 'string' && !method.startsWith('notifications/');
}

/** Lists here have one page: every cursor is one that we did not give out. */
function hasOddCursor(message: unknown): boolean {
  if (!isFields(message)) return false;
  const { method, params } = message;
  if (typeof method !== 'string' || !method.endsWith('/list') || !isFields(params)) return false;
  return params['cursor'] !== undefined;
}

const METHOD = /^[a-z]+(?:\/[a-z_]+){0,3}$/i;
const METHOD_MAX = 64;

/** What the line of the log says was called: a tool that is there, a method; never what somebody made up. */
export function targetOf(
  { method = '' }: IncomingMessage,
  body: unknown,
  { targets }: { readonly targets: ReadonlyMap<string, string> },
): string {
  if (body === undefined) return `mcp ${method.toLowerCase()}`;
  if (!isFields(body)) return 'mcp batch';
  const { method: asked, params } = body;
  if (typeof asked !== 'string' || asked.length > METHOD_MAX || !METHOD.test(asked)) return 'mcp answer';
  const name = asked === 'tools/call' && isFields(params) ? params['name'] : undefined;
  return (typeof name === 'string' ? targets.get(name) : undefined) ?? `mcp ${asked}`;
}

/** Does something with the tool that a body calls; of a batch, with each of them. */
export function withToolsCalled<T>(
  body: unknown,
  { tools }: { readonly tools: ReadonlyMap<string, T> },
  work: (tool: T) => void,
): void {
  if (Array.isArray(body)) for (const message of body) withToolsCalled(message, { tools }, work);
  else if (isFields(body) && body['method'] === 'tools/call' && isFields(body['params'])) {
    const tool = tools.get(asText(body['params']['name']));
    if (tool !== undefined) work(tool);
  }
}

/** The ids of the requests in a body; those of answers to questions of ours are our own. */
export function requestIdsIn(body: unknown): (string | number)[] {
  return messagesOf(body).flatMap((message) =>
    isFields(message) && 'method' in message && isId(message['id']) ? [message['id']] : [],
  );
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** The requests that a body calls off. */
export function cancelledIn(body: unknown): (string | number)[] {
  return messagesOf(body).flatMap((message) => {
    if (!isFields(message) || message['method'] !== 'notifications/cancelled') return [];
    const { params } = message;
    const id = isFields(params) ? params['requestId'] : undefined;
    return isId(id) ? [id] : [];
  });
}
