import { sql } from 'kysely';
import type { Step } from './steps.ts';

/** Orders that were taken for failed though their sellers had named them are found by housekeeping: there are few. */
export const step: Step = {
  async up(db) {
    await db.schema
      .createIndex('media_buys_failed_and_named')
      .on('media_buys')
      .columns(['id'])
      .where(sql.ref('status'), '=', sql.lit('FAILED'))
      .where(sql.ref('adcp_media_buy_id'), 'is not', null)
      .execute();
  },
  async down(db) {
    await db.schema.dropIndex('media_buys_failed_and_named').execute();
  },
};
