import type { BuyingParty, BuyReport, Seller, Sellers } from '../../tools/domain/sellers/port.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';
import { deliveryRequest, readDelivery } from './adcp-delivery.ts';
import { readMediaBuy, readOrderAnswer, readTask } from './adcp-orders.ts';
import { offeredIn, tracedAnswer } from './adcp-products.ts';
import { readUpdateAnswer, readUpdateTask, updateMediaBuyRequest } from './adcp-updates.ts';
import {
  createMediaBuyRequest,
  failureIn,
  getMediaBuysRequest,
  getProductsRequest,
  taskRequest,
} from './adcp-wire.ts';
import { taskToolOf } from './seller-abilities.ts';
import { type Parts, type SellerCalls, sellerCalls } from './seller-calls.ts';

/** Sellers that are AdCP agents at a URL, spoken to over MCP. Connections are kept and made again when lost. */
export function agentSellers(parts: Parts): Sellers {
  const { config } = parts;
  const calls = sellerCalls(parts);
  const { ask } = calls;
  return {
    getProducts: async (seller, query, signal) => {
      const args = getProductsRequest(query);
      query.trace?.({ type: 'request', message: 'Called get_products.', request: args });
      const answer = await ask({ seller, tool: 'get_products', args, signal });
      query.trace?.(tracedAnswer(answer));
      refuseFailure(answer.content, 'products');
      return offeredIn(answer, config.sellerProductsMax);
    },
    createMediaBuy: async (seller, order, signal) => {
      const args = createMediaBuyRequest(order);
      const asked = await ask({ seller, tool: 'create_media_buy', args, signal, mutates: true });
      const answer = readOrderAnswer(asked.content);
      return answer.kind === 'refused' && asked.lost ? { ...answer, unresolved: true } : answer;
    },
    getMediaBuy: async (seller, { party, mediaBuyId, taskId }, signal) =>
      mediaBuyId === null
        ? readTask(await askTask(calls, { seller, party, taskId: taskId ?? '', signal }))
        : reportBuy(calls, { seller, party, mediaBuyId, signal }),
    getDelivery: async (seller, query, signal) => {
      const args = deliveryRequest(query);
      const { content } = await ask({ seller, tool: 'get_media_buy_delivery', args, signal });
      return readDelivery(refuseFailure(content, 'media_buy_deliveries'), query.mediaBuyId);
    },
    updateMediaBuy: async (seller, change, signal) => {
      const args = updateMediaBuyRequest(change, await calls.declared(seller, signal));
      const asked = await ask({ seller, tool: 'update_media_buy', args, signal, mutates: true });
      const answer = readUpdateAnswer(asked.content);
      return answer.kind === 'refused' && asked.lost ? { ...answer, unresolved: true } : answer;
    },
    getUpdateTask: async (seller, { party, taskId }, signal) =>
      readUpdateTask(await askTask(calls, { seller, party, taskId, signal })),
    abilities: (seller, signal) => calls.declared(seller, signal),
  };
}

interface TaskRequest {
  readonly seller: Seller;
  readonly party: BuyingParty;
  readonly taskId: string;
  readonly signal: AbortSignal;
}

/** Asks after a task, by the tool that the seller has for it. */
async function askTask(
  { ask, declared }: SellerCalls,
  { seller, party, taskId, signal }: TaskRequest,
): Promise<unknown> {
  const tool = taskToolOf(await declared(seller, signal));
  const { content } = await ask({ seller, tool, args: taskRequest({ party, taskId }), signal });
  return refuseFailure(content);
}

interface ReportRequest {
  readonly seller: Seller;
  readonly party: BuyingParty;
  readonly mediaBuyId: string;
  readonly signal: AbortSignal;
}

async function reportBuy(
  { ask }: SellerCalls,
  { seller, party, mediaBuyId, signal }: ReportRequest,
): Promise<BuyReport> {
  const args = getMediaBuysRequest(party, mediaBuyId);
  const { content } = await ask({ seller, tool: 'get_media_buys', args, signal });
  const report = readMediaBuy(refuseFailure(content, 'media_buys'), mediaBuyId);
  if (report === undefined)
    throw new SellerError('error', 'The seller does not know the media buy any more.');
  const delivery = await ask({
    seller,
    tool: 'get_media_buy_delivery',
    args: deliveryRequest({ party, mediaBuyId }),
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
