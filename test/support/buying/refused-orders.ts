import { newBrowser } from '../callers/browsers.ts';
import { discover } from '../sellers/discovery.ts';
import { accountsAt } from '../sellers/linked-accounts.ts';
import { done } from '../sellers/market.ts';
import { adcpProduct } from '../sellers/seller-agent.ts';
import {
  beyond,
  declaresNoRegions,
  least,
  NO_REGIONS,
  REGIONS,
  type Refused,
  sums,
  undeclared,
  unpriced,
} from './money-facts.ts';
import {
  boughtIn,
  creditOf,
  draftIn,
  losesOrders,
  type MoneyWorld,
  refusesOrders,
  tenDays,
  unpricedIn,
} from './money-world.ts';
import { limitSpend } from './spend-limits.ts';

/** Choices and orders that are refused for money, or for what their seller cannot do. */

/** Its one product is sold for so much at the least. */
const startsAt = ({ far }: MoneyWorld, min_spend_per_package: number) => {
  const option = { pricing_option_id: 'cpm', pricing_model: 'cpm', currency: 'USD', fixed_price: 5 };
  const products = [adcpProduct('far-1', { pricing_options: [{ ...option, min_spend_per_package }] })];
  far.agent.on('get_products', () => ({ products }));
};

/** Whatever is bought of a query. */
async function batchOf(world: MoneyWorld, total: number, choice: object = {}) {
  const { buyer, advertiserId, far } = world;
  const interchange = { advertiser_id: advertiserId, storefront_ids: [far.storefrontId], wait_seconds: 30 };
  const asked = { buying_mode: 'brief', brief: 'Mornings', ext: { interchange } };
  const found = done(await buyer.post('/buyer/products/query', asked));
  const [{ product_id: productId }] = found.products;
  const { flightDates } = tenDays(world);
  return {
    productQueryId: found.ext.interchange.execution_id,
    campaign: { create: { advertiserId, name: 'Together', budget: { total }, flightDates } },
    mode: 'execute',
    selections: [{ kind: 'product', productId, budget: 120, ...choice }],
  };
}

/** A product of a batch, by the id that its query gave it. */
const queried = ({
  selections: [first],
}: {
  readonly selections: readonly { readonly productId: string }[];
}) => ({
  productId: first?.productId,
});

/** A spend that waits for another person, who calls. */
async function waitingIn(world: MoneyWorld, each: number) {
  const { server, buyer } = world;
  await limitSpend(server, buyer, 50);
  const campaignId = await draftIn(world, { each });
  const { approval } = done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  const { credential } = await newBrowser(server, buyer.organizationId);
  return { args: { approvalId: approval.approvalId }, key: credential };
}

const ofExecute: readonly Refused[] = [
  [
    'campaign_execute',
    'CREDIT_LIMIT_EXCEEDED',
    'an order is more than is there',
    async (world) => ({
      args: { campaignId: await draftIn(world, { each: 120 }) },
      details: beyond({ asked: 120 }),
    }),
  ],
  [
    'campaign_execute',
    'CREDIT_LIMIT_EXCEEDED',
    'a refused order is sent again, and there is less than there was',
    async (world) => {
      refusesOrders(world);
      const { campaignId } = await boughtIn(world);
      await creditOf(world, 30);
      return { args: { campaignId }, details: beyond({ asked: 100, credit: 30 }) };
    },
  ],
  [
    'campaign_execute',
    'PRICING_NOT_CONFIGURED',
    'no rule is about the seller',
    async (world) => {
      const campaignId = await draftIn(world);
      await unpricedIn(world);
      return { args: { campaignId }, details: unpriced(world) };
    },
  ],
  ...[refusesOrders, losesOrders].map(
    (fails): Refused => [
      'campaign_execute',
      'PRICING_NOT_CONFIGURED',
      `an order is sent again that the seller ${fails === losesOrders ? 'may have lost' : 'refused'}`,
      async (world) => {
        fails(world);
        const { campaignId, mediaBuyId } = await boughtIn(world);
        await unpricedIn(world);
        return { args: { campaignId }, details: unpriced(world, mediaBuyId) };
      },
    ],
  ),
  [
    'campaign_execute',
    'INSUFFICIENT_MEDIA_BUDGET',
    'the products take more than the total',
    async (world) => ({
      args: { campaignId: await draftIn(world, { budget: 80 }) },
      details: least(80, 100),
      field: 'budget.total',
    }),
  ],
  [
    'campaign_execute',
    'INSUFFICIENT_MEDIA_BUDGET',
    'a product starts at more than it gets',
    async (world) => {
      startsAt(world, 100);
      return {
        args: { campaignId: await draftIn(world, { budget: 90, each: null }) },
        details: sums(90, 90, { productId: 'far-1', minSpend: 100, budget: 90 }),
        field: 'budget.total',
      };
    },
  ],
];

