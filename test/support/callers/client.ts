import { ask, asObject } from '../server/ask.ts';
import { headersOf } from './browsers.ts';

/** An answer of REST, read whole. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
}

export interface Client {
  get(path: string): Promise<Reply>;
  post(path: string, body?: unknown): Promise<Reply>;
  put(path: string, body?: unknown): Promise<Reply>;
  patch(path: string, body?: unknown): Promise<Reply>;
  delete(path: string, body?: unknown): Promise<Reply>;
  /** Any request, for tests of the protocol itself. */
  send(path: string, init: RequestInit): Promise<Reply>;
}

/** Calls below `/api/v2` with a key; without one when there is none. */
export function clientFor(url: string, key?: string): Client {
  const send = async (path: string, init: RequestInit): Promise<Reply> => {
    const headers = { ...headersOf(key), ...asObject(init.headers) };
    const target = path.startsWith('http')
      ? path
      : `${url}${path.startsWith('/api') ? '' : '/api/v2'}${path}`;
    const said = await ask(target, { ...init, headers });
    return {
      status: said.status,
      text: said.text,
      body: parse(said.text),
      get headers() {
        return said.headers;
      },
    };
  };
  const json = (method: string) => (path: string, body?: unknown) =>
    send(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  return {
    get: (path) => send(path, { method: 'GET' }),
    post: json('POST'),
    put: json('PUT'),
    patch: json('PATCH'),
    delete: json('DELETE'),
    send,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
