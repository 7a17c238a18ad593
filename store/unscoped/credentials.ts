import { sql } from 'kysely';
import type { Environment, Permission } from '../api-keys.ts';
import { type Opened, openedTo } from '../credential-access.ts';
import type { JsonText } from '../engine/codec.ts';
import type { Db } from '../engine/db.ts';
import { prepared } from '../engine/prepared.ts';
import { remembered } from '../engine/remembered.ts';
import type { Tenant } from '../engine/scope.ts';
import { inOrganization } from '../engine/scoped.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { CustomerRole } from '../organizations.ts';

/** What a key opens, read in one indexed query. */
export interface ApiKeyHolder extends Opened {
  readonly id: string;
  readonly name: string;
  /** The one account that the key is bound to, if it is. */
  readonly customer_id: number | null;
  readonly permissions: JsonText<Permission[]>;
  readonly environment: Environment;
  readonly expires_at: string | null;
}

const holderOfKey = prepared((db, { hash }: { hash: string }) =>
  unscoped(db)
    .selectFrom('api_keys')
    .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
    .select([
      'api_keys.id',
      'api_keys.name',
      'api_keys.customer_id',
      'api_keys.permissions',
      'api_keys.environment',
      'api_keys.expires_at',
      ...openedTo(sql`'api_key:' || api_keys.id`, 'api_keys.customer_id'),
    ])
    .where('api_keys.hash', '=', hash)
    .where('api_keys.revoked_at', 'is', null)
    .where('organizations.suspended_at', 'is', null),
);

/**
 * The live key with this hash, the same object for as long as it is remembered. Found through the unique index
 * `api_keys_hash`.
 */
export const findApiKeyHolder = remembered<ApiKeyHolder>((db, hash) => holderOfKey.first(db, { hash }));

/** The key with this hash, whether it still opens anything or not. */
export function findKeyByHash(db: Db, hash: string): Promise<{ readonly id: string } | undefined> {
  return unscoped(db).selectFrom('api_keys').select('id').where('hash', '=', hash).executeTakeFirst();
}

/** Notes that a key was used; the recogniser calls it at most once a minute for a key. */
export async function touchApiKey(db: Db, id: string, now: string): Promise<void> {
  await unscoped(db).updateTable('api_keys').set({ last_used_at: now }).where('id', '=', id).execute();
}

/** An account that grants open, and how far. */
export interface Reach {
  readonly id: number;
  readonly role: CustomerRole;
  /** True where a grant names the account: then it is open as to a credential without grants. */
  readonly whole: boolean;
  /** Null: every advertiser. */
  readonly advertiserIds: readonly number[] | null;
}

/**
 * The accounts that a holder's grants reach, the oldest first. Grants add up: beside one of a whole account,
 * those of single advertisers in it say nothing. Grants of advertisers alone leave the selling side to be read.
 */
export async function findReach(db: Db, tenant: Tenant, holder: string): Promise<Reach[]> {
  const open = unscoped(db);
  const grants = await open
    .selectFrom('grants')
    .leftJoin('advertisers', 'advertisers.id', 'grants.advertiser_id')
    .select(['grants.customer_id', 'grants.advertiser_id', 'advertisers.customer_id as owner_id'])
    .where('grants.organization_id', '=', tenant.organizationId)
    .where('grants.holder', '=', holder)
    .execute();
  const whole = new Set(
    grants.filter(({ advertiser_id }) => advertiser_id === null).map((row) => row.customer_id),
  );
  const accounts = await open
    .selectFrom('customers')
    .select(['id', 'role'])
    .$call(inOrganization(tenant))
    .orderBy('id')
    .execute();
  return accounts.flatMap((account) => {
    if (whole.has(account.id)) return { ...account, whole: true, advertiserIds: null };
    const advertiserIds = grants.flatMap((row) =>
      row.owner_id === account.id ? (row.advertiser_id ?? []) : [],
    );
    if (advertiserIds.length > 0) return { ...account, whole: false, advertiserIds };
    return whole.size === 0 && account.role === 'SELLER'
      ? { ...account, whole: false, advertiserIds: null }
      : [];
  });
}

/**
 * What the organization with this id opens to a credential that is kept elsewhere, as far as grants let its holder;
 * undefined where it is suspended.
 */
export function findOpened(
  db: Db,
  { id, holder }: { readonly id: number; readonly holder: string },
): Promise<Opened | undefined> {
  return unscoped(db)
    .selectFrom('organizations')
    .select(openedTo(sql`${holder}`))
    .where('id', '=', id)
    .where('suspended_at', 'is', null)
    .executeTakeFirst();
}
