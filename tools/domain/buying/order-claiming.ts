import type { CampaignRow, CampaignStatus } from '../../../store/campaigns.ts';
import { updateCampaign } from '../../../store/campaigns.ts';
import { listSelections } from '../../../store/discovery-selections.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { insertMediaBuy, listMediaBuys, updateMediaBuy } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import { conflict, invalid, staleWrite } from '../../core/errors/refusals.ts';
import { next } from '../../core/machines.ts';
import { reachAdvertiser } from '../advertisers/reach.ts';
import { isToBeSent } from './buy-status.ts';
import { buyMachine, campaignMachine } from './machines.ts';
import { nextAttempt, ordersFor } from './order-making.ts';
import { campaignKind, mediaBuyKind } from './reach.ts';
/** Orders that are this call's to send. */
export interface Claim {
  readonly row: CampaignRow;
  /** Stored as `sending`: this call sends them, and no other does. */
  readonly sending: readonly Sending[];
}

export interface Sending {
  readonly buy: MediaBuyRow;
  /** The seller may have this very order already. */
  readonly repeat: boolean;
}

/** Stores what has to be sent, as `sending`: of two calls one gets it. */
export async function claimOrders(ctx: Context, campaign: CampaignRow): Promise<Claim> {
  const status = next(campaignMachine, campaign.status, 'execute');
  if (status === undefined) {
    throw conflict(
      `A campaign that is ${campaign.status} cannot be executed.`,
      'Create another campaign from the same discovery.',
    );
  }
  return campaign.status === 'DRAFT' ? claimDraft(ctx, campaign, status) : claimRetry(ctx, campaign, status);
}

/** First execute: the campaign changes hands by its version, so that of two calls one gets it. */
async function claimDraft(ctx: Context, campaign: CampaignRow, status: CampaignStatus): Promise<Claim> {
  const selections =
    campaign.discovery_id === null ? [] : await listSelections(ctx.db, ctx.scope, campaign.discovery_id);
  if (selections.length === 0) {
    throw invalid('discoveryId', 'No product is chosen for this campaign.', {
      suggestion:
        'Choose products with discovery_add_products, and create the campaign with that discoveryId.',
    });
  }
  requireOpenFlight(campaign, ctx.now);
  const advertiser = await reachAdvertiser(ctx, campaign.advertiser_id);
  const orders = await ordersFor(ctx, campaign, { advertiser, selections });
  return claim(ctx, campaign, {
    status,
    work: async (tx) => {
      const sending: Sending[] = [];
      for (const order of orders) {
        sending.push({ buy: await insertMediaBuy(tx, ctx.scope, order), repeat: false });
      }
      return sending;
    },
  });
}

function requireOpenFlight(campaign: CampaignRow, now: string): void {
  if (campaign.end_at > now) return;
  throw conflict('The flight of this campaign is over.', 'Create another campaign with later flight dates.');
}

/** A later execute: only what never arrived is sent again. */
function claimRetry(ctx: Context, campaign: CampaignRow, status: CampaignStatus): Promise<Claim> {
  return claim(ctx, campaign, {
    status,
    work: async (tx) => {
      const buys = (await listMediaBuys(tx, ctx.scope, campaign.id)).filter(isToBeSent);
      // An order that may have been taken is asked about again whenever; a new one needs days to run.
      if (buys.some(({ submission }) => submission !== 'unknown')) requireOpenFlight(campaign, ctx.now);
      const sending: Sending[] = [];
      for (const buy of buys) {
        const row = await updateMediaBuy(tx, ctx.scope, {
          id: buy.id,
          version: buy.version,
          set: {
            ...nextAttempt(buy, ctx.now),
            status: next(buyMachine, buy.status, 'send') ?? buy.status,
            submission: 'sending',
            owner: ctx.services.processId,
            updated_at: ctx.now,
            updated_by: ctx.caller.principal,
          },
        });
        if (row === undefined) throw staleWrite(mediaBuyKind);
        sending.push({ buy: row, repeat: buy.submission === 'unknown' });
      }
      return sending;
    },
  });
}

interface Claiming {
  /** The campaign's from now on. */
  readonly status: CampaignStatus;
  work(tx: Db): Promise<Sending[]>;
}

function claim(ctx: Context, campaign: CampaignRow, { status, work }: Claiming): Promise<Claim> {
  return ctx.write(
    async (tx) => {
      const row = await updateCampaign(tx, ctx.scope, {
        id: campaign.id,
        version: campaign.version,
        set: { status, updated_at: ctx.now },
      });
      if (row === undefined) throw staleWrite(campaignKind);
      return { row, sending: await work(tx) };
    },
    {
      resourceId: campaign.id,
      resourceName: campaign.name,
      advertiserId: campaign.advertiser_id,
      changes: { status: { from: campaign.status, to: status } },
    },
  );
}
