import type { AdvertiserRow } from '../../../../store/advertisers.ts';
import type { CampaignRow } from '../../../../store/campaigns.ts';
import { type DiscoverySelectionRow, listSelections } from '../../../../store/discovery-selections.ts';
import { lockSession } from '../../../../store/discovery-sessions.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { listOpenChanges, type MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import { reachAdvertiser } from '../../advertisers/reach.ts';
import { type KnownSellers, sellersOfOrders, type Targeted } from '../changes/undeclared-targeting.ts';
import { ahead } from '../choice/allocation.ts';
import { heldSellersOf } from '../choice/closed-sellers.ts';
import { type Fees, feesFor } from '../choice/fees.ts';
import type { Ordering } from '../choice/order-lines.ts';
import { takenByPeriods } from '../spend/period-budgets.ts';
import { askedOf } from '../spend/taking.ts';
import type { Naming } from '../ways-out.ts';
import { isKept } from './kept-orders.ts';
import { accountsOfOrders, type HeldAccounts } from './order-accounts.ts';
import { type Purchaser, purchaserOf } from './order-making.ts';
import { type BoughtElsewhere, boughtElsewhere, NOTHING_ELSEWHERE } from './rebuying.ts';

/** Everything that decides what an execute orders: asked of sellers first, and read once the campaign is held. */

/** What sellers said. */
export interface Heard {
  /** Of what they declare. */
  readonly known: KnownSellers;
  /** Of the accounts that orders go out under. */
  readonly held: HeldAccounts;
}

/** Asks the sellers of a campaign, and of what is chosen with this call: in no transaction. */
export async function heardOfSellers(
  ctx: Context,
  campaign: CampaignRow,
  unstored?: readonly Targeted[],
): Promise<Heard> {
  const [known, held] = await Promise.all([
    sellersOfOrders(ctx, campaign, unstored),
    accountsOfOrders(ctx, campaign, unstored),
  ]);
  return { known, held };
}

interface Executing extends Heard {
  readonly campaign: CampaignRow;
  /** Whether what another campaign has bought is bought once more. */
  readonly rebuy: boolean;
  /** Where the caller named what is chosen. */
  readonly naming: Naming;
}

/** An execute with all that decides what it orders. */
export interface Loaded extends Executing, Purchaser {
  /** The campaign with what of its flight is ahead, and of its periods is left. */
  readonly terms: CampaignRow & Ordering;
  readonly advertiser: AdvertiserRow;
  readonly chosen: readonly DiscoverySelectionRow[];
  readonly buys: readonly MediaBuyRow[];
  /** What was asked of sellers and may still come true. */
  readonly openChanges: readonly MediaBuyChangeRow[];
  readonly fees: Fees;
  readonly openSellers: ReadonlySet<string>;
  readonly elsewhere: BoughtElsewhere;
}

/** Reads it in the transaction that stores the orders: what changes meanwhile is seen, or comes after. */
export async function loadOrdering(tx: Db, ctx: Context, executing: Executing): Promise<Loaded> {
  const { campaign } = executing;
  const within = inside(tx, ctx);
  const advertiser = await reachAdvertiser(within, campaign.advertiser_id);
  // Changes before the buys: one that its seller confirms in between counts twice then, and never not at all.
  const openChanges = await listOpenChanges(tx, ctx.scope, { campaignId: campaign.id });
  const buys = await listMediaBuys(tx, ctx.scope, campaign.id);
  const kept = { buys: buys.filter(isKept), open: askedOf(openChanges) };
  const periods_taken = takenByPeriods(campaign, kept);
  const { discovery_id: sessionId } = campaign;
  const chosen = sessionId === null ? [] : await listSelections(tx, ctx.scope, sessionId);
  return {
    ...executing,
    terms: { ...ahead(campaign, ctx.now), periods_taken },
    advertiser,
    chosen,
    buys,
    openChanges,
    fees: await feesFor(within, advertiser),
    openSellers: await heldSellersOf(within, chosen),
    ...(await purchaserOf(within, advertiser)),
    elsewhere: await elsewhereOf(tx, ctx, { ...executing, chosen }),
  };
}

/** Each part by name: most of what a call has is its class's, and no copy of its own fields brings it along. */
function inside(tx: Db, ctx: Context) {
  const { scope, services, sandboxOnly } = ctx;
  return { db: tx, scope, services, sandboxOnly, concerns: (id: number) => ctx.concerns?.(id) };
}

/** The session is held before it is looked at: of two campaigns that buy from it one sees what the other bought. */
async function elsewhereOf(
  tx: Db,
  ctx: Context,
  { campaign, rebuy, chosen }: Pick<Loaded, 'campaign' | 'rebuy' | 'chosen'>,
): Promise<BoughtElsewhere> {
  const { discovery_id: sessionId } = campaign;
  if (rebuy || sessionId === null || chosen.length === 0) return NOTHING_ELSEWHERE;
  await lockSession(tx, ctx.scope, sessionId);
  return boughtElsewhere({ db: tx, scope: ctx.scope, now: ctx.now }, campaign);
}
