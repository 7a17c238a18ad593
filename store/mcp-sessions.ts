import { type Selectable, sql } from 'kysely';
import type { Db } from './engine/db.ts';
import { prepared } from './engine/prepared.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

/** A session of the initialize era. Any process may serve it; the id alone opens nothing. */
export interface McpSessionTable {
  id: string;
  organization_id: number;
  /** The credential that opened it: `api_key:key_…`. Another one finds no session. */
  principal: string;
  surface: string;
  /** Which tools of the surface it was opened for, as the query of its address; empty for all of them. */
  tools: string;
  /** The initialize request as it came, so that another process can take the session up. */
  initialize: string;
  created_at: string;
  seen_at: string;
}

export type McpSessionRow = Selectable<McpSessionTable>;

declare module './engine/database.ts' {
  interface Database {
    mcp_sessions: McpSessionTable;
  }
}

/** False when the id is taken. */
export async function insertMcpSession(
  db: Db,
  tenant: Tenant,
  session: Omit<McpSessionRow, 'organization_id'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('mcp_sessions')
    .values(ofOrganization(tenant, session))
    .onConflict((key) => key.column('id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export interface SessionKey {
  readonly id: string;
  readonly principal: string;
  readonly surface: string;
}

type Named = Pick<SessionKey & { readonly organizationId: number }, 'organizationId' | keyof SessionKey>;

const session = prepared((db, { organizationId, ...key }: Named) =>
  db
    .selectFrom('mcp_sessions')
    .selectAll()
    .where('id', '=', key.id)
    .where('organization_id', '=', organizationId)
    .where('principal', '=', key.principal)
    .where('surface', '=', key.surface),
);

export function findMcpSession(db: Db, tenant: Tenant, key: SessionKey): Promise<McpSessionRow | undefined> {
  const { id, principal, surface } = key;
  return session.first(db, { organizationId: tenant.organizationId, id, principal, surface });
}

export async function touchMcpSession(
  db: Db,
  tenant: Tenant,
  touch: { id: string; now: string },
): Promise<void> {
  await db
    .updateTable('mcp_sessions')
    .set({ seen_at: touch.now })
    .where('id', '=', touch.id)
    .$call(inOrganization(tenant))
    .execute();
}

export async function deleteMcpSession(db: Db, tenant: Tenant, key: SessionKey): Promise<void> {
  await db
    .deleteFrom('mcp_sessions')
    .where('id', '=', key.id)
    .$call(inOrganization(tenant))
    .where('principal', '=', key.principal)
    .execute();
}

/** How many sessions a credential has open, how many its organization, and when the stalest of each was last used. */
export interface OpenSessions {
  readonly ofCredential: number;
  readonly ofOrganization: number;
  readonly stalestOfCredential: string | null;
  readonly stalestOfOrganization: string | null;
}

/** Read through the index `mcp_sessions_by_principal` alone. */
export async function countMcpSessions(db: Db, tenant: Tenant, principal: string): Promise<OpenSessions> {
  const { all, own, stalest, stalestOwn } = await db
    .selectFrom('mcp_sessions')
    .$call(inOrganization(tenant))
    .select(({ fn }) => [
      fn.countAll().as('all'),
      fn.sum(sql<number>`case when principal = ${principal} then 1 else 0 end`).as('own'),
      fn.min('seen_at').as('stalest'),
      sql<string | null>`min(case when principal = ${principal} then seen_at end)`.as('stalestOwn'),
    ])
    .executeTakeFirstOrThrow();
  return {
    ofCredential: Number(own),
    ofOrganization: Number(all),
    stalestOfCredential: stalestOwn,
    stalestOfOrganization: stalest,
  };
}
