import type { Selectable } from 'kysely';
import type { Flag, JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

/** What was given: scopes in all, and for each address. What was refused stands beside it. */
export interface GrantedScopes {
  readonly openid: { readonly scope: string };
  readonly resources: Readonly<Record<string, string>>;
}

export interface GrantPayload extends GrantedScopes {
  readonly rejected?: GrantedScopes;
}

export interface OauthGrantTable {
  id: string;
  organization_id: number;
  user_id: number;
  client_id: string;
  /** What the client called itself then. */
  client_name: string;
  read_only: Flag;
  payload: JsonText<GrantPayload>;
  created_at: string;
  /** Moved on whenever a token is renewed. */
  expires_at: string;
  ended_at: string | null;
}

export type OauthGrantRow = Selectable<OauthGrantTable>;

declare module './engine/database.ts' {
  interface Database {
    oauth_grants: OauthGrantTable;
  }
}

export async function insertOauthGrant(
  db: Db,
  tenant: Tenant,
  grant: Omit<OauthGrantRow, 'organization_id'>,
): Promise<void> {
  await db.insertInto('oauth_grants').values(ofOrganization(tenant, grant)).execute();
}

/** Ends a grant. The row, unless it had ended already. */
export function endOauthGrant(
  db: Db,
  tenant: Tenant,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<OauthGrantRow | undefined> {
  return db
    .updateTable('oauth_grants')
    .set({ ended_at: now })
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}
