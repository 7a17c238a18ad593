import { Agent, type IncomingMessage, request } from 'node:http';

/** The revision of the stateless era. */
export const REVISION = '2026-07-28';

const PREFIX = 'io.modelcontextprotocol';

/** What a stateless request says about itself in its body. */
export function metaOf(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    [`${PREFIX}/protocolVersion`]: REVISION,
    [`${PREFIX}/clientCapabilities`]: {},
    [`${PREFIX}/clientInfo`]: { name: 'test', version: '1' },
    ...more,
  };
}

export type HeaderFields = Readonly<Record<string, string | undefined>>;

export interface RawRequest {
  readonly method?: string;
  /** With its query. */
  readonly path: string;
  /** Sent as they are; an undefined one is left out. */
  readonly headers?: HeaderFields;
  readonly body?: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface RawClient {
  send(raw: RawRequest): Promise<RawAnswer>;
  close(): void;
}

/** Plain HTTP without the manners of fetch: any header, any body. */
export function rawClient(url: string): RawClient {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(url);
  return {
    send: ({ method = 'POST', path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const given = Object.entries(headers).filter(([, value]) => value !== undefined);
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
        const fields = { ...length, ...Object.fromEntries(given) };
        const sent = request({ agent, hostname, port, method, path, headers: fields }, (answer) => {
          answer.setEncoding('utf8');
          let text = '';
          answer.on('data', (chunk: string) => {
            text += chunk;
          });
          answer.on('error', reject);
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
        });
        sent.on('error', reject);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** The messages of an answer: of its event stream, or the one that is its body. */
export function messagesOf({ headers, text }: Pick<RawAnswer, 'headers' | 'text'>): unknown[] {
  if (!headers['content-type']?.startsWith('text/event-stream')) return text === '' ? [] : [JSON.parse(text)];
  const data = [...text.matchAll(/^data: (.+)$/gm)].map(([, json = '']) => json);
  return data.map((json) => JSON.parse(json));
}

/** A message of JSON-RPC with the members every test means. */
export function rpc(
  method: string,
  params?: Readonly<Record<string, unknown>>,
  id: number | string = 1,
): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
}

export function initialize(protocolVersion = '2025-11-25'): string {
  return rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } });
}

/** The headers of a script: no more than the interface asks for. */
export function scriptHeaders(key: string, sessionId?: string): HeaderFields {
  return {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'mcp-session-id': sessionId,
  };
}

/** A stateless request as a good client sends it. */
export function stateless(
  key: string,
  method: string,
  {
    _meta,
    ...params
  }: { readonly _meta?: Readonly<Record<string, unknown>>; readonly [name: string]: unknown } = {},
): { headers: HeaderFields; body: string } {
  const name = params['name'];
  return {
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      'mcp-name': typeof name === 'string' ? name : undefined,
    },
    body: rpc(method, { ...params, _meta: metaOf(_meta) }),
  };
}

/** The messages of an event stream as they come. */
export async function* eventsOf(response: Response): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let unread = '';
  for await (const chunk of response.body ?? []) {
    unread += decoder.decode(chunk, { stream: true });
    const events = unread.split('\n\n');
    unread = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1];
      if (data !== undefined) yield JSON.parse(data);
    }
  }
}
