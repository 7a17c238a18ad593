import { sql } from 'kysely';
import type { Step } from './steps.ts';

/** What was spent of a media buy when it was held, and whether its seller called its last figures final. */
export const step: Step = {
  async up(db, kit) {
    await db.schema.alterTable('media_buys').addColumn('held_spend_minor', kit.integer).execute();
    // Of those that are held already nobody knows more than what was spent by now.
    await sql`update media_buys set held_spend_minor = spend_minor where status = 'PAUSED'`.execute(db);
    await db.schema
      .alterTable('media_buys')
      .addColumn('figures_final', kit.integer, (column) => column.notNull().defaultTo(0))
      .execute();
  },
  async down(db) {
    await db.schema.alterTable('media_buys').dropColumn('figures_final').execute();
    await db.schema.alterTable('media_buys').dropColumn('held_spend_minor').execute();
  },
};
