import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type KeepingSeller, keepingSeller } from '../../support/keeping-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('a change of a media buy that waits for its seller', () => {
  let server: TestServer;
  let far: KeepingSeller;
  let buyer: Person;
  let campaignId: string;
  let mediaBuyId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    far = await keepingSeller(server, 'Far');
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const storefrontIds = [far.storefrontId];
    ({ campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds, budget: 300 }));
    done(await buyer.post(`${path()}/execute`, {}));
    const [buy] = (await campaign()).mediaBuys;
    ({ mediaBuyId } = buy);
    far.undecided();
    const packages = [{ packageId: buy.packages[0].packageId, budget: 200 }];
    done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages }));
    return () => far.agent.stop();
  });
  afterAll(() => server.stop());

  const path = () => `/buyer/campaigns/${campaignId}`;
  const campaign = async () => done(await buyer.get(`${path()}?detail=full`)).campaign;
  const status = async () => done(await buyer.get(`${path()}/media-buy-status`)).media_buys[0];
  const refuses = () =>
    far.agent.on('get_task_status', ({ task_id }) => ({
      task_id,
      status: 'rejected',
      error: { code: 'POLICY_VIOLATION', message: 'Too much.' },
    }));

  test('is shown with its campaign, in whose budget a raise counts already', async () => {
    const { mediaBuys, mediaBuyRefs, allocatedBudget, unallocatedBudget } = await campaign();

    expect([allocatedBudget, unallocatedBudget]).toEqual([200, 100]);
    expect(mediaBuys).toMatchObject([
      {
        budget: 100,
        revision: 2,
        buyerReference: `sf:${far.storefrontId}:${mediaBuyId}`,
        forwardedAt: expect.any(String),
        pendingChange: { pendingAt: 'salesagent', differences: { budget: { live: 100, proposed: 200 } } },
      },
    ]);
    expect(mediaBuyRefs).toMatchObject([
      {
        mediaBuyId,
        status: 'ACTIVE',
        pendingChange: { status: 'PENDING_APPROVAL', pendingAt: 'salesagent' },
      },
    ]);
  });

  test('is followed by campaign_get_media_buy_status, which says once that it was refused, and why', async () => {
    expect(await status()).toMatchObject({ change: { action: 'update', state: 'waiting' } });

    refuses();

    expect(await status()).toMatchObject({
      updated: true,
      change: { action: 'update', state: 'refused', message: expect.stringMatching(/Too much/) },
    });
    expect(await status()).toMatchObject({ updated: false, change: { state: 'refused' } });
    expect(await campaign()).toMatchObject({ allocatedBudget: 100, unallocatedBudget: 200 });
  });

  test('is told of where it is refused', async () => {
    refuses();
    await status();

    const { text } = await buyer.get('/buyer/events?follow=false');

    expect(text).toMatch(/media_buy\.updated[^\n]*"change":\{"from":"waiting","to":"refused"\}/);
  });
});
