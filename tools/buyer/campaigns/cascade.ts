import type { CampaignRow } from '../../../store/campaigns.ts';
import { listOpenChanges } from '../../../store/media-buy-changes.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../store/media-buys.ts';
import { changesBetween } from '../../core/changes.ts';
import type { Context } from '../../core/context.ts';
import { conflict, staleWrite } from '../../core/errors/refusals.ts';
import { next } from '../../core/machines.ts';
import { requireStillActive } from '../../domain/advertisers/active.ts';
import { holdAsRead } from '../../domain/buying/campaign-holding.ts';
import { checkChanges } from '../../domain/buying/changes/buy-changing.ts';
import { logChangedHere } from '../../domain/buying/following/buy-entry.ts';
import { followAfterAsking } from '../../domain/buying/following/campaign-following.ts';
import { recordChanges } from '../../domain/buying/following/change-recording.ts';
import { sendChanges } from '../../domain/buying/following/change-sending.ts';
import { type CampaignEvent, campaignMachine, isLive } from '../../domain/buying/machines.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import { type AskedOfAll, chosenFor } from '../../domain/buying/standing/campaign-asking.ts';
import { writeCampaign } from '../../domain/campaigns/writing.ts';
import { asResult, type Cascaded, leftAs } from './cascade-record.ts';

/** What happens to a campaign and to its media buys with it: pause, reactivate, cancel, delete. */
export interface Cascade {
  readonly event: Extract<CampaignEvent, 'pause' | 'reactivate' | 'cancel' | 'archive'>;
  /** What each of its media buys is asked, where it can be asked that. */
  readonly action: AskedOfAll;
  readonly reason?: string | undefined;
}

/**
 * Moves the campaign on and stores what its sellers are to be told in one transaction, then tells them. What a
 * seller does not confirm at once is followed up by itself; what it refused can be asked again, wherever the campaign
 * stands by then.
 */
export async function cascade(ctx: Context, campaign: CampaignRow, what: Cascade): Promise<Cascaded> {
  const target = next(campaignMachine, campaign.status, what.event);
  if (target === undefined) throw impossible(campaign, what);
  const buys = await listMediaBuys(ctx.db, ctx.scope, campaign.id);
  const open = await listOpenChanges(ctx.db, ctx.scope, { campaignId: campaign.id });
  requireSent(buys);
  const { asked, left } = chosenFor(buys, open, what.action);
  // Asked once more, and nothing is left to be asked.
  if (target === campaign.status && asked.length + left.length === 0) throw impossible(campaign, what);
  const planned = await checkChanges(
    ctx,
    campaign,
    asked.map(({ id }) => ({
      mediaBuyId: id,
      action: what.action,
      reason: what.reason,
      called: () => 'campaignId',
    })),
  );
  const set = setBy(ctx, campaign, { target, buys });
  if (isAsItWas(campaign, set) && planned.length === 0) return { row: campaign, results: left.map(leftAs) };
  const { row, recorded } = await ctx.write(
    async (tx) => {
      // To hold and to end anything is open to an advertiser that was put away; to go on is not.
      if (what.event === 'reactivate') await requireStillActive(tx, ctx, { id: campaign.advertiser_id });
      const before = await holdAsRead(ctx, tx, campaign);
      const written = await writeCampaign(tx, ctx.scope, { before, set });
      if (written === undefined) throw staleWrite(campaignKind);
      const changes = await recordChanges(tx, ctx, { before: campaign, planned });
      await logChangedHere(tx, ctx, changes);
      return { row: written, recorded: changes };
    },
    {
      resourceId: campaign.id,
      resourceName: campaign.name,
      advertiserId: campaign.advertiser_id,
      changes: changesBetween({ status: campaign.status }, { status: set.status }),
    },
  );
  const results = await sendChanges(ctx, recorded);
  const status = (await followAfterAsking(ctx, campaign.id)) ?? row.status;
  return { row: { ...row, status }, results: [...results.map(asResult), ...left.map(leftAs)] };
}

/** Then all that was asked for waits for its sellers already: there is nothing to be written. */
function isAsItWas(campaign: CampaignRow, set: ReturnType<typeof setBy>): boolean {
  const { archived_at = campaign.archived_at } = set;
  return set.status === campaign.status && archived_at === campaign.archived_at;
}

interface Wanted {
  readonly target: CampaignRow['status'];
  readonly buys: readonly MediaBuyRow[];
}

/** A campaign is archived once nothing of it lives; until then it is called off, and its deletion is noted. */
function setBy({ now }: Context, { status, archived_at }: CampaignRow, { target, buys }: Wanted) {
  if (target !== 'ARCHIVED') return { status: target, updated_at: now };
  const calledOff = next(campaignMachine, status, 'cancel') ?? target;
  return {
    status: buys.some(isLive) ? calledOff : target,
    archived_at: archived_at ?? now,
    updated_at: now,
  };
}

function impossible({ status }: CampaignRow, { event }: Cascade) {
  return conflict(`The campaign is ${status}: it cannot be ${DONE[event]}.`, ONWARD[status]);
}

const OVER = 'It is over: create another with campaign_create.';

/** What can be done with a campaign instead, wherever it stands. */
const ONWARD: Readonly<Record<CampaignRow['status'], string>> = {
  DRAFT:
    'No seller holds an order of it: campaign_execute orders what is chosen, and campaign_delete puts it away.',
  ACTIVE:
    'It runs: campaign_pause holds it, and media_buy_reactivate lets a single media buy go on that is PAUSED.',
  PAUSED: 'Let it go on with campaign_reactivate, or call it off with campaign_cancel.',
  COMPLETED: OVER,
  CANCELED: OVER,
  ARCHIVED: 'It is deleted already: campaign_list shows those that are there.',
};

const DONE: Readonly<Record<Cascade['event'], string>> = {
  pause: 'paused',
  reactivate: 'reactivated',
  cancel: 'canceled',
  archive: 'deleted',
};

/** An order on its way is answered in seconds; until then nobody can say what there is to stop. */
function requireSent(buys: readonly MediaBuyRow[]): void {
  const sending = buys.filter(({ submission }) => submission === 'sending');
  if (sending.length === 0) return;
  throw conflict(
    `Orders are on their way: ${sending.map(({ name }) => name).join(', ')}.`,
    'Call again in a few seconds.',
  );
}
