import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { discover, draftOf } from '../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUY = { media_buy_id: 'far_1', status: 'active', packages: [] };

/** Whatever became of an order that was taken once: it is never bought a second time. */
describe('an order that its seller took and ended', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let advertiserId: string;
  let discoveryId: string;
  let campaignId: string;
  let mediaBuyId: string;
  beforeAll(async () => {
    // What is stored by hand below is what housekeeping takes up: it makes no round meanwhile.
    const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', PROCESS_LEASE_MS: '600000' };
    server = await startTestServer({ settings });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());
  afterEach(() => far.agent.stop());
  beforeEach(async () => {
    far = await farSeller(server, 'Far', [adcpProduct('one'), adcpProduct('two')]);
    far.agent.on('create_media_buy', () => BUY);
    campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'one', total: 500 });
    discoveryId = (await campaignNow()).discoveryId;
    mediaBuyId = (await execute()).mediaBuys[0].mediaBuyId;
  });

  const choose = async (productId: string) => {
    const products = [{ productId, salesAgentId: far.agentId, budget: 100 }];
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }));
  };
  const execute = async () => done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  const orders = () => far.agent.calls.filter(({ tool }) => tool === 'create_media_buy').length;
  const campaignNow = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;

  async function rejected() {
    far.agent.on('get_media_buys', () => ({ media_buys: [{ ...BUY, status: 'rejected' }] }));
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
  }

  /** As it was stored of orders that were answered with the state of a task beside the id. */
  async function failed() {
    const { db } = server.store;
    await db
      .withoutPlugins()
      .updateTable('media_buys')
      .set({ status: 'FAILED' })
      .where('id', '=', mediaBuyId)
      .execute();
    await db
      .withoutPlugins()
      .updateTable('campaigns')
      .set({ status: 'DRAFT' })
      .where('id', '=', campaignId)
      .execute();
  }

  describe.each([
    ['REJECTED', rejected],
    ['FAILED', failed],
  ] as const)('and that is %s', (status, ends) => {
    beforeEach(async () => {
      await ends();
      expect(await campaignNow()).toMatchObject({ status: 'DRAFT', mediaBuys: [{ status }] });
    });

    test('is not sent again, neither as it was nor with other products, and is told of', async () => {
      const same = await execute();
      await choose('two');
      const other = await execute();

      expect(orders()).toBe(1);
      for (const result of [same, other]) {
        expect(result).toMatchObject({ newStatus: 'DRAFT', reason: 'no_media_buys_to_execute' });
        const hint = `Winter – Agent is ${status}: Agent had taken it as far_1, so that nothing more is ordered there by this campaign. Choose products of other sellers, or order from it with another campaign.`;
        expect(result.warnings).toEqual([{ type: 'ended_at_seller', hint, mediaBuyIds: [mediaBuyId] }]);
      }
      const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`));
      expect(mediaBuy).toMatchObject({ status, adcpMediaBuyId: 'far_1' });
      expect(mediaBuy.explanation).toMatch(/it is not ordered again\. You: choose products of other/);
    });

    test('leaves the orders of other sellers to go out', async () => {
      const near = await farSeller(server, 'Near');
      const all = await discover(buyer, advertiserId, [far.storefrontId, near.storefrontId]);
      const products = [
        { productId: 'one', salesAgentId: far.agentId, budget: 100 },
        { productId: 'near-1', salesAgentId: near.agentId },
      ];
      done(await buyer.post(`/buyer/discovery/${all.discoveryId}/products`, { products }));
      done(await buyer.put(`/buyer/campaigns/${campaignId}`, { discoveryId: all.discoveryId }));

      expect(await execute()).toMatchObject({
        newStatus: 'ACTIVE',
        mediaBuysExecuted: 1,
        mediaBuys: [{ salesAgentId: near.agentId, budget: 500 }],
      });
      expect(orders()).toBe(1);
      await near.agent.stop();
    });

    test('is given no other products, budgets or periods', async () => {
      const path = `/buyer/media-buys/${mediaBuyId}`;
      for (const change of [{ products: [{ productId: 'two' }] }, { name: 'Other' }, { pacingPeriods: null }])
        expectRefusal(await buyer.patch(path, change), 409, {
          code: 'CONFLICT',
          at: { media_buy_id: `Winter – Agent is ${status}: it cannot be changed any more.` },
        });
      expect(orders()).toBe(1);
    });
  });
});
