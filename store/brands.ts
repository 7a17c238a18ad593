import type { Selectable } from 'kysely';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

/** What is known of a brand (contract: BrandManifestJson). Fields beyond these are kept as they came. */
export interface BrandManifest {
  readonly name: string;
  readonly url?: string | undefined;
  readonly logos?: readonly BrandLogo[] | undefined;
  readonly colors?: Readonly<Record<string, string>> | undefined;
  readonly industry?: string | undefined;
  readonly tagline?: string | undefined;
  readonly tone?: string | undefined;
}

interface BrandLogo {
  readonly url: string;
  readonly background?: string | undefined;
}

export interface BrandTable {
  /** `brand_…`. */
  id: string;
  organization_id: number;
  /** In lower case. */
  domain: string;
  manifest: JsonText<BrandManifest>;
  created_at: string;
}

export type BrandRow = Selectable<BrandTable>;

declare module './engine/database.ts' {
  interface Database {
    brands: BrandTable;
  }
}

/** The brands of these domains, one at least, that the organization registered. */
export function findBrands(db: Db, tenant: Tenant, domains: readonly string[]): Promise<BrandRow[]> {
  return db
    .selectFrom('brands')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('domain', 'in', domains)
    .execute();
}

/** Registers a brand. One that is registered already stays as it is. */
export async function insertBrand(
  db: Db,
  tenant: Tenant,
  brand: Omit<BrandRow, 'organization_id'>,
): Promise<void> {
  await db
    .insertInto('brands')
    .values(ofOrganization(tenant, brand))
    .onConflict((key) => key.columns(['organization_id', 'domain']).doNothing())
    .execute();
}

/** How many brands the organization registered. */
export async function countBrands(db: Db, tenant: Tenant): Promise<number> {
  const { count } = await db
    .selectFrom('brands')
    .$call(inOrganization(tenant))
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
