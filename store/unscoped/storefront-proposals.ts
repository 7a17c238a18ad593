import type { DiscoveryProposalRow } from '../discovery-proposals.ts';
import type { Db } from '../engine/db.ts';
import type { Scope, Tenant } from '../engine/scope.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { StorefrontProposalRow } from '../storefront-proposals.ts';

/**
 * Where a seller and a buyer meet over a proposal: the seller reads what its own sources proposed in a session of
 * a buyer, and the buyer reads what the seller made for it. Each query names the one side that may.
 */

/** What the sources of one storefront proposed in a session under this id, whosever session it is. */
export function findProposedBy(
  db: Db,
  storefrontId: number,
  { sessionId, proposalId }: { readonly sessionId: string; readonly proposalId: string },
): Promise<DiscoveryProposalRow | undefined> {
  return unscoped(db)
    .selectFrom('discovery_proposals as proposal')
    .innerJoin('inventory_sources as source', 'source.agent_id', 'proposal.agent_id')
    .selectAll('proposal')
    .where('source.storefront_id', '=', storefrontId)
    .where('proposal.session_id', '=', sessionId)
    .where('proposal.proposal_id', '=', proposalId)
    .orderBy('proposal.agent_id')
    .executeTakeFirst();
}

/** Products that one source of a storefront brought to a session, as they are shown. */
export async function listProductsBroughtBy(
  db: Db,
  agentId: string,
  { sessionId, productIds }: { readonly sessionId: string; readonly productIds: readonly string[] },
): Promise<string[]> {
  const rows = await unscoped(db)
    .selectFrom('discovery_products')
    .select('product')
    .where('session_id', '=', sessionId)
    .where('agent_id', '=', agentId)
    .where('product_id', 'in', productIds)
    .orderBy('group_id')
    .orderBy('ordinal')
    .execute();
  return rows.map(({ product }) => product);
}

/** Whoever asks, as sellers name whom a proposal is for. */
export interface Operator {
  readonly customerId: number;
  readonly domain: string | null;
}

/** The proposal with a code that is kept as one of these, where it is for this operator. */
export function findProposalFor(
  db: Db,
  { customerId, domain }: Operator,
  codes: readonly string[],
): Promise<StorefrontProposalRow | undefined> {
  return unscoped(db)
    .selectFrom('storefront_proposals')
    .selectAll()
    .where('code', 'in', codes)
    .where((eb) =>
      eb.or([
        eb('operator_customer_id', '=', customerId),
        ...(domain === null ? [] : [eb('operator_domain', '=', domain)]),
      ]),
    )
    .executeTakeFirst();
}

/** Notes that the buyer has looked at it. */
export async function noteProposalView(
  db: Db,
  _viewer: Tenant,
  { id, now }: { readonly id: number; readonly now: string },
): Promise<void> {
  await unscoped(db)
    .updateTable('storefront_proposals')
    .set((eb) => ({ first_viewed_at: eb.fn.coalesce('first_viewed_at', eb.val(now)), last_viewed_at: now }))
    .where('id', '=', id)
    .execute();
}

export interface Redemption {
  readonly id: number;
  readonly campaignId: string;
  readonly mediaBuyId: string;
  readonly now: string;
}

/**
 * Has a campaign take a proposal up, once: false where another one has, or where it cannot be taken up any more.
 * A campaign that has it keeps it, however often it is executed.
 */
export async function redeemProposal(
  db: Db,
  _buyer: Scope,
  { id, campaignId, mediaBuyId, now }: Redemption,
): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db)
    .updateTable('storefront_proposals')
    .set((eb) => ({
      redeemed_at: eb.fn.coalesce('redeemed_at', eb.val(now)),
      redeemed_campaign_id: campaignId,
      redeemed_media_buy_id: eb.fn.coalesce('redeemed_media_buy_id', eb.val(mediaBuyId)),
    }))
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('redeemed_campaign_id', '=', campaignId),
        eb.and([eb('redeemed_at', 'is', null), eb('revoked_at', 'is', null), eb('expires_at', '>', now)]),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
