import { sql } from 'kysely';
import type { Step } from './steps.ts';

/** What a change of a media buy was made on: its versions, where its seller has it, and what was asked of it. */
export const step: Step = {
  async up(db) {
    await db.schema
      .alterTable('media_buys')
      .addColumn('edition', 'integer', (column) => column.notNull().defaultTo(1))
      .execute();
    // So that tags that were read before go on: they name the version of the row.
    await sql`update media_buys set edition = version`.execute(db);
  },
  async down(db) {
    await db.schema.alterTable('media_buys').dropColumn('edition').execute();
  },
};
