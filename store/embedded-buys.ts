import type { Selectable } from 'kysely';
import type { Flag, JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import type { Scope } from './engine/scope.ts';

/** The media buy statuses of AdCP 3.0 that the embedded seller uses. */
export const managedBuyStatuses = ['pending_start', 'active', 'completed'] as const;

export interface ManagedPackage {
  readonly package_id: string;
  readonly product_id: string;
  readonly pricing_option_id: string;
  readonly budget_minor: number;
  /** The price of a thousand impressions that delivery is reckoned by. */
  readonly rate: number;
}

export interface ManagedBuyTable {
  id: string;
  organization_id: number;
  customer_id: number;
  source_id: string;
  idempotency_key: string;
  payload_hash: string;
  status: (typeof managedBuyStatuses)[number];
  currency: string;
  total_minor: number;
  start_time: string;
  end_time: string;
  packages: JsonText<readonly ManagedPackage[]>;
  sandbox: Flag;
  revision: number;
  confirmed_at: string | null;
  created_at: string;
  updated_at: string;
}

export type ManagedBuyRow = Selectable<ManagedBuyTable>;

export interface Tables {
  managed_buys: ManagedBuyTable;
}

export async function insertManagedBuy(
  db: Db,
  scope: Scope,
  buy: Omit<ManagedBuyRow, 'organization_id' | 'customer_id'>,
): Promise<ManagedBuyRow> {
  return db
    .insertInto('managed_buys')
    .values({ ...buy, organization_id: scope.organizationId, customer_id: scope.customerId })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findManagedBuyByKey(
  db: Db,
  scope: Scope,
  key: { sourceId: string; idempotencyKey: string },
): Promise<ManagedBuyRow | undefined> {
  return db
    .selectFrom('managed_buys')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .where('source_id', '=', key.sourceId)
    .where('idempotency_key', '=', key.idempotencyKey)
    .executeTakeFirst();
}

export function findManagedBuy(db: Db, scope: Scope, id: string): Promise<ManagedBuyRow | undefined> {
  return db
    .selectFrom('managed_buys')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .where('customer_id', '=', scope.customerId)
    .where('id', '=', id)
    .executeTakeFirst();
}
