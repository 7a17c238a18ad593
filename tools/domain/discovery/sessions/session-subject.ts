import type { AdvertiserRow } from '../../../../store/advertisers.ts';
import type { CampaignRow } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import { findStorefrontsByIdOrName, listSellers } from '../../../../store/unscoped/market.ts';
import type { Context } from '../../../core/context.ts';
import { contradicts, invalidInput } from '../../../core/errors/refusals.ts';
import { reachAdvertiser } from '../../advertisers/reach.ts';
import { reachCampaign } from '../../buying/reach.ts';
import { holdsName, type NotAsked, type Opening } from '../../discovery-opening.ts';
import type { Seller } from '../../sellers/port.ts';
import { asSeller } from '../../sellers/seller.ts';
import { displayStatus } from '../../storefronts/rules.ts';
import type { Outcome } from '../asking/collect.ts';
import type { Terms } from './offered-session.ts';

type Named = Awaited<ReturnType<typeof findStorefrontsByIdOrName>>;

/** What a new session is about: everything that its opening names. */
export interface SessionSubject {
  readonly advertiser: AdvertiserRow;
  readonly campaign: CampaignRow | undefined;
  /** Null where all that transact are asked. */
  readonly storefronts: Named | null;
  /** Present where a seller offers it by a code: it alone is in the session, and brings what it offered. */
  readonly offer?: {
    readonly id: number;
    readonly seller: Seller;
    brings(terms: Terms): Outcome;
  };
}

/** Finds everything that an opening names, before anything is said about what the caller may do with it. */
export async function reachSubject(
  ctx: Context,
  brief: Opening,
  advertiserId: number,
): Promise<SessionSubject> {
  const advertiser = await reachAdvertiser(ctx, advertiserId);
  const campaign = brief.campaignId === undefined ? undefined : await reachCampaign(ctx, brief.campaignId);
  return { advertiser, campaign, storefronts: await storefrontsNamed(ctx, brief, campaign) };
}

/** The storefronts that are named, or those the campaign pins, or all. */
async function storefrontsNamed(
  ctx: Context,
  brief: Opening,
  campaign: CampaignRow | undefined,
): Promise<Named | null> {
  const { storefrontIds = [], storefrontNames: names = [] } = brief;
  const isNamed = storefrontIds.length > 0 || names.length > 0;
  const pinned = campaign?.storefront_ids ? fromJson(campaign.storefront_ids) : [];
  const ids = isNamed ? storefrontIds : pinned;
  if (ids.length === 0 && names.length === 0) return null;
  const found = await findStorefrontsByIdOrName(ctx.db, ctx.scope, { ids, names });
  const missing = [
    ...ids.flatMap((id, index) => (found.some((row) => row.id === id) ? [] : [`storefrontIds.${index}`])),
    ...names.flatMap((name, index) =>
      found.some((row) => holdsName(row.name, name)) ? [] : [`storefrontNames.${index}`],
    ),
  ];
  if (missing.length === 0) return found;
  if (!isNamed) throw pinnedElsewhere(pinned.filter((id) => !found.some((row) => row.id === id)));
  throw invalidInput(
    missing.map((path) => ({ path, message: 'No such storefront.' })),
    { suggestion: 'Find storefronts with storefront_list.' },
  );
}

/** Whoever named a campaign alone has no list of storefronts to correct but that of the campaign. */
function pinnedElsewhere(ids: readonly number[]) {
  return contradicts(
    'campaignId',
    `Storefronts that it is limited to are not there any more: ${ids.join(', ')}.`,
    {
      suggestion: 'Change its storefrontIds with campaign_update, or name here which storefronts to ask.',
    },
  );
}

/** The sellers behind the storefronts of a session, and the storefronts that were named and sell nothing. */
export async function sellersOf(
  ctx: Context,
  { storefronts, offer }: SessionSubject,
): Promise<{ sellers: Seller[]; notAsked: NotAsked[] }> {
  if (offer !== undefined) return { sellers: [offer.seller], notAsked: [] };
  const rows = await listSellers(ctx.db, ctx.scope, storefronts?.map(({ id }) => id) ?? null);
  const selling = new Set(rows.map(({ storefront_id }) => storefront_id));
  return {
    sellers: rows.map(asSeller),
    notAsked: (storefronts ?? []).flatMap((row) => {
      if (selling.has(row.id)) return [];
      return [{ storefrontId: row.id, storefrontName: row.name, reason: CLOSED_BECAUSE[displayStatus(row)] }];
    }),
  };
}

/** Why a storefront that shows so is not asked: one that transacts has nobody to ask. */
const CLOSED_BECAUSE: Readonly<Record<ReturnType<typeof displayStatus>, NotAsked['reason']>> = {
  archived: 'archived',
  paused: 'paused',
  configuring: 'not_transacting',
  transacting: 'no_active_source',
};
