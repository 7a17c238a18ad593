import type { Step } from './steps.ts';

const CAMPAIGNS = { name: 'campaigns_by_advertiser', table: 'campaigns' };
const BUYS = 'media_buys_by_customer';
const OF_ACCOUNT = ['organization_id', 'customer_id'] as const;

/** Where the campaigns and media buys of an account stand is counted without reading all of them. */
export const step: Step = {
  async up(db, kit) {
    await kit.indexAnew(db, {
      ...CAMPAIGNS,
      columns: ['advertiser_id', ...OF_ACCOUNT, 'status', 'budget_minor'],
    });
    await db.schema.dropIndex(BUYS).execute();
    await db.schema
      .createIndex(BUYS)
      .on('media_buys')
      .columns([...OF_ACCOUNT, 'status'])
      .execute();
  },
  async down(db, kit) {
    await db.schema.dropIndex(BUYS).execute();
    await db.schema
      .createIndex(BUYS)
      .on('media_buys')
      .columns([...OF_ACCOUNT])
      .execute();
    await kit.indexAnew(db, { ...CAMPAIGNS, columns: ['advertiser_id'] });
  },
};
