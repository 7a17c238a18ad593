import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPricingRule } from '../../../tools/domain/ledger/pricing-rules.ts';
import { newPerson } from '../../support/callers/people.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
let far: FarSeller;
beforeAll(async () => {
  server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  far = await farSeller(server, 'Far');
});
afterAll(async () => {
  await server.stop();
  await far.agent.stop();
});

const PERIODS = [
  { label: 'First', start: '2026-12-10', end: '2026-12-16', weight: 1 },
  { label: 'Second', start: '2026-12-17', end: '2026-12-23', weight: 1 },
  { label: 'Third', start: '2026-12-24', end: '2026-12-30', weight: 1 },
];

test.each([
  ['lists its packages', () => takesChanges(far)],
  [
    'has yet to list them',
    () => far.agent.on('create_media_buy', () => ({ media_buy_id: 'far_1', status: 'active', packages: [] })),
  ],
])('what a seller that %s gets by periods is told to the cent', async (_, answers) => {
  answers();
  const buyer = await newPerson(server);
  await setPricingRule(server.operator, { organizationId: buyer.organizationId, feeBps: 1_000 });
  const advertiserId = await newAdvertiser(buyer);
  const campaign = { pacingPeriods: { mode: 'weight', periods: PERIODS } };
  const { campaignId } = await draftCampaign(buyer, {
    ...{ advertiserId, budget: 100, storefrontIds: [far.storefrontId], campaign },
  });

  const [{ mediaBuyId }] = done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`)).mediaBuys;

  const orders = far.agent.calls.filter(({ tool }) => tool === 'create_media_buy');
  const sent = orders.map(({ args }) => args as { packages: { budget: number }[] });
  const budgets = sent.at(-1)?.packages.map(({ budget }) => budget);
  expect(budgets).toEqual([29.99, 29.99, 30]);
  const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`));
  expect(mediaBuy.budget_breakdown).toMatchObject({ media_budget: 89.98, fee_amount: 10.02 });
});

test('packages have what was asked for, and as much together as their media buy', async () => {
  takesChanges(far);
  const buyer = await newPerson(server);
  await setPricingRule(server.operator, { organizationId: buyer.organizationId, feeBps: 1_370 });
  const campaign = { pacingPeriods: { mode: 'weight', periods: PERIODS } };
  const { campaignId } = await draftCampaign(buyer, {
    ...{ advertiserId: await newAdvertiser(buyer), budget: 1_000, each: 500 },
    ...{ storefrontIds: [far.storefrontId], campaign },
  });
  const [{ mediaBuyId }] = done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`)).mediaBuys;
  const read = async () => {
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`));
    const { packages } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`));
    const budgets = mediaBuy.packages.map(({ budget }: { budget: number }) => budget);
    expect(packages.map(({ budget }: { budget: number }) => budget)).toEqual(budgets);
    return { budget: mediaBuy.budget, budgets, packages };
  };
  const { packages, ...ordered } = await read();
  expect(ordered).toEqual({ budget: 500, budgets: [166.66, 166.67, 166.67] });

  const asked = [10.01, 10.03];
  const changed = packages.slice(0, 2).map(({ packageId }: { packageId: string }, index: number) => {
    return { packageId, budget: asked[index] };
  });
  done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: changed }));

  expect(await read()).toMatchObject({ budget: 186.71, budgets: [...asked, 166.67] });
  done(
    await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ ...changed[0], budget: 10.02 }] }),
  );
  expect(await read()).toMatchObject({ budget: 186.72, budgets: [10.02, 10.03, 166.67] });
});
