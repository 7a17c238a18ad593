import { flightDates } from '../support/sellers/market.ts';
import type { Step } from './step.ts';

const logged = { type: 'DISCOVERY_SESSION', id: 'discoveryId', ofAdvertiser: true } as const;
const names = { discoveryId: 'advertiser' } as const;

export const steps: readonly Step[] = [
  {
    tool: 'discover_products',
    by: 'buyer',
    needs: 'buyer:write',
    within: ['grants', 'sandbox'],
    args: (made) => ({
      advertiserId: made('advertiserId'),
      brief: 'Mornings',
      flightDates,
      // Others may sell on the same service, and come and go.
      storefrontIds: [made('storefrontId')],
      waitSeconds: 30,
      detail: 'full',
    }),
    // A subscription that is there before has something delivered.
    after: ['storefront_record_update', 'webhook_create'],
    gives: { discoveryId: 'discoveryId', foundProductId: 'productId', agentId: 'salesAgentId' },
    names: { advertiserId: 'advertiser', discoveryId: 'advertiser', campaignId: 'advertiser' },
    logged,
  },
  {
    tool: 'discovery_events',
    by: 'buyer',
    needs: 'buyer:read',
    args: (made) => ({ discoveryId: made('discoveryId'), sinceRevision: 0 }),
    names,
  },
  {
    tool: 'browse_products',
    by: 'buyer',
    needs: 'buyer:read',
    args: (made) => ({ discoveryId: made('discoveryId'), sinceRevision: 0, groupLimit: 1, detail: 'full' }),
    names,
  },
  {
    tool: 'discovery_add_products',
    by: 'buyer',
    needs: 'buyer:write',
    within: ['grants', 'sandbox'],
    args: (made) => ({
      discoveryId: made('discoveryId'),
      products: [{ productId: made('foundProductId'), salesAgentId: made('agentId'), budget: 100 }],
    }),
    names: { discoveryId: 'advertiser', campaignId: 'advertiser' },
    logged,
  },
  {
    tool: 'discovery_apply_proposal',
    by: 'buyer',
    needs: 'buyer:write',
    within: ['grants', 'sandbox'],
    args: (made) => ({
      discoveryId: made('discoveryId'),
      proposalId: made('proposalId'),
      totalBudget: 100,
    }),
    names: { ...names, proposalId: 'part', salesAgentId: 'part' },
    logged,
  },
  {
    tool: 'product_query',
    by: 'buyer',
    needs: 'buyer:write',
    within: ['grants', 'sandbox'],
    args: (made) => ({
      buying_mode: 'brief',
      brief: 'Mornings',
      ext: {
        interchange: {
          advertiser_id: made('advertiserId'),
          storefront_ids: [made('storefrontId')],
          wait_seconds: 30,
        },
      },
    }),
    after: ['storefront_record_update'],
    gives: { executionId: 'execution_id', marketProductId: 'product_id' },
    logged: { type: 'DISCOVERY_SESSION', id: 'executionId', ofAdvertiser: true },
  },
  {
    tool: 'discovery_list_products',
    by: 'buyer',
    needs: 'buyer:read',
    args: (made) => ({ discoveryId: made('discoveryId'), detail: 'full', take: 10, skip: 0 }),
    names,
  },
  {
    tool: 'discovery_product_get',
    by: 'buyer',
    needs: 'buyer:read',
    args: (made) => ({
      discoveryId: made('discoveryId'),
      productId: made('foundProductId'),
      salesAgentId: made('agentId'),
    }),
    names: { ...names, productId: 'part', salesAgentId: 'part' },
  },
  {
    tool: 'discovery_remove_products',
    by: 'buyer',
    needs: 'buyer:write',
    within: ['grants', 'sandbox'],
    args: (made) => ({ discoveryId: made('discoveryId'), productIds: [made('foundProductId')] }),
    last: true,
    names,
    logged,
  },
];
