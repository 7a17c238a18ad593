import type { Step } from './step.ts';

const logged = { type: 'STOREFRONT', id: 'storefrontId', called: 'Corner Media' } as const;

export const steps: readonly Step[] = [
  {
    tool: 'storefront_record_create',
    by: 'seller',
    args: () => ({ name: 'Corner Media', defaultCurrency: 'USD', acceptsAllCountries: true }),
    gives: { storefrontId: 'storefrontId' },
    logged,
  },
  { tool: 'storefront_record_get', by: 'seller' },
  {
    tool: 'storefront_record_update',
    by: 'seller',
    args: () => ({ transacting: true, channels: ['display'] }),
    after: ['product_create'],
    logged,
  },
];
