import type { Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import { prepared } from './engine/prepared.ts';
import { makeTenant, type Tenant } from './engine/scope.ts';
import { ofOrganization } from './engine/scoped.ts';
import { withAbove } from './organizations.ts';

export interface TermsVersionTable {
  version: string;
  effective_at: string;
  /** Where it is read; null: on the page of this installation where it is accepted. */
  url: string | null;
}

export interface TermsAcceptanceTable {
  organization_id: number;
  version: string;
  user_id: number | null;
  via: 'operator' | 'rest' | 'mcp' | 'signup';
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
  readonly tosUrl: string | null;
};

/** Part of a query: the newest version in force at a time. */
export function latestVersion(db: Db, now: string) {
  return db
    .selectFrom('terms_versions')
    .select(['version', 'url', 'effective_at'])
    .where('effective_at', '<=', now)
    .orderBy('effective_at', 'desc')
    .orderBy('version', 'desc')
    .limit(1);
}

/**
 * The organization whose agreement governs this one: the root above it (interface, Authentication rule 8:
 * accounts under a parent inherit the parent's agreement).
 */
export async function governingOrganization(db: Db, tenant: Tenant): Promise<Tenant> {
  const row = await withAbove(db, tenant.organizationId)
    .selectFrom('above')
    .select('id')
    .where('parent_id', 'is', null)
    .executeTakeFirstOrThrow();
  return makeTenant(row.id);
}

/** The organization right below the one on top under which this one is; undefined for the one on top itself. */
export async function branchOf(db: Db, tenant: Tenant): Promise<Tenant | undefined> {
  const row = await withAbove(db, tenant.organizationId)
    .selectFrom('above')
    .select('id')
    .where('parent_id', 'is not', null)
    .orderBy('depth', 'desc')
    .executeTakeFirst();
  return row && makeTenant(row.id);
}

type Asked = { readonly organizationId: number; readonly now: string };

/**
 * The terms, and what an organization itself said to them. Compiled once, because every mutation asks; without
 * the way up, which most have not and which takes ten times as long.
 */
const own = prepared((db, { organizationId, now }: Asked) =>
  db
    .selectFrom('organizations')
    .innerJoin(latestVersion(db, now).as('newest'), (join) => join.onTrue())
    .leftJoin('terms_acceptances as accepted', (join) =>
      join
        .on('accepted.organization_id', '=', organizationId)
        .onRef('accepted.version', '=', 'newest.version'),
    )
    .select([
      'organizations.parent_id as parentId',
      'newest.version as tosVersion',
      'newest.url as tosUrl',
      'accepted.accepted_at as acceptedAt',
    ])
    .where('organizations.id', '=', organizationId),
);

/** Whose agreement to which terms is asked for, of the organizations above one. */
const governing = prepared((db, { organizationId, now }: Asked) =>
  withAbove(db, organizationId)
    .with('newest', () => latestVersion(db, now))
    .selectFrom('above')
    .innerJoin('newest', (join) => join.onTrue())
    .select(['above.id as organizationId', 'newest.version as tosVersion', 'newest.url as tosUrl'])
    .where('above.parent_id', 'is', null),
);

const acceptance = prepared((db, { organizationId, tosVersion }: Omit<OwedTerms, 'tosUrl'>) =>
  db
    .selectFrom('terms_acceptances')
    .select(['accepted_at', 'user_id'])
    .where('organization_id', '=', organizationId)
    .where('version', '=', tosVersion),
);

/** Whose agreement to which terms is missing; undefined when nothing is. */
export async function owedTerms(db: Db, tenant: Tenant, now: string): Promise<OwedTerms | undefined> {
  const { organizationId } = tenant;
  const said = await own.first(db, { organizationId, now });
  if (said === undefined) return undefined;
  const { parentId, acceptedAt, ...terms } = said;
  if (parentId !== null) return owedAbove(db, { organizationId, now });
  return acceptedAt === null ? { organizationId, ...terms } : undefined;
}

async function owedAbove(db: Db, asked: Asked): Promise<OwedTerms | undefined> {
  const asks = await governing.first(db, asked);
  if (asks === undefined) return undefined;
  const { organizationId, tosVersion } = asks;
  const accepted = await acceptance.first(db, { organizationId, tosVersion });
  return accepted === undefined ? asks : undefined;
}

/** When and by whom an organization accepted a version; undefined where it did not. */
export function findAcceptance(db: Db, { organizationId }: Tenant, tosVersion: string) {
  return acceptance.first(db, { organizationId, tosVersion });
}

/** False: it is accepted already, and stays as it was. */
export async function insertAcceptance(
  db: Db,
  tenant: Tenant,
  acceptance: Omit<TermsAcceptanceRow, 'organization_id'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('terms_acceptances')
    .values(ofOrganization(tenant, acceptance))
    .onConflict((key) => key.columns(['organization_id', 'version']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}
