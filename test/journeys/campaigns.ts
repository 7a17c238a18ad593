import { flightDates } from '../support/market.ts';
import type { Step } from './step.ts';

const logged = { type: 'CAMPAIGN', id: 'campaignId', called: 'Winter', ofAdvertiser: true } as const;

export const steps: readonly Step[] = [
  {
    tool: 'campaign_create',
    by: 'buyer',
    args: (made) => ({
      advertiserId: made('advertiserId'),
      name: 'Winter',
      budget: { total: 1_000 },
      flightDates,
      discoveryId: made('discoveryId'),
    }),
    after: ['discovery_add_products'],
    gives: { campaignId: 'campaignId' },
    names: { advertiserId: 'advertiser', discoveryId: 'advertiser' },
    logged,
  },
  {
    tool: 'campaign_get',
    by: 'buyer',
    args: (made) => ({ campaignId: made('campaignId') }),
    names: { campaignId: 'advertiser' },
  },
  {
    tool: 'campaign_list',
    by: 'buyer',
    args: (made) => ({ advertiserId: made('advertiserId'), take: 10, skip: 0 }),
    names: { advertiserId: 'filter' },
    rowsBy: 'campaign_create',
  },
  {
    tool: 'campaign_execute',
    by: 'buyer',
    args: (made) => ({ campaignId: made('campaignId') }),
    names: { campaignId: 'advertiser' },
    logged,
    alsoLogged: ['MEDIA_BUY'],
  },
  {
    tool: 'campaign_get_media_buy_status',
    by: 'buyer',
    args: (made) => ({ campaignId: made('campaignId') }),
    gives: { mediaBuyId: 'media_buy_id' },
    names: { campaignId: 'advertiser' },
  },
];
