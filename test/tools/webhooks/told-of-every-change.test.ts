import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditOf } from '../../support/callers/answers.ts';
import { type EventReader, readStream } from '../../support/callers/event-reader.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Whatever makes another revision of an object is told, and logged, with what it was and is. */
describe('account_events', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let campaignId: string;
  let shown: { status: string; packages: object[] };
  let reader: EventReader | undefined;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    buyer = await newPerson(server);
    far = await farSeller(server, 'Far');
    const part = { package_id: 'pkg_1', product_id: 'far-1', budget: 100, pacing: 'even' };
    shown = { status: 'active', packages: [part] };
    const buy = () => ({ media_buy_id: 'far_1', ...shown });
    far.agent.on('create_media_buy', buy);
    far.agent.on('get_media_buys', () => ({ media_buys: [buy()] }));
    far.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
    far.agent.on('update_media_buy', ({ packages = [] }) => {
      const [changes = {}] = packages as object[];
      shown = { ...shown, packages: [{ ...part, ...changes }] };
      return buy();
    });
    campaignId = await draftOf(buyer, {
      ...far,
      advertiserId: await newAdvertiser(buyer),
      productId: 'far-1',
    });
  });
  afterEach(async () => {
    reader?.close();
    await far.agent.stop();
  });

  const path = () => `/buyer/campaigns/${campaignId}`;

  /** What is told of a change, and the revision that the object has by then. */
  async function toldOf(change: () => Promise<unknown>) {
    reader = await readStream(server, buyer, { path: '/buyer/events?follow=false' });
    const last = (await reader.rest()).at(-1)?.id;
    await change();
    const options = {
      path: '/buyer/events?follow=false',
      ...(last === undefined ? {} : { lastEventId: last }),
    };
    const later = await readStream(server, buyer, options);
    return (await later.rest()).map(({ payload }) => payload);
  }

  async function running(): Promise<string> {
    const { mediaBuys } = done(await buyer.post(`${path()}/execute`));
    return mediaBuys[0].mediaBuyId;
  }

  test.each([
    ['budget.dailyCap', { budget: { dailyCap: 60 } }, { from: null, to: 60 }],
    ['budget.pacing', { budget: { pacing: 'ASAP' } }, { from: null, to: 'ASAP' }],
    ['brief', { brief: 'Skis.' }, { from: null, to: 'Skis.' }],
    [
      'constraints',
      { constraints: { geo_countries: ['US'] } },
      { from: null, to: '{"geo_countries":["US"]}' },
    ],
  ])('tells that %s of a campaign changed', async (field, body, change) => {
    const told = await toldOf(async () => done(await buyer.put(path(), body)));

    expect(told).toMatchObject([{ event: 'campaign.updated', campaignId, changes: { [field]: change } }]);
    expect(told[0].revision).toBe(done(await buyer.get(path())).campaign.revision);
  });

  test('tells that products were selected for a campaign', async () => {
    const told = await toldOf(async () => done(await buyer.post(`${path()}/auto-select-products`, {})));

    expect(told).toMatchObject([
      { event: 'campaign.updated', campaignId, changes: { selectedProducts: { from: 1, to: 1 } } },
    ]);
    expect(told[0].revision).toBe(done(await buyer.get(path())).campaign.revision);
  });

  test('tells what of a package was changed by the buyer', async () => {
    const mediaBuyId = await running();
    const packages = [{ packageId: 'pkg_1', pacing: 'asap' }];

    const told = await toldOf(async () =>
      done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages })),
    );

    expect(told).toMatchObject([
      {
        event: 'media_buy.updated',
        mediaBuyId,
        changes: { 'packages.pkg_1.pacing': { from: null, to: 'asap' } },
      },
    ]);
  });

  test('tells what of a package was changed by its seller, and so does the log', async () => {
    const mediaBuyId = await running();
    shown.packages = [{ ...shown.packages[0], budget: 90, paused: true }];

    const told = await toldOf(async () => done(await buyer.get(`${path()}/media-buy-status`)));

    const changes = {
      'packages.pkg_1.budget': { from: 100, to: 90 },
      'packages.pkg_1.paused': { from: null, to: 'true' },
    };
    expect(told).toMatchObject([
      { event: 'media_buy.updated', mediaBuyId, changes },
      // It holds every package: nothing runs, and nobody but the buyer can see to it.
      { event: 'approval.needed', mediaBuyId, changes },
    ]);
    const [entry] = await auditOf(server, buyer, 'campaign_get_media_buy_status');
    expect(JSON.parse(entry?.changes ?? '{}')).toMatchObject({
      'packages.pkg_1.budget': { from: 100, to: 90 },
      'packages.pkg_1.paused': { from: null, to: true },
    });
  });

  test('tells of a long text no more than how it begins', async () => {
    const brief = 'x'.repeat(500);

    const [told] = await toldOf(async () => done(await buyer.put(path(), { brief })));

    expect(told.changes.brief.to).toBe(`${'x'.repeat(199)}…`);
  });

  test('cuts no character in two: half of one is no JSON to strict readers', async () => {
    const brief = `${'x'.repeat(198)}😀${'x'.repeat(300)}`;

    const [told] = await toldOf(async () => done(await buyer.put(path(), { brief })));

    expect(told.changes.brief.to).toBe(`${'x'.repeat(198)}…`);
  });
});
