import { type Selectable, sql } from 'kysely';
import type { DiscoveryGroupRow } from './discovery-groups.ts';
import type { DiscoveryProductRow } from './discovery-products.ts';
import type { DiscoveryProposalRow } from './discovery-proposals.ts';
import { type DiscoveryAgentRow, type DiscoverySessionRow, putAgents } from './discovery-sessions.ts';
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

/** The payloads among them that name a group without products, or may, oldest first. */
export async function listPayloadsOfGone(
  db: Db,
  scope: Scope,
  session: { readonly id: string; readonly sinceRevision: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('discovery_revisions')
    .select('payload')
    .$call(inOrganization(scope))
    .where('session_id', '=', session.id)
    .where('revision', '>', session.sinceRevision)
    .where('payload', 'like', '%,"products":[]}%')
    .orderBy('revision')
    .execute();
  return rows.map(({ payload }) => payload);
}

/** The bytes of all revisions of a session. */
export async function sumRevisionBytes(db: Db, scope: Scope, sessionId: string): Promise<number> {
  const { total } = await db
    .selectFrom('discovery_revisions')
    .select(sql<number | string | null>`sum(octet_length(${sql.ref('payload')}))`.as('total'))
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow();
  return Number(total ?? 0);
}

/** What one landing changes: the session, the sellers that settled, the groups they brought with their products. */
export interface Landing {
  readonly session: DiscoverySessionRow;
  readonly settled: readonly DiscoveryAgentRow[];
  readonly groups: readonly DiscoveryGroupRow[];
  readonly products: readonly DiscoveryProductRow[];
  /** What they propose. */
  readonly proposals?: readonly DiscoveryProposalRow[];
  /** Of sellers that were asked once more: what they brought before, and what they bring takes the place of. */
  readonly replaced?: { readonly groupIds: readonly string[]; readonly proposalsOf: readonly string[] };
  readonly revision: DiscoveryRevisionRow;
}

/** Stores a revision. The session must still be at the one before. */
export async function insertLanding(db: Db, tenant: Tenant, landing: Landing): Promise<boolean> {
  const { session, settled, revision } = landing;
  const { numUpdatedRows } = await db
    .updateTable('discovery_sessions')
    .set((eb) => ({
      revision: session.revision,
      status: session.status,
      completed_at: session.completed_at,
      bytes: eb('bytes', '+', bytesOf(landing)),
    }))
    .$call(inOrganization(tenant))
    .where('id', '=', session.id)
    .where('revision', '=', session.revision - 1)
    .where('status', '=', 'collecting')
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await putAgents(db, tenant, settled);
  await deleteReplaced(db, tenant, landing);
  const groups = landing.groups.map((group) => ofOrganization(tenant, group));
  await inPieces(groups, (piece) => db.insertInto('discovery_groups').values(piece).execute());
  const products = landing.products.map((product) => ofOrganization(tenant, product));
  await inPieces(products, (piece) => db.insertInto('discovery_products').values(piece).execute());
  const proposals = (landing.proposals ?? []).map((proposal) => ofOrganization(tenant, proposal));
  await inPieces(proposals, (piece) => db.insertInto('discovery_proposals').values(piece).execute());
  await db.insertInto('discovery_revisions').values(ofOrganization(tenant, revision)).execute();
  return true;
}

function bytesOf({ products, proposals = [], revision }: Landing): number {
  const texts = [
    revision.payload,
    ...products.flatMap(({ product, source }) => [product, source ?? '']),
    ...proposals.map(({ proposal }) => proposal),
  ];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

async function deleteReplaced(db: Db, tenant: Tenant, { session, replaced }: Landing): Promise<void> {
  const { groupIds = [], proposalsOf = [] } = replaced ?? {};
  if (groupIds.length > 0) {
    for (const table of ['discovery_products', 'discovery_groups'] as const) {
      await db
        .deleteFrom(table)
        .$call(inOrganization(tenant))
        .where('session_id', '=', session.id)
        .where('group_id', 'in', groupIds)
        .execute();
    }
  }
  if (proposalsOf.length === 0) return;
  await db
    .deleteFrom('discovery_proposals')
    .$call(inOrganization(tenant))
    .where('session_id', '=', session.id)
    .where('agent_id', 'in', proposalsOf)
    .execute();
}
