import type { Step } from './step.ts';

const logged = { type: 'STOREFRONT', id: 'storefrontId', called: 'Corner Media' } as const;

export const steps: readonly Step[] = [
  {
    tool: 'storefront_record_create',
    by: 'seller',
    needs: 'buyer:write',
    args: () => ({ name: 'Corner Media', defaultCurrency: 'USD', acceptsAllCountries: true }),
    gives: { storefrontId: 'storefrontId' },
    logged,
  },
  { tool: 'storefront_record_get', by: 'seller', needs: 'buyer:read' },
  {
    tool: 'storefront_record_update',
    by: 'seller',
    needs: 'buyer:write',
    args: () => ({ transacting: true, channels: ['display'] }),
    after: ['product_create'],
    logged,
  },
];
