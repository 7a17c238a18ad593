import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { putStatus } from '../../support/buying/campaign-status.ts';
import type { Reply } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { callTool } from '../../support/mcp/mcp-call.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { declaresSandbox, type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';
import { oneBehindTheOther } from '../../support/server/under-way.ts';

/** A campaign of 300 with a buy of 100, whose advertiser is put away while it runs. */
describe('a campaign of an advertiser that is archived', () => {
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  let campaignId: string;
  let mediaBuyId: string;
  let packageId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
    declaresSandbox(far, true);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });
  beforeEach(async () => {
    takesChanges(far);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    const draft = { advertiserId, budget: 300, storefrontIds: [far.storefrontId] };
    ({ campaignId } = await draftCampaign(buyer, draft));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const [buy] = (await read()).mediaBuys;
    mediaBuyId = buy.mediaBuyId;
    packageId = buy.packages[0].packageId;
  });

  const path = () => `/buyer/campaigns/${campaignId}`;
  const read = async () => done(await buyer.get(path())).campaign;
  const archive = async () =>
    done(await buyer.put(`/buyer/advertisers/${advertiserId}`, { status: 'ARCHIVED' }));
  const parts = (budget: number) => [{ packageId, budget }];
  const patch = (budget: number) =>
    buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: parts(budget) });
  const put = (body: object) => buyer.put(path(), body);
  const refusedAs = (reply: Reply) => {
    expectRefusal(reply, 409, { code: 'CONFLICT', words: 'The advertiser is archived.' });
  };

  test('takes no raise, of a media buy or in all', async () => {
    await archive();

    refusedAs(await patch(200));
    refusedAs(await put({ mediaBuys: [{ mediaBuyId, packages: parts(200) }] }));
    refusedAs(await put({ budget: { total: 400 } }));
    refusedAs(await put({ flightDates: { endDate: '2027-01-31T00:00:00Z' } }));
    expect(await read()).toMatchObject({ budget: { total: 300 }, allocatedBudget: 100 });
  });

  test('runs no day longer, of a media buy or of one of its packages', async () => {
    const end = (day: number) => `2026-12-${day}T00:00:00.000Z`;
    const ends = (fields: object) => buyer.patch(`/buyer/media-buys/${mediaBuyId}`, fields);
    const part = (fields: object) => ({ packages: [{ packageId, ...fields }] });
    done(await ends({ start_time: end(11), end_time: end(28), ...part({ endTime: end(25) }) }));
    await archive();
    const before = (await read()).mediaBuys;

    refusedAs(await ends({ end_time: end(29) }));
    refusedAs(await ends({ start_time: end(10) }));
    refusedAs(await ends(part({ endTime: end(26) })));
    refusedAs(await ends(part({ budget: 80, endTime: end(26) })));
    refusedAs(await put({ mediaBuys: [{ mediaBuyId, end_time: end(29) }] }));
    expect((await read()).mediaBuys).toEqual(before);
    done(await ends({ name: 'Winter, ended', end_time: end(27), ...part({ endTime: end(24) }) }));
    expect(await read()).toMatchObject({ mediaBuys: [{ endTime: end(27) }] });
  });

  test.each(['executed', 'made', 'raised', 'given more', 'reactivated'])(
    'is not %s while it is being archived',
    async (what) => {
      const draft = { advertiserId, budget: 300, storefrontIds: [far.storefrontId] };
      const other = (await draftCampaign(buyer, draft)).campaignId;
      const fields = { advertiserId, name: 'Late', flightDates, budget: { total: 100 } };
      const calls: Readonly<Record<string, () => Promise<Reply>>> = {
        executed: () => buyer.post(`/buyer/campaigns/${other}/execute`),
        made: () => buyer.post('/buyer/campaigns', fields),
        raised: () => patch(200),
        'given more': () => put({ budget: { total: 400 } }),
        reactivated: () => buyer.post(`${path()}/reactivate`, {}),
      };
      if (what === 'reactivated') done(await buyer.post(`${path()}/pause`, {}));
      const late = calls[what] ?? (() => patch(200));

      const [archived, refused] = await oneBehindTheOther(server, [
        () => buyer.put(`/buyer/advertisers/${advertiserId}`, { status: 'ARCHIVED' }),
        late,
      ]);

      expect(archived.status).toBe(200);
      refusedAs(refused);
    },
  );

  test('goes on with nothing that is paused', async () => {
    done(await buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`, {}));
    await archive();
    refusedAs(await buyer.post(`/buyer/media-buys/${mediaBuyId}/reactivate`, {}));
    done(await buyer.post(`${path()}/pause`, {}));

    refusedAs(await buyer.post(`${path()}/reactivate`, {}));
    expect(await read()).toMatchObject({ status: 'PAUSED', mediaBuys: [{ status: 'PAUSED' }] });
  });

  test('can be lowered, and its media buys called off one by one', async () => {
    await archive();

    done(await patch(80));
    done(await put({ budget: { total: 60 }, mediaBuys: [{ mediaBuyId, packages: parts(60) }] }));
    expect(await read()).toMatchObject({ budget: { total: 60 }, allocatedBudget: 60 });
    done(await put({ mediaBuys: [{ mediaBuyId, action: 'cancel' }] }));
    expect(await read()).toMatchObject({ mediaBuys: [{ status: 'CANCELED' }] });
  });

  describe('is named to whoever puts the advertiser away', () => {
    const advertiser = () => `/buyer/advertisers/${advertiserId}`;
    const warning = () =>
      `The advertiser is ARCHIVED, and 1 of its campaigns still lives at sellers (${campaignId}): what they deliver is ` +
      'paid. campaign_pause holds one, campaign_cancel calls it off for good.';
    const living = () => ({
      liveCampaigns: [{ campaignId, name: 'Winter', status: 'ACTIVE', liveMediaBuys: 1 }],
      totalLiveCampaigns: 1,
      warnings: [warning()],
    });

    test('with 200 instead of 204, over REST and MCP alike, and again when asked again', async () => {
      const reply = await buyer.delete(advertiser());
      const again = await callTool(server, buyer, { name: 'advertiser_delete', arguments: { advertiserId } });

      expect({ status: reply.status, ...reply.body.data }).toMatchObject({ status: 200, ...living() });
      expect(again.structuredContent).toMatchObject(living());
      expect(await read()).toMatchObject({ status: 'ACTIVE' });
    });

    test('by an update too, and as long as it lives by whoever reads the advertiser', async () => {
      const updated = await archive();
      const before = done(await buyer.get(advertiser()));
      done(await buyer.post(`${path()}/cancel`, {}));
      const after = done(await buyer.get(advertiser()));

      expect([updated.warnings, before.warnings, after.warnings]).toEqual([
        [warning()],
        [warning()],
        undefined,
      ]);
      expect((await buyer.delete(advertiser())).status).toBe(204);
    });

    test('without a word of money where it is a sandbox, and so is what lives of a campaign that is over', async () => {
      const play = await newAdvertiser(buyer, { name: 'Play', sandbox: true });
      const draft = { advertiserId: play, storefrontIds: [far.storefrontId] };
      const { campaignId: played } = await draftCampaign(buyer, draft);
      done(await buyer.post(`/buyer/campaigns/${played}/execute`));

      const [told] = done(await buyer.delete(`/buyer/advertisers/${play}`)).warnings;
      await putStatus(server, buyer, { campaignId: played, status: 'CANCELED' });
      const { warnings } = done(await buyer.get(`/buyer/campaigns/${played}`)).campaign;

      expect(told).toContain(
        `(${played}): as it is a sandbox, nothing that they deliver is paid. campaign_pause`,
      );
      expect(warnings).toEqual([
        expect.stringMatching(/ still live \(.+\) at their sellers\. campaign_get_media/),
      ]);
    });

    test('with its number where more live than are named', async () => {
      await putBuysOfMany(server, { campaignId, more: 24 });

      const { liveCampaigns, totalLiveCampaigns, warnings } = (await buyer.delete(advertiser())).body.data;

      expect([liveCampaigns.length, totalLiveCampaigns]).toEqual([20, 25]);
      expect(warnings[0]).toMatch(/^The advertiser is ARCHIVED, and 25 of its .* and 20 more\): /);
    });

    test('not while it is active', async () => {
      expect(done(await buyer.get(advertiser()))).not.toHaveProperty('warnings');
    });
  });
});

/** Copies of a campaign and its media buys, as many more. */
async function putBuysOfMany(
  { store }: TestServer,
  { campaignId, more }: { campaignId: string; more: number },
) {
  const db = store.db.withoutPlugins();
  const campaign = await db
    .selectFrom('campaigns')
    .selectAll()
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow();
  const buys = await db.selectFrom('media_buys').selectAll().where('campaign_id', '=', campaignId).execute();
  for (let copy = 1; copy <= more; copy += 1) {
    const id = `${campaignId}${copy}`;
    await db
      .insertInto('campaigns')
      .values({ ...campaign, id })
      .execute();
    const copies = buys.map((buy) => ({ ...buy, id: `${buy.id}${copy}`, campaign_id: id }));
    await db.insertInto('media_buys').values(copies).execute();
  }
}
