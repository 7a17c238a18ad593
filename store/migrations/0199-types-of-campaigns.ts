import type { Step } from './steps.ts';

/** What earlier clients call a campaign: kept for them, and asked of nobody. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('campaigns').addColumn('campaign_type', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('campaigns').dropColumn('campaign_type').execute();
  },
};
