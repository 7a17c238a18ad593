import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson } from '../support/callers/people.ts';
import { discover, productIdsIn } from '../support/sellers/discovery.ts';
import { connectAgent, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

let server: TestServer;
let agent: SellerAgent;
beforeAll(async () => {
  server = await startTestServer({
    settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', SELLER_ALLOWED_ORGANIZATIONS: '999999' },
  });
  agent = await startSellerAgent([adcpProduct('inside-1')]);
});
afterAll(async () => {
  await server.stop();
  await agent.stop();
});

test('a range that the operator opened for one organization is closed to the sellers of others', async () => {
  const seller = await newPerson(server);
  const { storefrontId } = await connectAgent(seller, 'https://ads.example/mcp');
  // As if it had been stored while the range was open to it.
  await server.store.db
    .updateTable('inventory_sources')
    .set({ endpoint_url: agent.url })
    .where('organization_id', '=', seller.organizationId)
    .execute();
  const buyer = await newPerson(server);

  const snapshot = await discover(buyer, await newAdvertiser(buyer), [storefrontId]);

  expect(productIdsIn(snapshot)).toEqual([]);
  expect(snapshot.incompleteAgents).toMatchObject([
    { message: 'The address of the seller is not one that this service may call.' },
  ]);
  expect(agent.calls).toEqual([]);
});
