import { beforeEach, describe, expect, test } from 'vitest';
import { boughtThere } from '../../support/buying/bought-there.ts';
import { done } from '../../support/sellers/market.ts';

describe('a change of a media buy that waits for its seller', () => {
  const there = boughtThere('Far');
  beforeEach(async () => {
    await there.orders({ budget: 300 });
    there.seller.undecided();
    await there.raises();
  });

  const campaign = async () => done(await there.buyer.get(`${there.path()}?detail=full`)).campaign;
  const status = async () => (await there.status()).media_buys[0];
  const refuses = () =>
    there.seller.agent.on('get_task_status', ({ task_id }) => ({
      task_id,
      status: 'rejected',
      error: { code: 'POLICY_VIOLATION', message: 'Too much.' },
    }));

  test('is shown with its campaign, in whose budget a raise counts already', async () => {
    const { seller, mediaBuyId } = there;
    const { mediaBuys, mediaBuyRefs, allocatedBudget, unallocatedBudget } = await campaign();

    expect([allocatedBudget, unallocatedBudget]).toEqual([200, 100]);
    expect(mediaBuys).toMatchObject([
      {
        budget: 100,
        revision: 2,
        buyerReference: `sf:${seller.storefrontId}:${mediaBuyId}`,
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

    const { text } = await there.buyer.get('/buyer/events?follow=false');

    expect(text).toMatch(/media_buy\.updated[^\n]*"change":\{"from":"waiting","to":"refused"\}/);
  });
});
