import { Agent, type Dispatcher } from 'undici';

/** An answer, read whole. */
export interface Said {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What `fetch` says of itself with every request. */
const OF_FETCH = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate',
};

const FORM = 'application/x-www-form-urlencoded;charset=UTF-8';
const TEXT = 'text/plain;charset=UTF-8';

let agent = new Agent();

/** Closes the connections that are kept for another question, each once its answer is there. */
export function stopAsking(): void {
  const before = agent;
  agent = new Agent();
  void before.close();
}

/**
 * What `fetch` would send, and its answer read whole; a redirect is an answer. Streams, aborts and everything else
 * of `fetch` cost it more than the service takes to answer, and the suite asks a hundred thousand times.
 */
export async function ask(target: string | URL, init: RequestInit = {}): Promise<Said> {
  const { method = 'GET', headers: given, body, ...others } = init;
  if (!isText(body) || Object.keys(others).length > 0) return fetched(target, init);
  const { origin, pathname, search } = new URL(target);
  const headers: Record<string, string> = { ...OF_FETCH, ...typeOf(body), ...asObject(given) };
  return dispatched({
    origin,
    path: pathname + search,
    method: method.toUpperCase(),
    headers,
    ...(body === undefined ? {} : { body: body.toString() }),
  });
}

async function fetched(target: string | URL, init: RequestInit): Promise<Said> {
  const response = await fetch(target, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function isText(body: RequestInit['body']): body is string | URLSearchParams | undefined {
  return body === undefined || typeof body === 'string' || body instanceof URLSearchParams;
}

function typeOf(body: string | URLSearchParams | undefined): Record<string, string> {
  if (body === undefined) return {};
  return { 'content-type': typeof body === 'string' ? TEXT : FORM };
}

/** By their names in small letters, as they are sent. */
export function asObject(headers: RequestInit['headers']): Record<string, string> {
  const given = headers instanceof Headers || Array.isArray(headers) ? [...new Headers(headers)] : undefined;
  const entries = given ?? Object.entries({ ...headers });
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

function dispatched(request: Dispatcher.DispatchOptions): Promise<Said> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let received: Readonly<Record<string, string | string[] | undefined>> = {};
    const chunks: Buffer[] = [];
    agent.dispatch(request, {
      onRequestStart: () => {},
      onResponseStart: (_controller, code, headers) => {
        status = code;
        received = headers;
      },
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve(said(status, received, Buffer.concat(chunks))),
      onResponseError: (_controller, cause) => reject(new TypeError('fetch failed', { cause })),
    });
  });
}

function said(
  status: number,
  received: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
): Said {
  let headers: Headers | undefined;
  return {
    status,
    text: new TextDecoder().decode(body),
    // Few ask for them.
    get headers() {
      headers ??= headersFrom(received);
      return headers;
    },
  };
}

function headersFrom(received: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(received)) {
    for (const value of [values].flat()) headers.append(name, value);
  }
  return headers;
}
