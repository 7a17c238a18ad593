import type { Generated, Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import type { Scope, Tenant } from './engine/scope.ts';
import { inOrganization, ofAccount } from './engine/scoped.ts';

/** An account that an advertiser has at a seller. */
export interface AdvertiserAccountTable {
  id: Generated<number>;
  organization_id: number;
  customer_id: number;
  advertiser_id: number;
  /** The seller, with its names as they were when the account was linked. */
  storefront_id: number;
  storefront_name: string;
  source_id: string;
  source_name: string;
  agent_id: string;
  /** What the seller calls it. */
  account_id: string;
  created_at: string;
}

export type AdvertiserAccountRow = Selectable<AdvertiserAccountTable>;

export type NewAccount = Omit<
  AdvertiserAccountRow,
  'id' | 'organization_id' | 'customer_id' | 'advertiser_id'
>;

declare module './engine/database.ts' {
  interface Database {
    advertiser_accounts: AdvertiserAccountTable;
  }
}

export async function insertAdvertiserAccounts(
  db: Db,
  scope: Scope,
  { advertiserId, accounts }: { advertiserId: number; accounts: readonly NewAccount[] },
): Promise<void> {
  if (accounts.length === 0) return;
  await db
    .insertInto('advertiser_accounts')
    .values(accounts.map((account) => ofAccount(scope, { ...account, advertiser_id: advertiserId })))
    .execute();
}

/** The accounts of an advertiser, in the order in which they were linked. Served by `advertiser_accounts_once`. */
export function listAdvertiserAccounts(
  db: Db,
  tenant: Tenant,
  advertiserId: number,
): Promise<AdvertiserAccountRow[]> {
  return db
    .selectFrom('advertiser_accounts')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('advertiser_id', '=', advertiserId)
    .orderBy('id')
    .execute();
}
