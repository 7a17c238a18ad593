import type { CampaignRow } from '../../../store/campaigns.ts';
import { listMediaBuys } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import { invalidInput } from '../../core/errors/refusals.ts';
import { reachCurrentCampaign } from '../../domain/buying/flight-ends.ts';
import { refreshBuy, settleByNews } from '../../domain/buying/following/buy-refreshing.ts';

/** The campaign after its sellers were asked, who may say that it is over. */
export async function refreshed(
  ctx: Context,
  campaign: CampaignRow,
  ids?: readonly string[],
): Promise<CampaignRow> {
  const buys = await listMediaBuys(ctx.db, ctx.scope, campaign.id);
  const after = await Promise.all(
    buys.map(async (buy) => (isMeant(buy.id, ids) ? (await refreshBuy(ctx, buy)).after : buy)),
  );
  await settleByNews(ctx, campaign, after);
  return reachCurrentCampaign(ctx, campaign.id);
}

/** Whether a media buy is meant: all of them, where none is named. */
export function isMeant(id: string, ids: readonly string[] | undefined): boolean {
  return ids === undefined || ids.length === 0 || ids.includes(id);
}

const GO_WITH_IT: readonly string[] = ['campaignId', 'mode', 'refresh'];

/** Asking sellers changes nothing by itself: a change made on what they are yet to say would be made blindly. */
export function requireAlone(request: object): void {
  const issues = Object.entries(request).flatMap(([path, value]) =>
    value === undefined || GO_WITH_IT.includes(path) ? [] : [{ path, message: 'Not beside refresh.' }],
  );
  if (issues.length === 0) return;
  throw invalidInput(issues, { suggestion: 'Refresh first, look at what came, and call again to change.' });
}
