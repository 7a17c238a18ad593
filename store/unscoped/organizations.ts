import type { Insertable } from 'kysely';
import type { Db } from '../engine/db.ts';
import type { OrganizationRow, OrganizationTable } from '../organizations.ts';

export function insertOrganization(
  db: Db,
  organization: Omit<Insertable<OrganizationTable>, 'id'>,
): Promise<OrganizationRow> {
  return db.insertInto('organizations').values(organization).returningAll().executeTakeFirstOrThrow();
}

/** Every organization of this installation, for its operator. */
export function listOrganizations(db: Db): Promise<OrganizationRow[]> {
  return db.selectFrom('organizations').selectAll().orderBy('id').execute();
}
