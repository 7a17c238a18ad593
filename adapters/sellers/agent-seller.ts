import { z } from 'zod';
import type { Secrets } from '../../tools/core/ports.ts';
import { authOwner } from '../../tools/domain/sellers/credential-owner.ts';
import type { BuyReference, BuyReport, Seller, Sellers } from '../../tools/domain/sellers/port.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';
import { boundedText } from '../../tools/domain/text.ts';
import { BlockedAddressError } from '../net/address-guard.ts';
import { readDelivery, readMediaBuy, readOrderAnswer, readTask } from './adcp-orders.ts';
import {
  createMediaBuyRequest,
  deliveryRequest,
  failureIn,
  getMediaBuysRequest,
  getProductsRequest,
  readProducts,
  taskRequest,
} from './adcp-wire.ts';
import { classifyFailure, connectTools, type ToolClient, type ToolReply } from './mcp-client.ts';
import { type Fetch, TooLargeError } from './seller-fetch.ts';

const MESSAGE_MAX = 500;

interface Parts {
  readonly fetch: Fetch;
  readonly secrets: Secrets;
  readonly timeoutMs: number;
}

/** One call of a tool at a seller. */
interface Ask {
  readonly seller: Seller;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly signal: AbortSignal;
  /** True for what the seller may carry out although we never hear of it. */
  readonly mutates?: boolean;
  /** True when it may have carried out the same call already, whose answer never came. */
  readonly lost?: boolean;
}

/** Sellers that are AdCP agents at a URL, spoken to over MCP. Connections are kept and made again when lost. */
export function agentSellers(parts: Parts): Sellers {
  const clients: Clients = new Map();
  const ask = (request: Ask) => askSeller(parts, clients, request);
  return {
    getProducts: async (seller, query, signal) => {
      const args = getProductsRequest(query);
      const { content } = await ask({ seller, tool: 'get_products', args, signal });
      return readProducts(refuseFailure(content, 'products'));
    },
    createMediaBuy: async (seller, order, signal) => {
      const args = createMediaBuyRequest(order);
      const asked = await ask({ seller, tool: 'create_media_buy', args, signal, mutates: true });
      const answer = readOrderAnswer(asked.content);
      return answer.kind === 'refused' && asked.lost ? { ...answer, unresolved: true } : answer;
    },
    getMediaBuy: async (seller, reference, signal) => {
      if (reference.mediaBuyId !== null) {
        return reportBuy(ask, { seller, reference, mediaBuyId: reference.mediaBuyId, signal });
      }
      const { content } = await ask({ seller, tool: 'tasks_get', args: taskRequest(reference), signal });
      return readTask(refuseFailure(content));
    },
  };
}

interface ReportRequest {
  readonly seller: Seller;
  readonly reference: BuyReference;
  readonly mediaBuyId: string;
  readonly signal: AbortSignal;
}

async function reportBuy(
  ask: (request: Ask) => Promise<Asked>,
  { seller, reference, mediaBuyId, signal }: ReportRequest,
): Promise<BuyReport> {
  const args = getMediaBuysRequest(reference.party, mediaBuyId);
  const { content } = await ask({ seller, tool: 'get_media_buys', args, signal });
  const report = readMediaBuy(refuseFailure(content, 'media_buys'), mediaBuyId);
  if (report === undefined)
    throw new SellerError('error', 'The seller does not know the media buy any more.');
  const delivery = await ask({
    seller,
    tool: 'get_media_buy_delivery',
    args: deliveryRequest(reference.party, mediaBuyId),
    signal,
  }).catch(() => undefined);
  const delivered = readDelivery(delivery?.content, mediaBuyId);
  return delivered === undefined ? report : { ...report, delivery: delivered };
}

function refuseFailure(content: unknown, payload?: string): unknown {
  const failed = failureIn(content, payload);
  if (failed === undefined) return content;
  const reason = /^AUTH_|^PERMISSION_DENIED$/.test(failed.code) ? 'auth_required' : 'error';
  throw new SellerError(reason, `${failed.code}: ${failed.message}`);
}

interface Asked {
  readonly content: unknown;
  readonly lost: boolean;
}

/**
 * Asks over the connection that is there, and once more over a new one when that proves stale: a repeat is
 * safe, because every order carries its key. What the first call may have done is not forgotten over the second.
 */
