import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pollBuys } from '../../../tools/domain/buying/following/buy-polling.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { type KeepingSeller, keepingSeller } from '../../support/sellers/keeping-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const HOUR_MS = 3_600_000;
const EVERY_MS = 300_000;
const GRACE_HOURS = 10;

describe('what a seller reports of a media buy that is over', () => {
  let server: TestServer;
  let far: KeepingSeller;
  let buyer: Person;
  let campaignId: string;
  const clock = skippingClock();
  beforeAll(async () => {
    const settings = {
      SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
      MEDIA_BUY_END_GRACE_HOURS: String(GRACE_HOURS),
    };
    server = await startTestServer({ clock, settings });
  });
  beforeEach(async () => {
    far = await keepingSeller(server, 'Far');
    buyer = await newPerson(server);
    return () => far.agent.stop();
  });
  afterAll(() => server.stop());

  /** A campaign of a week, or until it ends, which has run for an hour. */
  const runs = async (endMs = clock.now() + 168 * HOUR_MS) => {
    const flightDates = {
      startDate: new Date(clock.now()).toISOString(),
      endDate: new Date(endMs).toISOString(),
    };
    const storefrontIds = [far.storefrontId];
    const advertiserId = await newAdvertiser(buyer);
    ({ campaignId } = await draftCampaign(buyer, {
      advertiserId,
      storefrontIds,
      campaign: { flightDates },
    }));
    done(await buyer.post(`${path()}/execute`, {}));
    clock.skip(HOUR_MS);
  };
  const path = () => `/buyer/campaigns/${campaignId}`;
  const refreshed = async () => done(await buyer.get(`${path()}/media-buy-status`));
  const round = async () => {
    clock.skip(EVERY_MS + 1_000);
    await pollBuys(server.running.app.services, {
      everyMs: EVERY_MS,
      signal: new AbortController().signal,
    });
  };
  const reports = (spend: number, beside: object = {}, around: object = {}) =>
    far.agent.on('get_media_buy_delivery', ({ media_buy_ids }) => ({
      ...around,
      media_buy_deliveries: [
        {
          media_buy_id: [media_buy_ids].flat()[0],
          totals: { impressions: spend * 100, spend, clicks: 1 },
          by_package: [],
          ...beside,
        },
      ],
    }));
  const isLate = () =>
    far.agent.on('get_media_buy_delivery', () => ({
      media_buy_deliveries: [],
      errors: [{ code: 'REPORTING_DELAYED', message: 'Figures come in 4 hours.' }],
    }));
  const saysLate = () => reports(7, { status: 'reporting_delayed' });
  const isDown = () =>
    far.agent.on('get_media_buy_delivery', (_args, request) => {
      request.socket.destroy();
      return new Promise(() => {});
    });
  const isInEuro = () => reports(44, {}, { currency: 'EUR' });
  const bound = async () => {
    const { credit } = done(await buyer.get('/buyer/accounts/current'));
    return credit.find(({ currency }: { currency: string }) => currency === 'USD').committed;
  };
  const buy = async () => {
    const { mediaBuys } = done(await buyer.get(path())).campaign;
    return done(await buyer.get(`/buyer/media-buys/${mediaBuys[0].mediaBuyId}`)).mediaBuy;
  };
  const stands = async () => {
    const { status, performance } = await buy();
    return [status, performance.spend, await bound()];
  };
  const completes = async () => {
    far.shows('completed');
    await refreshed();
  };
  const rejects = async () => {
    far.shows('rejected');
    await refreshed();
  };
  const cancels = async () => void done(await buyer.post(`${path()}/cancel`, {}));
  const asked = () => far.agent.calls.filter(({ tool }) => tool === 'get_media_buy_delivery').length;
  const faults = () => faultsOf(server.store.db, buyer.organizationId);

  test.each([
    ['is completed', 'is late', 'COMPLETED', completes, isLate],
    ['is completed', 'says itself that it is late', 'COMPLETED', completes, saysLate],
    ['is completed', 'is down', 'COMPLETED', completes, isDown],
    ['is completed', 'is in another currency', 'COMPLETED', completes, isInEuro],
    ['is called off', 'is late', 'CANCELED', cancels, isLate],
    ['is called off', 'says itself that it is late', 'CANCELED', cancels, saysLate],
    ['is called off', 'is down', 'CANCELED', cancels, isDown],
    ['is rejected', 'is late', 'REJECTED', rejects, isLate],
    ['is rejected', 'is down', 'REJECTED', rejects, isDown],
    ['is rejected', 'is in another currency', 'REJECTED', rejects, isInEuro],
  ])('releases nothing of one that %s while its report %s, and asks until it comes', async (...one) => {
    const [, , status, ends, isMissing] = one;
    await runs();
    isMissing();
    await ends();
    expect([(await buy()).status, await bound()]).toEqual([status, 100]);
    expect(await faults()).toEqual([]);

    reports(44);
    await round();

    expect(await stands()).toEqual([status, 44, 44]);
    expect(await faults()).toEqual([]);
  });

  test.each([
    ['is completed', 'COMPLETED', completes],
    ['is called off', 'CANCELED', cancels],
    ['is rejected', 'REJECTED', rejects],
  ])('binds the budget of one that %s where its report comes with that', async (_, status, ends) => {
    await runs();
    reports(10);
    await ends();
    expect(await stands()).toEqual([status, 10, 100]);
    expect((await buy()).explanation).toContain('100.00 USD stay bound');
    expect(await faults()).toEqual([]);

    await round();

    expect(await stands()).toEqual([status, 10, 10]);
    reports(30);
    await round();
    expect(await stands()).toEqual([status, 30, 30]);
    expect(await faults()).toEqual([]);
  });

  test('binds the budget of one that was held before its seller rejected it', async () => {
    await runs();
    reports(20);
    await refreshed();
    far.shows('paused');
    await refreshed();
    await rejects();
    expect(await stands()).toEqual(['REJECTED', 20, 100]);

    reports(30);
    await round();

    expect(await stands()).toEqual(['REJECTED', 30, 30]);
  });

  test('holds nothing of one that is rejected before its seller took it', async () => {
    far.takes('pending_approval');
    await runs();
    await rejects();
    expect(await stands()).toEqual(['REJECTED', 0, 0]);
    expect(done(await buyer.get(path())).campaign.status).toBe('DRAFT');
  });

  test('leaves a campaign over whose only media buy was rejected while it ran', async () => {
    await runs();
    isLate();
    await rejects();

    const { campaign } = done(await buyer.get(path()));

    expect(campaign).toMatchObject({ status: 'COMPLETED', allocatedBudget: 100 });
    expect((await buy()).explanation).toContain('100.00 USD stay bound');
  });

  test.each([
    ['it is the final one', {}, { notification_type: 'final' }],
    ['each of its packages is closed', { by_package: [{ package_id: 'one', is_final: true }] }, {}],
  ])('releases at once what is left where its seller says that %s', async (_, beside, around) => {
    await runs();
    reports(10, beside, around);
    await completes();
    expect(await stands()).toEqual(['COMPLETED', 10, 10]);
    expect((await buy()).explanation).toMatch(
      /^It is over: nothing is to be done\. Agent called its figures final: 10\.00 USD are bound\. What it corrects until/,
    );
    expect(await faults()).toEqual([]);

    reports(44);
    await round();

    expect(await stands()).toEqual(['COMPLETED', 44, 44]);
  });

  test('releases nothing while a package is left out of a report whose packages are all closed', async () => {
    await far.agent.stop();
    far = await keepingSeller(server, 'Far', [adcpProduct('far-1'), adcpProduct('far-2')]);
    await runs();
    const [one, other] = (await buy()).packages.map(({ packageId }: { packageId: string }) => packageId);
    const closed = (...ids: string[]) => ({
      by_package: ids.map((package_id) => ({ package_id, spend: 5, is_final: true })),
    });
    for (const left of [closed(one), closed('one of theirs')]) {
      reports(10, left);
      await completes();
      expect(await stands()).toEqual(['COMPLETED', 10, 200]);
    }

    reports(10, closed(one, other));
    await round();

    expect(await stands()).toEqual(['COMPLETED', 10, 10]);
    expect(await faults()).toEqual([]);
  });

  const period = (end: number) => ({
    reporting_period: { start: '2026-01-01T00:00:00Z', end: new Date(end).toISOString() },
  });
  const DAY_MS = 24 * HOUR_MS;
  test.each([
    ['is of days before the end', () => reports(10, {}, period(clock.now() - DAY_MS))],
    [
      'is final for days before the end alone',
      () => reports(10, {}, { ...period(clock.now() - DAY_MS), notification_type: 'final' }),
    ],
    [
      'has a package that may change',
      () => reports(10, { by_package: [{ package_id: 'one', is_final: false }] }),
    ],
    ['is partial', () => reports(10, {}, { partial_data: true })],
    ['is delayed', () => reports(10, {}, { notification_type: 'delayed' })],
  ])('releases nothing by a later report that %s, until the time is over', async (_, tells) => {
    await runs();
    tells();
    await completes();
    await round();
    expect(await stands()).toEqual(['COMPLETED', 10, 100]);

    reports(10, {}, period(clock.now()));
    await round();
    expect(await stands()).toEqual(['COMPLETED', 10, 10]);
    expect(await faults()).toEqual([]);
  });

  test.each([
    ['the moment that it ends', (end: number) => new Date(end).toISOString()],
    ['the last day that it ran', (end: number) => new Date(end - 1).toISOString().slice(0, 10)],
  ])('releases what is left of one that ends at midnight by a report up to %s', async (_, endOf) => {
    const midnight = Math.ceil(clock.now() / DAY_MS + 1) * DAY_MS;
    await runs(midnight);
    clock.skip(midnight + HOUR_MS - clock.now());
    reports(10);
    await completes();
    expect(await bound()).toBe(100);

    reports(10, {}, { reporting_period: { start: '2026-01-01', end: endOf(midnight) } });
    await round();

    expect(await stands()).toEqual(['COMPLETED', 10, 10]);
    expect(await faults()).toEqual([]);
  });

  test('corrects what was released by a first report, up and down, as long as figures are waited for', async () => {
    await runs();
    reports(10);
    await completes();
    await round();
    expect(await stands()).toEqual(['COMPLETED', 10, 10]);

    const later = [];
    for (const spend of [44, 30]) {
      reports(spend);
      await round();
      later.push(await stands());
    }

    expect(later).toEqual([
      ['COMPLETED', 44, 44],
      ['COMPLETED', 30, 30],
    ]);
    expect(await faults()).toEqual([]);
  });

  test('is believed as before: what is beyond belief changes nothing, and what is beyond the budget owes no more', async () => {
    await runs();
    reports(10);
    await cancels();
    await round();

    reports(10_000);
    await round();
    expect(await stands()).toEqual(['CANCELED', 10, 10]);

    reports(150);
    await round();
    expect(await stands()).toEqual(['CANCELED', 150, 100]);
  });

  test('moves nothing but its figures, whatever the report calls it', async () => {
    await runs();
    await completes();
    const { adcpStatus } = await buy();
    expect(adcpStatus).toBe('completed');

    reports(44, { status: 'active' });
    await round();

    expect(await buy()).toMatchObject({ status: 'COMPLETED', adcpStatus, performance: { spend: 44 } });
  });

  test('counts until the time is over, and then what was released last stands, and nobody is asked', async () => {
    await runs();
    isLate();
    await completes();

    clock.skip(GRACE_HOURS * HOUR_MS);
    await round();
    const times = asked();
    reports(44);
    await round();
    await refreshed();

    expect(asked()).toBe(times);
    expect(await stands()).toEqual(['COMPLETED', 0, 0]);
    expect(await faults()).toEqual([]);
  });

  test('is told in words: until when it counts, and what is bound', async () => {
    await runs();
    isLate();
    await completes();
    expect((await buy()).explanation).toMatch(
      /^It is over: .* what Agent reports until \d{4}-\S+Z counts\. It has reported nothing since the end: 100\.00 USD stay bound/,
    );

    reports(44);
    await round();
    expect((await buy()).explanation).toMatch(/counts\. By its last report 44\.00 USD are bound\.$/);

    isInEuro();
    await round();
    expect((await buy()).explanation).toMatch(/EUR .* until then the figures of its last report/);

    clock.skip(GRACE_HOURS * HOUR_MS);
    await round();
    const { explanation } = await buy();
    expect(explanation).toMatch(/The figures of its last report that was taken stand\.$/);
    expect(explanation).not.toContain('until then');
  });

  /** Its seller declares that its reports come so much later. */
  const declaresDelay = async (expected_delay_minutes: number) => {
    await far.agent.stop();
    const product = adcpProduct('late-1', { reporting_capabilities: { expected_delay_minutes } });
    far = await keepingSeller(server, 'Late', [product]);
  };

  test('settles nothing before the delay is over that its seller declares', async () => {
    await declaresDelay(240);
    await runs();
    isLate();
    await completes();
    reports(30);
    await round();
    expect(await stands()).toEqual(['COMPLETED', 30, 100]);
    expect((await buy()).explanation).toContain(
      'It has reported nothing since the end and the 240 minutes by which it reports late: 100.00 USD stay bound',
    );

    clock.skip(4 * HOUR_MS);
    reports(44);
    await round();

    expect(await stands()).toEqual(['COMPLETED', 44, 44]);
    expect(await faults()).toEqual([]);
  });

  test('settles before that delay is over where its seller calls it final', async () => {
    await declaresDelay(240);
    await runs();
    isLate();
    await completes();

    reports(44, {}, { notification_type: 'final' });
    await round();

    expect(await stands()).toEqual(['COMPLETED', 44, 44]);
  });

  test.each([
    ['is completed', completes],
    ['is told to have ended by nobody', async () => clock.skip(168 * HOUR_MS)],
  ])('is waited for of one that %s as long as its seller declares, where that is longer', async (_, ends) => {
    await declaresDelay(2 * GRACE_HOURS * 60);
    await runs();
    isLate();
    await ends();
    clock.skip(GRACE_HOURS * HOUR_MS);
    await round();
    expect(await bound()).toBe(100);

    clock.skip(GRACE_HOURS * HOUR_MS);
    await round();

    expect(await stands()).toEqual(['COMPLETED', 0, 0]);
    expect(await faults()).toEqual([]);
  });

  test('is the same whether days are asked about or not', async () => {
    const spend = async (query = '') => {
      const { delivery } = done(await buyer.get(`${path()}/delivery${query}`));
      const [{ spend, error }] = delivery.mediaBuys;
      return [spend, error];
    };
    await runs();
    isLate();
    await completes();
    reports(44);
    expect([await spend(`?startDate=${day()}`), await spend()]).toEqual(
      [[44], [44]].map(([one]) => [one, undefined]),
    );

    clock.skip(GRACE_HOURS * HOUR_MS);
    await round();
    reports(60);

    expect(await spend()).toEqual([44, undefined]);
    expect(await spend(`?startDate=${day()}`)).toEqual([
      undefined,
      'The seller reports 60.00 USD spent, where 44.00 USD are final: the report was not taken.',
    ]);
  });

  const day = () => new Date(clock.now()).toISOString().slice(0, 10);

  test.each(['pending_creatives', 'pending_approval'])(
    'is not waited for where it was called off while it was %s',
    async (status) => {
      far.takes(status);
      await runs();
      isLate();
      await cancels();
      expect(await stands()).toEqual(['CANCELED', 0, 0]);
    },
  );

  test('leaves what is bound until it comes allocated in its campaign, which is over', async () => {
    await runs();
    isLate();
    await completes();

    const { campaign } = done(await buyer.get(path()));

    expect(campaign).toMatchObject({ status: 'COMPLETED', allocatedBudget: 100, unallocatedBudget: 900 });
  });

  test('is waited for of a campaign that was deleted', async () => {
    await runs();
    isLate();
    await buyer.delete(path());
    expect(await bound()).toBe(100);

    reports(44);
    await round();

    expect(await bound()).toBe(44);
    expect(await faults()).toEqual([]);
  });

  test('lets a total follow that was lowered together with its end', async () => {
    await runs();
    isLate();
    const [{ mediaBuyId }] = done(await buyer.get(path())).campaign.mediaBuys;
    const change = { budget: { total: 50 }, mediaBuys: [{ mediaBuyId, action: 'cancel' }] };
    const { campaign } = done(await buyer.put(path(), change));
    expect(campaign).toMatchObject({ budget: { total: 1_000 }, pendingUpdate: { budget: { total: 50 } } });

    reports(44);
    await round();

    const after = done(await buyer.get(path())).campaign;
    expect(after).toMatchObject({ budget: { total: 50 }, allocatedBudget: 44 });
    expect(after).not.toHaveProperty('pendingUpdate');
  });
});
