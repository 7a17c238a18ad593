import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher, request } from 'undici';

/** What a seller sent was more than we take. */
export class TooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`The answer is larger than ${maxBytes} bytes.`);
    this.name = 'TooLargeError';
  }
}

interface Sending {
  readonly request: typeof request;
  readonly dispatcher: Dispatcher;
  readonly url: URL;
  readonly init: RequestInit | undefined;
  /** Bytes of an answer, unpacked. */
  readonly maxBytes: number;
}

/** A request and its answer in the shape of fetch, for libraries that want one. Redirects are not followed. */
export async function send({ request, dispatcher, url, init, maxBytes }: Sending): Promise<Response> {
  const signal = init?.signal ?? undefined;
  const { statusCode, headers, body } = await request(url, {
    dispatcher,
    method: methodOf(init),
    headers: headersOf(init),
    body: bodyOf(init),
    signal,
  }).catch((error: unknown) => {
    throw failed(error, signal);
  });
  const answered = new Headers(
    Object.entries(headers).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => [name, value]),
    ),
  );
  if (WITHOUT_BODY.has(statusCode) || answered.get('content-length') === '0') {
    body.on('error', () => {}).resume();
    return new Response(null, { status: statusCode, headers: answered });
  }
  const bytes = unpacked(body, answered.get('content-encoding'));
  return new Response(bounded(bytes, { maxBytes, signal }), { status: statusCode, headers: answered });
}

/** A response of such a status has no body (Fetch, null body status). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

function methodOf(init: RequestInit | undefined): Dispatcher.HttpMethod {
  const method = init?.method ?? 'GET';
  return method === 'POST' || method === 'DELETE' ? method : 'GET';
}

function headersOf(init: RequestInit | undefined): Record<string, string> {
  return { accept: '*/*', 'user-agent': 'rialto', ...Object.fromEntries(new Headers(init?.headers)) };
}

/** Text as it is, and the fields of a form. */
function bodyOf(init: RequestInit | undefined): string | null {
  const body = init?.body;
  return typeof body === 'string' ? body : body instanceof URLSearchParams ? body.toString() : null;
}

/** What was called off says why itself. */
function failed(error: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted ? signal.reason : connectionFailed(error);
}

/** How fetch says that a connection was not made or broke. */
export function connectionFailed(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause });
}

const UNPACKING: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** No packing was asked for, and some pack all the same: what unpacks it, or undefined. */
export function unpackingOf(encoding: string | null | undefined): (() => Transform) | undefined {
  if (!encoding) return undefined;
  return Object.entries(UNPACKING).find(([name]) => name === encoding.toLowerCase())?.[1];
}

function unpacked(body: Readable, encoding: string | null): Readable {
  const unpack = unpackingOf(encoding);
  if (unpack === undefined) return body;
  const into = unpack();
  body.on('error', (error) => into.destroy(error));
  into.on('close', () => body.destroy());
  return body.pipe(into);
}

/** What follows an answer is read for so long and so far, in bytes: its connection serves the next call then. */
const REST_MS = 1_000;
const REST_BYTES = 65_536;

interface Bounds {
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** The bytes as they are asked for, up to the most that is taken. */
function bounded(bytes: Readable, { maxBytes, signal }: Bounds): ReadableStream<Uint8Array> {
  // Whoever reads hears of it; a body that nobody reads ends in silence.
  bytes.on('error', () => {});
  const parts: AsyncIterator<Uint8Array> = bytes[Symbol.asyncIterator]();
  let size = 0;
  const next = async () => {
    const part = await parts.next();
    if (part.done === true) return undefined;
    size += part.value.byteLength;
    if (size <= maxBytes) return part.value;
    throw new TooLargeError(maxBytes);
  };
  /** Whoever read has its answer. A stream that ends by itself leaves its connection; any other is cut. */
  const letEnd = async () => {
    const cut = setTimeout(() => bytes.destroy(), REST_MS).unref();
    const most = size + REST_BYTES;
    try {
      while (size <= most && (await next()) !== undefined);
    } finally {
      clearTimeout(cut);
      bytes.destroy();
    }
  };
  return new ReadableStream(
    {
      pull: async (controller) => {
        try {
          const part = await next();
          if (part === undefined) controller.close();
          else controller.enqueue(part);
        } catch (error) {
          bytes.destroy();
          controller.error(error instanceof TooLargeError ? error : failed(error, signal));
        }
      },
      // Nobody reads it, so nobody need know that it broke off.
      cancel: () => void letEnd().catch(() => {}),
    },
    { highWaterMark: 0 },
  );
}
