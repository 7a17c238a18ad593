import type { Step } from './step.ts';

export const steps: readonly Step[] = [
  {
    tool: 'storefront_list',
    by: 'buyer',
    needs: 'buyer:read',
    args: () => ({ take: 5, skip: 0, channel: 'display', detail: 'full' }),
    // A list with something in it.
    after: ['storefront_record_update'],
    ofEverybody: true,
    rowsBy: 'storefront_record_create',
  },
  {
    tool: 'storefront_get',
    by: 'buyer',
    needs: 'buyer:read',
    args: (made) => ({ storefrontId: made('storefrontId') }),
    names: { storefrontId: 'open' },
  },
];
