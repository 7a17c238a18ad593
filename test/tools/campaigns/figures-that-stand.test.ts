import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, runningCampaign } from '../../support/buying/running-campaign.ts';
import { gate } from '../../support/run/gate.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('figures that a seller does not report, while it says where its media buy stands,', () => {
  let server: TestServer;
  let running: Running;
  let mediaBuyId: string;
  const clock = skippingClock();
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    running = await runningCampaign(server);
    says('active');
  });
  afterAll(async () => {
    await server.stop();
    await running.seller.agent.stop();
  });

  const says = (status: string, message?: string) =>
    running.seller.agent.on('get_media_buys', () => ({
      media_buys: [{ media_buy_id: 'far_1', status, message, packages: [] }],
    }));
  const delivers = (answer: () => object) => running.seller.agent.on('get_media_buy_delivery', answer);
  const reports = () =>
    delivers(() => ({
      media_buy_deliveries: [
        { media_buy_id: 'far_1', totals: { impressions: 2_000, spend: 10.5, clicks: 4 } },
      ],
    }));
  const refuses = () =>
    delivers(() => ({ errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'Reports are being made.' }] }));
  const delivered = async () => {
    const [buy] = done(await running.buyer.get(`/buyer/campaigns/${running.campaignId}/delivery`)).delivery
      .mediaBuys;
    mediaBuyId = buy.mediaBuyId;
    return buy;
  };
  const mediaBuy = async () => done(await running.buyer.get(`/buyer/media-buys/${mediaBuyId}`)).mediaBuy;
  const EARLIER = '2026-11-01T00:00:00.000Z';
  const begins = (start_time: string) =>
    server.store.db
      .withoutPlugins()
      .updateTable('media_buys')
      .set({ start_time })
      .where('campaign_id', '=', running.campaignId)
      .execute();

  test('are told to be missing once the media buy is to run, and not before', async () => {
    refuses();
    expect(await delivered()).not.toHaveProperty('error');
    await begins(EARLIER);

    const words =
      'The seller did not report what was delivered (SERVICE_UNAVAILABLE: Reports are being made): nothing was counted so far.';
    expect(await delivered()).toMatchObject({ impressions: 0, source: 'direct_agent', error: words });
    const { explanation } = await mediaBuy();
    expect(explanation).toMatch(
      /^It runs\. The seller did not .* Ask the seller, naming sf:\S+, if that goes on\.$/,
    );
    expect(explanation).toContain(words);
  });

  test.each<[string, () => object, string]>([
    [
      'is refused',
      () => ({ errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'Reports are being made.' }] }),
      'SERVICE_UNAVAILABLE: Reports are being made',
    ],
    [
      'fails',
      () => {
        throw new Error('No');
      },
      '[^()]+',
    ],
    ['leaves the media buy out', () => ({ media_buy_deliveries: [] }), 'its answer leaves it out'],
    [
      'has no figures of it',
      () => ({ media_buy_deliveries: [{ media_buy_id: 'far_1', status: 'reporting_delayed' }] }),
      'its answer leaves it out',
    ],
  ])(
    'because that %s, are told to stand still, since when, and why, until they are',
    async (_, answer, why) => {
      reports();
      const { lastUpdated } = await delivered();
      delivers(answer);

      const still = await delivered();

      expect(still).toMatchObject({ impressions: 2_000, spend: 10.5, lastUpdated, source: 'direct_agent' });
      expect(still.error).toMatch(
        new RegExp(
          `^The seller did not report what was delivered \\(${why}\\): the figures of ${lastUpdated} stand\\.$`,
        ),
      );
      const { explanation, sourceMessage, status } = await mediaBuy();
      expect({ sourceMessage, status }).toEqual({ sourceMessage: still.error, status: 'ACTIVE' });
      expect(explanation).toContain(`It runs. ${still.error} Ask the seller, naming`);
      reports();
      expect(await delivered()).not.toHaveProperty('error');
      expect((await mediaBuy()).explanation).toBe('It runs: nothing is to be done.');
    },
  );

  test('take nothing from where it stands, though they are waited for until the time of its seller is nearly over', async () => {
    says('paused');
    const asked = gate();
    running.seller.agent.on('get_media_buy_delivery', () => {
      asked.open();
      return new Promise(() => {});
    });
    const still = delivered();
    await asked.passed;
    clock.skip(server.running.app.services.limits.sellerTimeoutMs * 0.9);

    expect(await still).toMatchObject({ source: 'direct_agent' });
    expect((await still).error).toMatch(/did not answer within \d+ s/);
    expect((await mediaBuy()).status).toBe('PAUSED');
    says('active');
    reports();
    expect(await delivered()).not.toHaveProperty('error');
  });

  test('take no word from what a media buy waits for at its seller', async () => {
    says('input-required', 'Send the IO number.');
    reports();
    await delivered();
    refuses();

    await delivered();

    expect((await mediaBuy()).status).toBe('INPUT_REQUIRED');
    expect((await mediaBuy()).sourceMessage ?? '').not.toContain('did not report');
  });

  test('are told to be doubted beside what its seller says itself, which is told alone again', async () => {
    const own = 'Send the IO number';
    const placed = { media_buy_id: 'far_2', packages: [] };
    const { agent, storefrontId } = running.seller;
    agent.on('create_media_buy', () => ({ ...placed, status: 'input-required', message: own }));
    agent.on('get_media_buys', () => ({ media_buys: [placed] }));
    const advertiserId = await newAdvertiser(running.buyer);
    const fields = { advertiserId, storefrontIds: [storefrontId] };
    const { campaignId } = await draftCampaign(running.buyer, fields);
    done(await running.buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const said = async (currency: string) => {
      const totals = { impressions: 9, spend: 12, clicks: 0 };
      delivers(() => ({ currency, media_buy_deliveries: [{ media_buy_id: 'far_2', totals }] }));
      const path = `/buyer/campaigns/${campaignId}`;
      const [{ error }] = done(await running.buyer.get(`${path}/delivery`)).delivery.mediaBuys;
      const [{ status, sourceMessage }] = done(await running.buyer.get(path)).campaign.mediaBuys;
      return { status, sourceMessage, error };
    };
    const doubt = 'The seller reports 12 EUR spent of a buy in USD: the report was not taken.';

    expect(await said('EUR')).toEqual({
      status: 'INPUT_REQUIRED',
      sourceMessage: `${own}. ${doubt}`,
      error: doubt,
    });
    expect(await said('USD')).toEqual({ status: 'INPUT_REQUIRED', sourceMessage: own });
  });
});
