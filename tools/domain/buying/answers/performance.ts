import { z } from 'zod';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { DeliveredBeside } from '../../../../store/media-buy-figures.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { toMajor } from '../../money.ts';
import { timestamp } from '../../time.ts';

/** What a buy and its packages delivered, as their seller last told (contract: performance, BuyerPackageDelivery). */

const count = z.number().int();

export const performance = z.object({
  impressions: count.describe('Impressions so far.'),
  spend: z.number().describe('Spent so far, as its seller tells it: without the fee, which budgets hold.'),
  clicks: count.describe('Clicks so far.'),
  views: count
    .optional()
    .describe('Views so far; in the compact form only where there are any, as what follows.'),
  completedViews: count.optional().describe('Videos seen, or heard, to their end.'),
  conversions: count.optional().describe('Conversions so far.'),
  leads: count.optional().describe('Leads so far.'),
  lastUpdated: timestamp.optional().describe('When its seller last told of it.'),
  windowStart: z.string().optional().describe('First day that its seller told of, YYYY-MM-DD.'),
  windowEnd: z.string().optional().describe('Last day that its seller told of.'),
});

export const packageFigures = z
  .object({
    impressions: count.describe('Impressions so far.'),
    spend: z.number().describe('Spent so far, in units of the currency, without the fee.'),
    clicks: count.nullable().describe('Clicks so far.'),
  })
  .describe('What it delivered, where its seller tells packages apart.');

type Figures = Pick<
  MediaBuyRow,
  'impressions' | 'spend_minor' | 'clicks' | 'performance_at' | 'delivered' | 'currency'
>;

export function performanceOf(buy: Figures): z.input<typeof performance> {
  const { impressions, spend_minor, clicks, performance_at, currency } = buy;
  const window = besideOf(buy)?.window;
  return {
    impressions,
    spend: toMajor(spend_minor, currency),
    clicks,
    ...countsOf(buy),
    lastUpdated: performance_at ?? undefined,
    windowStart: window?.start,
    windowEnd: window?.end,
  };
}

type Delivered = Pick<MediaBuyRow, 'delivered'>;

/** What its seller counts beside; nothing where it tells of none. */
export function countsOf(buy: Delivered) {
  const { views = 0, completed_views: completedViews = 0, conversions = 0, leads = 0 } = besideOf(buy) ?? {};
  return { views, completedViews, conversions, leads };
}

function besideOf({ delivered }: Delivered): DeliveredBeside | undefined {
  return delivered === null ? undefined : fromJson(delivered);
}

/** What each package delivered, by its id; of those of which the seller said nothing, nothing. */
export function deliveredByPackage(
  buy: Delivered & Pick<MediaBuyRow, 'currency'>,
): ReadonlyMap<string, z.input<typeof packageFigures>> {
  const told = besideOf(buy)?.packages ?? [];
  return new Map(
    told.map(({ package_id, impressions, spend_minor, clicks }) => [
      package_id,
      { impressions, spend: toMajor(spend_minor, buy.currency), clicks },
    ]),
  );
}
