import { sql } from 'kysely';
import type { Step } from './steps.ts';

/**
 * Why a report of a delivery was not taken, or did not come, beside what the seller says itself. Until now the one
 * took the place of the other, and was known again by its words.
 */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('media_buys').addColumn('report_doubt', 'text').execute();
    await sql`
      update media_buys set report_doubt = source_message, source_message = null
      where source_message like '%: the report was not taken.'
        or source_message like '%: the report was taken for the whole alone.'
        or source_message like 'The seller did not report what was delivered (%'
    `.execute(db);
  },
  async down(db) {
    await sql`
      update media_buys set source_message = report_doubt where report_doubt is not null
    `.execute(db);
    await db.schema.alterTable('media_buys').dropColumn('report_doubt').execute();
  },
};
