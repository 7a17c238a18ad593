import type { Step } from './steps.ts';

/** Whether a linked account was found at its seller: of those that were linked before, nobody looked. */
export const step: Step = {
  async up(db) {
    await db.schema
      .alterTable('advertiser_accounts')
      .addColumn('status', 'text', (column) => column.notNull().defaultTo('unreachable'))
      .execute();
  },
  async down(db) {
    await db.schema.alterTable('advertiser_accounts').dropColumn('status').execute();
  },
};