/** A draft that is to stay in regions, which its seller cannot target: the choice was there before. */
const inRegions = async (world: MoneyWorld, campaignId: string): Promise<{ campaignId: string }> => {
  declaresNoRegions(world);
  done(await world.buyer.put(`/buyer/campaigns/${campaignId}`, { constraints: REGIONS }));
  return { campaignId };
};
const BY_CAMPAIGN = ['constraints.geo_regions', NO_REGIONS] as const;

const ofConstraints: readonly Refused[] = [
  [
    'campaign_execute',
    'CAPABILITY_NOT_SUPPORTED',
    'the campaign asks for what its seller cannot target',
    async (world) => ({
      args: await inRegions(world, await draftIn(world)),
      details: undeclared(world, { productId: 'far-1' }, BY_CAMPAIGN),
    }),
  ],
  [
    'campaign_execute',
    'CAPABILITY_NOT_SUPPORTED',
    'a refused order would be sent again, and its campaign asks for what its seller cannot target',
    async (world) => {
      refusesOrders(world);
      const { campaignId, mediaBuyId } = await boughtIn(world);
      return {
        args: await inRegions(world, campaignId),
        details: undeclared(world, { mediaBuyId, productId: 'far-1' }, BY_CAMPAIGN),
      };
    },
  ],
  [
    'campaign_create',
    'CAPABILITY_NOT_SUPPORTED',
    'it asks for what the seller of its choice cannot target',
    async (world) => {
      declaresNoRegions(world);
      const { buyer, advertiserId, far } = world;
      const { discoveryId } = await discover(buyer, advertiserId, [far.storefrontId]);
      done(
        await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: [{ productId: 'far-1' }] }),
      );
      const { flightDates } = tenDays(world);
      const terms = { name: 'Regions', budget: { total: 100 }, flightDates, constraints: REGIONS };
      return {
        args: { advertiserId, discoveryId, ...terms },
        details: undeclared(world, { productId: 'far-1' }, BY_CAMPAIGN),
      };
    },
  ],
  [
    'discovery_add_products',
    'CAPABILITY_NOT_SUPPORTED',
    'the campaign that is to buy them asks for what their seller cannot target',
    async (world) => {
      const { campaignId } = await inRegions(world, await draftIn(world));
      const { buyer, advertiserId, far } = world;
      const { discoveryId } = await discover(buyer, advertiserId, [far.storefrontId]);
      return {
        args: { discoveryId, campaignId, products: [{ productId: 'far-1' }] },
        details: undeclared(world, { productId: 'far-1' }, BY_CAMPAIGN),
      };
    },
  ],
];

const declaresAnother = ({ far }: MoneyWorld) =>
  far.agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: [2] } }));

const ofVersions: readonly Refused[] = [
  [
    'campaign_execute',
    'VERSION_UNSUPPORTED',
    'the seller of the choice speaks another major version alone',
    async (world) => {
      declaresAnother(world);
      const details = { unsupported: [{ salesAgentId: world.far.agentId }] };
      return { args: { campaignId: await draftIn(world) }, details };
    },
  ],
  [
    'campaign_execute',
    'VERSION_UNSUPPORTED',
    'a refused order would be sent again to who speaks another major version alone',
    async (world) => {
      refusesOrders(world);
      const { campaignId, mediaBuyId } = await boughtIn(world);
      declaresAnother(world);
      const details = { unsupported: [{ mediaBuyId, salesAgentId: world.far.agentId }] };
      return { args: { campaignId }, details };
    },
  ],
  [
    'media_buy_create_batch',
    'VERSION_UNSUPPORTED',
    'a seller speaks another major version alone',
    async (world) => {
      declaresAnother(world);
      const details = { unsupported: [{ salesAgentId: world.far.agentId }] };
      return { args: await batchOf(world, 500, { budget: 100 }), details };
    },
  ],
];

