import { sql } from 'kysely';
import type { Step } from './steps.ts';

/**
 * Whether a spend of a campaign was ever put before another person: of others nobody looks for one that waits. A
 * campaign is read more than all else, and hardly any ever asks.
 */
export const step: Step = {
  async up(db, kit) {
    await db.schema
      .alterTable('campaigns')
      .addColumn('spend_asked', kit.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`
      update campaigns set spend_asked = 1
      where id in (select campaign_id from spend_approvals where state = 'pending')`.execute(db);
  },
  async down(db) {
    await db.schema.alterTable('campaigns').dropColumn('spend_asked').execute();
  },
};
