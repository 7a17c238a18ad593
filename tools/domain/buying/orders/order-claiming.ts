import type { CampaignRow, CampaignStatus } from '../../../../store/campaigns.ts';
import { listSelections } from '../../../../store/discovery-selections.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import { conflict, contradicts, staleWrite } from '../../../core/errors/refusals.ts';
import { next } from '../../../core/machines.ts';
import { requireStillActive } from '../../advertisers/active.ts';
import { reachAdvertiser } from '../../advertisers/reach.ts';
import { writeCampaign } from '../../campaigns/writing.ts';
import { withoutEnded } from '../answers/ended-at-seller.ts';
import { holdAsRead } from '../campaign-holding.ts';
import {
  orderRefusal,
  sellersOfOrders,
  type Targeted,
  undeclaredFor,
} from '../changes/undeclared-targeting.ts';
import { ahead } from '../choice/allocation.ts';
import { problemsOf } from '../choice/choice-problems.ts';
import { remarksOf } from '../choice/choice-warnings.ts';
import { closedSellers } from '../choice/closed-sellers.ts';
import { feesFor, unpriced } from '../choice/fees.ts';
import { requireOpenFlight } from '../choice/flight.ts';
import { campaignMachine } from '../machines.ts';
import { campaignKind } from '../reach.ts';
import { requireKept, takingOf } from '../spend/budget-keeping.ts';
import { commitOrders } from '../spend/buy-commitment.ts';
import { stageOf } from '../ways-out.ts';
import { takeUpOffer } from './offer-redeeming.ts';
import { accountProblems, accountsOfOrders } from './order-accounts.ts';
import { ordersFor } from './order-making.ts';
import { placeOrders, type Sending, sendAgain } from './order-placing.ts';
import { type Executed, type Executing, retry } from './order-retrying.ts';
import { boughtAlready } from './rebuying.ts';
import { requireOrdersAllowed } from './spend-holding.ts';
import { requireConfirmed } from './spending-question.ts';

/** Orders that are this call's to send. */
export interface Claim {
  readonly row: CampaignRow;
  /** Stored as `sending`: this call sends them, and no other does. */
  readonly sending: readonly Sending[];
  /** What does not keep the orders back, and is worth knowing, by where the campaign stands once they were sent. */
  readonly warnings: Executed['warnings'];
}

/** What a call has decided on and not stored: a campaign with its choice, stored with its orders or not at all. */
export interface Unstored {
  /** Whether the campaign is made with it. */
  readonly isNew: boolean;
  /** What is chosen with it, and not stored either. */
  readonly chosen: readonly Targeted[];
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
  const work = campaign.status === 'DRAFT' ? orderDraft : retry;
  const naming = unstored === undefined ? 'kept' : unstored.isNew ? 'new batch' : 'batch';
  // Before the transaction, in which nobody waits for a seller.
  const [known, accounts] = await Promise.all([
    sellersOfOrders(ctx, campaign, unstored?.chosen),
    accountsOfOrders(ctx, campaign, unstored?.chosen),
  ]);
  return claim(ctx, campaign, {
    status,
    store: unstored?.store,
    isNew: unstored?.isNew,
    buysMore: true,
    // All that decides is read here, once the campaign is held: what changes meanwhile is seen, or comes after.
    work: async (tx) => {
      const advertiser = await reachAdvertiser({ ...ctx, db: tx }, campaign.advertiser_id);
      return work(tx, ctx, { campaign, advertiser, rebuy, known, accounts, naming });
    },
  });
}

function cannotBeExecuted({ status }: CampaignRow) {
  return conflict(
    `A campaign that is ${status} cannot be executed.`,
    'Create another from the same discovery with campaign_create.',
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
      return { sending, warnings: () => [] };
    },
  });
}

/** First execute: the campaign changes hands by its version, so that of two calls one gets it. */
async function orderDraft(
  tx: Db,
  ctx: Context,
  { campaign, advertiser, rebuy, known, accounts: held, naming }: Executing,
): Promise<Executed> {
  requireOpenFlight(campaign, ctx.now);
  const { discovery_id: id } = campaign;
  const selections = id === null ? [] : await listSelections(tx, ctx.scope, id);
  if (selections.length === 0) throw nothingChosen(id);
  const fees = await feesFor({ db: tx, scope: ctx.scope }, advertiser);
  const terms = ahead(campaign, ctx.now);
  const before = await listMediaBuys(tx, ctx.scope, campaign.id);
  const { open, warnings } = withoutEnded(selections, before);
  const again = rebuy ? [] : await boughtAlready(tx, ctx, { campaign, selections: open, naming });
  const stage = stageOf(campaign, naming);
  const agentIds = open.map(({ agent_id }) => agent_id);
  const refused = orderRefusal(undeclaredFor(open, { campaign, known, before }), stage, [
    ...problemsOf(terms, open, { fees, naming }),
    ...unpriced(open, fees, before),
    ...(await closedSellers({ db: tx, scope: ctx.scope }, open, { before, naming })),
    ...(await accountProblems({ db: tx, scope: ctx.scope }, { advertiser, held, agentIds })),
    ...again,
  ]);
  if (refused !== undefined) throw refused;
  const orders = await ordersFor(ctx, terms, { db: tx, advertiser, selections: open, fees, before });
  return {
    sending: await placeOrders(tx, ctx, { orders, before }),
    warnings: (status) => [...warnings, ...remarksOf(terms, open, { status })],
  };
}

function nothingChosen(discoveryId: string | null) {
  const how =
    discoveryId === null
      ? 'Choose products with discovery_add_products, give the campaign their discoveryId with campaign_update'
      : `Choose products of ${discoveryId} with discovery_add_products`;
  return contradicts('discoveryId', 'No product is chosen for this campaign.', {
    suggestion: `${how}, and repeat the call.`,
  });
}

interface Claiming {
  /** The campaign's from now on. */
  readonly status: CampaignStatus;
  readonly store?: Unstored['store'] | undefined;
  readonly isNew?: boolean | undefined;
  /** Whether orders go out anew. */
  readonly buysMore?: true;
  work(tx: Db): Promise<Executed>;
}

function claim(
  ctx: Context,
  campaign: CampaignRow,
  { status, store, isNew, buysMore, work }: Claiming,
): Promise<Claim> {
  return ctx.write(
    async (tx) => {
      if (buysMore) await requireStillActive(tx, ctx, campaign.advertiser_id);
      const row = await writeCampaign(tx, ctx.scope, {
        before: store === undefined ? await holdAsRead(ctx, tx, campaign) : await store(tx),
        set: { status, updated_at: ctx.now },
      });
      if (row === undefined) throw staleWrite(campaignKind);
      await requireConfirmed(tx, ctx, { campaign: row, isNew });
      // The campaign is held: it was written.
      const before = { campaign: row, ...(await takingOf(tx, row)) };
      const { sending, warnings } = await work(tx);
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
