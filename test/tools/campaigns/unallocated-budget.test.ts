import { expect, test } from 'vitest';
import { marketId } from '../../../tools/domain/discovery/market-ids.ts';
import { refusesOrders } from '../../support/buying/money-world.ts';
import { newPerson } from '../../support/callers/people.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { draftOf } from '../../support/sellers/discovery.ts';
import { farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer } from '../../support/server/server.ts';

test('an execute tells what is given to no product with what can be done about it then, which works', async () => {
  const server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  const buyer = await newPerson(server);
  const far = await farSeller(server, 'Far');
  const order = (budget: number) => ({
    media_buy_id: 'far_1',
    status: 'active',
    packages: [{ package_id: 'pkg_1', product_id: 'far-1', budget }],
  });
  far.agent.on('create_media_buy', () => order(100));
  far.agent.on('update_media_buy', () => order(150));
  const advertiserId = await newAdvertiser(buyer);
  const campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1', total: 1_000 });
  const at = `/buyer/campaigns/${campaignId}`;
  const draft = done(await buyer.get(at)).campaign;

  const executed = done(await buyer.post(`${at}/execute`));

  const left = '900.00 USD of 1000.00 USD are given to no product';
  expect(draft.warnings).toEqual([`${left}: raise the budgets of the products, or choose more of them.`]);
  expect(executed.warnings).toEqual([
    {
      type: 'unallocated_budget',
      hint:
        `${left}: raise budgets of its packages with media_buy_update, lower budget.total with campaign_update, ` +
        'or buy more in another campaign.',
    },
  ]);
  const packages = [{ packageId: 'pkg_1', budget: 150 }];
  done(await buyer.patch(`/buyer/media-buys/${executed.mediaBuys[0].mediaBuyId}`, { packages }));
  done(await buyer.put(at, { budget: { total: 200 } }));
  const { campaign } = done(await buyer.get(at));
  expect(campaign).toMatchObject({ allocatedBudget: 150, unallocatedBudget: 50 });
  expect(campaign.warnings).toBeUndefined();
  await server.stop();
  await far.agent.stop();
});

test('an update that gives a campaign more says what its media buys were not given of it', async () => {
  const clock = skippingClock();
  const server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  const buyer = await newPerson(server);
  const far = await farSeller(server, 'Far');
  far.agent.on('create_media_buy', () => ({
    media_buy_id: 'far_1',
    status: 'active',
    packages: [{ package_id: 'pkg_1', product_id: 'far-1', budget: 100 }],
  }));
  const advertiserId = await newAdvertiser(buyer);
  const campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1', total: 1_000 });
  const at = `/buyer/campaigns/${campaignId}`;
  done(await buyer.post(`${at}/execute`));
  const [{ name, startTime, endTime }] = done(await buyer.get(at)).campaign.mediaBuys;
  const endDate = new Date(Date.parse(endTime) + 86_400_000).toISOString();
  const warningsAfter = async (body: object) => done(await buyer.put(at, body)).campaign.warnings;

  expect(await warningsAfter({ name: 'Another name' })).toBeUndefined();
  expect(await warningsAfter({ budget: { total: 1_200 }, flightDates: { endDate } })).toEqual([
    '1100.00 USD of 1200.00 USD are given to no media buy: raise budgets of packages with media_buy_update, or buy more in another campaign.',
    `The campaign ends at ${endDate}, and ${name} at ${endTime}: give each its own end_time with media_buy_update.`,
  ]);
  expect(await warningsAfter({ budget: { total: 1_100 } })).toBeUndefined();
  const [sooner, past] = [1, 400].map((days) =>
    new Date(Date.parse(startTime) - days * 86_400_000).toISOString(),
  );
  const late = (start: string) =>
    `The campaign starts at ${start}, and ${name} at ${startTime}: give each its own start_time with media_buy_update.`;
  expect(await warningsAfter({ flightDates: { startDate: sooner } })).toEqual([late(sooner ?? '')]);
  expect(await warningsAfter({ flightDates: { startDate: past } })).toEqual([late(past ?? '')]);
  // What runs already begins no sooner.
  clock.skip(Date.parse(startTime) - clock.now() + 1);
  expect(await warningsAfter({ flightDates: { startDate: '2020-01-01' } })).toBeUndefined();
  await server.stop();
  await far.agent.stop();
});

test('an execute that every seller refused tells of it as the draft does, alone and in a batch, which works', async () => {
  const server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  const buyer = await newPerson(server);
  const far = await farSeller(server, 'Far');
  refusesOrders({ far });
  const { campaignId, discoveryId, products } = await draftCampaign(buyer, {
    advertiserId: await newAdvertiser(buyer),
    storefrontIds: [far.storefrontId],
  });
  const at = `/buyer/campaigns/${campaignId}`;
  const nextStep =
    'Choose other products with discovery_add_products or discovery_remove_products, and call campaign_execute again.';
  const hint =
    '900.00 USD of 1000.00 USD are given to no product: raise the budgets of the products, or choose more of them.';

  const executed = done(await buyer.post(`${at}/execute`));

  const warnings = [{ type: 'unallocated_budget', hint }];
  expect(executed).toMatchObject({ newStatus: 'DRAFT', mediaBuysExecuted: 0, warnings, nextStep });
  expect(done(await buyer.get(at)).campaign.warnings).toEqual([hint]);
  const { salesAgentId: agentId, productId: sourceId } = products[0];
  const product = marketId('product', {
    storefrontId: far.storefrontId,
    sessionId: discoveryId,
    agentId,
    sourceId,
  });
  const batch = done(
    await buyer.post('/buyer/media-buys/batch', {
      productQueryId: discoveryId,
      campaign: { campaignId },
      mode: 'execute',
      selections: [{ kind: 'product', productId: product, budget: 100 }],
    }),
  );
  expect(batch).toMatchObject({ campaignStatus: 'DRAFT', warnings: [hint], nextStep });
  const raised = products.map((one: object) => ({ ...one, budget: 1_000 }));
  done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: raised }));
  expect(done(await buyer.get(at)).campaign).not.toHaveProperty('warnings');
  await server.stop();
  await far.agent.stop();
});
