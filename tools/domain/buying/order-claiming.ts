import type { CampaignRow, CampaignStatus } from '../../../store/campaigns.ts';
import { type DiscoverySelectionRow, listSelections } from '../../../store/discovery-selections.ts';
import type { Db } from '../../../store/engine/db.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import { conflict, contradicts, staleWrite } from '../../core/errors/refusals.ts';
import { next } from '../../core/machines.ts';
import { requireActive } from '../advertisers/active.ts';
import { reachAdvertiser } from '../advertisers/reach.ts';
import { writeCampaign } from '../campaigns/writing.ts';
import { ahead } from './allocation.ts';
import { requireKept, takingOf } from './budget-keeping.ts';
import { commitOrders } from './buy-commitment.ts';
import { asOne, problemsOf, warningsOf } from './choice-problems.ts';
import { withoutEnded } from './ended-at-seller.ts';
import { feesFor, unpriced } from './fees.ts';
import { campaignMachine } from './machines.ts';
import { takeUpOffer } from './offer-redeeming.ts';
import { lastMoment } from './order-lines.ts';
import { ordersFor } from './order-making.ts';
import { placeOrders, type Sending, sendAgain } from './order-placing.ts';
import { retryOf } from './order-retrying.ts';
import { campaignKind } from './reach.ts';
import { boughtAlready } from './rebuying.ts';
import { requireOrdersAllowed } from './spend-holding.ts';

/** Orders that are this call's to send. */
export interface Claim {
  readonly row: CampaignRow;
  /** Stored as `sending`: this call sends them, and no other does. */
  readonly sending: readonly Sending[];
  /** What does not keep the orders back, and is worth knowing. */
  readonly warnings: readonly string[];
}

/** What a call has decided on and not stored: a campaign with its choice, stored with its orders or not at all. */
export interface Unstored {
  readonly selections: readonly DiscoverySelectionRow[];
  /** Gives the campaign as it is stored then. */
  store(tx: Db): Promise<CampaignRow>;
}

/** Stores what has to be sent, as `sending`: of two calls one gets it. */
export async function claimOrders(
  ctx: Context,
  campaign: CampaignRow,
  { rebuy, unstored }: { rebuy: boolean; unstored?: Unstored },
): Promise<Claim> {
  const status = next(campaignMachine, campaign.status, 'execute');
  if (status === undefined) throw cannotBeExecuted(campaign);
  if (next(campaignMachine, campaign.status, 'change') === undefined) return claimUnknown(ctx, campaign);
  requireActive(await reachAdvertiser(ctx, campaign.advertiser_id));
  if (campaign.status !== 'DRAFT') return claimRetry(ctx, campaign, { status, rebuy });
  requireOpenFlight(campaign, ctx.now);
  const selections = unstored?.selections ?? (await chosenFor(ctx, campaign));
  return claimDraft(ctx, campaign, { status, rebuy, selections, store: unstored?.store });
}

function cannotBeExecuted({ status }: CampaignRow) {
  return conflict(
    `A campaign that is ${status} cannot be executed.`,
    'Create another campaign from the same discovery.',
  );
}

/** Of a campaign that is over: orders of which nobody knows go out once more, so that what is held can be called off. */
async function claimUnknown(ctx: Context, campaign: CampaignRow): Promise<Claim> {
  const unknown = (buys: readonly MediaBuyRow[]) => buys.filter(({ submission }) => submission === 'unknown');
  if (unknown(await listMediaBuys(ctx.db, ctx.scope, campaign.id)).length === 0) {
    throw cannotBeExecuted(campaign);
  }
  return claim(ctx, campaign, {
    status: campaign.status,
    work: async (tx) => {
      const sending: Sending[] = [];
      for (const buy of unknown(await listMediaBuys(tx, ctx.scope, campaign.id))) {
        sending.push(await sendAgain(tx, ctx, buy));
      }
      return sending;
    },
  });
}

