import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { findSeller } from '../../../../store/unscoped/market.ts';
import type { Context } from '../../../core/context.ts';
import { withinSellerTimeout } from '../../sellers/deadline.ts';
import type { Delivered, DeliveryAsked, DeliveryReport } from '../../sellers/delivery.ts';
import { SellerError } from '../../sellers/port.ts';
import { asSeller } from '../../sellers/seller.ts';
import { orderIn } from '../payloads.ts';
import { notTaken } from './doubted-reports.ts';

type Answer = { readonly report: DeliveryReport | undefined } | { readonly error: string };

const NOTHING: DeliveryReport = { impressions: 0, spend: 0, clicks: 0 };

/** What the seller of a buy says of some days or placements. Nothing of it is stored: the buy keeps its sums. */
export async function askDelivery(
  { services, db, scope, signal }: Context,
  buy: MediaBuyRow,
  asked: DeliveryAsked,
): Promise<Answer> {
  const { adcp_media_buy_id: mediaBuyId } = buy;
  // No seller has delivered what no seller has named.
  if (mediaBuyId === null) return { report: NOTHING };
  const row = await findSeller(db, scope, buy.agent_id);
  if (row === undefined) return { error: 'The seller has left the marketplace.' };
  const { party } = orderIn(buy);
  try {
    const report = await withinSellerTimeout(services, signal, (own) =>
      services.ports.sellers.getDelivery(asSeller(row), { party, mediaBuyId, ...asked }, own),
    );
    return readIn(report);
  } catch (error) {
    if (error instanceof SellerError) return { error: error.message };
    throw error;
  }
}

function readIn(report: Delivered | undefined): Answer {
  return report !== undefined && 'unread' in report ? { error: notTaken(report.unread) } : { report };
}
