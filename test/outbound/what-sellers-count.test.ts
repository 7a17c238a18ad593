import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Running, runningCampaign } from '../support/buying/running-campaign.ts';
import { done } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const TOTALS = { impressions: 1_200, spend: 12, clicks: 3 };
const COUNTS = { views: 40, completed_views: 30, conversions: 2, leads: 1 };
const PERIOD = { start: '2026-12-01T00:00:00Z', end: '2026-12-03T23:59:59Z' };

/** What sellers say of deliveries beyond impressions, spend and clicks (AdCP, get_media_buy_delivery). */
describe('a report of the delivery', () => {
  let server: TestServer;
  const running: Running[] = [];
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await Promise.all(running.splice(0).map(({ seller }) => seller.agent.stop()));
  });
  afterAll(() => server.stop());

  async function reported(report: object, delivery: object): Promise<Running> {
    const it = await runningCampaign(server);
    running.push(it);
    says(it, report, delivery);
    await refreshed(it);
    return it;
  }

  function says({ seller }: Running, report: object, delivery: object): void {
    const packages = [{ package_id: 'pk_1' }];
    seller.agent.on('get_media_buys', () => ({
      media_buys: [{ media_buy_id: 'far_1', status: 'active', packages }],
    }));
    seller.agent.on('get_media_buy_delivery', () => ({
      ...report,
      media_buy_deliveries: [{ media_buy_id: 'far_1', status: 'active', ...delivery }],
    }));
  }

  const refreshed = async ({ buyer, campaignId }: Running) =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
  const buyOf = async ({ buyer, campaignId }: Running) =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys[0];
  const packagesOf = async (it: Running) =>
    done(await it.buyer.get(`/buyer/media-buys/${(await buyOf(it)).mediaBuyId}/packages`)).packages;

  test('is shown with its views, completed views, conversions, leads and days', async () => {
    const it = await reported(
      { currency: 'USD', reporting_period: PERIOD },
      { totals: { ...TOTALS, ...COUNTS }, by_package: [] },
    );

    expect((await buyOf(it)).performance).toEqual({
      ...TOTALS,
      ...{ views: 40, completedViews: 30, conversions: 2, leads: 1 },
      ...{ windowStart: '2026-12-01', windowEnd: '2026-12-03' },
      lastUpdated: expect.any(String),
    });
  });

  test('of moments without a time zone is one of these days in UTC, wherever the service runs', async () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    const it = await reported(
      { reporting_period: { start: '2026-12-01T00:00:00', end: '2026-12-03 23:59:59.999' } },
      { totals: TOTALS },
    );

    expect((await buyOf(it)).performance).toMatchObject({
      windowStart: '2026-12-01',
      windowEnd: '2026-12-03',
    });
  });

  test('says of each package what that delivered, and nothing of one that the buy does not have', async () => {
    const known = { package_id: 'pk_1', impressions: 700, spend: 7, clicks: 2 };
    const it = await reported(
      {},
      { totals: TOTALS, by_package: [known, { ...known, package_id: 'nobody’s' }] },
    );

    const delivery = { impressions: 700, spend: 7, clicks: 2 };
    expect((await buyOf(it)).packages).toMatchObject([
      { packageId: 'pk_1', budgetCurrency: 'USD', delivery },
    ]);
    expect(await packagesOf(it)).toMatchObject([{ packageId: 'pk_1', delivery }]);
  });

  test('of no package leaves it out there, and of no count is nothing of it', async () => {
    const it = await reported({}, { totals: TOTALS });

    const buy = await buyOf(it);
    expect(buy.performance).toEqual({
      ...TOTALS,
      ...{ views: 0, completedViews: 0, conversions: 0, leads: 0 },
      lastUpdated: expect.any(String),
    });
    expect(buy.packages).toEqual([expect.not.objectContaining({ delivery: expect.anything() })]);
  });

  test.each([
    ['of the answer', { currency: 'EUR' }, { totals: TOTALS }],
    ['of the buy', {}, { currency: 'EUR', totals: TOTALS }],
    ['of its totals', {}, { totals: { ...TOTALS, currency: 'EUR' } }],
    ['of the buy, beside another', { currency: 'USD' }, { currency: 'EUR', totals: TOTALS }],
  ])('in another currency, %s, than the order is not taken, and says so', async (_whose, answer, entry) => {
    const it = await reported(answer, { ...entry, by_package: [] });

    expect(await buyOf(it)).toMatchObject({
      performance: { impressions: 0, spend: 0 },
      sourceMessage: 'The seller reports 12 EUR spent of a buy in USD: the report was not taken.',
    });
  });

  test('in another currency is not taken for the days that are asked about either', async () => {
    const it = await reported({ currency: 'EUR' }, { totals: TOTALS, by_package: [] });

    const { delivery } = done(
      await it.buyer.get(
        `/buyer/campaigns/${it.campaignId}/delivery?startDate=2026-12-01&endDate=2026-12-02`,
      ),
    );
    expect(delivery.mediaBuys).toMatchObject([
      { error: 'The seller reports 12 EUR spent of a buy in USD: the report was not taken.' },
    ]);
  });

  test('is news where a count beside is another, and none of another day or division alone', async () => {
    const it = await reported({ reporting_period: PERIOD }, { totals: { ...TOTALS, views: 1 } });
    const entriesOf = async () => {
      const { mediaBuyId } = await buyOf(it);
      const { logs } = done(await it.buyer.get(`/buyer/audit-logs?resourceId=${mediaBuyId}&take=50`));
      return logs.length;
    };
    const before = await entriesOf();

    says(
      it,
      { reporting_period: { ...PERIOD, end: '2026-12-09T00:00:00Z' } },
      { totals: { ...TOTALS, views: 1 } },
    );
    await refreshed(it);
    expect(await entriesOf()).toBe(before);

    says(it, { reporting_period: PERIOD }, { totals: { ...TOTALS, views: 2 } });
    await refreshed(it);
    expect(await entriesOf()).toBe(before + 1);
    expect((await buyOf(it)).performance.views).toBe(2);
  });
});
