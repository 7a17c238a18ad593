import type { AdvertiserRow } from '../../../../store/advertisers.ts';
import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { DiscoveryAgentRow, DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import { fromJson, toJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import type { Context } from '../../../core/context.ts';
import { conflict, contradicts, invalid, staleWrite } from '../../../core/errors/refusals.ts';
import { requireActive } from '../../advertisers/active.ts';
import { accountsAtSellers } from '../../advertisers/linked-accounts.ts';
import { buyingParty } from '../../buying/choice/party.ts';
import { campaignKind } from '../../buying/reach.ts';
import { countriesWanted, keptConstraints } from '../../campaigns/constraints.ts';
import { writeCampaign } from '../../campaigns/writing.ts';
import { type KeptOpening, narrowedBy, type Opening } from '../../discovery-opening.ts';
import { noSuchAmount, toMajor, toMinor } from '../../money.ts';
import type { BuyingParty, Seller } from '../../sellers/port.ts';
import type { Collection } from '../asking/collect.ts';
import { type SessionSubject, sellersOf } from './session-subject.ts';

export interface OpenedSession extends Collection {
  /** Ties the session to the draft campaign it was opened for. */
  readonly attach?: (tx: Db) => Promise<unknown>;
}

/** What a session is opened with, and what only AdCP has words for. */
type Asked = Opening & Pick<KeptOpening, 'sale'>;

/** Works out whom to ask and for what. Nothing is written yet. */
export async function openSession(
  ctx: Context,
  brief: Asked & { readonly debug: boolean; readonly keepsSource?: true },
  subject: SessionSubject,
): Promise<OpenedSession> {
  const { advertiser, campaign } = subject;
  requireActive(advertiser);
  if (campaign !== undefined) requireDraftOf(advertiser, campaign);
  // An address that only reads asks with what the draft says, and leaves the draft as it is.
  const attached = ctx.server?.readonly ? undefined : campaign;
  const { sellers, notAsked } = await sellersOf(ctx, subject);
  const request = {
    ...requestOf(brief, advertiser, campaign),
    ...(notAsked.length === 0 ? {} : { notAsked }),
    ...(brief.keepsSource ? { keepsSource: true as const } : {}),
    ...(subject.offer === undefined ? {} : { offerId: subject.offer.id }),
  };
  const party = await buyingParty(ctx, advertiser);
  const session: DiscoverySessionRow = {
    id: ctx.newId('disc'),
    organization_id: ctx.scope.organizationId,
    customer_id: ctx.scope.customerId,
    advertiser_id: advertiser.id,
    campaign_id: attached?.id ?? null,
    request: toJson(request),
    status: 'collecting',
    revision: 0,
    last_subscription: 0,
    owner: ctx.services.processId,
    created_at: ctx.now,
    completed_at: null,
    removed_at: null,
    asked_at: null,
    refinement: null,
  };
  return {
    session,
    sellers,
    agents: sellers.map((seller) => pendingAgent(session, seller)),
    query: queryOf(request, party),
    accounts: await accountsAtSellers(ctx, advertiser),
    filter: request,
    debug: brief.debug,
    ...(subject.offer === undefined
      ? {}
      : { brought: subject.offer.brings({ currency: request.currency, sandbox: party.sandbox }) }),
    ...(attached === undefined
      ? {}
      : { attach: (tx: Db) => attach(ctx, tx, { campaign: attached, session }) }),
  };
}

/** How a call does without the campaign that it named. */
const WITHOUT = 'Leave campaignId out, or create another with campaign_create.';

/** A session is for drafts of its own advertiser. */
export function requireDraftOf(
  { id }: Pick<AdvertiserRow, 'id'>,
  campaign: CampaignRow,
  instead = { campaignId: 'campaignId', way: WITHOUT },
): void {
  if (campaign.advertiser_id !== id) {
    throw contradicts(instead.campaignId, 'The campaign belongs to another advertiser.', {
      suggestion: 'Leave campaignId out, or find one of this advertiser with campaign_list.',
    });
  }
  if (campaign.status !== 'DRAFT') {
    throw conflict(
      `The campaign is ${campaign.status}; a session is attached while it is DRAFT.`,
      instead.way,
    );
  }
}

/** Fields that the caller leaves out are taken from the campaign. */
function requestOf(brief: Asked, advertiser: AdvertiserRow, campaign: CampaignRow | undefined): KeptOpening {
  const constraints = campaign?.constraints ? fromJson(campaign.constraints) : {};
  const { startDate = campaign?.start_at, endDate = campaign?.end_at } = brief.flightDates ?? {};
  return {
    currency: advertiser.primary_currency,
    brief: brief.brief ?? campaign?.brief ?? undefined,
    channels: narrowedBy(brief.channels) ?? narrowedBy(constraints.channels),
    countries: narrowedBy(brief.countries) ?? countriesWanted(constraints),
    constraints: keptConstraints(constraints),
    budgetMinor: budgetOf(brief, advertiser) ?? campaign?.budget_minor,
    startDate,
    endDate,
    publisherDomain: brief.publisherDomain,
    pricingModel: brief.pricingModel,
    screening: brief.screening,
    evaluation: brief.evaluation,
    sale: brief.sale,
  };
}

function budgetOf({ budget }: Opening, { primary_currency }: AdvertiserRow): number | undefined {
  if (budget === undefined) return undefined;
  const minor = toMinor(budget, primary_currency);
  if (minor === undefined) {
    throw invalid('budget', noSuchAmount(primary_currency));
  }
  return minor;
}

/** What the sellers of a session are asked. */
export function queryOf(request: KeptOpening, party: BuyingParty): Collection['query'] {
  const { brief, channels, countries, constraints, startDate, endDate, sale } = request;
  const { budgetMinor, currency } = request;
  const most = budgetMinor === undefined ? {} : { max: toMajor(budgetMinor, currency) };
  const least = sale?.budgetRange?.min === undefined ? {} : { min: sale.budgetRange.min };
  const budget = { ...least, ...most };
  return {
    party,
    brief,
    channels,
    countries,
    constraints,
    startDate,
    endDate,
    sale,
    ...(Object.keys(budget).length === 0 ? {} : { budget: { ...budget, currency } }),
  };
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
    response_ms: null,
    told: null,
  };
}

interface Attaching {
  readonly campaign: CampaignRow;
  readonly session: DiscoverySessionRow;
}

/** Has a campaign buy from a session from now on, and says so in the log of the campaign. */
export function attach(ctx: Context, tx: Db, { campaign, session }: Attaching): Promise<CampaignRow> {
  return ctx.writeIn(tx, () => tie(ctx, tx, { campaign, session }), {
    kind: campaignKind,
    action: 'UPDATE',
    resourceId: campaign.id,
    resourceName: campaign.name,
    advertiserId: campaign.advertiser_id,
    changes: { discoveryId: { from: campaign.discovery_id, to: session.id } },
  });
}

/** The same inside what is logged of the campaign itself. */
export async function tie(ctx: Context, tx: Db, { campaign, session }: Attaching): Promise<CampaignRow> {
  const written = await writeCampaign(tx, ctx.scope, {
    before: campaign,
    set: { discovery_id: session.id, updated_at: ctx.now },
  });
  if (written === undefined) throw staleWrite(campaignKind);
  return written;
}
