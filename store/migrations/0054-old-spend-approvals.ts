import type { Step } from './steps.ts';

/** Spends above a limit by when they were last touched, so that those are found that are to be forgotten. */
export const step: Step = {
  async up(db) {
    await db.schema
      .createIndex('spend_approvals_by_update')
      .on('spend_approvals')
      .columns(['updated_at'])
      .execute();
  },
  async down(db) {
    await db.schema.dropIndex('spend_approvals_by_update').execute();
  },
};
