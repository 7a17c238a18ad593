import type { Generated, Selectable } from 'kysely';
import type { Db } from '../engine/db.ts';

export interface UserTable {
  id: Generated<number>;
  /** In lower case. */
  email: string;
  name: string;
  /** Null: the person has no password here, and signs in elsewhere or by a link. */
  password_hash: string | null;
  email_verified_at: string | null;
  suspended_at: string | null;
  created_at: string;
  updated_at: string;
}

export type UserRow = Selectable<UserTable>;

declare module '../engine/database.ts' {
  interface Database {
    users: UserTable;
  }
}

type NewUser = Pick<UserRow, 'email' | 'name' | 'created_at' | 'updated_at'> &
  Partial<Pick<UserRow, 'password_hash' | 'email_verified_at'>>;

/** Makes a person known whose address nobody has; undefined where somebody does. */
export function insertNewUser(db: Db, user: NewUser): Promise<UserRow | undefined> {
  return db
    .insertInto('users')
    .values(user)
    .onConflict((taken) => taken.column('email').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/** What a person may change of themselves. */
export async function updateUser(
  db: Db,
  id: number,
  changes: Partial<Pick<UserRow, 'name' | 'email' | 'password_hash' | 'email_verified_at'>> & {
    updated_at: string;
  },
): Promise<void> {
  await db.updateTable('users').set(changes).where('id', '=', id).execute();
}

/** Holds the person until the transaction ends, as `lockOrganization` does an organization. */
export async function lockUser(db: Db, id: number): Promise<void> {
  await db
    .updateTable('users')
    .set(({ ref }) => ({ updated_at: ref('updated_at') }))
    .where('id', '=', id)
    .execute();
}

/** Keeps the same password in another form. False where it is another one by now. */
export async function renewPassword(
  db: Db,
  { id, password_hash: before }: Pick<UserRow, 'id' | 'password_hash'>,
  renewed: { readonly password_hash: string; readonly updated_at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set(renewed)
    .where('id', '=', id)
    .where('password_hash', '=', before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stops a person everywhere, or lets them go on: null. */
export async function suspendUser(
  db: Db,
  {
    id,
    suspendedAt,
    now,
  }: { readonly id: number; readonly suspendedAt: string | null; readonly now: string },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ suspended_at: suspendedAt, updated_at: now })
    .where('id', '=', id)
    .execute();
}
