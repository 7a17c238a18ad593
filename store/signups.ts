import type { Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

/** Ways to begin as a buyer. */
export const startingPoints = ['web_app', 'api', 'assistant'] as const;
export type StartingPoint = (typeof startingPoints)[number];

export interface SignupStartTable {
  organization_id: number;
  choice: StartingPoint;
  user_id: number;
  created_at: string;
}

/** The standard agreement of a storefront account. */
export interface StorefrontAgreementTable {
  organization_id: number;
  /** Of the terms of service. */
  version: string;
  user_id: number;
  created_at: string;
}

declare module './engine/database.ts' {
  interface Database {
    signup_starts: SignupStartTable;
    storefront_agreements: StorefrontAgreementTable;
  }
}

/** Notes where a buyer began, each way once. */
export async function recordStart(
  db: Db,
  tenant: Tenant,
  start: Omit<Selectable<SignupStartTable>, 'organization_id'>,
): Promise<void> {
  await db
    .insertInto('signup_starts')
    .values(ofOrganization(tenant, start))
    .onConflict((key) => key.columns(['organization_id', 'choice']).doNothing())
    .execute();
}

/** The ways that were chosen already. */
export async function listStarts(db: Db, tenant: Tenant): Promise<StartingPoint[]> {
  const rows = await db
    .selectFrom('signup_starts')
    .select('choice')
    .$call(inOrganization(tenant))
    .orderBy('created_at')
    .execute();
  return rows.map(({ choice }) => choice);
}

export async function insertStorefrontAgreement(
  db: Db,
  tenant: Tenant,
  agreement: Omit<Selectable<StorefrontAgreementTable>, 'organization_id'>,
): Promise<void> {
  await db.insertInto('storefront_agreements').values(ofOrganization(tenant, agreement)).execute();
}
