import type { Step } from './step.ts';

const logged = { type: 'WEBHOOK_SUBSCRIPTION', id: 'subscriptionId' } as const;

export const steps: readonly Step[] = [
  {
    tool: 'webhook_create',
    by: 'buyer',
    args: () => ({
      // Nobody listens there, and no name has to be looked up.
      url: 'https://127.255.255.254:4443/hook',
      secret: 'sixteen characters and more',
      eventTypes: ['discovery.revision'],
    }),
    gives: { subscriptionId: 'id' },
    logged,
  },
  { tool: 'webhook_list', by: 'buyer' },
  {
    tool: 'webhook_delete',
    by: 'buyer',
    args: (made) => ({ id: made('subscriptionId') }),
    last: true,
    names: { id: 'hidden' },
    logged,
  },
];
