import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { roundToMinor } from '../money.ts';
import type { BuyReport } from '../sellers/port.ts';

/** How many times its budget a buy may be reported to have spent, before the report is taken for a mistake. */
const BELIEVED_OVERSPEND = 2;

type Believed = { readonly spendMinor: number } | { readonly doubt: string };

/** What a seller says was spent of a buy, in whole or in part, or why that is not taken. */
export function believedSpend(
  { budget_minor, currency }: Pick<MediaBuyRow, 'budget_minor' | 'currency'>,
  spend: number,
): Believed {
  const spendMinor = roundToMinor(spend, currency);
  if (spendMinor !== undefined && spendMinor <= budget_minor * BELIEVED_OVERSPEND) return { spendMinor };
  const told = `${spend} ${currency}`;
  return {
    doubt: `The seller reports ${told} spent, more than twice the budget: the report was not taken.`,
  };
}

/** What a report of the delivery changes. One that cannot be is left out, and its sum is named. */
export function afterDelivery(
  buy: Pick<MediaBuyRow, 'budget_minor' | 'currency' | 'spend_minor'>,
  delivered: Extract<BuyReport, { kind: 'buy' }>['delivery'],
  now: string,
): Partial<MediaBuyRow> {
  if (delivered === undefined) return {};
  const spent = believedSpend(buy, delivered.spend);
  if ('doubt' in spent) return { spend_minor: buy.spend_minor, source_message: spent.doubt };
  return {
    impressions: delivered.impressions,
    spend_minor: spent.spendMinor,
    clicks: delivered.clicks,
    performance_at: now,
  };
}