const ofBatch: readonly Refused[] = [
  [
    'media_buy_create_batch',
    'CREDIT_LIMIT_EXCEEDED',
    'its orders are more than is there',
    async (world) => ({ args: await batchOf(world, 500), details: beyond({ asked: 120 }) }),
  ],
  [
    'media_buy_create_batch',
    'PRICING_NOT_CONFIGURED',
    'no rule is about the seller',
    async (world) => {
      const args = await batchOf(world, 500);
      await unpricedIn(world);
      return { args, details: unpriced(world) };
    },
  ],
  [
    'media_buy_create_batch',
    'INSUFFICIENT_MEDIA_BUDGET',
    'what is selected takes more than the total',
    async (world) => ({
      args: await batchOf(world, 80),
      details: least(80, 120),
      field: 'campaign.create.budget.total',
    }),
  ],
  [
    'media_buy_create_batch',
    'CAPABILITY_NOT_SUPPORTED',
    'a product is to be targeted as its seller cannot',
    async (world) => {
      declaresNoRegions(world);
      const args = await batchOf(world, 500, { targetingOverlay: REGIONS });
      const place = ['selections.0.targetingOverlay.geo_regions', NO_REGIONS] as const;
      return { args, details: undeclared(world, queried(args), place) };
    },
  ],
  [
    'media_buy_create_batch',
    'CAPABILITY_NOT_SUPPORTED',
    'the campaign that is made asks for what a seller cannot target',
    async (world) => {
      declaresNoRegions(world);
      const { campaign, ...args } = await batchOf(world, 500);
      const place = ['campaign.create.constraints.geo_regions', NO_REGIONS] as const;
      return {
        args: { ...args, campaign: { create: { ...campaign.create, constraints: REGIONS } } },
        details: undeclared(world, queried(args), place),
      };
    },
  ],
  [
    'media_buy_create_batch',
    'CAPABILITY_NOT_SUPPORTED',
    'the draft asks for what a seller cannot target',
    async (world) => {
      const { buyer } = world;
      const { campaign, ...args } = await batchOf(world, 500);
      const { campaignId } = done(await buyer.post('/buyer/campaigns', campaign.create)).campaign;
      await inRegions(world, campaignId);
      return {
        args: { ...args, campaign: { campaignId }, mode: 'stage' },
        details: undeclared(world, queried(args), BY_CAMPAIGN),
      };
    },
  ],
  [
    'media_buy_create_batch',
    'CAPABILITY_NOT_SUPPORTED',
    'its draft was staged, and asks for what a seller cannot target since',
    async (world) => {
      const args = await batchOf(world, 500);
      const { campaignId } = done(
        await world.buyer.post('/buyer/media-buys/batch', { ...args, mode: 'stage' }),
      );
      await inRegions(world, campaignId);
      return {
        args: { ...args, campaign: { campaignId } },
        details: undeclared(world, queried(args), BY_CAMPAIGN),
      };
    },
  ],
  [
    'media_buy_create_batch',
    'INSUFFICIENT_MEDIA_BUDGET',
    'a product starts at more than it gets',
    async (world) => {
      startsAt(world, 100);
      const args = await batchOf(world, 90, { budget: undefined });
      return {
        args,
        details: sums(90, 90, { ...queried(args), minSpend: 100, budget: 90 }),
        field: 'campaign.create.budget.total',
      };
    },
  ],
];

const ofOthers: readonly Refused[] = [
  [
    'product_query',
    'VERSION_UNSUPPORTED',
    'another major version of AdCP is spoken',
    async ({ advertiserId }) => ({
      args: {
        buying_mode: 'brief',
        brief: 'Mornings',
        adcp_version: '4.0',
        ext: { interchange: { advertiser_id: advertiserId } },
      },
      field: 'adcp_version',
      details: {},
    }),
  ],
  [
    'discovery_add_products',
    'CAPABILITY_NOT_SUPPORTED',
    'a product is to be targeted as its seller cannot',
    async (world) => {
      declaresNoRegions(world);
      const { buyer, advertiserId, far } = world;
      const { discoveryId } = await discover(buyer, advertiserId, [far.storefrontId]);
      const products = [{ productId: 'far-1', targetingOverlay: REGIONS }];
      const place = ['products.0.targetingOverlay.geo_regions', NO_REGIONS] as const;
      return {
        args: { discoveryId, products },
        details: undeclared(world, { productId: 'far-1' }, place),
      };
    },
  ],
  [
    'available_account_list',
    'CAPABILITY_NOT_SUPPORTED',
    'the seller tells nobody which accounts it has',
    async (world) => {
      const { buyer, advertiserId, far } = world;
      const { storefrontId, sourceId } = (await accountsAt(buyer, far))('');
      return {
        args: { advertiserId, storefrontId, sourceId },
        details: undeclared(world, {}, ['sourceId', 'It declares no tool list_accounts.']),
      };
    },
  ],
  [
    'spend_approval_approve',
    'CREDIT_LIMIT_EXCEEDED',
    'what is allowed is more than is there',
    async (world) => {
      await creditOf(world, 100);
      const asked = await waitingIn(world, 120);
      await creditOf(world, 50);
      return { ...asked, details: beyond({ asked: 120 }) };
    },
  ],
  [
    'spend_approval_approve',
    'PRICING_NOT_CONFIGURED',
    'no rule is about the seller any more',
    async (world) => {
      const asked = await waitingIn(world, 100);
      await unpricedIn(world);
      return { ...asked, details: unpriced(world) };
    },
  ],
];

export const refusedOrders: readonly Refused[] = [
  ...ofExecute,
  ...ofConstraints,
  ...ofVersions,
  ...ofBatch,
  ...ofOthers,
];
