import type { Step } from './step.ts';

const logged = { type: 'ADVERTISER', id: 'advertiserId', called: 'Acme', ofAdvertiser: true } as const;

export const steps: readonly Step[] = [
  {
    tool: 'advertiser_create',
    by: 'buyer',
    needs: 'buyer:write',
    within: ['sandbox'],
    args: () => ({
      ...{ name: 'Acme', brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' },
      utmConfig: [{ paramKey: 'utm_source', paramValue: 'acme' }],
    }),
    gives: { advertiserId: 'id' },
    logged,
  },
  {
    tool: 'advertiser_update',
    by: 'buyer',
    needs: 'buyer:write',
    within: ['grants', 'sandbox'],
    args: (made) => ({
      advertiserId: made('advertiserId'),
      brand: 'shoes.acme.example',
      saveBrand: true,
      utmConfig: [],
      frequencyCaps: [{ max_impressions: 3, window: { interval: 1, unit: 'days' } }],
      description: 'Anvils.',
    }),
    names: { advertiserId: 'advertiser' },
    logged,
  },
  {
    tool: 'advertiser_get',
    by: 'buyer',
    needs: 'buyer:read',
    args: (made) => ({ advertiserId: made('advertiserId') }),
    names: { advertiserId: 'advertiser' },
  },
  {
    tool: 'advertiser_list',
    by: 'buyer',
    needs: 'buyer:read',
    args: () => ({ take: 1, skip: 0, sandbox: false, includeBrand: true }),
    names: { linkedAccountPartnerId: 'filter' },
    rowsBy: 'advertiser_create',
  },
  {
    tool: 'brand_resolve',
    by: 'buyer',
    needs: 'buyer:read',
    args: () => ({ domain: 'acme.example' }),
  },
  {
    tool: 'portfolio_get',
    by: 'buyer',
    needs: 'buyer:read',
    args: () => ({ take: 1, skip: 0 }),
    rowsBy: 'advertiser_create',
  },
  {
    tool: 'advertiser_delete',
    by: 'buyer',
    last: true,
    needs: 'buyer:admin',
    within: ['grants', 'sandbox'],
    args: (made) => ({ advertiserId: made('advertiserId') }),
    names: { advertiserId: 'advertiser' },
    logged: { ...logged, action: 'ARCHIVE' },
  },
  {
    tool: 'advertiser_restore',
    by: 'buyer',
    last: true,
    after: ['advertiser_delete'],
    needs: 'buyer:write',
    within: ['grants', 'sandbox'],
    args: (made) => ({ advertiserId: made('advertiserId') }),
    names: { advertiserId: 'advertiser' },
    logged,
  },
];
