import type { Generated, Selectable } from 'kysely';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import type { Scope } from './engine/scope.ts';

export const managedProductStatuses = ['ACTIVE', 'ARCHIVED'] as const;

/** A product of the embedded seller: the fields of an AdCP product, as that protocol spells them. */
export interface ManagedProductTable {
  id: Generated<number>;
  organization_id: number;
  customer_id: number;
  source_id: string;
  product_id: string;
  name: string;
  status: (typeof managedProductStatuses)[number];
  product: JsonText<Record<string, unknown>>;
  created_at: string;
  updated_at: string;
}

export type ManagedProductRow = Selectable<ManagedProductTable>;

export interface Tables {
  managed_products: ManagedProductTable;
}

export function insertManagedProduct(
  db: Db,
  scope: Scope,
  product: Omit<ManagedProductRow, 'id' | 'organization_id' | 'customer_id'>,
): Promise<ManagedProductRow> {
  return db
    .insertInto('managed_products')
    .values({ ...product, organization_id: scope.organizationId, customer_id: scope.customerId })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The products of the account's embedded sellers, oldest first; of one source when it is named. */
export function listManagedProducts(
  db: Db,
  scope: Scope,
  filter: { sourceId?: string | undefined; status?: ManagedProductRow['status'] | undefined } = {},
): Promise<ManagedProductRow[]> {
  return db
    .selectFrom('managed_products')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .where('customer_id', '=', scope.customerId)
    .$if(filter.sourceId !== undefined, (query) => query.where('source_id', '=', filter.sourceId ?? ''))
    .$if(filter.status !== undefined, (query) => query.where('status', '=', filter.status ?? 'ACTIVE'))
    .orderBy('id')
    .execute();
}

/** A product of the caller's organization, whether or not its account reaches it. */
export function findManagedProduct(
  db: Db,
  scope: Scope,
  productId: string,
): Promise<ManagedProductRow | undefined> {
  return db
    .selectFrom('managed_products')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .where('product_id', '=', productId)
    .executeTakeFirst();
}

export async function setManagedProductStatus(
  db: Db,
  scope: Scope,
  change: { id: number; status: ManagedProductRow['status']; now: string },
): Promise<void> {
  await db
    .updateTable('managed_products')
    .set({ status: change.status, updated_at: change.now })
    .where('organization_id', '=', scope.organizationId)
    .where('customer_id', '=', scope.customerId)
    .where('id', '=', change.id)
    .execute();
}