async function chosenFor(
  ctx: Context,
  { discovery_id: id }: CampaignRow,
): Promise<readonly DiscoverySelectionRow[]> {
  return id === null ? [] : listSelections(ctx.db, ctx.scope, id);
}

interface Drafted {
  readonly status: CampaignStatus;
  readonly rebuy: boolean;
  readonly selections: readonly DiscoverySelectionRow[];
  readonly store: Unstored['store'] | undefined;
}

/** First execute: the campaign changes hands by its version, so that of two calls one gets it. */
async function claimDraft(
  ctx: Context,
  campaign: CampaignRow,
  { status, rebuy, selections, store }: Drafted,
): Promise<Claim> {
  if (selections.length === 0) {
    throw contradicts('discoveryId', 'No product is chosen for this campaign.', {
      suggestion:
        'Choose products with discovery_add_products, and create the campaign with that discoveryId.',
    });
  }
  const advertiser = await reachAdvertiser(ctx, campaign.advertiser_id);
  const fees = await feesFor(ctx, advertiser);
  const terms = ahead(campaign, ctx.now);
  const before = await listMediaBuys(ctx.db, ctx.scope, campaign.id);
  const { open, warnings } = withoutEnded(selections, before);
  const problems = [...problemsOf(terms, open, { fees }), ...unpriced(open, fees)];
  const orders = await ordersFor(ctx, terms, { advertiser, selections: open, fees, before });
  return claim(ctx, campaign, {
    status,
    store,
    warnings: [...warnings, ...warningsOf(terms, open)],
    work: async (tx) => {
      const again = rebuy ? [] : await boughtAlready(tx, ctx, { campaign, selections: open });
      const refused = asOne([...problems, ...again]);
      if (refused !== undefined) throw refused;
      return placeOrders(tx, ctx, { orders, before: await listMediaBuys(tx, ctx.scope, campaign.id) });
    },
  });
}

function requireOpenFlight(campaign: CampaignRow, now: string): void {
  if (lastMoment(campaign) > now) return;
  throw conflict(
    'The flight of this campaign is over.',
    'Give it later flight dates with campaign_update while it is a draft, or create another campaign.',
  );
}

/** A later execute: what failed is sent again, as it was or as it is chosen now. */
async function claimRetry(
  ctx: Context,
  campaign: CampaignRow,
  { status, rebuy }: { status: CampaignStatus; rebuy: boolean },
): Promise<Claim> {
  const { isNew, warnings, work } = await retryOf(ctx, campaign, { rebuy });
  // An order that may have been taken is asked about again whenever; a new one needs days to run.
  if (isNew) requireOpenFlight(campaign, ctx.now);
  return claim(ctx, campaign, { status, warnings, work });
}

interface Claiming {
  /** The campaign's from now on. */
  readonly status: CampaignStatus;
  readonly warnings?: readonly string[];
  readonly store?: Unstored['store'] | undefined;
  work(tx: Db): Promise<Sending[]>;
}

function claim(
  ctx: Context,
  campaign: CampaignRow,
  { status, warnings = [], store, work }: Claiming,
): Promise<Claim> {
  return ctx.write(
    async (tx) => {
      const row = await writeCampaign(tx, ctx.scope, {
        before: store === undefined ? campaign : await store(tx),
        set: { status, updated_at: ctx.now },
      });
      if (row === undefined) throw staleWrite(campaignKind);
      // The campaign is held: it was written.
      const before = { campaign: row, ...(await takingOf(tx, row)) };
      const sending = await work(tx);
      await requireKept(tx, { before, campaign: row, now: ctx.now });
      await takeUpOffer(tx, ctx, { campaign, sending });
      await requireOrdersAllowed(tx, ctx, { campaign, sending });
      // Last, as `setCommitments` asks: what cannot be paid for takes everything back.
      await commitOrders(tx, ctx, sending);
      return { row, sending, warnings };
    },
    {
      resourceId: campaign.id,
      resourceName: campaign.name,
      advertiserId: campaign.advertiser_id,
      changes: { status: { from: campaign.status, to: status } },
    },
  );
}
