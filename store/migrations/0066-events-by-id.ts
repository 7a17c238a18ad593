import type { Step } from './steps.ts';

/** Who goes on reading the stream of an account names the event that was read last. */
export const step: Step = {
  async up(db) {
    await db.schema
      .createIndex('account_events_by_id')
      .on('account_events')
      .columns(['organization_id', 'customer_id', 'id'])
      .execute();
  },
  async down(db) {
    await db.schema.dropIndex('account_events_by_id').execute();
  },
};
