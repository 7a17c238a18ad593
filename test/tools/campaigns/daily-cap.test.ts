import { afterAll, beforeAll, expect, test } from 'vitest';
import { takesChanges } from '../../support/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { expectRefusal } from '../../support/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

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

/** A campaign of 21 days with a cap of 900 a day, and a buy of 2,000. */
async function running() {
  const draft = { budget: 5_000, each: 2_000, storefrontIds: [far.storefrontId] };
  const { campaignId } = await draftCampaign(buyer, {
    ...draft,
    advertiserId: await newAdvertiser(buyer),
    campaign: { budget: { total: 5_000, dailyCap: 900 } },
  });
  done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  const [buy] = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys;
  const path = `/buyer/media-buys/${buy.mediaBuyId}`;
  return { path, campaign: `/buyer/campaigns/${campaignId}`, packageId: buy.packages[0].packageId };
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
