import type { Selectable } from 'kysely';
import type { BrandManifest } from '../brands.ts';
import type { Flag, JsonText } from '../engine/codec.ts';
import type { Db } from '../engine/db.ts';

export interface KnownBrandTable {
  /** In lower case. */
  domain: string;
  /** `brand_…`. */
  id: string;
  manifest: JsonText<BrandManifest>;
  /** 0: only heard of, from other sources than the brand. */
  is_registered: Flag;
  updated_at: string;
}

export type KnownBrandRow = Selectable<KnownBrandTable>;

declare module '../engine/database.ts' {
  interface Database {
    known_brands: KnownBrandTable;
  }
}

/** What the installation knows of these domains, one at least. */
export function findKnownBrands(db: Db, domains: readonly string[]): Promise<KnownBrandRow[]> {
  return db.selectFrom('known_brands').selectAll().where('domain', 'in', domains).execute();
}

export function listKnownBrands(db: Db): Promise<KnownBrandRow[]> {
  return db.selectFrom('known_brands').selectAll().orderBy('domain').execute();
}

/** Makes a brand known, or says anew what is known of it; it keeps its id. */
export async function putKnownBrand(db: Db, brand: KnownBrandRow): Promise<void> {
  const { domain: _, id: __, ...set } = brand;
  await db
    .insertInto('known_brands')
    .values(brand)
    .onConflict((key) => key.column('domain').doUpdateSet(set))
    .execute();
}

/** False: no such brand was known. */
export async function deleteKnownBrand(db: Db, domain: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('known_brands')
    .where('domain', '=', domain)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
