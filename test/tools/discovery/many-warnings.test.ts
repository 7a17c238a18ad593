import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { discover } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const MANY = 25;
const costly = {
  pricing_options: [
    {
      pricing_option_id: 'big',
      pricing_model: 'cpm',
      currency: 'USD',
      fixed_price: 5,
      min_spend_per_package: 900,
    },
  ],
};
const ids = Array.from({ length: MANY }, (_, index) => `costly-${index}`);
const products = [
  productAt('news.example', 'news'),
  productAt('tv.example', 'tv', costly),
  ...ids.map((id) => productAt('tv.example', id, costly)),
];
const part = (product_id: string) => ({ product_id, allocation_percentage: 50 });
const proposals = [{ proposal_id: 'plan', name: 'Plan', allocations: [part('news'), part('tv')] }];

/** More to warn of than is told at once: each product of a choice starts at more than its share of the budget. */
describe('a choice with many warnings', () => {
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  let discoveryId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far Media', products);
    far.agent.on('get_products', () => ({ products, proposals }));
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });
  beforeEach(async () => {
    discoveryId = (await discover(buyer, advertiserId, [far.storefrontId])).discoveryId;
    const chosen = ids.map((productId) => ({ productId }));
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: chosen }));
  });

  const draft = async (total: number) => {
    const fields = { advertiserId, name: 'Winter', flightDates, budget: { total }, discoveryId };
    return done(await buyer.post('/buyer/campaigns', fields)).campaign;
  };
  const ofProducts = (warnings: readonly string[]) => warnings.filter((text) => text.includes('starts at'));

  test('tells 19 of them and how many more there are', async () => {
    const { warnings } = await draft(1_000);

    expect(warnings).toHaveLength(20);
    expect(warnings.at(-1)).toBe('There are 6 more warnings.');
  });

  test('counts those of all drafts that are to buy it', async () => {
    await draft(1_000);
    await draft(2_000);

    const { warnings } = done(await buyer.get(`/buyer/discovery/${discoveryId}/products`));

    expect(ofProducts(warnings)).toHaveLength(19);
    expect(warnings.at(-1)).toBe(`There are ${2 * MANY - 19} more warnings.`);
  });

  test('says of each product of a proposal why it is skipped, whatever else there is to tell', async () => {
    await draft(1_000);

    const applied = done(
      await buyer.post(`/buyer/discovery/${discoveryId}/apply-proposal`, {
        proposalId: 'plan',
        totalBudget: 1_000,
      }),
    );

    expect(applied).toMatchObject({ productsApplied: 1, productsSkipped: ['tv'] });
    expect(applied.warnings[0]).toBe('Product tv of Agent is left out: This option starts at 900 USD.');
    expect(ofProducts(applied.warnings.slice(1))).toHaveLength(19);
    expect(applied.warnings.at(-1)).toBe('There are 6 more warnings.');
    expect(applied.campaignWarning).not.toContain('left out');
  });

  test('is refused with 20 of its problems, and how many more there are', async () => {
    const { campaignId } = await draft(1_000);

    const refused = await buyer.post(`/buyer/campaigns/${campaignId}/execute`);

    expectRefusal(refused, 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total':
          /^Product costly-0 starts at 900 USD; 40 USD of budget\.total fall to it\. Product costly-1 /,
      },
    });
    const { message, details } = refused.body.error;
    expect(message).toContain('There are 5 more problems.');
    expect(details).toMatchObject({ moreIssues: 5 });
    expect(details.issues).toHaveLength(20);
  });
});
