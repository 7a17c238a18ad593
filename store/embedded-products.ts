import type { Generated, Selectable, Updateable } from 'kysely';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
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
  /** Counts what the seller changed. */
  version: Generated<number>;
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
  product: Omit<EmbeddedProductRow, 'id' | 'organization_id' | 'customer_id' | 'version'>,
): Promise<EmbeddedProductRow> {
  return db
    .insertInto('embedded_products')
    .values(ofAccount(scope, product))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** One page of the products of the account's embedded sellers, oldest first. */
export function listEmbeddedProducts(
  db: Db,
  scope: Scope,
  { status, page }: { status?: EmbeddedProductRow['status'] | undefined; page: Page },
): Promise<Counted<EmbeddedProductRow>> {
  const found = db
    .selectFrom('embedded_products')
    .$call(inAccount(scope))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'ACTIVE'));
  return counted(db, { asker: scope, rows: found.selectAll().orderBy('id'), found }, page);
}

/** What a source offers, oldest first, from after one product on: a slice of it. Served by `products_by_source`. */
export function listOffered(
  db: Db,
  scope: Scope,
  slice: { sourceId: string; after: number; limit: number },
): Promise<Pick<EmbeddedProductRow, 'id' | 'product'>[]> {
  return db
    .selectFrom('embedded_products')
    .select(['id', 'product'])
    .$call(inAccount(scope))
    .where('source_id', '=', slice.sourceId)
    .where('status', '=', 'ACTIVE')
    .where('id', '>', slice.after)
    .orderBy('id')
    .limit(slice.limit)
    .execute();
}

/** One product that a source offers. */
export function findOffered(
  db: Db,
  scope: Scope,
  { sourceId, productId }: { sourceId: string; productId: string },
): Promise<EmbeddedProductRow | undefined> {
  return db
    .selectFrom('embedded_products')
    .selectAll()
    .$call(inAccount(scope))
    .where('source_id', '=', sourceId)
    .where('product_id', '=', productId)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst();
}

/** How many products the account's embedded sellers have, of one status or of any. */
export async function countEmbeddedProducts(
  db: Db,
  scope: Scope,
  status?: EmbeddedProductRow['status'],
): Promise<number> {
  const { total } = await db
    .selectFrom('embedded_products')
    .select((eb) => eb.fn.countAll().as('total'))
    .$call(inAccount(scope))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'ACTIVE'))
    .executeTakeFirstOrThrow();
  return Number(total);
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

/** Writes the given columns alone, and gives the whole row: within a transaction nobody else writes it after. */
export function updateEmbeddedProduct(
  db: Db,
  scope: Scope,
  change: { id: number; set: Updateable<EmbeddedProductTable> },
): Promise<EmbeddedProductRow | undefined> {
  return db
    .updateTable('embedded_products')
    .set(change.set)
    .$call(inAccount(scope))
    .where('id', '=', change.id)
    .returningAll()
    .executeTakeFirst();
}

/** Holds a product until the transaction ends, and gives it as it is; writing a column of it as it is holds the row. */
export function holdEmbeddedProduct(
  tx: Db,
  scope: Scope,
  id: number,
): Promise<EmbeddedProductRow | undefined> {
  return updateEmbeddedProduct(tx, scope, { id, set: { id } });
}

export async function setEmbeddedProductStatus(
  db: Db,
  scope: Scope,
  change: { id: number; status: EmbeddedProductRow['status']; now: string },
): Promise<void> {
  await db
    .updateTable('embedded_products')
    .set((eb) => ({ status: change.status, version: eb('version', '+', 1), updated_at: change.now }))
    .$call(inAccount(scope))
    .where('id', '=', change.id)
    .execute();
}
