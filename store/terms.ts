import type { Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import { prepared } from './engine/prepared.ts';
import { makeTenant, type Tenant } from './engine/scope.ts';
import { ofOrganization } from './engine/scoped.ts';

export interface TermsVersionTable {
  version: string;
  effective_at: string;
}

export interface TermsAcceptanceTable {
  organization_id: number;
  version: string;
  user_id: number | null;
  via: 'operator' | 'rest' | 'mcp';
  accepted_at: string;
}

export type TermsAcceptanceRow = Selectable<TermsAcceptanceTable>;

declare module './engine/database.ts' {
  interface Database {
    terms_versions: TermsVersionTable;
    terms_acceptances: TermsAcceptanceTable;
  }
}

/** An agreement that is asked for: whose, and to which version. */
export type OwedTerms = {
  readonly organizationId: number;
  readonly tosVersion: string;
};

/** Makes a version of the terms known, once. */
export async function publishTerms(db: Db, version: TermsVersionTable): Promise<void> {
  await db
    .insertInto('terms_versions')
    .values(version)
    .onConflict((key) => key.column('version').doNothing())
    .execute();
}

/** The newest version in force at a time. */
function latest(db: Db, now: string) {
  return db
    .selectFrom('terms_versions')
    .select('version')
    .where('effective_at', '<=', now)
    .orderBy('effective_at', 'desc')
    .orderBy('version', 'desc')
    .limit(1);
}

/** The organization and those above it, up to the root, which has no parent. */
function withChain(db: Db, organizationId: number) {
  return db.withRecursive('chain(id, parent_id)', (query) =>
    query
      .selectFrom('organizations')
      .select(['id', 'parent_id'])
      .where('id', '=', organizationId)
      .unionAll((more) =>
        more
          .selectFrom('organizations')
          .innerJoin('chain', 'organizations.id', 'chain.parent_id')
          .select(['organizations.id', 'organizations.parent_id']),
      ),
  );
}

export async function latestTerms(db: Db, now: string): Promise<string | undefined> {
  return (await latest(db, now).executeTakeFirst())?.version;
}

/**
 * The organization whose agreement governs this one: the root above it (interface, Authentication rule 8:
 * accounts under a parent inherit the parent's agreement).
 */
export async function governingOrganization(db: Db, tenant: Tenant): Promise<Tenant> {
  const row = await withChain(db, tenant.organizationId)
    .selectFrom('chain')
    .select('id')
    .where('parent_id', 'is', null)
    .executeTakeFirstOrThrow();
  return makeTenant(row.id);
}

/** Whose agreement to which terms is asked for. Compiled once, because every mutation asks. */
const governing = prepared((db, { organizationId, now }: { organizationId: number; now: string }) =>
  withChain(db, organizationId)
    .with('newest', () => latest(db, now))
    .selectFrom('chain')
    .innerJoin('newest', (join) => join.onTrue())
    .select(['chain.id as organizationId', 'newest.version as tosVersion'])
    .where('chain.parent_id', 'is', null),
);

const acceptance = prepared((db, { organizationId, tosVersion }: OwedTerms) =>
  db
    .selectFrom('terms_acceptances')
    .select('accepted_at')
    .where('organization_id', '=', organizationId)
    .where('version', '=', tosVersion),
);

/** Whose agreement to which terms is missing; undefined when nothing is. */
export async function owedTerms(db: Db, tenant: Tenant, now: string): Promise<OwedTerms | undefined> {
  const asks = await governing.first(db, { organizationId: tenant.organizationId, now });
  return asks === undefined || (await acceptance.first(db, asks)) !== undefined ? undefined : asks;
}

export async function insertAcceptance(
  db: Db,
  tenant: Tenant,
  acceptance: Omit<TermsAcceptanceRow, 'organization_id'>,
): Promise<void> {
  await db
    .insertInto('terms_acceptances')
    .values(ofOrganization(tenant, acceptance))
    .onConflict((key) => key.columns(['organization_id', 'version']).doNothing())
    .execute();
}
