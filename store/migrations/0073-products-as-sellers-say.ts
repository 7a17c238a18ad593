import type { Step } from './steps.ts';

/** Products in the words of their sellers, for those who ask in the words of AdCP. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('discovery_products').addColumn('source', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('discovery_products').dropColumn('source').execute();
  },
};
