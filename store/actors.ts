import type { AuditLogRow } from './audit-log.ts';
import type { Db } from './engine/db.ts';
import { isOneOf } from './engine/pieces.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization } from './engine/scoped.ts';

const KEY = 'api_key:';

type Actor = Pick<AuditLogRow, 'credential_id' | 'user_id'>;

/** The names of the keys and the persons that did something, by `key_…` and by the id of the person. */
export type ActorNames = ReadonlyMap<string | number, string>;

/** Who is behind these entries: the keys of the organization and its members. */
export async function namesOfActors(db: Db, tenant: Tenant, rows: readonly Actor[]): Promise<ActorNames> {
  const keys = [...new Set(rows.flatMap((row) => keyOf(row) ?? []))];
  const users = [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))];
  const named = await Promise.all([
    keys.length === 0
      ? []
      : db
          .selectFrom('api_keys')
          .select(['id', 'name'])
          .$call(inOrganization(tenant))
          .where('id', 'in', keys)
          .execute(),
    users.length === 0
      ? []
      : db
          .selectFrom('memberships')
          .innerJoin('users', 'users.id', 'memberships.user_id')
          .select(['users.id', 'users.name'])
          .$call(inOrganization(tenant))
          .where(isOneOf(db, 'users.id', users))
          .execute(),
  ]);
  return new Map(named.flat().map(({ id, name }) => [id, name]));
}

/** The person where there is one, or the key; null where neither is known any more. */
export function actorNameOf(row: Actor, names: ActorNames): string | null {
  return names.get(row.user_id ?? '') ?? names.get(keyOf(row) ?? '') ?? null;
}

function keyOf({ credential_id }: Actor): string | undefined {
  return credential_id?.startsWith(KEY) ? credential_id.slice(KEY.length) : undefined;
}
