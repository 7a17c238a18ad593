import type { Step } from './steps.ts';

/** Media buys that began too late for the daily cap of their campaign: of those that run already nothing is said. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('media_buys').addColumn('began_late_at', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('media_buys').dropColumn('began_late_at').execute();
  },
};
