import type { Selectable } from 'kysely';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import type { Scope } from './engine/scope.ts';
import { inOrganization } from './engine/scoped.ts';

/** How a seller would share a budget out between its products, as it is shown. */
export interface StoredProposal {
  readonly proposalId: string;
  readonly name: string;
  readonly allocations: readonly {
    readonly productId: string;
    /** Percent of the budget; those of a proposal come to 100. */
    readonly allocationPercentage: number;
    readonly pricingOptionId?: string | undefined;
  }[];
  readonly totalBudgetGuidance?:
    | {
        readonly min?: number | undefined;
        readonly recommended?: number | undefined;
        readonly max?: number | undefined;
        readonly currency?: string | undefined;
      }
    | undefined;
  readonly salesAgentName: string;
}

export interface DiscoveryProposalTable {
  organization_id: number;
  session_id: string;
  agent_id: string;
  proposal_id: string;
  /** Its place in the answer of its seller, from 0 on. */
  ordinal: number;
  proposal: JsonText<StoredProposal>;
  /** From then on it cannot be taken up; null where its seller does not say. */
  expires_at: string | null;
}

export type DiscoveryProposalRow = Selectable<DiscoveryProposalTable>;

declare module './engine/database.ts' {
  interface Database {
    discovery_proposals: DiscoveryProposalTable;
  }
}

/** What the sellers of a session propose, seller by seller; so many of them. */
export function listProposals(
  db: Db,
  scope: Scope,
  session: { id: string; limit: number },
): Promise<DiscoveryProposalRow[]> {
  return db
    .selectFrom('discovery_proposals')
    .selectAll()
    .$call(inOrganization(scope))
    .where('session_id', '=', session.id)
    .orderBy('agent_id')
    .orderBy('ordinal')
    .limit(session.limit)
    .execute();
}

/** The proposals with these ids; several sellers may use the same one. */
export async function findProposals(
  db: Db,
  scope: Scope,
  session: { id: string; proposalIds: readonly string[] },
): Promise<DiscoveryProposalRow[]> {
  if (session.proposalIds.length === 0) return [];
  return db
    .selectFrom('discovery_proposals')
    .selectAll()
    .$call(inOrganization(scope))
    .where('session_id', '=', session.id)
    .where('proposal_id', 'in', session.proposalIds)
    .orderBy('agent_id')
    .execute();
}
