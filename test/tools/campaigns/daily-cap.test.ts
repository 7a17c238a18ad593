import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { decidesLater, takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
let far: FarSeller;
let buyer: Person;
beforeAll(async () => {
  server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  far = await farSeller(server, 'Far');
  takesChanges(far);
  buyer = await newPerson(server);
});
afterAll(async () => {
  await server.stop();
  await far.agent.stop();
});

/** A campaign of 21 days with a cap of 900 a day, and a buy of 2,000 at each of its sellers. */
async function running(...others: readonly FarSeller[]) {
  const storefrontIds = [far, ...others].map(({ storefrontId }) => storefrontId);
  const draft = { budget: 5_000, each: 2_000, storefrontIds };
  const { campaignId } = await draftCampaign(buyer, {
    ...draft,
    advertiserId: await newAdvertiser(buyer),
    campaign: { budget: { total: 5_000, dailyCap: 900 } },
  });
  done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  const { mediaBuys } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  const buyAt = ({ agentId }: FarSeller) =>
    mediaBuys.find(({ salesAgentId }: { salesAgentId: string }) => salesAgentId === agentId);
  const buy = buyAt(far);
  const path = `/buyer/media-buys/${buy.mediaBuyId}`;
  return { path, campaign: `/buyer/campaigns/${campaignId}`, packageId: buy.packages[0].packageId, buyAt };
}

test('a media buy is not shortened to where it would spend more a day than its campaign may', async () => {
  const { path } = await running();

  const reply = await buyer.patch(path, { end_time: '2026-12-12T00:00:00Z' });

  expectRefusal(reply, 409, {
    code: 'INSUFFICIENT_MEDIA_BUDGET',
    at: {
      'budget.dailyCap':
        'Within budget.dailyCap 900.00 USD can be spent a day; the media buys would take 1000.00 USD a day.',
    },
  });
  expect(reply.body.error.details).toMatchObject({ dailyCap: 900, perDay: 1_000 });
  done(await buyer.patch(path, { end_time: '2026-12-13T00:00:00Z' }));
});

test('a media buy of few days is not raised beyond what its campaign may spend a day', async () => {
  const { path, packageId } = await running();
  done(await buyer.patch(path, { end_time: '2026-12-13T00:00:00Z' }));

  const raised = (budget: number) => buyer.patch(path, { packages: [{ packageId, budget }] });

  expectRefusal(await raised(2_800), 409, {
    code: 'INSUFFICIENT_MEDIA_BUDGET',
    at: {
      'budget.dailyCap':
        'Within budget.dailyCap 900.00 USD can be spent a day; the media buys would take 933.34 USD a day.',
    },
  });
  done(await raised(2_700));
});

test('a daily cap is not lowered below what a media buy of few days spends', async () => {
  const { path, campaign } = await running();
  done(await buyer.patch(path, { end_time: '2026-12-13T00:00:00Z' }));

  const lowered = (dailyCap: number) => buyer.put(campaign, { budget: { dailyCap } });

  expectRefusal(await lowered(600), 409, {
    code: 'INSUFFICIENT_MEDIA_BUDGET',
    at: {
      'budget.dailyCap':
        'Within budget.dailyCap 600.00 USD can be spent a day; the media buys would take 666.67 USD a day.',
    },
  });
  done(await lowered(700));
});

test('a daily cap that is too low beside a media buy that is called off counts what that has spent', async () => {
  const near = await farSeller(server, 'Near');
  takesChanges(near);
  const { path, campaign, buyAt } = await running(near);
  done(await buyer.patch(path, { end_time: '2026-12-13T00:00:00Z' }));
  const { mediaBuyId } = buyAt(near);
  await server.store.db
    .updateTable('media_buys')
    .set({ spend_minor: 30_000 })
    .where('organization_id', '=', buyer.organizationId)
    .where('id', '=', mediaBuyId)
    .execute();

  const mediaBuys = [{ mediaBuyId, action: 'cancel' }];
  const reply = await buyer.put(campaign, { budget: { dailyCap: 600 }, mediaBuys });
  await near.agent.stop();

  expectRefusal(reply, 409, {
    code: 'INSUFFICIENT_MEDIA_BUDGET',
    at: {
      'budget.dailyCap':
        'Within budget.dailyCap 600.00 USD can be spent a day; the media buys would take 666.67 USD a day.',
    },
    details: { requestedTotal: 5_000, committedAllocation: 2_300 },
  });
});

/** The same with its buy in three days, and a seller that looks at each change before it says anything of it. */
async function reviewed() {
  const kept = takesChanges(far);
  const made = await running();
  done(await buyer.patch(made.path, { end_time: '2026-12-13T00:00:00Z' }));
  const [bought] = [...kept.values()];
  const { decides } = decidesLater(far);
  const mediaBuyId = made.path.split('/').at(-1);
  const lowered = (budget: number) => [{ mediaBuyId, packages: [{ packageId: made.packageId, budget }] }];
  const decided = async (answer: object, budget = 2_000) => {
    if (bought === undefined) throw new Error('Nothing was bought.');
    const packages = bought.packages.map((part) => ({ ...part, budget }));
    kept.set(bought.media_buy_id, { ...bought, packages });
    decides(answer);
    done(await buyer.get(`${made.campaign}/media-buy-status`));
  };
  return { ...made, lowered, decided, read: async () => done(await buyer.get(made.campaign)).campaign };
}

test('a daily cap is lowered together with a media buy of few days, once its seller has confirmed', async () => {
  const { campaign, lowered, decided, read } = await reviewed();

  done(await buyer.put(campaign, { budget: { dailyCap: 500 }, mediaBuys: lowered(1_500) }));

  expect(await read()).toMatchObject({
    budget: { dailyCap: 900 },
    pendingUpdate: { budget: { dailyCap: 500 } },
  });
  await decided({ status: 'completed', result: {} }, 1_500);
  expect(await read()).toMatchObject({ budget: { dailyCap: 500 }, allocatedBudget: 1_500 });
});

test('a daily cap stays where the seller of that media buy refuses', async () => {
  const { campaign, lowered, decided, read } = await reviewed();
  done(await buyer.put(campaign, { budget: { dailyCap: 500 }, mediaBuys: lowered(1_500) }));

  await decided({ status: 'rejected', error: { code: 'POLICY_VIOLATION', message: 'No.' } });

  const after = await read();
  expect(after).toMatchObject({ budget: { dailyCap: 900 }, allocatedBudget: 2_000 });
  expect(after).toMatchObject({ pendingUpdate: { budget: { dailyCap: 500 } } });
});

test('a daily cap and a total that wait for the same media buy hold together once it is lowered', async () => {
  const { campaign, lowered, decided, read } = await reviewed();
  const budget = { total: 1_900, dailyCap: 600 };
  done(await buyer.put(campaign, { budget, mediaBuys: lowered(1_800) }));

  await decided({ status: 'completed', result: {} }, 1_800);

  expect(await read()).toMatchObject({ budget });
});

test.each([
  ['alone', { dailyCap: 500 }],
  ['with a total that waits', { total: 1_900, dailyCap: 500 }],
])('a daily cap, %s, is not lowered below what a media buy spends once it is lowered', async (_, budget) => {
  const { campaign, lowered } = await reviewed();

  const reply = await buyer.put(campaign, { budget, mediaBuys: lowered(1_800) });

  expectRefusal(reply, 409, {
    code: 'INSUFFICIENT_MEDIA_BUDGET',
    at: {
      'budget.dailyCap':
        'Within budget.dailyCap 500.00 USD can be spent a day; the media buys would take 600.00 USD a day.',
    },
  });
});
