import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../support/buying/money-world.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, executed, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** The same change can be written in three ways, and a complaint about it uses the words that were sent. */
describe('a complaint about a change of a media buy', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let far: FarSeller;
  let campaignId: string;
  let mediaBuyId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    far = await farSeller(server, 'Far');
    far.agent.on('create_media_buy', () => ({
      media_buy_id: 'far_1',
      status: 'active',
      packages: [{ package_id: 'pkg_1', product_id: 'far-1', budget: 100 }],
    }));
    far.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1' }));
    campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
    mediaBuyId = await executed(buyer, campaignId);
    return () => far.agent.stop();
  });

  const patch = (body: Record<string, unknown>) => buyer.patch(`/buyer/media-buys/${mediaBuyId}`, body);
  const put = (entry: Record<string, unknown>) =>
    buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys: [{ mediaBuyId, ...entry }] });
  const fields = ({ body }: { body: { error: { details: { unsupported: { field: string }[] } } } }) =>
    body.error.details.unsupported.map(({ field }) => field);

  const LATE = 'The campaign ends at 2026-12-31T00:00:00.000Z. The end is not after the start.';
  const EARLY = 'The campaign starts at 2026-12-10T00:00:00.000Z.';
  const BEYOND = 'The media buy ends at 2026-12-31T00:00:00.000Z. The end is not after the start.';
  const BEFORE = 'The media buy starts at 2026-12-10T00:00:00.000Z.';
  const late = { end: '2031-01-01T00:00:00Z', start: '2031-02-01T00:00:00Z' };

  test('names dates as they were sent, whichever of their names that was', async () => {
    const snake = await patch({ start_time: late.start, end_time: late.end });
    expectRefusal(snake, 422, { code: 'VALIDATION_ERROR', at: { end_time: LATE } });
    const camel = await patch({ startTime: '2001-01-01T00:00:00Z', endTime: late.end });
    expectRefusal(camel, 422, {
      code: 'VALIDATION_ERROR',
      at: { startTime: EARLY, endTime: 'The campaign ends at 2026-12-31T00:00:00.000Z.' },
    });
    const entry = await put({ start_time: '2001-01-01T00:00:00Z', end_time: late.end });
    expectRefusal(entry, 422, {
      code: 'VALIDATION_ERROR',
      at: {
        'mediaBuys.0.start_time': EARLY,
        'mediaBuys.0.end_time': 'The campaign ends at 2026-12-31T00:00:00.000Z.',
      },
    });
  });

  test('is one of an end that is past, and says from when on it can be, packages or not', async () => {
    const [past, start] = ['2026-11-30T00:00:00Z', '2026-12-10T00:00:00.000Z'];
    const packages = [{ packageId: 'pkg_1', endTime: '2026-12-20T00:00:00Z' }];
    const words = `It is past: give a moment after ${start}.`;

    for (const change of [{ end_time: past }, { end_time: past, packages }]) {
      expectRefusal(await patch(change), 422, { code: 'VALIDATION_ERROR', at: { end_time: words } });
      expectRefusal(await put(change), 422, {
        code: 'VALIDATION_ERROR',
        at: { 'mediaBuys.0.end_time': words },
      });
    }
    const dates = { start_time: '2026-12-20T00:00:00Z', end_time: past };
    expectRefusal(await patch(dates), 422, {
      code: 'VALIDATION_ERROR',
      at: { end_time: 'It is past: give a moment after 2026-12-20T00:00:00.000Z.' },
    });
  });

  test('is the same of an end of one package that is past, or before its start', async () => {
    const complaint = async (part: Record<string, unknown>, words: string) => {
      const packages = [{ packageId: 'pkg_1', ...part }];
      expectRefusal(await patch({ packages }), 422, {
        code: 'VALIDATION_ERROR',
        at: { 'packages.0.endTime': words },
      });
      expectRefusal(await put({ packages }), 422, {
        code: 'VALIDATION_ERROR',
        at: { 'mediaBuys.0.packages.0.endTime': words },
      });
    };
    const past = '2026-11-30T00:00:00Z';
    await complaint({ endTime: past }, 'It is past: give a moment after 2026-12-10T00:00:00.000Z.');
    const startTime = '2026-12-20T00:00:00Z';
    await complaint(
      { startTime, endTime: past },
      'It is past: give a moment after 2026-12-20T00:00:00.000Z.',
    );
    await complaint({ endTime: '2026-12-05T00:00:00Z' }, 'The end is not after the start.');
  });

  test('names the dates of packages that would run beyond their media buy', async () => {
    const packages = [{ packageId: 'pkg_1', startTime: late.start, endTime: late.end }];
    expectRefusal(await patch({ packages }), 422, {
      code: 'VALIDATION_ERROR',
      at: { 'packages.0.endTime': BEYOND },
    });
    const early = [{ packageId: 'pkg_1', startTime: '2001-01-01T00:00:00Z' }];
    expectRefusal(await put({ packages: early }), 422, {
      code: 'VALIDATION_ERROR',
      at: { 'mediaBuys.0.packages.0.startTime': BEFORE },
    });
  });

  test('is none about packages whose fields are written as records of media buys show them', async () => {
    const copied = { package_id: 'pkg_1', budget: 90 };
    const changed = await patch({ packages: [copied] });
    const entry = { media_buy_id: mediaBuyId, packages: [{ ...copied, budget: 80 }] };
    const inCampaign = await buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys: [entry] });

    expect([changed.status, inCampaign.status]).toEqual([200, 200]);
    const told = far.agent.calls.filter(({ tool }) => tool === 'update_media_buy').map(({ args }) => args);
    expect(told).toMatchObject([
      { packages: [{ package_id: 'pkg_1', budget: 90 }] },
      { packages: [{ package_id: 'pkg_1', budget: 80 }] },
    ]);
  });

  test('is of what is wrong with packages that were copied, however many they are', async () => {
    const packages = Array.from({ length: 100 }, (_, at) => ({ package_id: `none_${at}`, bid_price: 3 }));
    const reply = await patch({ packages });

    expectRefusal(reply, 422, {
      code: 'VALIDATION_ERROR',
      at: {
        'packages.0.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.1.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.2.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.3.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.4.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.5.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.6.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.7.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.8.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.9.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.10.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.11.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.12.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.13.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.14.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.15.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.16.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.17.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.18.package_id': 'The media buy has no such package. It has: pkg_1.',
        'packages.19.package_id': 'The media buy has no such package. It has: pkg_1.',
      },
    });
  });

  test('is of a package that is named twice, which would be told to its seller in two ways', async () => {
    const twice = [90, 80].map((budget) => ({ packageId: 'pkg_1', budget }));
    const copied = [90, 80].map((budget) => ({ package_id: 'pkg_1', budget }));
    const message = 'Give each packageId once.';
    for (const packages of [twice, copied]) {
      expectRefusal(await patch({ packages }), 400, { code: 'VALIDATION_ERROR', at: { packages: message } });
      expectRefusal(await put({ packages }), 400, {
        code: 'VALIDATION_ERROR',
        at: { 'mediaBuys.0.packages': message },
      });
    }
    done(await put({ action: 'cancel', packageIds: ['pkg_1', 'pkg_1'] }));

    const told = far.agent.calls.filter(({ tool }) => tool === 'update_media_buy').map(({ args }) => args);
    expect(told).toMatchObject([{ packages: [{ package_id: 'pkg_1', canceled: true }] }]);
    expect(told[0]?.['packages']).toHaveLength(1);
  });

  test('leads to campaign_get where an id is wrong, and to the message where something else is', async () => {
    const suggestionOf = ({ body }: Awaited<ReturnType<typeof patch>>) => body.error.details.suggestion;
    const amount = await patch({ packages: [{ packageId: 'pkg_1', budget: 90.001 }] });
    expectRefusal(amount, 422, {
      code: 'VALIDATION_ERROR',
      at: { 'packages.0.budget': 'USD has 2 decimals at the most.' },
    });

    expect(suggestionOf(amount)).toMatch(/^Correct what the message names/);
    expect(suggestionOf(await patch({ end_time: late.end }))).toMatch(/^Correct what the message names/);
    for (const unknown of [{ packageId: 'none' }, { package_id: 'none' }])
      expect(suggestionOf(await patch({ packages: [unknown] }))).toContain('campaign_get');
    expect(suggestionOf(await put({ action: 'cancel', packageIds: ['none'] }))).toContain('campaign_get');
  });

  test('names packages and their fields as they were sent, in either case', async () => {
    const packages = [{ package_id: 'pkg_1', start_time: late.start, end_time: late.end }];
    expectRefusal(await patch({ packages }), 422, {
      code: 'VALIDATION_ERROR',
      at: { 'packages.0.end_time': BEYOND },
    });
    const early = [{ package_id: 'pkg_1', start_time: '2001-01-01T00:00:00Z' }];
    expectRefusal(await put({ packages: early }), 422, {
      code: 'VALIDATION_ERROR',
      at: { 'mediaBuys.0.packages.0.start_time': BEFORE },
    });
    expectRefusal(await put({ packages: [{ package_id: 'pkg_1', bid_price: -1 }] }), 400, {
      code: 'VALIDATION_ERROR',
      at: { 'mediaBuys.0.packages.0.bid_price': 'More than 0.' },
    });
    const elsewhere = { packages: [{ package_id: 'pkg_1' }], suggestion_Id: 'x', pacing_periods: null };
    expectRefusal(await patch(elsewhere), 400, {
      code: 'VALIDATION_ERROR',
      at: {
        suggestion_Id: 'Unknown field. Did you mean suggestion_id?',
        pacing_periods: 'Unknown field. Did you mean pacingPeriods?',
      },
    });
    const both = [{ package_id: 'pkg_1', packageId: 'pkg_1', budget: 90 }];
    expectRefusal(await patch({ packages: both }), 400, {
      code: 'VALIDATION_ERROR',
      at: { 'packages.0.package_id': 'Unknown field: leave it out, packageId is given already.' },
    });
  });

  test('names what a seller does not declare as it was sent', async () => {
    far.agent.declares('update_media_buy', { media_buy_id: {} });
    const asked = { start_time: '2026-12-14T00:00:00Z', end_time: '2026-12-20T00:00:00Z' };
    const { start_time: startTime, end_time: endTime } = asked;

    expect(fields(await patch(asked))).toEqual(['start_time', 'end_time']);
    expect(fields(await patch({ startTime, endTime }))).toEqual(['startTime', 'endTime']);
    expect(fields(await put(asked))).toEqual(['mediaBuys.0.start_time', 'mediaBuys.0.end_time']);
    expect(fields(await put({ action: 'cancel' }))).toEqual(['mediaBuys.0.action']);
    expect(fields(await put({ action: 'cancel', packageIds: ['pkg_1'] }))).toEqual([
      'mediaBuys.0.packageIds',
    ]);
    expect(fields(await buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`, {}))).toEqual(['media_buy_id']);
    expect(fields(await buyer.post(`/buyer/campaigns/${campaignId}/pause`, {}))).toEqual(['campaignId']);
  });

  test('names what a seller forbids by its last report as it was sent', async () => {
    const shown = { media_buy_id: 'far_1', status: 'active', packages: [], valid_actions: ['pause'] };
    far.agent.on('get_media_buys', () => ({ media_buys: [shown] }));
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));

    expect(fields(await patch({ endTime: '2026-12-20T00:00:00Z' }))).toEqual(['endTime']);
    expect(fields(await put({ end_time: '2026-12-20T00:00:00Z' }))).toEqual(['mediaBuys.0.end_time']);
  });

  test('names the date of a flight that was sent, where only one of them was', async () => {
    const at = `/buyer/campaigns/${campaignId}`;
    const end = done(await buyer.get(at)).campaign.flightDates.endDate;
    const other = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
    const draft = `/buyer/campaigns/${other}`;
    const after = new Date(Date.parse(end) + 86_400_000).toISOString();
    expectRefusal(await buyer.put(draft, { flightDates: { startDate: after } }), 400, {
      code: 'VALIDATION_ERROR',
      at: { 'flightDates.startDate': 'The end must be after the start.' },
    });
    expectRefusal(await buyer.put(draft, { start_date: after }), 400, {
      code: 'VALIDATION_ERROR',
      at: { start_date: 'The end must be after the start.' },
    });
  });
});

test('a package that ended may be named with its end, as its record shows it, and gets no other that is past', async () => {
  const clock = skippingClock();
  const server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' }, clock });
  const buyer = await newPerson(server);
  const far = await farSeller(server, 'Far');
  const endTime = '2026-12-12T00:00:00.000Z';
  const part = { package_id: 'pkg_1', product_id: 'far-1', budget: 100, end_time: endTime };
  const shown = { media_buy_id: 'far_1', status: 'active', packages: [part] };
  far.agent.on('create_media_buy', () => shown);
  far.agent.on('get_media_buys', () => ({ media_buys: [shown] }));
  far.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1' }));
  const advertiserId = await newAdvertiser(buyer);
  const draft = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
  const at = `/buyer/media-buys/${await executed(buyer, draft)}`;
  done(await buyer.patch(at, { packages: [{ packageId: 'pkg_1', endTime }] }));

  clock.skip(13 * DAY_MS);
  const other = { packages: [{ packageId: 'pkg_1', endTime: '2026-12-13T00:00:00Z' }] };
  expectRefusal(await buyer.patch(at, other), 422, {
    code: 'VALIDATION_ERROR',
    at: { 'packages.0.endTime': /^It is past: give a moment after 2026-12-14T/ },
  });
  done(await buyer.patch(at, { packages: [{ packageId: 'pkg_1', endTime, pacing: 'even' }] }));

  await server.stop();
  await far.agent.stop();
});
