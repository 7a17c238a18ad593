import type { Generated, Selectable } from 'kysely';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import type { Scope } from './engine/scope.ts';
import { inAccount, inOrganization, ofAccount } from './engine/scoped.ts';

export const embeddedProductStatuses = ['ACTIVE', 'ARCHIVED'] as const;

/** A product of the embedded seller: the fields of an AdCP product, as that protocol spells them. */
export interface EmbeddedProductTable {
  id: Generated<number>;
  organization_id: number;
  customer_id: number;
  source_id: string;
  product_id: string;
  name: string;
  status: (typeof embeddedProductStatuses)[number];
  product: JsonText<Record<string, unknown>>;
  created_at: string;
  updated_at: string;
}

export type EmbeddedProductRow = Selectable<EmbeddedProductTable>;

declare module './engine/database.ts' {
  interface Database {
    embedded_products: EmbeddedProductTable;
  }
}

export function insertEmbeddedProduct(
  db: Db,
  scope: Scope,
  product: Omit<EmbeddedProductRow, 'id' | 'organization_id' | 'customer_id'>,
): Promise<EmbeddedProductRow> {
  return db
    .insertInto('embedded_products')
    .values(ofAccount(scope, product))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The products of the account's embedded sellers, oldest first; of one source when it is named. */
export function listEmbeddedProducts(
  db: Db,
  scope: Scope,
  filter: { sourceId?: string | undefined; status?: EmbeddedProductRow['status'] | undefined } = {},
): Promise<EmbeddedProductRow[]> {
  return db
    .selectFrom('embedded_products')
    .selectAll()
    .$call(inAccount(scope))
    .$if(filter.sourceId !== undefined, (query) => query.where('source_id', '=', filter.sourceId ?? ''))
    .$if(filter.status !== undefined, (query) => query.where('status', '=', filter.status ?? 'ACTIVE'))
    .orderBy('id')
    .execute();
}

/** A product of the caller's organization, whether or not its account reaches it. */
export function findEmbeddedProduct(
  db: Db,
  scope: Scope,
  productId: string,
): Promise<EmbeddedProductRow | undefined> {
  return db
    .selectFrom('embedded_products')
    .selectAll()
    .$call(inOrganization(scope))
    .where('product_id', '=', productId)
    .executeTakeFirst();
}

export async function setEmbeddedProductStatus(
  db: Db,
  scope: Scope,
  change: { id: number; status: EmbeddedProductRow['status']; now: string },
): Promise<void> {
  await db
    .updateTable('embedded_products')
    .set({ status: change.status, updated_at: change.now })
    .$call(inAccount(scope))
    .where('id', '=', change.id)
    .execute();
}
