import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limitSpend } from '../../support/buying/spend-limits.ts';
import type { Reply } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';
import { allUnderWay } from '../../support/server/under-way.ts';

interface Buy {
  readonly mediaBuyId: string;
  readonly status: string;
  readonly budget: number;
  readonly salesAgentId: string;
  readonly packages: readonly { readonly packageId: string }[];
}

/** Two calls about the money of one campaign, both of which have read it before either has written. */
describe('the budget of a campaign, changed by two at once', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let sellers: readonly FarSeller[];
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    sellers = [await farSeller(server, 'Ada'), await farSeller(server, 'Bea')];
  });
  beforeEach(async () => {
    for (const seller of sellers) takesChanges(seller);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all(sellers.map(({ agent }) => agent.stop()));
  });

  /** A campaign that runs with a media buy of 100 at each seller. */
  async function running(total: number): Promise<string> {
    const storefrontIds = sellers.map(({ storefrontId }) => storefrontId);
    const { campaignId } = await draftCampaign(buyer, { advertiserId, budget: total, storefrontIds });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    return campaignId;
  }

  const read = async (id: string) => done(await buyer.get(`/buyer/campaigns/${id}`)).campaign;
  const raise = ({ mediaBuyId, packages: [part] }: Buy, budget: number) =>
    buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId: part?.packageId, budget }] });

  const atOnce = (...calls: (() => Promise<Reply>)[]) => allUnderWay(server, calls);
  const refusedOne = (replies: readonly Reply[]) => {
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    return refused[0] as Reply;
  };

  test('takes one of two raises that together are more than its total', async () => {
    const campaignId = await running(300);
    const { mediaBuys } = await read(campaignId);

    const replies = await atOnce(...mediaBuys.map((buy: Buy) => () => raise(buy, 200)));

    expectRefusal(refusedOne(replies), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total':
          'The campaign has 300.00 USD (budget.total); with this change the media buys take 400.00 USD.',
      },
    });
    expect(await read(campaignId)).toMatchObject({ allocatedBudget: 300, unallocatedBudget: 0 });
  });

  test('takes two raises that both have room', async () => {
    const campaignId = await running(300);
    const { mediaBuys } = await read(campaignId);

    const replies = await atOnce(...mediaBuys.map((buy: Buy) => () => raise(buy, 150)));

    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await read(campaignId)).toMatchObject({ allocatedBudget: 300, unallocatedBudget: 0 });
  });

  test('is raised for a media buy, or lowered in all, where there is no room for both', async () => {
    const campaignId = await running(300);
    const [first] = (await read(campaignId)).mediaBuys;

    const replies = await atOnce(
      () => raise(first, 200),
      () => buyer.put(`/buyer/campaigns/${campaignId}`, { budget: { total: 220 } }),
    );

    expectRefusal(refusedOne(replies), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total':
          'The campaign has 220.00 USD (budget.total); with this change the media buys take 300.00 USD.',
      },
    });
    const { unallocatedBudget } = await read(campaignId);
    expect(unallocatedBudget).toBeGreaterThanOrEqual(0);
  });

  test('is raised, or ordered with once more, where there is no room for both', async () => {
    const [ada] = sellers as [FarSeller];
    ada.agent.on('create_media_buy', () => ({ errors: [{ code: 'BUDGET_TOO_LOW', message: 'More.' }] }));
    const campaignId = await running(300);
    const mediaBuys: readonly Buy[] = (await read(campaignId)).mediaBuys;
    const runs = mediaBuys.find(({ status }) => status === 'ACTIVE') as Buy;
    takesChanges(ada);
    const { discoveryId } = await read(campaignId);
    const failed = mediaBuys.find(({ status }) => status === 'FAILED') as Buy;
    const product = { productId: 'ada-1', salesAgentId: failed.salesAgentId, budget: 190 };
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: [product] }));

    const replies = await atOnce(
      () => raise(runs, 200),
      () => buyer.post(`/buyer/campaigns/${campaignId}/execute`),
    );

    // Whoever comes second is told of it in the words of its call.
    const isRaise = replies[0]?.status !== 200;
    expectRefusal(refusedOne(replies), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total': `The campaign has 300.00 USD (budget.total); ${isRaise ? 'with this change the media buys' : 'the chosen products'} take 390.00 USD.`,
      },
    });
    expect((await read(campaignId)).unallocatedBudget).toBeGreaterThanOrEqual(0);
  });

  test('passes the limit of the organization by no two raises that it keeps one by one', async () => {
    const campaignId = await running(1_000);
    await limitSpend(server, buyer, 350);
    const { mediaBuys } = await read(campaignId);

    const replies = await atOnce(...mediaBuys.map((buy: Buy) => () => raise(buy, 240)));

    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const asked = replies.filter(({ body }) => body.data.approval !== undefined);
    expect(asked.map(({ body }) => body.data.approval)).toMatchObject([{ amount: 480, limit: 350 }]);
    expect(await read(campaignId)).toMatchObject({ allocatedBudget: 340 });
  });
});
