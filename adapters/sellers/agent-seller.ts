import { z } from 'zod';
import type { Clock, Secrets } from '../../tools/core/ports.ts';
import { turn } from '../../tools/core/turn.ts';
import { authOwner } from '../../tools/domain/sellers/credential-owner.ts';
import type {
  BuyReference,
  BuyReport,
  OfferedProducts,
  Seller,
  Sellers,
} from '../../tools/domain/sellers/port.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';
import { boundedText } from '../../tools/domain/text.ts';
import type { Config } from '../settings/config.ts';
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
import { type AnswerPool, answerPool } from './answer-pool.ts';
import type { SlicedProducts } from './answers.ts';
import { busyWait } from './busy-wait.ts';
import { clientShelf, type Shelf } from './client-shelf.ts';
import { BusyError, connectTools, type ToolClient, type ToolReply } from './mcp-client.ts';
import { asSellerError, causeOf } from './seller-failures.ts';
import type { SellerRoutes } from './seller-fetch.ts';

const MESSAGE_MAX = 500;

interface Parts {
  readonly config: Pick<
    Config,
    'sellerTimeoutMs' | 'sellerProductsMax' | 'sellerConnectionsMax' | 'sellerConnectionIdleMs'
  >;
  readonly routes: SellerRoutes;
  readonly clock: Clock;
  readonly secrets: Secrets;
}

/** The parts, and what is kept between calls. */
interface Kept extends Parts {
  readonly clients: Shelf<ToolClient>;
  readonly pool: AnswerPool;
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
  const { clock, config, routes } = parts;
  const { ended } = routes;
  const kept: Kept = {
    ...parts,
    pool: answerPool({ products: config.sellerProductsMax, ended }),
    clients: clientShelf({
      clock,
      max: config.sellerConnectionsMax,
      idleMs: config.sellerConnectionIdleMs,
      ended,
    }),
  };
  const ask = (request: Ask) => askPatiently(kept, request);
  return {
    getProducts: async (seller, query, signal) => {
      const args = getProductsRequest(query);
      const { content, products } = await ask({ seller, tool: 'get_products', args, signal });
      const offered = readProducts(refuseFailure(content, 'products'));
      return products === undefined ? bounded(offered, config.sellerProductsMax) : joined(products);
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

function bounded(offered: readonly unknown[], max: number): OfferedProducts {
  return Object.assign(offered.slice(0, max), { leftOut: Math.max(0, offered.length - max) });
}

/** Puts together what came in slices, one at a turn of the event loop. */
async function joined({ slices, leftOut }: SlicedProducts): Promise<OfferedProducts> {
  const products: unknown[] = [];
  for (const slice of slices) {
    const read: unknown = JSON.parse(slice);
    if (Array.isArray(read)) products.push(...read);
    await turn();
  }
  return Object.assign(products, { leftOut });
}

interface Asked {
  readonly content: unknown;
  readonly products: SlicedProducts | undefined;
  readonly lost: boolean;
}

/** Asks again when the seller says when, and that is soon enough. */
async function askPatiently(kept: Kept, request: Ask): Promise<Asked> {
  const endsAt = kept.clock.now() + kept.config.sellerTimeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await askSeller(kept, request);
    } catch (error) {
      const busy = causeOf(error, BusyError);
      const wait = busy && busyWait(busy.retryAfter, { attempt, now: kept.clock.now(), endsAt });
      if (wait === undefined || !(await passed(kept.clock, wait, request.signal))) throw error;
    }
  }
}

/** Resolves when the time has passed: false when the signal came first. */
function passed(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(milliseconds, () => resolve(true));
    const stop = () => {
      cancel();
      resolve(false);
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Asks over the connection that is there, and once more over a new one when that proves stale: a repeat is
 * safe, because every order carries its key. What the first call may have done is not forgotten over the second.
 */
async function askSeller(kept: Kept, request: Ask): Promise<Asked> {
  const { source } = request.seller;
  const lease = kept.clients.lease(source.id, `${source.endpointUrl} ${source.auth}`, () =>
    connect(kept, request.seller),
  );
  const options = { signal: request.signal, timeoutMs: kept.config.sellerTimeoutMs };
  let failed: SellerError;
  try {
    const reply = await (await lease.client).call(request.tool, request.args, options);
    return { content: contentOf(reply, request), products: reply.products, lost: request.lost === true };
  } catch (error) {
    if (error instanceof SellerError) throw error;
    lease.discard();
    failed = asSellerError(error, request);
    const isFinal = failed.reason === 'auth_required' || causeOf(error, BusyError) !== undefined;
    if (!lease.kept || isFinal || request.signal.aborted) throw failed;
  } finally {
    lease.release();
  }
  return askSeller(kept, { ...request, lost: failed.unresolved });
}

/** The connection serves many calls: it ends with its own time and not with the call that needed it first. */
async function connect({ routes, secrets, config, pool }: Kept, { source }: Seller): Promise<ToolClient> {
  const timeoutMs = config.sellerTimeoutMs;
  return connectTools(source.endpointUrl ?? '', {
    fetch: routes.fetchFor(source.organizationId),
    headers: authHeaders(secrets, source),
    signal: AbortSignal.timeout(timeoutMs),
    timeoutMs,
    pool,
    owner: source.id,
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
