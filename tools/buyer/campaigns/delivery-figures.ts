import { fromFlag } from '../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import { isFinal, isNeverReported } from '../../domain/buying/answers/awaited-figures.ts';
import { believedSpend } from '../../domain/buying/answers/delivery.ts';
import { askDelivery } from '../../domain/buying/answers/delivery-asking.ts';
import { doubtOf, notTaken } from '../../domain/buying/answers/doubted-reports.ts';
import type { Refreshed } from '../../domain/buying/following/buy-refreshing.ts';
import { boundNow } from '../../domain/buying/spend/change-commitments.ts';
import { readMoney, toMajor } from '../../domain/money.ts';
import type { DeliveryAsked, DeliveryReport } from '../../domain/sellers/delivery.ts';

/** What was delivered of one media buy, as it is known here or as its seller says when it is asked. */

type Placements = NonNullable<DeliveryAsked['placements']>;

export const placementSorts = ['impressions', 'spend', 'clicks', 'conversions'] as const;

export interface Told {
  readonly figures: Counted | undefined;
  /** Present where they are nothing because its seller never told of any. */
  readonly isUntold?: true;
  /** When its seller told them, where that was for this question: they are not those that are stored. */
  readonly toldAt?: string;
  readonly placements?: DeliveryReport['placements'];
  /** The days that its seller says they are of. */
  readonly window?: DeliveryReport['window'];
  readonly error?: string;
}

export interface Counted {
  readonly impressions: number;
  readonly spendMinor: number;
  readonly clicks: number;
}

/** The figures so far as they are stored, or what the seller says of what is asked. */
export async function deliveredTo(
  ctx: Context,
  { after }: Refreshed,
  asked: DeliveryAsked | undefined,
): Promise<Told> {
  const { impressions, spend_minor: spendMinor, clicks } = after;
  if (asked === undefined) {
    const figures = { impressions, spendMinor, clicks };
    return isNeverReported(after, ctx.now)
      ? { figures, isUntold: true, error: doubtOf(after) ?? UNTOLD }
      : { figures };
  }
  const answer = await askDelivery(ctx, after, asked);
  if ('error' in answer) return { figures: undefined, error: answer.error };
  const { report } = answer;
  if (report === undefined) return { figures: undefined, error: SAYS_NOTHING };
  const bought = { boundMinor: await boundNow(ctx.db, after), currency: after.currency };
  const spent = withinFinal(after, believedSpend(bought, report));
  if ('doubt' in spent) return { figures: undefined, error: spent.doubt };
  const figures = { impressions: report.impressions, spendMinor: spent.spendMinor, clicks: report.clicks };
  const told = {
    figures,
    ...(after.adcp_media_buy_id === null ? {} : { toldAt: ctx.now }),
    ...(asked.days === undefined ? {} : { window: report.window }),
  };
  const { placements } = asked;
  return placements === undefined ? told : { ...told, ...placed(bought, report, placements) };
}

const UNTOLD = 'The seller has reported nothing of it so far.';

type Spent = ReturnType<typeof believedSpend>;

/** Figures that stand are not outdone by those of some days: what comes after them counts no more. */
function withinFinal(buy: MediaBuyRow, spent: Spent): Spent {
  if ('doubt' in spent || fromFlag(buy.sandbox) || !isFinal(buy)) return spent;
  // Days are rounded one by one.
  if (spent.spendMinor <= buy.spend_minor + ROUNDED_MINOR) return spent;
  const [told, stands] = [spent.spendMinor, buy.spend_minor].map((minor) => readMoney(minor, buy.currency));
  return { doubt: notTaken(`The seller reports ${told} spent, where ${stands} are final`) };
}

const ROUNDED_MINOR = 1;

const SAYS_NOTHING = 'The seller says nothing of this.';

/** The placements that are believed, and why others are not. */
function placed(
  bought: Parameters<typeof believedSpend>[0],
  { placements = [], unreadPlacements = [] }: DeliveryReport,
  asked: Placements,
): Pick<Told, 'placements' | 'error'> {
  const told: (typeof placements)[number][] = [];
  const doubts = unreadPlacements.map(({ placementId, unread }) =>
    inPlacement(placementId, notTaken(unread)),
  );
  for (const place of placements) {
    const spent = believedSpend(bought, { spend: place.spend });
    if ('doubt' in spent) doubts.push(inPlacement(place.placementId, spent.doubt));
    else told.push({ ...place, spend: toMajor(spent.spendMinor, bought.currency) });
  }
  const [error] = doubts;
  return { placements: mostOf(told, asked), ...(error === undefined ? {} : { error }) };
}

function inPlacement(placementId: string, doubt: string): string {
  return `Placement ${placementId}: ${doubt}`;
}

/** However many a seller sends, and in whatever order. */
function mostOf(told: NonNullable<DeliveryReport['placements']>, { limit, sortBy }: Placements) {
  const by = placementSorts.find((name) => name === sortBy) ?? 'spend';
  return [...told].sort((one, other) => other[by] - one[by]).slice(0, limit);
}
