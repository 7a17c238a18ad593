import type { Step } from './steps.ts';

/** What sellers count beside impressions, spend and clicks, and of each package: of reports before there is none. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('media_buys').addColumn('delivered', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('media_buys').dropColumn('delivered').execute();
  },
};