async function askSeller(parts: Parts, clients: Clients, request: Ask): Promise<Asked> {
  const { source } = request.seller;
  const key = `${source.id} ${source.endpointUrl} ${source.auth}`;
  const kept = clients.get(key);
  const client = kept ?? connect(parts, request.seller);
  clients.set(key, client);
  const options = { signal: request.signal, timeoutMs: parts.timeoutMs };
  try {
    const reply = await (await client).call(request.tool, request.args, options);
    return { content: contentOf(reply, request), lost: request.lost === true };
  } catch (error) {
    if (error instanceof SellerError) throw error;
    if (clients.get(key) === client) clients.delete(key);
    const failed = asSellerError(error, request);
    if (kept === undefined || request.signal.aborted) throw failed;
    return askSeller(parts, clients, { ...request, lost: failed.unresolved });
  }
}

type Clients = Map<string, Promise<ToolClient>>;

/** The connection serves many calls: it ends with its own time and not with the call that needed it first. */
function connect(parts: Parts, { source }: Seller): Promise<ToolClient> {
  return connectTools(source.endpointUrl ?? '', {
    fetch: parts.fetch,
    headers: authHeaders(parts.secrets, source),
    signal: AbortSignal.timeout(parts.timeoutMs),
    timeoutMs: parts.timeoutMs,
  });
}

const storedAuth = z.object({ type: z.enum(['bearer', 'api_key']), token: z.string() });

function authHeaders(secrets: Secrets, source: Seller['source']): Record<string, string> {
  if (source.auth === null) return {};
  const { type, token } = storedAuth.parse(JSON.parse(secrets.open(source.auth, authOwner(source.id))));
  return type === 'bearer' ? { Authorization: `Bearer ${token}` } : { 'X-API-Key': token };
}

/**
 * The payload of an answer: structured, or JSON in its text. Other words say nothing of what was done, also
 * when they are marked as an error: only AdCP has a way to refuse.
 */
function contentOf(reply: ToolReply, { mutates = false }: Ask): unknown {
  if (reply.structuredContent !== undefined) return reply.structuredContent;
  const parsed = parseJson(reply.text);
  if (parsed !== undefined) return parsed;
  const facts = { unresolved: mutates };
  if (reply.isError) throw new SellerError('error', boundedText(reply.text, MESSAGE_MAX), facts);
  throw new SellerError('invalid_response', 'The answer is neither structured nor JSON.', facts);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asSellerError(error: unknown, { signal, mutates = false, lost = false }: Ask): SellerError {
  if (signal.aborted) {
    const reason: unknown = signal.reason;
    if (reason instanceof SellerError)
      return new SellerError(reason.reason, reason.message, { unresolved: mutates, cause: error });
    return new SellerError('timeout', 'The seller did not answer in time.', {
      unresolved: mutates,
      cause: error,
    });
  }
  const blocked = causeOf(error, BlockedAddressError);
  if (blocked !== undefined) {
    // Which address a name stands for in this network is nothing for a buyer's eyes.
    const message = 'The address of the seller is not one that this service may call.';
    return new SellerError('error', message, { unresolved: lost, cause: error });
  }
  const large = causeOf(error, TooLargeError);
  if (large !== undefined)
    return new SellerError('invalid_response', large.message, { unresolved: mutates, cause: error });
  switch (classifyFailure(error)) {
    case 'unauthorized':
      return new SellerError('auth_required', 'The seller wants another credential.', {
        unresolved: lost,
        cause: error,
      });
    case 'timeout':
      return new SellerError('timeout', 'The seller did not answer in time.', {
        unresolved: mutates,
        cause: error,
      });
    case 'not_mcp':
      return new SellerError('invalid_response', 'The seller did not answer in the protocol.', {
        unresolved: mutates,
        cause: error,
      });
    case 'failing':
      return new SellerError('error', 'The seller answered with an error of its own.', {
        unresolved: mutates,
        cause: error,
      });
    case 'unreachable':
      return new SellerError('error', 'The seller could not be reached.', {
        unresolved: mutates,
        cause: error,
      });
  }
}

/** An error of this class among an error and its causes. */
function causeOf<T extends Error>(error: unknown, kind: new (...args: never[]) => T): T | undefined {
  let here: unknown = error;
  for (let depth = 0; depth < 8 && here instanceof Error; depth += 1) {
    if (here instanceof kind) return here;
    here = here.cause;
  }
  return undefined;
}
