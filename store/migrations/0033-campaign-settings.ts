import type { Step } from './steps.ts';

/** How a campaign is bought, in which periods, and what its sellers are to optimize for. */
export const step: Step = {
  async up(db) {
    await db.schema
      .alterTable('campaigns')
      .addColumn('mode', 'text', (column) => column.notNull().defaultTo('discovery'))
      .execute();
    await db.schema.alterTable('campaigns').addColumn('pacing_periods', 'text').execute();
    await db.schema.alterTable('campaigns').addColumn('optimization_goals', 'text').execute();
    // Flights that are over are looked for every few seconds.
    await db.schema
      .createIndex('campaigns_by_flight_end')
      .on('campaigns')
      .columns(['status', 'end_at'])
      .execute();
  },
  async down(db) {
    await db.schema.dropIndex('campaigns_by_flight_end').execute();
    await db.schema.alterTable('campaigns').dropColumn('optimization_goals').execute();
    await db.schema.alterTable('campaigns').dropColumn('pacing_periods').execute();
    await db.schema.alterTable('campaigns').dropColumn('mode').execute();
  },
};
