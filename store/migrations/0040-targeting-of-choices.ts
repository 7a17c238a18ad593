import type { Step } from './steps.ts';

/** Whom a chosen product is to reach, beside what its campaign says. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('discovery_selections').addColumn('targeting_overlay', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('discovery_selections').dropColumn('targeting_overlay').execute();
  },
};
