import type { Step } from './steps.ts';

/** Whether sellers keep sandbox accounts, for whoever reads: of those that were not asked since, nothing is said. */
export const step: Step = {
  async up(db, kit) {
    await db.schema.alterTable('inventory_sources').addColumn('declared_sandbox', kit.integer).execute();
  },
  async down(db) {
    await db.schema.alterTable('inventory_sources').dropColumn('declared_sandbox').execute();
  },
};
