import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { listMediaBuys } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import { conflict, staleWrite } from '../../../core/errors/refusals.ts';
import { next } from '../../../core/machines.ts';
import { requireStillActive } from '../../advertisers/active.ts';
import { writeCampaign } from '../../campaigns/writing.ts';
import { withoutEnded } from '../answers/ended-at-seller.ts';
import { isRefused } from '../answers/taken-orders.ts';
import { holdAsRead } from '../campaign-holding.ts';
import type { Targeted } from '../changes/undeclared-targeting.ts';
import { requireOpenFlight } from '../choice/flight.ts';
import { campaignMachine } from '../machines.ts';
import { campaignKind } from '../reach.ts';
import { requireKept, takingOf } from '../spend/budget-keeping.ts';
import { takenMinor } from '../spend/taking.ts';
import { isKept } from './kept-orders.ts';
import { nothingChosen } from './nothing-chosen.ts';
import { takeUpOffer } from './offer-redeeming.ts';
import { withAccounts } from './order-accounts.ts';
import { heardOfSellers, type Loaded, loadOrdering } from './order-loading.ts';
import { ordersFor } from './order-making.ts';
import { boughtBefore, refusalOf, remarksFor } from './order-refusals.ts';
import { askedAgain, type Decided, decideAnew, isUnknown } from './order-retrying.ts';
import { commitOrders, type Outgoing, type Sending, storeOrders } from './order-storing.ts';
import { requireOrdersAllowed } from './spend-holding.ts';
import { requireConfirmed } from './spending-question.ts';

/**
 * Makes the orders of a campaign those of one call, which sends them: what decides is read, what is ordered is decided,
 * and stored as `sending`, in one transaction.
 */

/** Orders that are this call's to send. */
export interface Claim {
  readonly row: CampaignRow;
  /** Stored as `sending`: this call sends them, and no other does. */
  readonly sending: readonly Sending[];
  /** What does not keep the orders back, and is worth knowing, by what is left once they were sent. */
  readonly warnings: Decided['warnings'];
}

/** What a call has decided on and not stored: a campaign with its choice, stored with its orders or not at all. */
export interface Unstored {
  /** Whether the campaign is made with it. */
  readonly isNew: boolean;
  /** Whether its advertiser is written with it. */
  readonly changesAdvertiser: boolean;
  /** What is chosen with it, and not stored either. */
  readonly chosen: readonly Targeted[];
  /** Gives the campaign as it is stored then. */
  store(tx: Db): Promise<CampaignRow>;
}

interface Execute {
  /** Whether what another campaign has bought is bought once more. */
  readonly rebuy: boolean;
  readonly unstored?: Unstored;
}

/** Stores what has to be sent: of two calls one gets it. */
export async function claimOrders(
  ctx: Context,
  campaign: CampaignRow,
  { rebuy, unstored }: Execute,
): Promise<Claim> {
  if (next(campaignMachine, campaign.status, 'change') === undefined) return claimUnknown(ctx, campaign);
  const naming = unstored === undefined ? 'kept' : unstored.isNew ? 'new batch' : 'batch';
  const decide = campaign.status === 'DRAFT' ? decideFirst : decideAnew;
  // Before the transaction, in which nobody waits for a seller.
  const heard = await heardOfSellers(ctx, campaign, unstored?.chosen);
  const claimed = await claim(ctx, campaign, {
    unstored,
    buysMore: true,
    decided: async (tx) => decide(ctx, await loadOrdering(tx, ctx, { campaign, rebuy, naming, ...heard })),
  });
  return { ...claimed, sending: withAccounts(claimed.sending, heard.held) };
}

/**
 * Of a campaign that is over: orders of which nobody knows go out once more, so that what is held can be called off.
 */
async function claimUnknown(ctx: Context, campaign: CampaignRow): Promise<Claim> {
  if (!(await listMediaBuys(ctx.db, ctx.scope, campaign.id)).some(isUnknown)) {
    throw cannotBeExecuted(campaign);
  }
  return claim(ctx, campaign, {
    decided: async (tx) => askedAgain(await listMediaBuys(tx, ctx.scope, campaign.id)),
  });
}

