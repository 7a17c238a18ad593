import type { Step } from './steps.ts';

/** What was offered by a code is forgotten in the order in which the codes ended. */
export const step: Step = {
  async up(db) {
    await db.schema
      .createIndex('storefront_proposals_by_end')
      .on('storefront_proposals')
      .columns(['expires_at'])
      .execute();
  },
  async down(db) {
    await db.schema.dropIndex('storefront_proposals_by_end').execute();
  },
};
