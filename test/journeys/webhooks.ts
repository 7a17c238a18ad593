import type { Step } from './step.ts';

const logged = { type: 'WEBHOOK_SUBSCRIPTION', id: 'subscriptionId' } as const;

export const steps: readonly Step[] = [
  {
    tool: 'webhook_create',
    by: 'buyer',
    needs: 'buyer:write',
    within: ['grants', 'sandbox'],
    args: () => ({
      // Nobody listens there, and no name has to be looked up.
      url: 'https://127.255.255.254:4443/hook',
      secret: 'sixteen characters and more',
      eventTypes: ['discovery.revision'],
    }),
    gives: { subscriptionId: 'id' },
    logged,
  },
  {
    tool: 'webhook_list',
    by: 'buyer',
    needs: 'buyer:read',
    args: () => ({ detail: 'full', take: 10, skip: 0 }),
    rowsBy: 'webhook_create',
  },
  {
    tool: 'webhook_test',
    by: 'buyer',
    needs: 'buyer:write',
    within: ['grants', 'sandbox'],
    args: (made) => ({ id: made('subscriptionId') }),
    names: { id: 'hidden' },
    logged,
  },
  {
    tool: 'webhook_delivery_list',
    by: 'buyer',
    needs: 'buyer:read',
    args: (made) => ({ id: made('subscriptionId'), take: 5, skip: 0 }),
    names: { id: 'hidden' },
    ofMaker: true,
    rowsBy: 'webhook_test',
  },
  { tool: 'account_events', by: 'buyer', needs: 'buyer:read', args: () => ({ follow: false }) },
  {
    tool: 'webhook_delete',
    needs: 'buyer:admin',
    within: ['grants', 'sandbox'],
    by: 'buyer',
    args: (made) => ({ id: made('subscriptionId') }),
    last: true,
    names: { id: 'hidden' },
    logged,
  },
];
