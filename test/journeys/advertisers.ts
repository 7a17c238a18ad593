import type { Step } from './step.ts';

const logged = { type: 'ADVERTISER', id: 'advertiserId', called: 'Acme', ofAdvertiser: true } as const;

export const steps: readonly Step[] = [
  {
    tool: 'advertiser_create',
    by: 'buyer',
    args: () => ({ name: 'Acme', brand: 'acme.example', primaryCurrency: 'USD' }),
    gives: { advertiserId: 'id' },
    logged,
  },
  {
    tool: 'advertiser_update',
    by: 'buyer',
    args: (made) => ({
      advertiserId: made('advertiserId'),
      brand: 'shoes.acme.example',
      description: 'Anvils.',
    }),
    names: { advertiserId: 'advertiser' },
    logged,
  },
  {
    tool: 'advertiser_get',
    by: 'buyer',
    args: (made) => ({ advertiserId: made('advertiserId') }),
    names: { advertiserId: 'advertiser' },
  },
  {
    tool: 'advertiser_list',
    by: 'buyer',
    args: () => ({ take: 1, skip: 0, sandbox: false }),
    rowsBy: 'advertiser_create',
  },
];
