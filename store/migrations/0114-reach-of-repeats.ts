import type { Step } from './steps.ts';

/**
 * An answer that is kept for the repeat of a call is for those who may still see it: beside it stands how far whoever
 * made the call reached. Keys of before are forgotten within a day or so, and are null.
 */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('idempotency_keys').addColumn('reach', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('idempotency_keys').dropColumn('reach').execute();
  },
};
