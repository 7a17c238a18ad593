import type { Generated, Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import type { Scope, Tenant } from './engine/scope.ts';
import { inOrganization, ofAccount } from './engine/scoped.ts';

/**
 * What its seller said of it last, in the words of AdCP; closed too where it names it no more. unreachable: nobody
 * could look it up there.
 */
export const linkStatuses = [
  'active',
  'pending_approval',
  'payment_required',
  'suspended',
  'closed',
  'unreachable',
] as const;
export type LinkStatus = (typeof linkStatuses)[number];

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
  status: LinkStatus;
  /** When its seller first named it as active; null where it never did, or said otherwise since. */
  confirmed_at: string | null;
  /** When its status became what it is. */
  updated_at: string;
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

export function insertAdvertiserAccount(
  db: Db,
  scope: Scope,
  { advertiserId, account }: { advertiserId: number; account: NewAccount },
): Promise<AdvertiserAccountRow> {
  return db
    .insertInto('advertiser_accounts')
    .values(ofAccount(scope, { ...account, advertiser_id: advertiserId }))
    .returningAll()
    .executeTakeFirstOrThrow();
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

export interface AccountFilter {
  readonly storefrontId?: number | undefined;
  readonly sourceId?: string | undefined;
  readonly status?: LinkStatus | undefined;
}

/** A page of the same. */
export function pageAdvertiserAccounts(
  db: Db,
  tenant: Tenant,
  { advertiserId, filter, page }: { advertiserId: number; filter: AccountFilter; page: Page },
): Promise<Counted<AdvertiserAccountRow>> {
  const { storefrontId, sourceId, status } = filter;
  const found = db
    .selectFrom('advertiser_accounts')
    .$call(inOrganization(tenant))
    .where('advertiser_id', '=', advertiserId)
    .$if(storefrontId !== undefined, (query) => query.where('storefront_id', '=', storefrontId ?? 0))
    .$if(sourceId !== undefined, (query) => query.where('source_id', '=', sourceId ?? ''))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'active'));
  return counted(db, { asker: tenant, rows: found.selectAll().orderBy('id'), found, areFew: true }, page);
}

/** Notes what its seller says of it by now. */
export async function noteAccountStatus(
  db: Db,
  tenant: Tenant,
  { id, ...set }: Pick<AdvertiserAccountRow, 'id' | 'status' | 'confirmed_at' | 'updated_at'>,
): Promise<void> {
  await db
    .updateTable('advertiser_accounts')
    .set(set)
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .execute();
}

/** Unlinks it; false when it is not there. */
export async function deleteAdvertiserAccount(
  db: Db,
  tenant: Tenant,
  { id, advertiserId }: { id: number; advertiserId: number },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('advertiser_accounts')
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .where('advertiser_id', '=', advertiserId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
