import { sql } from 'kysely';
import type { Step } from './steps.ts';

const TABLE = 'campaigns';
const COLUMN = 'sandbox';

/** Campaigns say themselves whether they are of a sandbox advertiser, as their media buys do. */
export const step: Step = {
  async up(db, kit) {
    await db.schema
      .alterTable(TABLE)
      .addColumn(COLUMN, kit.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`
      update campaigns set sandbox = 1
      where advertiser_id in (select id from advertisers where sandbox = 1)
    `.execute(db);
  },
  async down(db) {
    await db.schema.alterTable(TABLE).dropColumn(COLUMN).execute();
  },
};
