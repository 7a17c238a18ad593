import { isFields } from '../../tools/core/schemas/checks.ts';
import type { AnswerOwner, AnswerPool } from './answer-pool.ts';
import { SMALL } from './exchange.ts';

/** Products of an answer that was too large to be read at once, each slice a list in JSON. */
export interface SlicedProducts {
  readonly slices: readonly string[];
  /** Products that were counted and not read. */
  readonly leftOut: number;
}

/** A response of JSON-RPC to a request: nothing of it is checked but that it is one. */
export interface Answer {
  readonly message: Readonly<Record<string, unknown>>;
  readonly products: SlicedProducts | undefined;
}

export interface Reading {
  readonly pool: AnswerPool;
  /** Whose turn it is. */
  readonly owner: AnswerOwner;
  readonly signal: AbortSignal;
  /** The request that is answered. */
  readonly asked: string;
}

/** The answer in a text; undefined where it is none, such as a request or notification of the seller's. */
export function answerIn(json: string, products?: SlicedProducts): Answer | undefined {
  const read = parsed(json);
  // An older revision answers in batches, of one here.
  const message: unknown = Array.isArray(read) ? read.find(isResponse) : read;
  return isResponse(message) ? { message, products } : undefined;
}

const utf8 = new TextDecoder();

/** The answer in bytes. What is large is read elsewhere. */
export async function answerOf(bytes: Buffer, { pool, ...reading }: Reading): Promise<Answer | undefined> {
  if (bytes.byteLength <= SMALL) return answerIn(utf8.decode(bytes));
  const { message, products, leftOut } = await pool.read(new Uint8Array(bytes), reading);
  return answerIn(message, products === undefined ? undefined : { slices: products, leftOut });
}

function isResponse(message: unknown): message is Readonly<Record<string, unknown>> {
  return isFields(message) && !('method' in message) && ('result' in message || 'error' in message);
}

/** What a text of JSON says; undefined of any other. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
