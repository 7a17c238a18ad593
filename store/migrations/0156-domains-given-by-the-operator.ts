import { type Kysely, sql } from 'kysely';
import type { Step } from './steps.ts';

const INDEX = 'organizations_by_domain';

/**
 * Whether the operator gave an organization its domain, or the organization named it itself. What an organization
 * changed its domain to stands among those it claims; another one it was made with.
 */
export const step: Step = {
  async up(db, kit) {
    await db.schema
      .alterTable('organizations')
      .addColumn('domain_given', kit.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await tellGiven(db);
    await db.schema.createIndex(INDEX).on('organizations').column('domain').execute();
  },
  async down(db) {
    await db.schema.dropIndex(INDEX).execute();
    await db.schema.alterTable('organizations').dropColumn('domain_given').execute();
  },
};

async function tellGiven(db: Kysely<unknown>): Promise<void> {
  await sql`
    update organizations set domain_given = 1, domain = lower(domain)
    where domain is not null and created_via = 'operator' and not exists (
      select 1 from organization_domains d
      where d.organization_id = organizations.id and d.domain = organizations.domain and d.verified_at is null)
  `.execute(db);
}
