import type { Step } from './steps.ts';

/** How the agent of a source failed or refused last: of those that did before, nothing is said. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('inventory_sources').addColumn('last_failure', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('inventory_sources').dropColumn('last_failure').execute();
  },
};
