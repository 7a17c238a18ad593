import { z } from 'zod';
import type { DiscoveryAgentRow } from '../../../store/discovery-sessions.ts';
import { listSellers, type SellerRow } from '../../../store/unscoped/market.ts';
import type { Context } from '../../core/context.ts';

/** A seller that takes neither our credential nor another account (contract: ConnectionIssue). */
export const connectionIssue = z.object({
  providerType: z.string().describe('How the seller is reached, such as AGENT.'),
  storefrontId: z.string().describe('Id of the storefront.'),
  storefrontName: z.string().describe('Name of the storefront.'),
});

type Issue = z.input<typeof connectionIssue>;

/** One for each seller that wants another credential and still sells; nothing where none does. */
export async function connectionIssuesOf(
  ctx: Context,
  agents: readonly DiscoveryAgentRow[],
): Promise<{ connectionIssues?: Issue[] }> {
  const refused = agents.filter(({ reason, state }) => state === 'incomplete' && reason === 'auth_required');
  if (refused.length === 0) return {};
  const storefronts = [...new Set(refused.map((agent) => agent.storefront_id))];
  const issues = issuesAmong(refused, await listSellers(ctx.db, ctx.scope, storefronts));
  return issues.length === 0 ? {} : { connectionIssues: issues };
}

/** Both may be as many as there are sellers: each is looked at once. */
export function issuesAmong(refused: readonly DiscoveryAgentRow[], sellers: readonly SellerRow[]): Issue[] {
  const types = new Map(sellers.map(({ source }) => [source.agent_id, source.execution_type]));
  return refused.flatMap(({ agent_id, storefront_id, storefront_name }) => {
    const providerType = types.get(agent_id);
    if (providerType === undefined) return [];
    return [{ providerType, storefrontId: String(storefront_id), storefrontName: storefront_name }];
  });
}
