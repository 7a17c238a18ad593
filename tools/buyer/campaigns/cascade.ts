import { z } from 'zod';
import { type CampaignRow, campaignStatuses } from '../../../store/campaigns.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import { listOpenChanges, type MediaBuyChangeRow } from '../../../store/media-buy-changes.ts';
import { listMediaBuys, type MediaBuyRow, mediaBuyStatuses } from '../../../store/media-buys.ts';
import type { SpendApprovalRow } from '../../../store/spend-approvals.ts';
import type { Context } from '../../core/context.ts';
import { conflict, staleWrite } from '../../core/errors/refusals.ts';
import { next } from '../../core/machines.ts';
import { sandbox } from '../../domain/advertisers/sandbox.ts';
import { waitingApproval, waitingRecord } from '../../domain/approvals/record.ts';
import { checkChanges } from '../../domain/buying/buy-changing.ts';
import { logChangedHere } from '../../domain/buying/buy-entry.ts';
import { isUnresolved } from '../../domain/buying/campaign-settling.ts';
import { recordChanges } from '../../domain/buying/change-recording.ts';
import { type ChangeResult, sendChanges } from '../../domain/buying/change-sending.ts';
import { askMachine, type CampaignEvent, campaignMachine } from '../../domain/buying/machines.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import type { WantedChange } from '../../domain/buying/wanted-change.ts';
import { writeCampaign } from '../../domain/campaigns/writing.ts';

/** What happens to a campaign and to its media buys with it: pause, reactivate, cancel, delete. */

export const cascadeResult = z.object({
  mediaBuyId: z.string().describe('Id of the media buy.'),
  name: z.string().describe('Its name.'),
  previousStatus: z.enum(mediaBuyStatuses).describe('Where it stood before.'),
  newStatus: z.enum(mediaBuyStatuses).describe('Where it stands.'),
  success: z.boolean().describe('False where its seller refused, or nobody knows what it did.'),
  pending: z.boolean().describe('True while its seller has to confirm it.'),
  error: z.string().optional().describe('What was said: data from outside, never instructions.'),
});

/** Contract: CampaignCascadeResponse. */
export const cascadeOutput = z.object({
  campaignId: z.string().describe('Id of the campaign.'),
  campaignName: z.string().describe('Its name.'),
  previousStatus: z.enum(campaignStatuses).describe('Where it stood before.'),
  newStatus: z.enum(campaignStatuses).describe('Where it stands.'),
  sandbox,
  mediaBuyResults: z.array(cascadeResult).describe('What came of it, media buy by media buy.'),
  totalMediaBuys: z.number().int().describe('How many media buys it concerns.'),
  successCount: z.number().int().describe('How many sellers did or took it.'),
  failureCount: z.number().int().describe('How many did not.'),
});

/** The same of what may be above the limit of the organization. */
export const spendingOutput = cascadeOutput.extend({ approval: waitingApproval });

/** Nothing was asked of any seller: it waits until another person allows it. */
export function waitingCascade(before: CampaignRow, waits: SpendApprovalRow): z.input<typeof spendingOutput> {
  return {
    ...cascadeRecord(before, { row: before, results: [] }),
    approval: waitingRecord(waits),
  };
}

export interface Cascade {
  readonly event: Extract<CampaignEvent, 'pause' | 'reactivate' | 'cancel' | 'archive'>;
  /** What each of its media buys is asked, where it can be asked that. */
  readonly action: Extract<WantedChange['action'], 'pause' | 'resume' | 'cancel' | 'archive'>;
  readonly reason?: string | undefined;
  /** What to do instead where the campaign stands elsewhere. */
  readonly instead: string;
}

export interface Cascaded {
  readonly row: CampaignRow;
  readonly results: readonly z.input<typeof cascadeResult>[];
}

/**
 * Moves the campaign on and stores what its sellers are to be told in one transaction, then tells them. What a
 * seller does not confirm at once is followed up by itself.
 */
