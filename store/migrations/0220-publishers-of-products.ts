import type { Step } from './steps.ts';

/**
 * The publishers of a product that was found, so that a reader finds it by each of them. What was stored before is
 * found by the one that names its group, as before.
 */
export const step: Step = {
  async up(db) {
    await db.schema
      .alterTable('discovery_products')
      .addColumn('publisher_domains', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  },
  async down(db) {
    await db.schema.alterTable('discovery_products').dropColumn('publisher_domains').execute();
  },
};
