import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditOf } from '../../support/callers/answers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { discover, draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** What the audit log tells of each media buy: why, and what it was and is. */
describe('the entry of a media buy that was changed', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let campaignId: string;
  let mediaBuyId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    buyer = await newPerson(server);
    far = await farSeller(server, 'Far');
    return () => far.agent.stop();
  });

  /** A campaign with one buy: what the seller says to its order decides whether that is held. */
  async function execute(answer: object): Promise<void> {
    far.agent.on('create_media_buy', () => answer);
    const advertiserId = await newAdvertiser(buyer);
    campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    mediaBuyId = campaign.mediaBuys[0].mediaBuyId;
  }

  /** A buy that its seller runs, and changes as it is told. */
  async function running(): Promise<void> {
    const part = { package_id: 'pkg_1', product_id: 'far-1', budget: 100, pacing: 'even' };
    let shown = { media_buy_id: 'far_1', status: 'active', packages: [part] };
    far.agent.on('get_media_buys', () => ({ media_buys: [shown] }));
    far.agent.on('update_media_buy', ({ canceled, packages = [] }) => {
      const [changes = {}] = packages as object[];
      const status = canceled === true ? 'canceled' : shown.status;
      shown = { ...shown, status, packages: [{ ...part, ...changes }] };
      return shown;
    });
    await execute(shown);
  }

  const refused = {
    errors: [{ code: 'PRODUCT_UNAVAILABLE', message: 'Sold out.', recovery: 'correctable' }],
  };
  const update = (entry: object, more: object = {}) =>
    buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys: [{ mediaBuyId, ...entry }], ...more });
  const entriesOf = async (tool: string) =>
    (await auditOf(server, buyer, tool)).filter(({ resource_id: id }) => id === mediaBuyId);
  const changesIn = (entry: { changes: string | null } | undefined) => JSON.parse(entry?.changes ?? 'null');

  test('tells why in the words for that buy, though the call gave others for the whole of it', async () => {
    await running();

    done(await update({ action: 'cancel', reason: 'Its site is down.' }, { reason: 'Cleaning up.' }));

    expect(await entriesOf('campaign_update')).toMatchObject([{ reason: 'Its site is down.' }]);
    const log = await auditOf(server, buyer, 'campaign_update');
    const [first] = log.filter(({ resource_id: id }) => id === campaignId);
    expect(first?.reason).toBe('Cleaning up.');
  });

  test('stands beside one of its campaign that tells what was asked of it, where nothing else was', async () => {
    await running();

    done(await update({ packages: [{ packageId: 'pkg_1', budget: 80 }] }));

    const log = await auditOf(server, buyer, 'campaign_update');
    const [first, ...others] = log.filter(({ resource_id: id }) => id === campaignId);
    expect(others).toEqual([]);
    expect(changesIn(first)).toEqual({ [`mediaBuys.${mediaBuyId}.update`]: { from: 'ACTIVE', to: 'asked' } });
  });

  test('stands beside one of its campaign that tells what it came to, where no seller was asked', async () => {
    await execute(refused);

    done(await update({ action: 'delete' }));

    const log = await auditOf(server, buyer, 'campaign_update');
    const [first] = log.filter(({ resource_id: id }) => id === campaignId);
    expect(changesIn(first)).toEqual({
      [`mediaBuys.${mediaBuyId}.archive`]: { from: 'FAILED', to: 'ARCHIVED' },
    });
  });

  test('tells why in the words of the call where none are of that buy', async () => {
    await running();

    done(await update({ action: 'cancel' }, { reason: 'Cleaning up.' }));

    expect(await entriesOf('campaign_update')).toMatchObject([{ reason: 'Cleaning up.' }]);
  });

  test.each([
    ['pause', 'campaign_pause'],
    ['cancel', 'campaign_cancel'],
  ])('has what was spent by then where its seller told that with a %s', async (what, tool) => {
    await running();
    far.agent.on('get_media_buy_delivery', () => ({
      currency: 'USD',
      media_buy_deliveries: [
        { media_buy_id: 'far_1', totals: { impressions: 900, spend: 12.5, clicks: 3 }, by_package: [] },
      ],
    }));

    done(await buyer.post(`/buyer/campaigns/${campaignId}/${what}`));

    const [entry] = await entriesOf(tool);
    expect(changesIn(entry)).toMatchObject({
      'performance.spend': { from: 0, to: 12.5 },
      'performance.impressions': { from: 0, to: 900 },
    });
  });

  test('has each field of a package as it was and as it is', async () => {
    await running();

    const part = (changes: object) => update({ packages: [{ packageId: 'pkg_1', ...changes }] });
    done(await part({ pacing: 'asap' }));

    done(await part({ budget: 80, pacing: 'even' }));

    const [entry] = await entriesOf('campaign_update');
    expect(changesIn(entry)).toMatchObject({
      budget: { from: 100, to: 80 },
      'packages.pkg_1.budget': { from: 100, to: 80 },
      'packages.pkg_1.pacing': { from: 'asap', to: 'even' },
    });
  });

  test('has what a package was ordered as where its seller says nothing of it', async () => {
    const shown = { media_buy_id: 'far_1', status: 'active' };
    const part = { package_id: 'pkg_1', product_id: 'far-1', budget: 100 };
    far.agent.on('update_media_buy', () => ({ ...shown, packages: [part] }));
    far.agent.on('create_media_buy', () => ({ ...shown, packages: [part] }));
    const advertiserId = await newAdvertiser(buyer);
    const { discoveryId } = await discover(buyer, advertiserId, [far.storefrontId]);
    const targeting = { geo_countries: ['US'] };
    const products = [{ productId: 'far-1', budget: 100, targetingOverlay: targeting }];
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }));
    const budget = { total: 100, pacing: 'FRONTLOADED' };
    const fields = { advertiserId, name: 'Winter', flightDates, budget, discoveryId };
    ({ campaignId } = done(await buyer.post('/buyer/campaigns', fields)).campaign);
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    mediaBuyId = campaign.mediaBuys[0].mediaBuyId;

    const changed = { packageId: 'pkg_1', pacing: 'asap', targetingOverlay: { geo_countries: ['DE'] } };
    done(await update({ packages: [changed] }));

    const [entry] = await entriesOf('campaign_update');
    expect(changesIn(entry)).toMatchObject({
      'packages.pkg_1.pacing': { from: 'front_loaded', to: 'asap' },
      'packages.pkg_1.targeting_overlay': { from: targeting, to: { geo_countries: ['DE'] } },
    });
  });

  test('keeps the reason out of what was changed', async () => {
    await running();

    done(await buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`, { reason: 'Out of stock.' }));

    const entries = await entriesOf('media_buy_pause');
    expect(entries.map(({ reason }) => reason)).toEqual(['Out of stock.', 'Out of stock.']);
    for (const { changes } of entries) expect(changes).not.toContain('Out of stock.');
  });

  test.each([
    ['by itself', 'media_buy_update', () => buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { name: 'New' })],
    ['with its campaign', 'campaign_update', () => update({ name: 'New' })],
  ])('is there of one that no seller holds, changed %s', async (_way, tool, change) => {
    await execute(refused);

    done(await change());

    const entries = await entriesOf(tool);
    expect(entries.map(changesIn)).toMatchObject([{ name: { from: 'Winter – Agent', to: 'New' } }]);
  });

  test('is there of one that no seller holds when its campaign is deleted', async () => {
    await execute(refused);

    expect((await buyer.delete(`/buyer/campaigns/${campaignId}`)).status).toBe(204);

    const entries = await entriesOf('campaign_delete');
    expect(entries.map(changesIn)).toEqual([{ status: { from: 'FAILED', to: 'ARCHIVED' } }]);
  });

  describe('in short', () => {
    const short = async () => {
      const asked = `resourceId=${mediaBuyId}&actions=UPDATE&actions=EXECUTE&detail=compact`;
      const { logs } = done(await buyer.get(`/buyer/audit-logs?${asked}`));
      return logs.map(({ action, changed }: { action: string; changed?: string }) => [action, changed]);
    };
    const refuses = () =>
      far.agent.on('update_media_buy', () => ({
        adcp_error: { code: 'INVALID_STATE', message: 'Not now.' },
      }));

    test.each([
      ['pause', 'EXECUTE', 'pause: asked'],
      ['budget', 'UPDATE', 'update: asked, asked.budget, asked.packages.pkg_1.budget'],
    ])('says what was asked for and that its seller refused it: %s', async (what, action, asked) => {
      await running();
      refuses();

      const path = `/buyer/media-buys/${mediaBuyId}`;
      const reply =
        what === 'pause'
          ? await buyer.post(`${path}/pause`)
          : await buyer.patch(path, { packages: [{ packageId: 'pkg_1', budget: 80 }] });

      expect(done(reply).success).toBe(false);
      const [last, first] = await short();
      expect(first).toEqual([action, asked]);
      expect(last).toEqual(['UPDATE', `asked: ${what === 'pause' ? 'pause' : 'update'}, change: refused`]);
    });

    test('says that a seller did what it was asked for, and where the media buy stands by that', async () => {
      await running();

      done(await update({ action: 'cancel' }));

      const [last] = await short();
      expect(last).toEqual(['UPDATE', 'status: CANCELED, change: confirmed']);
    });

    test('says of what a seller refused in the course of another change what it was', async () => {
      await running();
      refuses();

      done(await update({ action: 'cancel' }));

      const [last] = await short();
      expect(last).toEqual(['UPDATE', 'asked: cancel, change: refused']);
    });
  });
});