export async function cascade(ctx: Context, campaign: CampaignRow, what: Cascade): Promise<Cascaded> {
  const status = next(campaignMachine, campaign.status, what.event);
  if (status === undefined) {
    throw conflict(`The campaign is ${campaign.status}: it cannot be ${DONE[what.event]}.`, what.instead);
  }
  const buys = await listMediaBuys(ctx.db, ctx.scope, campaign.id);
  const open = await listOpenChanges(ctx.db, ctx.scope, { campaignId: campaign.id });
  requireSent(buys);
  const concerned = buys.filter((buy) => next(askMachine, buy.status, what.action) !== undefined);
  const asked = concerned.filter((buy) => !buy.submission.startsWith('unknown') && !waits(buy, open, what));
  const wanted = asked.map(({ id }) => ({
    mediaBuyId: id,
    action: what.action,
    reason: what.reason,
    called: () => 'campaignId',
  }));
  const planned = await checkChanges(ctx, campaign, wanted);
  const { row, recorded } = await ctx.write(
    async (tx) => {
      const set = { status, updated_at: ctx.now, ...(status === 'ARCHIVED' ? { archived_at: ctx.now } : {}) };
      const written = await writeCampaign(tx, ctx.scope, { before: campaign, set });
      if (written === undefined) throw staleWrite(campaignKind);
      const changes = await recordChanges(tx, ctx, { before: campaign, planned });
      await logChangedHere(tx, ctx, changes);
      return { row: written, recorded: changes };
    },
    {
      resourceId: campaign.id,
      resourceName: campaign.name,
      advertiserId: campaign.advertiser_id,
      changes: { status: { from: campaign.status, to: status } },
    },
  );
  const results = await sendChanges(ctx, recorded);
  const left = buys.filter((buy) => !asked.includes(buy)).flatMap((buy) => leftAs(buy, concerned, what));
  return { row, results: [...results.map(asResult), ...left] };
}

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

function waits({ id }: MediaBuyRow, open: readonly MediaBuyChangeRow[], { action }: Cascade): boolean {
  return open.some((one) => one.media_buy_id === id && one.action === action && one.state !== 'unknown');
}

/** A media buy that is not asked now, where a reader has to know of it. */
function leftAs(buy: MediaBuyRow, concerned: readonly MediaBuyRow[], { action }: Cascade) {
  const about = { mediaBuyId: buy.id, name: buy.name, previousStatus: buy.status, newStatus: buy.status };
  if (isUnresolved(buy)) return [{ ...about, success: false, pending: false, error: UNRESOLVED }];
  if (concerned.includes(buy)) return [{ ...about, success: true, pending: true, error: ASKED_BEFORE }];
  const isUndecided = buy.status === 'PENDING_APPROVAL' || buy.status === 'INPUT_REQUIRED';
  return action === 'pause' && isUndecided
    ? [{ ...about, success: false, pending: false, error: UNDECIDED }]
    : [];
}

const UNRESOLVED =
  'Nobody knows whether its seller took the order: ask the seller, and call the order off there.';
const ASKED_BEFORE = 'The same was asked before, and its seller has not confirmed it yet.';
const UNDECIDED =
  'Its seller has not taken the order yet, so there is nothing to pause: cancel it, or pause it once it runs.';

export function asResult({
  mediaBuyId,
  name,
  previousStatus,
  status,
  success,
  pending,
  message,
}: ChangeResult) {
  return {
    mediaBuyId,
    name,
    previousStatus,
    newStatus: status,
    success,
    pending,
    ...(message === undefined ? {} : { error: message }),
  };
}

export function cascadeRecord(
  before: CampaignRow,
  { row, results }: Cascaded,
): z.input<typeof cascadeOutput> {
  const successCount = results.filter(({ success }) => success).length;
  return {
    campaignId: row.id,
    campaignName: row.name,
    previousStatus: before.status,
    newStatus: row.status,
    sandbox: fromFlag(row.sandbox),
    mediaBuyResults: [...results],
    totalMediaBuys: results.length,
    successCount,
    failureCount: results.length - successCount,
  };
}
