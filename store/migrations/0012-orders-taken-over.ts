import type { Step } from './steps.ts';

/** How often an order was taken over, so that it is not sent without end, and which campaigns buy from a session. */
export const step: Step = {
  async up(db, kit) {
    await db.schema
      .alterTable('media_buys')
      .addColumn('takeovers', kit.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createIndex('campaigns_by_discovery')
      .on('campaigns')
      .columns(['organization_id', 'discovery_id'])
      .execute();
  },
  async down(db) {
    await db.schema.dropIndex('campaigns_by_discovery').execute();
    await db.schema.alterTable('media_buys').dropColumn('takeovers').execute();
  },
};
