import type { Step } from './steps.ts';

/** The version that a change left, so that its repeat comes with the tag of the first answer. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('idempotency_keys').addColumn('version', 'integer').execute();
  },
  async down(db) {
    await db.schema.alterTable('idempotency_keys').dropColumn('version').execute();
  },
};
