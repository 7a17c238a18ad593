import type { Step } from './steps.ts';

/**
 * The drafts of a session are read from their index alone, in its order, however many campaigns the account has.
 * And how a seller answered last is known to every process and after every start.
 */
export const step: Step = {
  async up(db, kit) {
    await db.schema.dropIndex('campaigns_by_discovery').execute();
    await db.schema
      .createIndex('campaigns_by_discovery')
      .on('campaigns')
      .columns(['organization_id', 'discovery_id', 'status', 'created_at', 'id'])
      .execute();
    await db.schema.alterTable('inventory_sources').addColumn('answered_at', 'text').execute();
    await db.schema.alterTable('inventory_sources').addColumn('late_at', 'text').execute();
    await db.schema
      .alterTable('inventory_sources')
      .addColumn('late_calls', kit.integer, (column) => column.notNull().defaultTo(0))
      .execute();
  },
  async down(db) {
    for (const column of ['late_calls', 'late_at', 'answered_at']) {
      await db.schema.alterTable('inventory_sources').dropColumn(column).execute();
    }
    await db.schema.dropIndex('campaigns_by_discovery').execute();
    await db.schema
      .createIndex('campaigns_by_discovery')
      .on('campaigns')
      .columns(['organization_id', 'discovery_id'])
      .execute();
  },
};
