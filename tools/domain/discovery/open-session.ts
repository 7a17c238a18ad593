import type { AdvertiserRow } from '../../../store/advertisers.ts';
import { type CampaignRow, updateCampaign } from '../../../store/campaigns.ts';
import type { DiscoveryAgentRow, DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { fromJson, toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { StorefrontRow } from '../../../store/storefronts.ts';
import { findStorefrontsByIdOrName, listSellers } from '../../../store/unscoped/market.ts';
import type { Context } from '../../core/context.ts';
import { conflict, contradicts, invalid, invalidInput, staleWrite } from '../../core/errors/refusals.ts';
import { requireActive } from '../advertisers/active.ts';
import { buyingParty } from '../buying/party.ts';
import { campaignKind, reachCampaign } from '../buying/reach.ts';
import { decimalsOf, toMajor, toMinor } from '../money.ts';
import type { KeptOpening, NotAsked, Opening } from '../opening.ts';
import type { BuyingParty, Seller } from '../sellers/port.ts';
import { asSeller } from '../sellers/seller.ts';
import type { Collection } from './collect.ts';

export interface OpenedSession extends Collection {
  /** Ties the session to the draft campaign it was opened for. */
  readonly attach?: (tx: Db) => Promise<void>;
}

/** Works out whom to ask and for what. Nothing is written yet. */
export async function openSession(
  ctx: Context,
  brief: Opening,
  advertiser: AdvertiserRow,
): Promise<OpenedSession> {
  requireActive(advertiser);
  const campaign =
    brief.campaignId === undefined ? undefined : await draftCampaign(ctx, brief.campaignId, advertiser);
  const { sellers, notAsked } = await sellersFor(ctx, brief, campaign);
  const request = {
    ...requestOf(brief, advertiser, campaign),
    ...(notAsked.length === 0 ? {} : { notAsked }),
  };
  const party = await buyingParty(ctx, advertiser);
  const session: DiscoverySessionRow = {
    id: ctx.newId('disc'),
    organization_id: ctx.scope.organizationId,
    customer_id: ctx.scope.customerId,
    advertiser_id: advertiser.id,
    campaign_id: campaign?.id ?? null,
    request: toJson(request),
    status: 'collecting',
    revision: 0,
    last_subscription: 0,
    owner: ctx.services.processId,
    created_at: ctx.now,
    completed_at: null,
    removed_at: null,
  };
  return {
    session,
    sellers,
    agents: sellers.map((seller) => pendingAgent(session, seller)),
    query: queryOf(request, party),
    filter: request,
    ...(campaign === undefined ? {} : { attach: (tx: Db) => attach(ctx, tx, { campaign, session }) }),
  };
}

async function draftCampaign(ctx: Context, id: string, advertiser: AdvertiserRow): Promise<CampaignRow> {
  const campaign = await reachCampaign(ctx, id);
  if (campaign.advertiser_id !== advertiser.id) {
    throw contradicts('campaignId', 'The campaign belongs to another advertiser.');
  }
  if (campaign.status !== 'DRAFT') {
    throw conflict(
      `The campaign is ${campaign.status}; a session is attached while it is DRAFT.`,
      'Start the session without campaignId, or create another campaign.',
    );
  }
  return campaign;
}

/** Fields that the caller leaves out are taken from the campaign. */
function requestOf(
  brief: Opening,
  advertiser: AdvertiserRow,
  campaign: CampaignRow | undefined,
): KeptOpening {
  const constraints = campaign?.constraints ? fromJson(campaign.constraints) : {};
  const { startDate = campaign?.start_at, endDate = campaign?.end_at } = brief.flightDates ?? {};
  return {
    currency: advertiser.primary_currency,
    brief: brief.brief ?? campaign?.brief ?? undefined,
    channels: brief.channels ?? constraints.channels,
    countries: brief.countries ?? constraints.geo_countries,
    budgetMinor: budgetOf(brief, advertiser) ?? campaign?.budget_minor,
    startDate,
    endDate,
    publisherDomain: brief.publisherDomain,
    pricingModel: brief.pricingModel,
  };
}

function budgetOf({ budget }: Opening, { primary_currency }: AdvertiserRow): number | undefined {
  if (budget === undefined) return undefined;
  const minor = toMinor(budget, primary_currency);
  if (minor === undefined) {
    throw invalid('budget', `${primary_currency} has ${decimalsOf(primary_currency)} decimals at the most.`);
  }
  return minor;
}

function queryOf(request: KeptOpening, party: BuyingParty): Collection['query'] {
  const { brief, channels, countries, startDate, endDate, budgetMinor, currency } = request;
  return {
    party,
    brief,
    channels,
    countries,
    startDate,
    endDate,
    ...(budgetMinor === undefined ? {} : { budget: { max: toMajor(budgetMinor, currency), currency } }),
  };
}

/** The storefronts that are named, or those the campaign pins, or all that transact. */
async function sellersFor(
  ctx: Context,
  brief: Opening,
  campaign: CampaignRow | undefined,
): Promise<{ sellers: Seller[]; notAsked: NotAsked[] }> {
  const pinned = campaign?.storefront_ids ? fromJson(campaign.storefront_ids) : [];
  const ids = brief.storefrontIds ?? (brief.storefrontNames === undefined ? pinned : []);
  const names = brief.storefrontNames ?? [];
  const all = ids.length === 0 && names.length === 0;
  const found = all ? [] : await findStorefrontsByIdOrName(ctx.db, { ids, names });
  const missing = [
    ...ids.flatMap((id, index) =>
      found.some((row) => row.id === id)
        ? []
        : [{ path: `storefrontIds.${index}`, message: 'No such storefront.' }],
    ),
    ...names.flatMap((name, index) =>
      found.some((row) => row.name.toLowerCase() === name.toLowerCase())
        ? []
        : [{ path: `storefrontNames.${index}`, message: 'No such storefront.' }],
    ),
  ];
  if (missing.length > 0)
    throw invalidInput(missing, { suggestion: 'Find storefronts with storefront_list.' });
  const rows = await listSellers(ctx.db, all ? null : found.map(({ id }) => id));
  return {
    sellers: rows.map(asSeller),
    notAsked: found.flatMap((row) => {
      if (rows.some(({ storefront_id }) => storefront_id === row.id)) return [];
      return [{ storefrontId: row.id, storefrontName: row.name, reason: closedBecause(row) }];
    }),
  };
}

function closedBecause(
  storefront: Pick<StorefrontRow, 'archived_at' | 'is_paused' | 'transacting'>,
): NotAsked['reason'] {
  if (storefront.archived_at !== null) return 'archived';
  if (storefront.is_paused === 1) return 'paused';
  return storefront.transacting === 1 ? 'no_active_source' : 'not_transacting';
}

function pendingAgent(session: DiscoverySessionRow, seller: Seller): DiscoveryAgentRow {
  return {
    organization_id: session.organization_id,
    session_id: session.id,
    agent_id: seller.agentId,
    agent_name: seller.agentName,
    storefront_id: seller.storefrontId,
    storefront_name: seller.storefrontName,
    state: 'pending',
    reason: null,
    message: null,
    products: 0,
    invalid_products: 0,
    revision: null,
    settled_at: null,
  };
}

async function attach(
  ctx: Context,
  tx: Db,
  { campaign, session }: { campaign: CampaignRow; session: DiscoverySessionRow },
): Promise<void> {
  const { id, version } = campaign;
  const written = await updateCampaign(tx, ctx.scope, {
    id,
    version,
    set: { discovery_id: session.id, updated_at: ctx.now },
  });
  if (written === undefined) throw staleWrite(campaignKind);
}
