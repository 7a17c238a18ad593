import type { Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import type { Scope } from './engine/scope.ts';
import { inOrganization } from './engine/scoped.ts';

export interface DiscoveryProposalTable {
  organization_id: number;
  session_id: string;
  agent_id: string;
  proposal_id: string;
  /** Its place in the answer of its seller, from 0 on. */
  ordinal: number;
  /** As it is shown, as JSON. */
  proposal: string;
  /** From then on it cannot be taken up; null where its seller does not say. */
  expires_at: string | null;
}

export type DiscoveryProposalRow = Selectable<DiscoveryProposalTable>;

declare module './engine/database.ts' {
  interface Database {
    discovery_proposals: DiscoveryProposalTable;
  }
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

/** What one seller of a session proposes. */
export function listProposalsOf(
  db: Db,
  scope: Scope,
  session: { id: string; agentId: string },
): Promise<DiscoveryProposalRow[]> {
  return db
    .selectFrom('discovery_proposals')
    .selectAll()
    .$call(inOrganization(scope))
    .where('session_id', '=', session.id)
    .where('agent_id', '=', session.agentId)
    .orderBy('ordinal')
    .execute();
}
