import type { Step } from './steps.ts';

/** Which versions of AdCP sellers speak, for whoever reads: of those that were not asked since, nothing is said. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('inventory_sources').addColumn('declared_versions', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('inventory_sources').dropColumn('declared_versions').execute();
  },
};
