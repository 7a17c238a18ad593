import { asFields } from '../../tools/core/schemas/checks.ts';
import { type BuyingParty, type Seller, SellerError, type Sellers } from '../../tools/domain/sellers/port.ts';
import { accountLists } from './account-lists.ts';
import { deliveryRequest, ofOtherDays, readDelivery } from './adcp-delivery.ts';
import { readTask } from './adcp-orders.ts';
import { tracedAnswer } from './adcp-products.ts';
import { readUpdateAnswer, readUpdateTask, updateMediaBuyRequest } from './adcp-updates.ts';
import { getProductsRequest, taskRequest } from './adcp-wire.ts';
import { reportBuy } from './buy-reports.ts';
import { keylessList } from './keyless.ts';
import { placeOrder } from './order-placing.ts';
import { allPages } from './product-pages.ts';
import { taskToolOf } from './seller-abilities.ts';
import { type Asked, type Parts, type SellerCalls, sellerCalls } from './seller-calls.ts';
import { refuseFailure } from './seller-failures.ts';

/** Sellers that are AdCP agents at a URL, spoken to over MCP. Connections are kept and made again when lost. */
export function agentSellers(parts: Parts): Sellers {
  const { config } = parts;
  const calls = sellerCalls(parts);
  const { ask } = calls;
  const products: Sellers['getProducts'] = async (seller, query, signal) => {
    const args = getProductsRequest(query);
    const sends = (request: Record<string, unknown>) =>
      query.trace?.({ type: 'request', message: 'Called get_products.', request });
    const askPage = async (page: object, until: AbortSignal) => {
      const asked = { seller, tool: 'get_products', args: { ...args, ...page } };
      const answer = await ask({ ...asked, signal: until, sends });
      query.trace?.(tracedAnswer(answer));
      refuseFailure(withoutWarnings(answer), 'products');
      return answer;
    };
    const milliseconds = query.timeBudgetSeconds * 1_000;
    return allPages(askPage, { clock: parts.clock, max: config.sellerProductsMax, milliseconds, signal });
  };
  const accounts = accountLists({ calls, clock: parts.clock, config });
  return {
    getProducts: products,
    createMediaBuy: (seller, order, signal) => placeOrder(calls, { seller, order, signal }),
    getMediaBuy: async (seller, { party, mediaBuyId, taskId }, signal) =>
      mediaBuyId === null
        ? readTask(await askTask(calls, { seller, party, taskId: taskId ?? '', signal }), taskId ?? '')
        : reportBuy(calls, parts, { seller, party, mediaBuyId, signal }),
    getDelivery: async (seller, query, signal) => {
      const args = deliveryRequest(query);
      const { content } = await ask({ seller, tool: 'get_media_buy_delivery', args, signal });
      const delivered = readDelivery(refuseFailure(content, 'media_buy_deliveries'), query.mediaBuyId);
      return delivered === undefined ? delivered : (ofOtherDays(content, query) ?? delivered);
    },
    updateMediaBuy: async (seller, change, signal) => {
      const args = updateMediaBuyRequest(change, await calls.declared(seller, signal));
      const once =
        change.update.newPackages !== undefined &&
        (await keylessList(calls, { seller, signal }, UPDATE)) !== undefined;
      if (once && change.unseen) throw new SellerError('error', UNSEEN, { unresolved: true });
      const asked = await ask({ seller, tool: UPDATE, args, signal, mutates: true, once });
      const answer = readUpdateAnswer(asked.content);
      return answer.kind === 'refused' && asked.lost ? { ...answer, unresolved: true } : answer;
    },
    getUpdateTask: async (seller, { party, taskId }, signal) =>
      readUpdateTask(await askTask(calls, { seller, party, taskId, signal }), taskId),
    listAccounts: accounts,
    declaration: calls.declaration,
    abilities: calls.declared,
  };
}

/** Products that came in slices are not in the content: beside them as well `errors` are warnings. */
function withoutWarnings({ content, products }: Asked): unknown {
  const isCarried = products !== undefined && products.slices.length > 0;
  return isCarried ? { ...asFields(content), errors: undefined } : content;
}

const UPDATE = 'update_media_buy';

const UNSEEN =
  'The seller keeps no keys and does not show the media buy: it may have the further packages, and is not asked for them again.';

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
  return (await ask({ seller, tool, args: taskRequest({ party, taskId }), signal })).content;
}
