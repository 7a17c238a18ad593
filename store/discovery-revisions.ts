import type { Selectable } from 'kysely';
import type { DiscoveryGroupRow } from './discovery-groups.ts';
import type { DiscoveryProductRow } from './discovery-products.ts';
import type { DiscoveryAgentRow, DiscoverySessionRow } from './discovery-sessions.ts';
import type { Flag } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { inPieces } from './engine/pieces.ts';
import type { Scope, Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

export interface DiscoveryRevisionTable {
  organization_id: number;
  session_id: string;
  revision: number;
  complete: Flag;
  payload: string;
  created_at: string;
}

export type DiscoveryRevisionRow = Selectable<DiscoveryRevisionTable>;

declare module './engine/database.ts' {
  interface Database {
    discovery_revisions: DiscoveryRevisionTable;
  }
}

/** The revisions after one, oldest first: what a stream that was interrupted has missed. */
export function listRevisionsAfter(
  db: Db,
  scope: Scope,
  session: { id: string; revision: number; limit: number },
): Promise<DiscoveryRevisionRow[]> {
  return db
    .selectFrom('discovery_revisions')
    .selectAll()
    .$call(inOrganization(scope))
    .where('session_id', '=', session.id)
    .where('revision', '>', session.revision)
    .orderBy('revision')
    .limit(session.limit)
    .execute();
}

/** What one landing changes: the session, the sellers that settled, the groups they brought with their products. */
export interface Landing {
  readonly session: DiscoverySessionRow;
  readonly settled: readonly DiscoveryAgentRow[];
  readonly groups: readonly DiscoveryGroupRow[];
  readonly products: readonly DiscoveryProductRow[];
  readonly revision: DiscoveryRevisionRow;
}

/** Stores a revision. The session must still be at the one before. */
export async function insertLanding(db: Db, tenant: Tenant, landing: Landing): Promise<boolean> {
  const { session, settled, revision } = landing;
  const { numUpdatedRows } = await db
    .updateTable('discovery_sessions')
    .set({ revision: session.revision, status: session.status, completed_at: session.completed_at })
    .$call(inOrganization(tenant))
    .where('id', '=', session.id)
    .where('revision', '=', session.revision - 1)
    .where('status', '=', 'collecting')
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  const agents = settled.map((agent) => ofOrganization(tenant, agent));
  await inPieces(agents, (piece) => settleAgents(db, tenant, piece));
  const groups = landing.groups.map((group) => ofOrganization(tenant, group));
  await inPieces(groups, (piece) => db.insertInto('discovery_groups').values(piece).execute());
  const products = landing.products.map((product) => ofOrganization(tenant, product));
  await inPieces(products, (piece) => db.insertInto('discovery_products').values(piece).execute());
  await db.insertInto('discovery_revisions').values(ofOrganization(tenant, revision)).execute();
  return true;
}

/** Writes what became of sellers that are there already: many of them in one statement. */
function settleAgents(db: Db, tenant: Tenant, agents: readonly DiscoveryAgentRow[]) {
  return db
    .insertInto('discovery_agents')
    .values(agents)
    .onConflict((key) =>
      key
        .columns(['session_id', 'agent_id'])
        .doUpdateSet((eb) => ({
          state: eb.ref('excluded.state'),
          reason: eb.ref('excluded.reason'),
          message: eb.ref('excluded.message'),
          products: eb.ref('excluded.products'),
          invalid_products: eb.ref('excluded.invalid_products'),
          revision: eb.ref('excluded.revision'),
          settled_at: eb.ref('excluded.settled_at'),
        }))
        .where('discovery_agents.organization_id', '=', tenant.organizationId),
    )
    .execute();
}
