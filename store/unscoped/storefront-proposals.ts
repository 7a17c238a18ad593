import type { ExpressionBuilder } from 'kysely';
import type { DiscoveryProposalRow } from '../discovery-proposals.ts';
import type { Database } from '../engine/database.ts';
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

/**
 * What can be taken up in a session of an organization, so many of it. The organizations of the sellers take turns,
 * and within one its sellers: nobody's many leave no place for others. Who landed first is shown first.
 */
export function listProposalsInTurn(
  db: Db,
  { organizationId }: Tenant,
  session: { readonly id: string; readonly now: string; readonly limit: number },
): Promise<DiscoveryProposalRow[]> {
  const placed = unscoped(db)
    .selectFrom('discovery_proposals as proposal')
    .innerJoin('discovery_agents as agent', (join) =>
      join
        .onRef('agent.session_id', '=', 'proposal.session_id')
        .onRef('agent.agent_id', '=', 'proposal.agent_id'),
    )
    .leftJoin('storefronts as storefront', 'storefront.id', 'agent.storefront_id')
    .selectAll('proposal')
    .select('agent.revision as landed')
    .select((eb) =>
      eb.fn
        .agg<number>('row_number')
        .over((over) =>
          over
            .partitionBy('storefront.organization_id')
            .orderBy('proposal.ordinal')
            .orderBy('proposal.agent_id'),
        )
        .as('turn'),
    )
    .where('proposal.organization_id', '=', organizationId)
    .where('proposal.session_id', '=', session.id)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', session.now)]));
  return unscoped(db)
    .selectFrom(placed.as('placed'))
    .select(COLUMNS)
    .orderBy('turn')
    .orderBy('landed')
    .orderBy('agent_id')
    .limit(session.limit)
    .execute();
}

const COLUMNS = [
  'organization_id',
  'session_id',
  'agent_id',
  'proposal_id',
  'ordinal',
  'proposal',
  'expires_at',
] as const satisfies readonly (keyof DiscoveryProposalRow)[];

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

/** What a campaign has taken up already, or what is there to be taken up. */
function redeemableBy({ campaignId, now }: Pick<Redemption, 'campaignId' | 'now'>) {
  return (eb: ExpressionBuilder<Database, 'storefront_proposals'>) =>
    eb.or([
      eb('redeemed_campaign_id', '=', campaignId),
      eb.and([eb('redeemed_at', 'is', null), eb('revoked_at', 'is', null), eb('expires_at', '>', now)]),
    ]);
}

/** Whether a campaign could take a proposal up now. */
export async function isRedeemable(
  db: Db,
  _buyer: Scope,
  { id, ...of }: Omit<Redemption, 'mediaBuyId'>,
): Promise<boolean> {
  const row = await unscoped(db)
    .selectFrom('storefront_proposals')
    .select('id')
    .where('id', '=', id)
    .where(redeemableBy(of))
    .executeTakeFirst();
  return row !== undefined;
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
    .where(redeemableBy({ campaignId, now }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
