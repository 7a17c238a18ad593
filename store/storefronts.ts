import type { Generated, Selectable, Updateable } from 'kysely';
import type { Flag, JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import type { Scope } from './engine/scope.ts';
import { atVersion, type Change, inAccount, nextVersion, ofAccount } from './engine/scoped.ts';

export const storefrontChannels = ['display', 'olv', 'ctv', 'social', 'audio', 'dooh'] as const;

export type StorefrontChannel = (typeof storefrontChannels)[number];

export interface StorefrontTable {
  id: Generated<number>;
  organization_id: number;
  customer_id: number;
  platform_id: string;
  name: string;
  publisher_domain: string | null;
  operator_domain: string | null;
  description: string | null;
  website: string | null;
  channels: JsonText<StorefrontChannel[]>;
  accepted_countries: JsonText<string[]> | null;
  accepts_all_countries: Flag;
  default_currency: string | null;
  transacting: Flag;
  is_paused: Flag;
  archived_at: string | null;
  version: number;
  created_at: string;
  updated_at: string;
}

export type StorefrontRow = Selectable<StorefrontTable>;

declare module './engine/database.ts' {
  interface Database {
    storefronts: StorefrontTable;
  }
}

export function insertStorefront(
  db: Db,
  scope: Scope,
  storefront: Omit<StorefrontRow, 'id' | 'organization_id' | 'customer_id'>,
): Promise<StorefrontRow> {
  return db
    .insertInto('storefronts')
    .values(ofAccount(scope, storefront))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The storefront of the selling account: there is one, or none yet. */
export function findOwnStorefront(db: Db, scope: Scope): Promise<StorefrontRow | undefined> {
  return db.selectFrom('storefronts').selectAll().$call(inAccount(scope)).executeTakeFirst();
}

/** Writes the changes if nobody wrote in between; undefined when somebody did. */
export function updateStorefront(
  db: Db,
  scope: Scope,
  change: Change<number, Updateable<StorefrontTable>>,
): Promise<StorefrontRow | undefined> {
  return db
    .updateTable('storefronts')
    .set(nextVersion(change))
    .$call(inAccount(scope))
    .$call(atVersion(change))
    .returningAll()
    .executeTakeFirst();
}
