import type { Insertable } from 'kysely';
import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { OrganizationRow, OrganizationTable } from '../organizations.ts';

export function insertOrganization(
  db: Db,
  organization: Omit<Insertable<OrganizationTable>, 'id'>,
): Promise<OrganizationRow> {
  return db.insertInto('organizations').values(organization).returningAll().executeTakeFirstOrThrow();
}

/** The organizations to which the operator gave a domain. Served by `organizations_by_domain`. */
export async function listGivenDomain(db: Db, domain: string): Promise<number[]> {
  const rows = await unscoped(db)
    .selectFrom('organizations')
    .select('id')
    .where('domain', '=', domain)
    .where('domain_given', '=', 1)
    .execute();
  return rows.map(({ id }) => id);
}

/** Every organization of this installation, for its operator. */
export function listOrganizations(db: Db): Promise<OrganizationRow[]> {
  return db.selectFrom('organizations').selectAll().orderBy('id').execute();
}

/** A domain, in lower case, and whose own it was verified to be. */
export interface VerifiedDomain {
  readonly domain: string;
  readonly organizationId: number;
}

/** Every domain that is verified, for the operator. */
export async function listVerifiedDomains(db: Db): Promise<VerifiedDomain[]> {
  const rows = await unscoped(db)
    .selectFrom('organization_domains')
    .select(['domain', 'organization_id'])
    .where('verified_domain', 'is not', null)
    .orderBy('domain')
    .execute();
  return rows.map(({ domain, organization_id }) => ({ domain, organizationId: organization_id }));
}
