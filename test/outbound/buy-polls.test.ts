import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pollBuys } from '../../tools/domain/buying/following/buy-polling.ts';
import { type Running, runningCampaign } from '../support/buying/running-campaign.ts';
import { eventually } from '../support/run/eventually.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { done } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const EVERY_MS = 300_000;
/** As MEDIA_BUY_END_GRACE_HOURS has it unless told otherwise. */
const GRACE_MS = 72 * 3_600_000;
const SELLERS = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' };

describe('a seller that has news of a media buy', () => {
  let server: TestServer;
  let clock: SkippingClock;
  const running: Running[] = [];
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock, settings: SELLERS });
  });
  afterEach(() => Promise.all(running.splice(0).map(({ seller }) => seller.agent.stop())));
  afterAll(() => server.stop());

  async function run(at = server): Promise<Running> {
    const made = await runningCampaign(at);
    running.push(made);
    return made;
  }

  const asksOf = ({ seller }: Running) =>
    seller.agent.calls.filter(({ tool }) => tool === 'get_media_buys').length;
  const says = ({ seller }: Running, status: string, totals?: object) => {
    seller.agent.on('get_media_buys', () => ({ media_buys: [{ media_buy_id: 'far_1', status }] }));
    seller.agent.on('get_media_buy_delivery', () => ({
      media_buy_deliveries: totals === undefined ? [] : [{ media_buy_id: 'far_1', totals }],
    }));
  };
  const round = (signal = new AbortController().signal) =>
    pollBuys(server.running.app.services, { everyMs: EVERY_MS, signal });
  const campaignOf = async ({ buyer, campaignId }: Running) =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;

  test('is asked once its time has come, and what it says is stored and settles the campaign', async () => {
    const it = await run();
    says(it, 'completed', { impressions: 1_200, spend: 12, clicks: 3 });

    await round();
    expect(asksOf(it)).toBe(0);
    clock.skip(EVERY_MS + 1_000);
    await round();

    expect(asksOf(it)).toBe(1);
    expect(await campaignOf(it)).toMatchObject({
      status: 'COMPLETED',
      mediaBuys: [{ status: 'COMPLETED', performance: { impressions: 1_200 } }],
    });
    const { logs } = done(await it.buyer.get('/buyer/audit-logs?actorOrigin=system'));
    expect(logs.map(({ tool }: { tool: string }) => tool)).toEqual(['media_buy_poll', 'media_buy_poll']);
  });

  test('is named in the log with the tool that asked it', async () => {
    const it = await run();
    says(it, 'completed');

    done(await it.buyer.get(`/buyer/campaigns/${it.campaignId}/delivery`));

    const { logs } = done(await it.buyer.get('/buyer/audit-logs?actorOrigin=system'));
    const names = logs.map(({ tool }: { tool: string }) => tool);
    expect([...new Set(names)]).toEqual(['campaign_get_delivery']);
  });

  test('is not asked again before the time is up, nor about a buy whose figures are not waited for any more', async () => {
    const it = await run();
    says(it, 'active');
    const asked: number[] = [];
    for (const passed of [EVERY_MS + 1_000, EVERY_MS / 2, EVERY_MS / 2 + 1_000]) {
      clock.skip(passed);
      await round();
      asked.push(asksOf(it));
    }
    says(it, 'completed');
    for (const passed of [EVERY_MS + 1_000, EVERY_MS + 1_000, GRACE_MS, EVERY_MS + 1_000]) {
      clock.skip(passed);
      await round();
      asked.push(asksOf(it));
    }

    expect(asked).toEqual([1, 1, 2, 3, 4, 5, 5]);
  });

  test('is asked by one of two processes that look at the same moment', async () => {
    const it = await run();
    says(it, 'active');
    clock.skip(EVERY_MS + 1_000);

    await Promise.all([round(), round(), round()]);

    expect(asksOf(it)).toBe(1);
  });

  test('that hangs or fails holds up no other', async () => {
    const [hanging, failing, honest] = [await run(), await run(), await run()];
    hanging.seller.agent.on('get_media_buys', () => new Promise(() => {}));
    failing.seller.agent.on('get_media_buys', () => ({ nonsense: true }));
    says(honest, 'paused');
    clock.skip(EVERY_MS + 1_000);
    const stopping = new AbortController();

    const over = round(stopping.signal);
    await eventually(async () => {
      expect((await campaignOf(honest)).mediaBuys[0].status).toBe('PAUSED');
    });
    stopping.abort();
    await over;

    expect((await campaignOf(hanging)).mediaBuys[0].status).toBe('ACTIVE');
    expect((await campaignOf(failing)).mediaBuys[0].status).toBe('ACTIVE');
  });

  test('is asked by the service itself, with no buyer asking', async () => {
    const own = await startTestServer({ clock, settings: { ...SELLERS, STATUS_POLL_MS: String(EVERY_MS) } });
    const it = await run(own);
    says(it, 'completed');

    clock.skip(EVERY_MS + 10_000);
    await it.seller.agent.called('get_media_buys');

    await eventually(async () => expect((await campaignOf(it)).status).toBe('COMPLETED'));
    await own.stop();
  });
});
