import type { AnswerPool } from './answer-pool.ts';
import { EventStreamError, eventsOf } from './event-messages.ts';

/** What is smaller is read at once: it takes less time than to hand it over. Bytes. */
const SMALL = 65_536;

/** Products of an answer that was too large to be read at once, each slice a list in JSON. */
export interface SlicedProducts {
  readonly slices: readonly string[];
  /** Products that were counted and not read. */
  readonly leftOut: number;
}

interface Answer {
  /** The JSON-RPC message, as JSON. */
  readonly message: string;
  readonly products?: SlicedProducts;
}

interface Reading {
  readonly pool: AnswerPool;
  /** Whose turn it is. */
  readonly seller: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * The answer in a response, as one JSON-RPC message: the body, or the first event of a stream that is an answer.
 * What a stream says beside it, also what it asks of us, is left unread. The stream ends here.
 */
export async function answerIn(response: Response, reading: Reading): Promise<Answer> {
  if (response.body === null) return { message: '' };
  if (!isEventStream(response)) return readBytes(await bytesOf(response.body), reading);
  for await (const data of eventsOf(response.body)) {
    const answer = await readText(data, reading);
    if (isAnswer(answer.message)) return answer;
  }
  throw new EventStreamError('The stream ended before the answer.');
}

/** A response that is no answer, without its body when that is longer than any words of a server need. */
export async function refusal(response: Response): Promise<Response> {
  const body = response.body === null ? new Uint8Array() : await bytesOf(response.body);
  const { status, statusText, headers } = response;
  return new Response(body.byteLength > SMALL ? null : body, { status, statusText, headers });
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

async function bytesOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(body).arrayBuffer());
}

async function readText(text: string, reading: Reading): Promise<Answer> {
  if (text.length <= SMALL) return { message: text };
  return readBytes(new TextEncoder().encode(text), reading);
}

async function readBytes(bytes: Uint8Array<ArrayBuffer>, { pool, seller, signal }: Reading): Promise<Answer> {
  if (bytes.byteLength <= SMALL) return { message: new TextDecoder().decode(bytes) };
  const { message, products, leftOut } = await pool.read(bytes, seller, signal);
  return products === undefined ? { message } : { message, products: { slices: products, leftOut } };
}

/** A response to a request, and no request or notification of the seller's. */
function isAnswer(json: string): boolean {
  try {
    const message: unknown = JSON.parse(json);
    return typeof message === 'object' && message !== null && 'id' in message && !('method' in message);
  } catch {
    return false;
  }
}
