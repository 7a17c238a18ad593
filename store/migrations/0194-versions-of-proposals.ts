import type { Step } from './steps.ts';

/** Counts what its seller changes of a proposal, so that a change can say which state it was made on. */
export const step: Step = {
  async up(db, kit) {
    await db.schema
      .alterTable('storefront_proposals')
      .addColumn('version', kit.integer, (column) => column.notNull().defaultTo(1))
      .execute();
  },
  async down(db) {
    await db.schema.alterTable('storefront_proposals').dropColumn('version').execute();
  },
};
