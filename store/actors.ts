import type { AuditLogRow } from './audit-log.ts';
import type { Db } from './engine/db.ts';
import { isOneOf } from './engine/pieces.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization } from './engine/scoped.ts';

const KEY = 'api_key:';

type Actor = Pick<AuditLogRow, 'credential_id' | 'credential_name' | 'user_id' | 'user_email' | 'user_name'>;

interface Named {
  readonly name: string;
  /** Of a person. */
  readonly email?: string;
}

/** The keys and the persons that did something, by `key_…` and by the id of the person. */
export type ActorNames = ReadonlyMap<string | number, Named>;

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
          .select(['users.id', 'users.name', 'users.email'])
          .$call(inOrganization(tenant))
          .where(isOneOf(db, 'users.id', users))
          .execute(),
  ]);
  return new Map(named.flat().map(({ id, ...one }) => [id, one]));
}

/**
 * The person where there is one, or the key, as they were called then; of entries from before names were kept, as
 * they are called now. Null where neither is known any more.
 */
export function actorNameOf(row: Actor, names: ActorNames): string | null {
  const person = personOf(row, names)?.name;
  return person ?? row.credential_name ?? names.get(keyOf(row) ?? '')?.name ?? null;
}

/** The person who did it, by the name of then where it was kept; undefined where there is none, or none any more. */
export function personOf(
  { user_id, user_email, user_name }: Pick<Actor, 'user_id' | 'user_email' | 'user_name'>,
  names: ActorNames,
): Named | undefined {
  if (user_email !== null) return { name: user_name ?? user_email, email: user_email };
  return names.get(user_id ?? '');
}

function keyOf({ credential_id }: Actor): string | undefined {
  return credential_id?.startsWith(KEY) ? credential_id.slice(KEY.length) : undefined;
}
