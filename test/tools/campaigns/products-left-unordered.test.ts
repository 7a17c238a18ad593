import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
let buyer: Person;
let far: FarSeller;
let advertiserId: string;
beforeAll(async () => {
  server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  buyer = await newPerson(server);
  advertiserId = await newAdvertiser(buyer);
  far = await farSeller(server, 'Far', [adcpProduct('one'), adcpProduct('two')]);
  far.agent.on('create_media_buy', ({ packages }) => ({
    ...{ media_buy_id: `far_${orders()}`, status: 'active' },
    packages: [packages].flat().map((part, at) => ({ package_id: `p_${at}`, ...Object(part) })),
  }));
});
afterAll(async () => {
  await server.stop();
  await far.agent.stop();
});

const orders = () => far.agent.calls.filter(({ tool }) => tool === 'create_media_buy').length;
const execute = async (id: string) => done(await buyer.post(`/buyer/campaigns/${id}/execute`));
const choose = async (discoveryId: string, productId: string) =>
  done(
    await buyer.post(`/buyer/discovery/${discoveryId}/products`, {
      products: [{ productId, salesAgentId: far.agentId, budget: 100 }],
    }),
  );

test('a product of a seller that a campaign has bought of is named as not ordered, with a way that buys it', async () => {
  const draft = { ...far, advertiserId, total: 500 };
  const campaignId = await draftOf(buyer, { ...draft, productId: 'one' });
  const { warnings: atFirst = [], mediaBuys } = await execute(campaignId);
  const { discoveryId, name } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  const said =
    /^Not ordered: .*two.* of \S+\. .* is ACTIVE, and a campaign orders from a seller once\. To buy them, choose them in a new session of discover_products, and make a campaign of that with campaign_create\.$/;

  const chosen = await choose(discoveryId, 'two');

  expect(chosen.warnings).toEqual([expect.stringMatching(said)]);
  expect(done(await buyer.get(`/buyer/discovery/${discoveryId}/products`)).warnings).toEqual(chosen.warnings);
  expect(atFirst.map(({ type }: { type: string }) => type)).not.toContain('not_ordered');
  expect(await execute(campaignId)).toMatchObject({
    reason: 'no_media_buys_to_execute',
    warnings: [{ type: 'not_ordered', hint: chosen.warnings[0], mediaBuyIds: [mediaBuys[0].mediaBuyId] }],
  });
  expect(chosen.warnings[0]).toContain(name);
  expect(done(await buyer.get(`/buyer/campaigns/${campaignId}/products`)).summary).toEqual({
    totalProducts: 2,
    productsOnMediaBuys: 1,
    productsPending: 0,
  });

  const another = await draftOf(buyer, { ...draft, productId: 'two' });
  expect(await execute(another)).toMatchObject({ success: true, mediaBuysExecuted: 1 });
  expect(orders()).toBe(2);
});

test('what is chosen of a seller that an executed campaign of the query has nothing of is told as ordered by its next execute', async () => {
  const near = await farSeller(server, 'Near', [adcpProduct('near')]);
  const south = await farSeller(server, 'South', [adcpProduct('south')]);
  const { products, ext } = done(
    await buyer.post('/buyer/products/query', {
      ...{ buying_mode: 'brief', brief: 'Mornings' },
      ext: {
        interchange: {
          ...{ advertiser_id: advertiserId, wait_seconds: 30 },
          storefront_ids: [far, near, south].map(({ storefrontId }) => storefrontId),
        },
      },
    }),
  );
  const idOf = (source: string) =>
    products.find((one: (typeof products)[0]) => one.ext.interchange.source_product_id === source).product_id;
  const batch = async (name: string, source: string, mode: string) =>
    done(
      await buyer.post('/buyer/media-buys/batch', {
        campaign: { create: { advertiserId, name, budget: { total: 300 }, flightDates } },
        ...{ productQueryId: ext.interchange.execution_id, mode },
        selections: [{ kind: 'product', productId: idOf(source), budget: 100 }],
      }),
    );
  const first = await batch('First', 'one', 'execute');

  const staged = await batch('Second', 'near', 'stage');

  const said = `First (${first.campaignId}) is ACTIVE and buys this choice: its next campaign_execute orders what is chosen of Agent.`;
  expect(staged.warnings).toContain(said);
  const { discoveryId } = done(await buyer.get(`/buyer/campaigns/${first.campaignId}`)).campaign;
  expect(done(await buyer.get(`/buyer/discovery/${discoveryId}/products`)).warnings).toContain(said);
  const both = 'orders what is chosen of Agent (Near), Agent (South).';
  expect((await batch('Third', 'south', 'stage')).warnings).toContainEqual(expect.stringContaining(both));
  expect(await execute(first.campaignId)).toMatchObject({ success: true, mediaBuysExecuted: 2 });
  const { warnings: left = [] } = done(await buyer.get(`/buyer/discovery/${discoveryId}/products`));
  expect(left.join()).not.toContain('orders what is chosen');
  await Promise.all([near, south].map(({ agent }) => agent.stop()));
});
