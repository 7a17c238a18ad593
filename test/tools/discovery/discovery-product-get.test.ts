import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('discovery_product_get', () => {
  let server: TestServer;
  let sellers: FarSeller[];
  let buyer: Person;
  let id: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    sellers = [
      await farSeller(server, 'Ada', [productAt('one.example', 'shared'), productAt('one.example', 'own')]),
      await farSeller(server, 'Bea', [productAt('two.example', 'shared')]),
    ];
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const storefrontIds = sellers.map(({ storefrontId }) => storefrontId);
    const fields = { advertiserId, storefrontIds, waitSeconds: 30 };
    id = done(await buyer.post('/buyer/discovery/discover-products', fields)).discoveryId;
  });
  afterAll(async () => {
    await server.stop();
    for (const { agent } of sellers) await agent.stop();
  });

  const get = (productId: string, query = '') =>
    buyer.get(`/buyer/discovery/${id}/products/${productId}/details${query}`);

  test('200: shows a product as the session found it, with its group', async () => {
    const { productGroups } = done(await buyer.get(`/buyer/discovery/${id}/browse-products`));
    const group = productGroups.find(({ products }: { products: { productId: string }[] }) =>
      products.some(({ productId }) => productId === 'own'),
    );
    const listed = group.products.find(({ productId }: { productId: string }) => productId === 'own');

    const product = done(await get('own'));

    expect(product).toMatchObject({ ...listed, groupId: group.groupId, groupName: group.groupName });
    expect(product).toMatchObject({
      productId: 'own',
      salesAgentId: sellers[0]?.agentId,
      storefrontId: sellers[0]?.storefrontId,
      pricingOptions: expect.any(Array),
    });
  });

  test('200: tells two sellers of the same id apart by salesAgentId, and 400 asks for it', async () => {
    for (const { agentId } of sellers) {
      expect(done(await get('shared', `?salesAgentId=${agentId}`))).toMatchObject({ salesAgentId: agentId });
    }
    expectRefusal(await get('shared'), 400, {
      code: 'VALIDATION_ERROR',
      at: { salesAgentId: /^Several sellers have this product\. Give one of: agt_\w+, agt_\w+\.$/ },
    });
  });

  test('404 NOT_FOUND for a product that the session did not find', async () => {
    expectRefusal(await get('nowhere'), 404, {
      code: 'NOT_FOUND',
      words: 'No such product in this session.',
    });
    expectRefusal(await get('own', `?salesAgentId=${sellers[1]?.agentId}`), 404, {
      code: 'NOT_FOUND',
      words: 'No such product in this session.',
    });
  });
});
