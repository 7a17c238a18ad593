import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { engine } from '../support/database/database.ts';
import { holdLog } from '../support/database/held-log.ts';
import { draftOf } from '../support/sellers/discovery.ts';
import { connectAgent, done, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

// Where two transactions are open at once: on SQLite one writes after the other.
describe.runIf(engine === 'postgres')('a source that is deleted while it gets its first order', () => {
  let server: TestServer;
  let agent: SellerAgent;
  let seller: Person;
  let buyer: Person;
  let path: string;
  let campaignId: string;
  beforeAll(async () => {
    server = await startTestServer({ own: true, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    agent = await startSellerAgent([adcpProduct('far-1')]);
    seller = await newPerson(server);
    buyer = await newPerson(server);
  });
  afterAll(async () => {
    await agent.stop();
    await server.stop();
  });

  const remove = () => seller.delete(path);
  const execute = () => buyer.post(`/buyer/campaigns/${campaignId}/execute`);

  test.each([
    ['is gone where that came first, and nothing is ordered', [remove, execute], 0],
    ['stays where the order came first', [execute, remove], 1],
  ] as const)('%s', async (_, calls, ordered) => {
    const advertiserId = await newAdvertiser(buyer);
    const { storefrontId, agentId, sourceId } = await connectAgent(seller, agent.url);
    path = `/storefront/inventory-sources/${sourceId}`;
    campaignId = await draftOf(buyer, { advertiserId, storefrontId, agentId, productId: 'far-1' });
    const before = agent.calls.length;
    const log = await holdLog(server.database);

    const replies: ReturnType<typeof remove>[] = [];
    for (const call of calls) {
      replies.push(call());
      await log.behind(replies.length);
    }
    await log.release();
    const seen = (await Promise.all(replies)).map(({ status }) => status);

    expect(seen).toEqual([200, 409]);
    const orders = agent.calls.slice(before).filter(({ tool }) => tool === 'create_media_buy');
    expect(orders).toHaveLength(ordered);
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    expect(campaign.mediaBuys ?? []).toHaveLength(ordered);
  });
});
