import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keptEvents } from '../../support/callers/event-follower.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { decidesLater, type KeptBuys, takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const HOUR_MS = 3_600_000;

interface Bought {
  readonly mediaBuyId: string;
  readonly packages: readonly [{ readonly packageId: string }];
}

/** A campaign of 200, all of which two sellers have, that runs for an hour. */
describe('a campaign with a media buy at each of two sellers', () => {
  let server: TestServer;
  let ada: FarSeller;
  let bea: FarSeller;
  let kept: KeptBuys;
  let buyer: Person;
  let path: string;
  const clock = skippingClock();
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    [ada, bea] = [await farSeller(server, 'Ada'), await farSeller(server, 'Bea')];
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([ada.agent.stop(), bea.agent.stop()]);
  });
  beforeEach(async () => {
    kept = takesChanges(ada);
    takesChanges(bea);
    buyer = await newPerson(server);
    const at = (ms: number) => new Date(clock.now() + ms).toISOString();
    const campaign = { flightDates: { startDate: at(0), endDate: at(HOUR_MS) } };
    const storefrontIds = [ada.storefrontId, bea.storefrontId];
    const draft = { advertiserId: await newAdvertiser(buyer), budget: 200, storefrontIds, campaign };
    const { campaignId } = await draftCampaign(buyer, draft);
    path = `/buyer/campaigns/${campaignId}`;
    done(await buyer.post(`${path}/execute`));
  });

  const read = async () => done(await buyer.get(path)).campaign;

  test('409 for a shift between them, which says that what is lowered counts until that is confirmed', async () => {
    const { mediaBuys } = await read();
    const to = [90, 110];
    const shifted = mediaBuys.map(({ mediaBuyId, packages: [{ packageId }] }: Bought, at: number) => ({
      mediaBuyId,
      packages: [{ packageId, budget: to[at] }],
    }));

    const reply = await buyer.put(path, { mediaBuys: shifted });

    expectRefusal(reply, 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: { 'budget.total': /210\.00 USD\.$/ },
    });
    expect(reply.body.error.details.suggestion).toMatch(
      /count as they were until their sellers have confirmed: lower these first, and raise the others then\.$/,
    );
  });

  test('says after its flight that nothing is to be done, as its media buys do', async () => {
    clock.skip(2 * HOUR_MS);

    const { status, warnings, mediaBuys } = await read();

    expect(status).toBe('COMPLETED');
    expect(warnings).toEqual([
      expect.stringMatching(/2 are past their time \(.*they end by themselves\. Nothing is to be done\.$/),
    ]);
    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuys[0].mediaBuyId}?detail=full`));
    expect(mediaBuy.explanation).toMatch(/Nothing is to be done\.$/);
  });

  test('is told to be archived once it is, where a media buy waits for its seller', async () => {
    const { decides } = decidesLater(ada);
    done(await buyer.delete(path));
    expect((await read()).status).toBe('CANCELED');
    for (const [id, buy] of kept) kept.set(id, { ...buy, status: 'canceled' });
    decides({ status: 'completed', result: {} });
    done(await buyer.get(`${path}/media-buy-status`));

    const events = (await keptEvents(server.url, buyer.key)).map(({ payload }) => payload);

    const told = events.flatMap(({ event, changes }) => (event === 'campaign.updated' ? [changes] : []));
    const at = expect.any(String);
    expect(told.slice(-2)).toEqual([
      { status: { from: 'ACTIVE', to: 'CANCELED' }, deletionAskedAt: { from: null, to: at } },
      {
        status: { from: 'CANCELED', to: 'ARCHIVED' },
        deletionAskedAt: { from: at, to: null },
        archivedAt: { from: null, to: at },
      },
    ]);
  });
});
