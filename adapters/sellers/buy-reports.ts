import type { BuyingParty, Seller, ShownBuy } from '../../tools/domain/sellers/port.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';
import { deliveryRequest, type InDelivery, inDelivery, readDelivery } from './adcp-delivery.ts';
import { readMediaBuy } from './adcp-orders.ts';
import { failureIn, getMediaBuysRequest } from './adcp-wire.ts';
import type { Parts, SellerCalls } from './seller-calls.ts';
import { NOTHING_THERE, refuseFailure } from './seller-failures.ts';
import { mayHave } from './tool-lists.ts';

/** What a list of buys has of the one that was asked for. */
interface Listed {
  readonly buy: ShownBuy | undefined;
}

type Timed = Pick<Parts, 'clock'> & { readonly config: Pick<Parts['config'], 'sellerTimeoutMs'> };

interface ReportRequest {
  readonly seller: Seller;
  readonly party: BuyingParty;
  readonly mediaBuyId: string;
  readonly signal: AbortSignal;
}

/** How much of the time that a seller has its reports may take: what it says of the buy is not to be lost with them. */
const REPORTING_PART = 0.9;

/**
 * Where a buy stands, and what was delivered of it. The two are asked for by themselves: where the list of buys
 * fails, is missing or leaves the buy out, its delivery says where it stands.
 */
export async function reportBuy(
  calls: SellerCalls,
  { clock, config }: Timed,
  request: ReportRequest,
): Promise<ShownBuy> {
  const { mediaBuyId } = request;
  const milliseconds = Math.round(config.sellerTimeoutMs * REPORTING_PART);
  const late = new AbortController();
  const words = `The seller did not answer within ${Math.round(milliseconds / 1_000)} s.`;
  const cancel = clock.after(milliseconds, () => late.abort(new SellerError('timeout', words)));
  const signal = AbortSignal.any([request.signal, late.signal]);
  const [listed, delivery] = await Promise.allSettled([
    listedBuy(calls, request),
    deliveryOf(calls, { ...request, signal }),
  ]);
  cancel();
  const found = listed.status === 'fulfilled' ? listed.value?.buy : undefined;
  const content = delivery.status === 'fulfilled' ? delivery.value : undefined;
  const within = inDelivery(content, mediaBuyId);
  if (found === undefined && within === undefined) {
    throw listed.status === 'rejected' ? listed.reason : notThere(listed.value, content);
  }
  const report: ShownBuy = found ?? { kind: 'buy', mediaBuyId, status: null, packages: [] };
  return {
    ...report,
    status: toldBy(report, within),
    ...reportedIn(delivery, mediaBuyId),
  };
}

/** What was delivered, or why that is not told; nothing where the seller has no way to tell. */
function reportedIn(
  delivery: PromiseSettledResult<unknown>,
  mediaBuyId: string,
): Pick<ShownBuy, 'delivery' | 'unreported'> {
  if (delivery.status === 'rejected') {
    const { reason } = delivery;
    return reason instanceof SellerError ? { unreported: reason.message } : {};
  }
  const { value: content } = delivery;
  if (content === undefined) return {};
  const delivered = readDelivery(content, mediaBuyId);
  if (delivered !== undefined) return { delivery: delivered };
  const refusal = failureIn(content, 'media_buy_deliveries');
  return { unreported: refusal === undefined ? null : `${refusal.code}: ${refusal.message}` };
}

/** No buy is `failed`, a task is: what the delivery says comes before that. */
function toldBy({ status: listed }: ShownBuy, within: InDelivery | undefined): string | null {
  const [first, second] =
    listed === 'failed' ? [within?.status, listed] : [listed ?? undefined, within?.status];
  return first ?? second ?? null;
}

/** The list says so, or without one the refusal of its delivery; where neither does, nobody knows. */
function notThere(listed: Listed | undefined, delivery: unknown): SellerError {
  const refusal = failureIn(delivery, 'media_buy_deliveries')?.code ?? '';
  const isNotThere = listed !== undefined || NOTHING_THERE.test(refusal);
  return new SellerError('error', 'The seller does not know the media buy any more.', { isNotThere });
}

/** What the list of buys has of it; undefined where the seller has no such list. */
async function listedBuy(calls: SellerCalls, request: ReportRequest): Promise<Listed | undefined> {
  const { seller, party, mediaBuyId, signal } = request;
  if (!mayHave(await calls.tools(seller, signal), 'get_media_buys')) return undefined;
  const args = getMediaBuysRequest(party, mediaBuyId);
  const { content } = await calls.ask({ seller, tool: 'get_media_buys', args, signal });
  return { buy: readMediaBuy(refuseFailure(content, 'media_buys'), mediaBuyId) };
}

/** Undefined where the seller has no such tool. */
async function deliveryOf({ ask, tools }: SellerCalls, request: ReportRequest): Promise<unknown> {
  const { seller, party, mediaBuyId, signal } = request;
  if (!mayHave(await tools(seller, signal), 'get_media_buy_delivery')) return undefined;
  const args = deliveryRequest({ party, mediaBuyId });
  return (await ask({ seller, tool: 'get_media_buy_delivery', args, signal })).content;
}
