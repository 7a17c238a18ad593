import { type Kysely, sql } from 'kysely';
import type { Step } from './steps.ts';

/**
 * What a discovery session keeps counts against a bound of its account. Sessions of before count by what their
 * revisions hold, and as much again: each product is stored by itself as well.
 */
export const step: Step = {
  async up(db, kit) {
    await db.schema
      .alterTable('discovery_sessions')
      .addColumn('bytes', kit.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await countThose(db);
  },
  async down(db) {
    await db.schema.alterTable('discovery_sessions').dropColumn('bytes').execute();
  },
};

/** The lengths alone are read: neither database looks at the texts for them. */
async function countThose(db: Kysely<unknown>): Promise<void> {
  await sql`
    update discovery_sessions set bytes = 2 * coalesce(
      (select sum(octet_length(payload)) from discovery_revisions where session_id = discovery_sessions.id), 0)
  `.execute(db);
}
