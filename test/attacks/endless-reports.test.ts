import { afterAll, beforeAll, expect, test } from 'vitest';
import { pollBuys } from '../../tools/domain/buying/following/buy-polling.ts';
import { runningCampaign } from '../support/buying/running-campaign.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { done } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const EVERY_MS = 300_000;

let server: TestServer;
let clock: SkippingClock;
beforeAll(async () => {
  clock = skippingClock();
  server = await startTestServer({
    clock,
    settings: {
      SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
      SELLER_VERSIONS_PER_MEDIA_BUY: '5',
      VERSIONS_PER_MEDIA_BUY: '8',
    },
  });
});
afterAll(() => server.stop());

/** A buy whose seller says what it likes each time it is asked. */
async function told() {
  const { buyer, campaignId, seller } = await runningCampaign(server);
  const { mediaBuys } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  const mediaBuyId: string = mediaBuys[0].mediaBuyId;
  const says = async (packages: readonly object[]) => {
    seller.agent.on('get_media_buys', () => ({
      media_buys: [{ media_buy_id: 'far_1', status: 'active', packages }],
    }));
    clock.skip(EVERY_MS + 1_000);
    await pollBuys(server.running.app.services, { everyMs: EVERY_MS, signal: new AbortController().signal });
  };
  return { buyer, campaignId, mediaBuyId, says, stop: () => seller.agent.stop() };
}

test('of the packages a seller tells of, twice those ordered and 60 are kept, the rest is counted, and known ones stay', async () => {
  const { buyer, campaignId, mediaBuyId, says, stop } = await told();
  const packages = (name: string) =>
    Array.from({ length: 1_000 }, (_, at) => ({ package_id: `${name}_${at}`, budget: 1 }));
  await says([{ package_id: 'pkg_real', budget: 50 }]);

  await says([...packages('odd').slice(0, 900), { package_id: 'pkg_real', budget: 50 }]);
  const twice = Array.from({ length: 900 }, () => ({ package_id: 'pkg_real', budget: 50 }));

  const { items } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`));
  const { mediaBuys } = done(await buyer.get(`/buyer/campaigns/${campaignId}?fresh=false`)).campaign;
  expect(mediaBuys[0].sourceMessage).toMatch(/tells of 839 packages more/);
  expect(JSON.stringify(items ?? mediaBuys)).toContain('pkg_real');
  const kept = async () => {
    const { db } = server.store;
    const found = db
      .withoutPlugins()
      .selectFrom('media_buys')
      .select('packages')
      .where('id', '=', mediaBuyId);
    return JSON.parse((await found.executeTakeFirstOrThrow()).packages);
  };
  expect(await kept()).toHaveLength(62);
  await says(twice);
  expect(await kept()).toHaveLength(1);
  await stop();
});

/** The earlier versions of a buy, the first first. */
const versionsOf = (mediaBuyId: string) =>
  server.store.db
    .withoutPlugins()
    .selectFrom('media_buy_versions')
    .select(['revision', 'updated_by', 'name'])
    .where('media_buy_id', '=', mediaBuyId)
    .orderBy('revision')
    .execute();

test('versions that a seller makes at every report have an end, and those that others made stay', async () => {
  const { mediaBuyId, says, stop } = await told();
  const before = (await versionsOf(mediaBuyId)).filter(({ updated_by }) => updated_by !== 'seller');

  for (let times = 0; times < 12; times += 1) await says([{ package_id: 'pkg_1', budget: 50 + (times % 2) }]);

  const kept = await versionsOf(mediaBuyId);
  expect(before.length).toBeGreaterThan(0);
  expect(kept.filter(({ updated_by }) => updated_by !== 'seller')).toEqual(before);
  const own = kept.filter(({ updated_by }) => updated_by === 'seller');
  expect(own).toHaveLength(5);
  expect(own.at(-1)?.revision).toBeGreaterThan(10);
  await stop();
});

test('versions that a buyer makes with every call have an end, as the changes have, and the last of them stay', async () => {
  const { buyer, mediaBuyId, stop } = await told();

  for (let times = 0; times < 12; times += 1)
    done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { name: `Name ${times}` }));

  const kept = await versionsOf(mediaBuyId);
  expect(kept.map(({ name }) => name)).toEqual([3, 4, 5, 6, 7, 8, 9, 10].map((times) => `Name ${times}`));
  const changes = await server.store.db
    .withoutPlugins()
    .selectFrom('media_buy_changes')
    .select('proposed')
    .where('media_buy_id', '=', mediaBuyId)
    .execute();
  expect(changes.map(({ proposed }) => JSON.parse(proposed).name).sort()).toEqual(
    [10, 11, 4, 5, 6, 7, 8, 9].map((times) => `Name ${times}`),
  );
  await stop();
});
