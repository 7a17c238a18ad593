import type { Step } from './steps.ts';

/** What the sellers made of a spend that was approved: of those before, nothing is known. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('spend_approvals').addColumn('outcome', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('spend_approvals').dropColumn('outcome').execute();
  },
};
