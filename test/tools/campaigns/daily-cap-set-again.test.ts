import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { decidesLater, type KeptBuys, takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { writesBeforeStoring } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PACED_OTHERWISE = {
  code: 'CONFLICT',
  at: {
    'budget.dailyCap': 'Winter – Agent: not all is paced even, and no other pace keeps budget.dailyCap.',
  },
} as const;

/** A campaign of 21 days that was ordered, for 2,000, under a cap of 900 a day, which was taken away since. */
describe('a daily cap that was taken away', () => {
  const between = writesBeforeStoring('campaign_update', 'media_buy_update');
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let campaign: string;
  let mediaBuyId: string;
  let packageId: string;
  let kept: KeptBuys;
  beforeAll(async () => {
    server = await startTestServer({
      families: between.families,
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' },
    });
    far = await farSeller(server, 'Far');
    buyer = await newPerson(server);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });
  beforeEach(async () => {
    kept = takesChanges(far);
    const { campaignId } = await draftCampaign(buyer, {
      advertiserId: await newAdvertiser(buyer),
      each: 2_000,
      storefrontIds: [far.storefrontId],
      campaign: { budget: { total: 5_000, dailyCap: 900 } },
    });
    campaign = `/buyer/campaigns/${campaignId}`;
    done(await buyer.post(`${campaign}/execute`));
    const [buy] = done(await buyer.get(campaign)).campaign.mediaBuys;
    mediaBuyId = buy.mediaBuyId;
    packageId = buy.packages[0].packageId;
    done(await capped(null));
  });

  const capped = (dailyCap: number | null, more: object = {}) =>
    buyer.put(campaign, { budget: { dailyCap }, ...more });
  const changed = (change: object) => buyer.patch(`/buyer/media-buys/${mediaBuyId}`, change);
  const paced = (pacing: string) => changed({ packages: [{ packageId, pacing }] });
  const evenPaced = () => ({ mediaBuys: [{ mediaBuyId, packages: [{ packageId, pacing: 'even' }] }] });
  /** What the seller shows of its media buy from now on. */
  const shown = (changes: object) => {
    for (const [id, buy] of kept) kept.set(id, { ...buy, ...changes });
  };
  const read = async () => done(await buyer.get(campaign)).campaign;

  test('is set again while everything is paced even, as it was ordered', async () => {
    expect((await read()).budget).not.toHaveProperty('dailyCap');

    done(await capped(800));

    expect((await read()).budget).toMatchObject({ dailyCap: 800 });
    expectRefusal(await paced('asap'), 422, {
      code: 'VALIDATION_ERROR',
      at: { 'packages.0.pacing': 'Give even: no other pace keeps budget.dailyCap of the campaign.' },
    });
  });

  test('is set again once what was paced otherwise is paced even', async () => {
    done(await paced('asap'));
    expectRefusal(await capped(800), 409, PACED_OTHERWISE);

    done(await paced('even'));

    done(await capped(800));
  });

  test('is not set again while another pace waits for its seller', async () => {
    decidesLater(far);
    done(await paced('front_loaded'));

    expectRefusal(await capped(800), 409, PACED_OTHERWISE);
  });

  test('is not set to less a day than the media buys take', async () => {
    done(await changed({ end_time: '2026-12-13T00:00:00Z' }));

    expectRefusal(await capped(600), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.dailyCap':
          'Within budget.dailyCap 600.00 USD can be spent a day; the media buys would take 666.67 USD a day.',
      },
    });
    done(await capped(700));
  });

  test('waits for a media buy of another pace that is called off together with it', async () => {
    done(await paced('asap'));
    const { decides } = decidesLater(far);

    const { campaign: waiting } = done(await capped(800, { mediaBuys: [{ mediaBuyId, action: 'cancel' }] }));
    expect(waiting).toMatchObject({ pendingUpdate: { budget: { dailyCap: 800 } } });
    expect(waiting.budget).not.toHaveProperty('dailyCap');

    shown({ status: 'canceled' });
    decides({ status: 'completed', result: {} });
    done(await buyer.get(`${campaign}/media-buy-status`));
    const after = await read();
    expect(after).toMatchObject({ budget: { dailyCap: 800 } });
    expect(after).not.toHaveProperty('pendingUpdate');
  });

  test('holds at once where the seller paces the media buy even at once', async () => {
    done(await paced('asap'));

    const { campaign: after } = done(await capped(800, evenPaced()));

    expect(after).toMatchObject({ budget: { dailyCap: 800 } });
    expect(after).not.toHaveProperty('pendingUpdate');
  });

  test('waits on, and says for what, where the seller refuses to pace the media buy even', async () => {
    done(await paced('asap'));
    const { decides } = decidesLater(far);
    done(await capped(800, evenPaced()));

    decides({ status: 'rejected', error: { code: 'POLICY_VIOLATION', message: 'No.' } });
    // Its tools are listed anew before it is asked by the one that is there since.
    done(await buyer.get(`${campaign}/media-buy-status`));
    done(await buyer.get(`${campaign}/media-buy-status`));

    expect(await read()).toMatchObject({
      pendingUpdate: { budget: { dailyCap: 800 } },
      warnings: [expect.stringContaining('are not all paced even')],
    });
    takesChanges(far, kept);
    done(await paced('even'));
    expect(await read()).toMatchObject({ budget: { dailyCap: 800 } });
  });

  test('is refused together with a change that leaves another pace', async () => {
    done(await paced('asap'));

    const lower = { mediaBuys: [{ mediaBuyId, packages: [{ packageId, budget: 1_500 }] }] };
    expectRefusal(await capped(800, lower), 409, PACED_OTHERWISE);
  });

  test('is set together with a lower budget of a media buy, once its seller has confirmed', async () => {
    done(await changed({ end_time: '2026-12-13T00:00:00Z' }));
    const [bought] = [...kept.values()];
    if (bought === undefined) throw new Error('Nothing was bought.');
    const { decides } = decidesLater(far);

    done(await capped(500, { mediaBuys: [{ mediaBuyId, packages: [{ packageId, budget: 1_500 }] }] }));

    const waiting = await read();
    expect(waiting).toMatchObject({ pendingUpdate: { budget: { dailyCap: 500 } } });
    expect(waiting.budget).not.toHaveProperty('dailyCap');
    const packages = bought.packages.map((part) => ({ ...part, budget: 1_500 }));
    kept.set(bought.media_buy_id, { ...bought, packages });
    decides({ status: 'completed', result: {} });
    done(await buyer.get(`${campaign}/media-buy-status`));
    expect(await read()).toMatchObject({ budget: { dailyCap: 500 }, allocatedBudget: 1_500 });
  });

  test('and another pace that come at once: the second is refused', async () => {
    between.next(() => paced('asap'));
    expectRefusal(await capped(800), 409, PACED_OTHERWISE);

    done(await paced('even'));
    between.next(() => capped(800));
    expectRefusal(await paced('asap'), 409, PACED_OTHERWISE);
    expect((await read()).budget).toMatchObject({ dailyCap: 800 });
  });
});