function cannotBeExecuted({ status }: CampaignRow) {
  return conflict(
    `A campaign that is ${status} cannot be executed.`,
    'Create another from the same discovery with campaign_create.',
  );
}

/** What a first execute orders: all that is chosen, but of sellers that ended what they had taken. */
function decideFirst(ctx: Context, loaded: Loaded): Decided {
  const { campaign, terms, chosen, openChanges, buys: before } = loaded;
  requireOpenFlight(campaign, ctx.now);
  if (chosen.length === 0) throw nothingChosen(campaign);
  const { open: selections } = withoutEnded(chosen, before);
  const committed = takenMinor({ buys: before.filter(isKept), open: openChanges });
  const ordered = { selections, committed };
  const refused = refusalOf(loaded, ordered, boughtBefore(ctx, loaded, selections));
  if (refused !== undefined) throw refused;
  const orders = ordersFor(ctx, terms, { ...loaded, ...ordered, before });
  return {
    orders,
    before: before.filter(
      (buy) => orders.some(({ agent_id }) => agent_id === buy.agent_id) || isRefused(buy),
    ),
    again: [],
    warnings: remarksFor(loaded, ordered),
  };
}

interface Claiming {
  readonly unstored?: Unstored | undefined;
  /** Whether orders go out anew. */
  readonly buysMore?: true;
  decided(tx: Db): Promise<Decided>;
}

/** The campaign changes hands by its version; all that decides is read once it is held. */
function claim(
  ctx: Context,
  campaign: CampaignRow,
  { unstored, buysMore, decided }: Claiming,
): Promise<Claim> {
  const status = next(campaignMachine, campaign.status, 'execute') ?? campaign.status;
  return ctx.write(
    async (tx) => {
      if (buysMore) {
        const isToChange = unstored?.changesAdvertiser === true;
        await requireStillActive(tx, ctx, { id: campaign.advertiser_id, isToChange });
      }
      const held = unstored === undefined ? await holdAsRead(ctx, tx, campaign) : await unstored.store(tx);
      const { warnings, ...outgoing } = await decided(tx);
      if (isNothing(outgoing) && unstored === undefined) {
        return { row: held, sending: [], warnings, isWritten: false };
      }
      const row = await writeCampaign(tx, ctx.scope, { before: held, set: { status, updated_at: ctx.now } });
      if (row === undefined) throw staleWrite(campaignKind);
      await requireConfirmed(tx, ctx, { campaign: row, isNew: unstored?.isNew });
      const before = { campaign: row, ...(await takingOf(tx, row)) };
      const sending = await storeOrders(tx, ctx, outgoing);
      await requireKept(tx, { before, campaign: row, now: ctx.now });
      await takeUpOffer(tx, ctx, { campaign, sending });
      await requireOrdersAllowed(tx, ctx, { campaign: asStored(campaign, { held, unstored }), sending });
      // Last, as `setCommitments` asks: what cannot be paid for takes everything back.
      await commitOrders(tx, ctx, sending);
      return { row, sending, warnings, isWritten: true };
    },
    ({ isWritten }) =>
      isWritten
        ? {
            resourceId: campaign.id,
            resourceName: campaign.name,
            advertiserId: campaign.advertiser_id,
            changes: { status: { from: campaign.status, to: status } },
          }
        : undefined,
  );
}

/** A campaign as it stands again where all of this is taken back: whoever asks another person then goes by that. */
function asStored(
  campaign: CampaignRow,
  { held, unstored }: { readonly held: CampaignRow; readonly unstored: Unstored | undefined },
): CampaignRow {
  return unstored === undefined ? held : campaign;
}

function isNothing({ orders, before, again }: Outgoing): boolean {
  return orders.length + before.length + again.length === 0;
}
