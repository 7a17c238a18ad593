import { type Expression, type Selectable, sql } from 'kysely';
import type { Db } from '../engine/db.ts';
import type { Tenant } from '../engine/scope.ts';
import { inOrganization } from '../engine/scoped.ts';

const refusedKinds = ['password', 'api_key', 'token', 'credential', 'client_secret'] as const;
export type RefusedKind = (typeof refusedKinds)[number];

/** Credentials of one kind that were refused to one network within an hour, for one holder. */
export interface RefusedSignInTable {
  /** When the hour began. */
  hour: string;
  kind: RefusedKind;
  /** Whose it would have been, such as `user:5`, where that is known; empty else. What was typed is never kept. */
  subject: string;
  /** The address it came from, of IPv6 its network; empty for all that came when there was no more room. */
  network: string;
  count: number;
  last_at: string;
}

export type RefusedSignIn = Selectable<RefusedSignInTable>;

declare module '../engine/database.ts' {
  interface Database {
    refused_sign_ins: RefusedSignInTable;
  }
}

/** Adds to what is counted already. */
export async function addRefusedSignIn(db: Db, row: RefusedSignIn): Promise<void> {
  await db
    .insertInto('refused_sign_ins')
    .values(row)
    .onConflict((key) =>
      key.columns(['hour', 'kind', 'subject', 'network']).doUpdateSet((eb) => ({
        count: eb('refused_sign_ins.count', '+', row.count),
        last_at: row.last_at,
      })),
    )
    .execute();
}

/** The newest, whomever they were for: for the operator. */
export function listRefusedSignIns(db: Db, limit: number): Promise<RefusedSignIn[]> {
  return newest(db, limit).execute();
}

/** With the name of the key or the application, or the e-mail address of the person, as it is now. */
export type NamedRefusal = RefusedSignIn & { readonly name: string };

/** The newest of those for the people, keys and applications of an organization. */
export function listRefusedSignInsOf(db: Db, tenant: Tenant, limit: number): Promise<NamedRefusal[]> {
  const people = db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .$call(inOrganization(tenant))
    .select('users.email as name')
    .select((eb) => subjectOf('user', eb.cast<string>('user_id', 'text')).as('subject'));
  const keys = db
    .selectFrom('api_keys')
    .$call(inOrganization(tenant))
    .select('name')
    .select((eb) => subjectOf('api_key', eb.ref('id')).as('subject'));
  const applications = db
    .selectFrom('m2m_applications')
    .$call(inOrganization(tenant))
    .select('name')
    .select((eb) => subjectOf('m2m', eb.cast<string>('id', 'text')).as('subject'));
  return newest(db, limit)
    .innerJoin(people.unionAll(keys).unionAll(applications).as('holder'), 'holder.subject', 'refused.subject')
    .select('holder.name')
    .execute();
}

function newest(db: Db, limit: number) {
  return db
    .selectFrom('refused_sign_ins as refused')
    .selectAll('refused')
    .orderBy('refused.hour', 'desc')
    .orderBy('refused.count', 'desc')
    .orderBy('refused.network')
    .limit(limit);
}

/** Forgets the hours before one, some rows at a time; gives whether there may be more. */
export async function forgetRefusedSignIns(db: Db, before: string): Promise<boolean> {
  const oldest = await db
    .selectFrom('refused_sign_ins')
    .select('hour')
    .where('hour', '<', before)
    .orderBy('hour')
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return false;
  await db.deleteFrom('refused_sign_ins').where('hour', '=', oldest.hour).execute();
  return true;
}

function subjectOf(kind: string, id: Expression<string>) {
  return sql<string>`${sql.lit(`${kind}:`)} || ${id}`;
}
