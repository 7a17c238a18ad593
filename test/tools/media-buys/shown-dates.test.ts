import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Running, runningCampaign } from '../../support/buying/running-campaign.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
let running: Running;
beforeAll(async () => {
  server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  running = await runningCampaign(server);
});
afterAll(async () => {
  await server.stop();
  await running.seller.agent.stop();
});

const DAY_MS = 86_400_000;
const after = (moment: string, ms: number) => new Date(Date.parse(moment) + ms).toISOString();

async function shown(dates: { start_time?: string; end_time?: string } = {}) {
  const { buyer, campaignId, seller } = running;
  const entry = { media_buy_id: 'far_1', status: 'active', packages: [], ...dates };
  seller.agent.on('get_media_buys', () => ({ media_buys: [entry] }));
  const { media_buys: told } = done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
  const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${told[0].media_buy_id}?detail=full`));
  return { said: told[0].source_message, mediaBuy };
}
const NOTHING = 'It runs: nothing is to be done.';

test('a seller that shows other dates than were ordered is named with both until it shows what was', async () => {
  const { startTime, endTime } = (await shown()).mediaBuy;
  const [later, sooner] = [after(startTime, DAY_MS), after(endTime, -DAY_MS)];

  const { said, mediaBuy } = await shown({ start_time: later, end_time: sooner });

  expect(said).toMatch(
    new RegExp(
      `^Agent shows ${later} as its start, where ${startTime} was ordered, and ${sooner} as its end, where ${endTime} was ordered\\. ` +
        'Ask the seller, naming sf:\\S+, to show what was ordered; or ask for what it shows with media_buy_update\\.$',
    ),
  );
  expect(mediaBuy).toMatchObject({ startTime, endTime, explanation: `It runs. ${said}` });
  expect((await shown()).said).toBe(said);
  const near = { start_time: after(startTime, DAY_MS / 2), end_time: after(endTime, 1 - DAY_MS) };
  expect((await shown(near)).mediaBuy.explanation).toBe(NOTHING);
});

test('what a seller shows otherwise than it was ordered is another version of the media buy, once', async () => {
  const before = (await shown()).mediaBuy;
  const sooner = { end_time: after(before.endTime, -DAY_MS) };

  const { versionHash } = (await shown(sooner)).mediaBuy;

  expect(versionHash).not.toBe(before.versionHash);
  expect((await shown(sooner)).mediaBuy.versionHash).toBe(versionHash);
});

test('a seller is not named for dates that it is asked for, nor once they hold', async () => {
  const { buyer, seller } = running;
  const { mediaBuyId, startTime, endTime } = (await shown()).mediaBuy;
  const sooner = after(endTime, -2 * DAY_MS);
  await shown({ start_time: startTime, end_time: sooner });
  seller.agent.on('update_media_buy', () => ({ status: 'submitted', task_id: 'task_1' }));

  done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { end_time: sooner }));

  const asked = (await shown({ start_time: startTime })).mediaBuy;
  expect(asked.explanation).not.toContain('was ordered');
  const { mediaBuy } = await shown({ start_time: startTime, end_time: sooner });
  expect(mediaBuy.explanation).not.toContain('was ordered');
});
