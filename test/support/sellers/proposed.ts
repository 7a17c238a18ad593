import type { Proposal } from '../../../tools/domain/discovery/asking/proposals.ts';
import type { TestServer } from '../server/server.ts';

/** A proposal for one product of a session, as if its seller had made it: the embedded one makes none. */
export async function proposedFor(
  server: TestServer,
  found: { readonly organizationId: number; readonly sessionId: string; readonly productId: string },
): Promise<string> {
  const { db } = server.store;
  const { organizationId, sessionId, productId } = found;
  const row = await db
    .selectFrom('discovery_products')
    .select('agent_id')
    .where('organization_id', '=', organizationId)
    .where('session_id', '=', sessionId)
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow();
  const proposal: Proposal = {
    proposalId: 'plan_all_in_one',
    name: 'All in one',
    salesAgentId: row.agent_id,
    salesAgentName: 'Agent',
    storefrontId: '1',
    storefrontName: 'Storefront',
    allocations: [{ productId, allocationPercentage: 100 }],
  };
  const { proposalId } = proposal;
  await db
    .insertInto('discovery_proposals')
    .values({
      organization_id: organizationId,
      session_id: sessionId,
      agent_id: row.agent_id,
      proposal_id: proposalId,
      ordinal: 0,
      proposal: JSON.stringify(proposal),
      expires_at: null,
    })
    .onConflict((key) => key.columns(['session_id', 'agent_id', 'proposal_id']).doNothing())
    .execute();
  return proposalId;
}
