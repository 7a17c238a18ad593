import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { findMediaBuy } from '../../../store/media-buys.ts';
import type { SpendApprovalRow } from '../../../store/spend-approvals.ts';
import { ASKED } from '../../core/changes.ts';
import type { Context } from '../../core/context.ts';
import { nameGiven } from '../../core/validation.ts';
import { requireActive, requireStillActive } from '../../domain/advertisers/active.ts';
import { reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { orWait } from '../../domain/approvals/waiting.ts';
import { checkChanges, spendsMore } from '../../domain/buying/changes/buy-changing.ts';
import type { WantedChange } from '../../domain/buying/changes/wanted-change.ts';
import { askedIn, buyEntry } from '../../domain/buying/following/buy-entry.ts';
import { followAfterAsking } from '../../domain/buying/following/campaign-following.ts';
import { recordChanges } from '../../domain/buying/following/change-recording.ts';
import type { ChangeResult } from '../../domain/buying/following/change-results.ts';
import { sendChanges } from '../../domain/buying/following/change-sending.ts';
import { reachCampaign } from '../../domain/buying/reach.ts';
import { withOrdersMade } from '../../domain/order-remaking/remake.ts';

export interface Changed {
  /** Undefined where there was nothing to change. */
  readonly result: ChangeResult | undefined;
  readonly buy: MediaBuyRow;
  /** Present where nothing was done: another person is asked. */
  readonly waits?: SpendApprovalRow;
  /** Of approvals that were withdrawn with it, in words. */
  readonly withdrawn: readonly string[];
}

/** What the caller of a tool about one media buy calls a field of its change. */
export function calledIn(input: object): WantedChange['called'] {
  return (field) => nameGiven(input, field === 'mediaBuyId' ? 'media_buy_id' : field);
}

/** Changes one buy: checked, stored, sent to its seller, and what that makes of the campaign. */
export async function changeOne(
  ctx: Context,
  buy: MediaBuyRow,
  wanted: Omit<WantedChange, 'mediaBuyId'>,
): Promise<Changed> {
  const campaign = await reachCampaign(ctx, buy.campaign_id);
  const planned = await checkChanges(
    ctx,
    campaign,
    await withOrdersMade(ctx, campaign, [{ ...wanted, mediaBuyId: buy.id }]),
  );
  // The buy was read anew for the plan, and the plan holds only while nobody writes to what it read.
  for (const { buy: current } of planned) ctx.requireVersion(current);
  if (planned.length === 0) return { result: undefined, buy, withdrawn: [] };
  if (spendsMore(planned)) requireActive(await reachAdvertiser(ctx, buy.advertiser_id));
  const {
    done: recorded,
    waits,
    withdrawn,
  } = await orWait(ctx, campaign.id, () =>
    ctx.write(
      async (tx) => {
        if (spendsMore(planned)) await requireStillActive(tx, ctx, { id: buy.advertiser_id });
        return recordChanges(tx, ctx, { before: campaign, planned });
      },
      ([one]) => ({
        resourceId: buy.id,
        resourceName: buy.name,
        advertiserId: buy.advertiser_id,
        changes:
          one?.change.state === 'confirmed'
            ? buyEntry({ before: one.before, after: one.buy }).changes
            : { [wanted.action]: { from: buy.status, to: ASKED }, ...(one && askedIn(one)) },
      }),
    ),
  );
  if (recorded === undefined) return { result: undefined, buy, waits, withdrawn };
  // Neither a caller who leaves nor a graceful stop takes a change back that is on its way.
  const [result] = await sendChanges(ctx, recorded);
  await followAfterAsking(ctx, campaign.id);
  return { result, buy: (await findMediaBuy(ctx.db, ctx.scope, buy.id)) ?? buy, withdrawn };
}
