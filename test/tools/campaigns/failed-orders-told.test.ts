import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A campaign of 400 that buys for 100 each of two sellers, of which one refuses its order. */
describe('a campaign of which one seller refused its order', () => {
  let server: TestServer;
  let taker: FarSeller;
  let refuser: FarSeller;
  let buyer: Person;
  let path: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    taker = await farSeller(server, 'Taker');
    refuser = await farSeller(server, 'Refuser');
  });
  afterAll(async () => {
    await server.stop();
    await taker.agent.stop();
    await refuser.agent.stop();
  });
  beforeEach(async () => {
    takesChanges(taker);
    buyer = await newPerson(server);
    const storefrontIds = [taker.storefrontId, refuser.storefrontId];
    const draft = { advertiserId: await newAdvertiser(buyer), budget: 400, storefrontIds };
    const drafted = await draftCampaign(buyer, draft);
    path = `/buyer/campaigns/${drafted.campaignId}`;
  });

  const refuses = (code: string, recovery: string) =>
    refuser.agent.on('create_media_buy', () => ({ errors: [{ code, message: 'Not with us.', recovery }] }));
  const execute = async () => done(await buyer.post(`${path}/execute`));

  test('is told to change what was refused before it is executed again', async () => {
    refuses('POLICY_VIOLATION', 'terminal');

    const { nextStep, errors } = await execute();

    expect(errors).toHaveLength(1);
    expect(nextStep).toMatch(
      /^Change first what errors name, .* Then call campaign_execute\. Follow the others/,
    );
  });

  test('is told to choose others in place of what is sold out', async () => {
    refuses('PRODUCT_UNAVAILABLE', 'correctable');

    expect((await execute()).nextStep).toMatch(/^Choose other products, with discovery_add_products, /);
  });

  test('is told to retry what its seller could not take at the moment', async () => {
    refuses('SERVICE_UNAVAILABLE', 'transient');

    expect((await execute()).nextStep).toMatch(/^Retry what failed with campaign_execute\./);
  });

  test('has as much left in the answer as it says afterwards', async () => {
    refuses('POLICY_VIOLATION', 'terminal');

    const { warnings } = await execute();

    expect(warnings).toMatchObject([{ type: 'unallocated_budget' }]);
    expect(warnings[0].hint).toMatch(
      /^300\.00 USD of 400\.00 USD are given to no product that a seller took: /,
    );
    expect(done(await buyer.get(path)).campaign).toMatchObject({ unallocatedBudget: 300 });
  });

  test('lists its products with what they have by now, and counts what is bought', async () => {
    refuses('POLICY_VIOLATION', 'terminal');
    const { mediaBuys } = await execute();
    const { mediaBuyId } = mediaBuys.find(({ status }: { status: string }) => status === 'ACTIVE');
    const [{ packageId }] = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`)).packages;
    const packages = [{ packageId, budget: 110 }];
    done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages }));

    const { products, summary } = done(await buyer.get(`${path}/products`));

    const budgetOf = ({ agentId }: FarSeller) =>
      products.find(({ salesAgentId }: { salesAgentId: string }) => salesAgentId === agentId).budget;
    expect([budgetOf(taker), budgetOf(refuser)]).toEqual([110, 100]);
    expect(summary).toEqual({ totalProducts: 2, productsOnMediaBuys: 1, productsPending: 1 });
  });
});
