import type { Selectable } from 'kysely';
import type { Db } from './db.ts';

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

export interface Tables {
  terms_versions: TermsVersionTable;
  terms_acceptances: TermsAcceptanceTable;
}

/** Makes a version of the terms known, once. */
export async function publishTerms(db: Db, version: TermsVersionTable): Promise<void> {
  await db
    .insertInto('terms_versions')
    .values(version)
    .onConflict((key) => key.column('version').doNothing())
    .execute();
}

/** The newest version in force at a time. */
export async function latestTerms(db: Db, now: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('terms_versions')
    .select('version')
    .where('effective_at', '<=', now)
    .orderBy('effective_at', 'desc')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.version;
}

/**
 * The organization whose agreement governs this one: the root above it (interface, Authentication rule 8:
 * accounts under a parent inherit the parent's agreement).
 */
export async function governingOrganization(db: Db, organizationId: number): Promise<number> {
  const row = await db
    .withRecursive('chain(id, parent_id)', (query) =>
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
    )
    .selectFrom('chain')
    .select('id')
    .where('parent_id', 'is', null)
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function hasAccepted(db: Db, organizationId: number, version: string): Promise<boolean> {
  const row = await db
    .selectFrom('terms_acceptances')
    .select('version')
    .where('organization_id', '=', organizationId)
    .where('version', '=', version)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertAcceptance(db: Db, acceptance: TermsAcceptanceRow): Promise<void> {
  await db
    .insertInto('terms_acceptances')
    .values(acceptance)
    .onConflict((key) => key.columns(['organization_id', 'version']).doNothing())
    .execute();
}
