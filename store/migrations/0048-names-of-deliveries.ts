import type { Step } from './steps.ts';

/** What a delivery tells of, in the words of whoever gets it. Those of before go by the number of their row. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('webhook_deliveries').addColumn('told', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('webhook_deliveries').dropColumn('told').execute();
  },
};
