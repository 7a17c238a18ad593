import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { roundToMinor } from '../money.ts';
import type { BuyReport } from '../sellers/port.ts';

/** How many times its budget a buy may be reported to have spent, before the report is taken for a mistake. */
const BELIEVED_OVERSPEND = 2;

/** What a report of the delivery changes. One that cannot be is left out, and its sum is named. */
export function afterDelivery(
  buy: Pick<MediaBuyRow, 'budget_minor' | 'currency' | 'spend_minor'>,
  delivered: Extract<BuyReport, { kind: 'buy' }>['delivery'],
  now: string,
): Partial<MediaBuyRow> {
  if (delivered === undefined) return {};
  const spend_minor = roundToMinor(delivered.spend, buy.currency);
  if (spend_minor === undefined || spend_minor > buy.budget_minor * BELIEVED_OVERSPEND) {
    const told = `${delivered.spend} ${buy.currency}`;
    const source_message = `The seller reports ${told} spent, more than twice the budget: the report was not taken.`;
    return { spend_minor: buy.spend_minor, source_message };
  }
  return {
    impressions: delivered.impressions,
    spend_minor,
    clicks: delivered.clicks,
    performance_at: now,
  };
}
