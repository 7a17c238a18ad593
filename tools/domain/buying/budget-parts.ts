import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { toMajor } from '../money.ts';
import { mediaOf, spentOf } from './buy-commitment.ts';

/** How the budget of a buy is divided between its seller and the service (contract: budget_breakdown). */
export function budgetParts(buy: MediaBuyRow) {
  const { budget_minor, currency, fee_bps, impressions } = buy;
  const media = mediaOf(buy);
  return {
    budget_denomination: 'gross' as const,
    budget_breakdown: {
      media_budget: toMajor(media, currency),
      fee_amount: toMajor(budget_minor - media, currency),
      fee_rate_percent: fee_bps / 100,
      effective_gross_cpm:
        impressions === 0 ? null : toMajor(Math.round((spentOf(buy) * 1_000) / impressions), currency),
    },
  };
}
