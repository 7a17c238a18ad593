import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdaAndBea, adaAndBea } from '../support/buying/ada-and-bea.ts';
import { putStatus } from '../support/buying/campaign-status.ts';
import type { Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import type { FarSeller } from '../support/sellers/far-seller.ts';
import { type Draft, done, draftCampaign, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct } from '../support/sellers/seller-agent.ts';
import type { TestServer } from '../support/server/server.ts';

const REFUSES = { adcp_error: { code: 'INVALID_REQUEST', message: 'No.' } };

describe('an order', () => {
  let market: AdaAndBea;
  let server: TestServer;
  let ada: FarSeller;
  let bea: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    market = await adaAndBea({
      ada: [adcpProduct('radio', { channels: ['radio'] }), adcpProduct('banner', { channels: ['display'] })],
    });
    ({ server, ada, bea, buyer, advertiserId } = market);
  });
  afterAll(() => market.stop());

  const draft = (changes: Partial<Draft> = {}) =>
    draftCampaign(buyer, { advertiserId, storefrontIds: [bea.storefrontId], ...changes });
  const execute = (campaignId: string, fields?: object) =>
    buyer.post(`/buyer/campaigns/${campaignId}/execute`, fields);
  const create = (fields: object) => market.create(fields);
  const discover = (fields: object) =>
    buyer.post('/buyer/discovery/discover-products', { advertiserId, waitSeconds: 30, ...fields });
  const campaignOf = async (campaignId: string) =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  const statusOf = (campaignId: string) => buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`);
  const orders = () =>
    [ada, bea].flatMap(({ agent }) => agent.calls.filter(({ tool }) => tool === 'create_media_buy'));
  const asked = () => [ada, bea].flatMap(({ agent }) => agent.calls);

  describe('for an archived advertiser', () => {
    async function archived(before: (advertiserId: string) => Promise<string>) {
      const own = await newAdvertiser(buyer);
      const campaignId = await before(own);
      done(await buyer.put(`/buyer/advertisers/${own}`, { status: 'ARCHIVED' }));
      return { own, campaignId, sent: asked().length };
    }

    test('is neither looked for nor placed for the first time', async () => {
      const { own, campaignId, sent } = await archived(
        async (advertiserId) => (await draft({ advertiserId })).campaignId,
      );

      expectRefusal(await discover({ advertiserId: own }), 409, {
        code: 'CONFLICT',
        words: 'The advertiser is archived.',
      });
      expectRefusal(await execute(campaignId), 409, {
        code: 'CONFLICT',
        words: 'The advertiser is archived.',
      });
      expect(asked()).toHaveLength(sent);
      expect(await campaignOf(campaignId)).toMatchObject({ status: 'DRAFT', mediaBuys: [] });
    });

    test('is not sent again', async () => {
      bea.agent.on('create_media_buy', () => 'neither yes nor no');
      const { campaignId, sent } = await archived(async (advertiserId) => {
        const { campaignId } = await draft({ advertiserId });
        expect(done(await execute(campaignId))).toMatchObject({ success: false });
        return campaignId;
      });

      expectRefusal(await execute(campaignId), 409, {
        code: 'CONFLICT',
        words: 'The advertiser is archived.',
      });
      expect(asked()).toHaveLength(sent);
    });
  });

  describe('outside of what its campaign is to keep to', () => {
    const onDisplay = { constraints: { channels: ['display'] } };
    const choose = (discoveryId: string, productId: string) =>
      buyer.post(`/buyer/discovery/${discoveryId}/products`, {
        products: [{ productId, salesAgentId: ada.agentId, budget: 10 }],
      });

    test('cannot be chosen for it, and one within can', async () => {
      const { campaign } = done(await create(onDisplay));
      const { discoveryId } = done(
        await discover({
          campaignId: campaign.campaignId,
          storefrontIds: [ada.storefrontId],
          channels: ['display', 'radio'],
        }),
      );

      const refused = await choose(discoveryId, 'radio');

      expectRefusal(refused, 400, {
        code: 'VALIDATION_ERROR',
        at: { 'products.0.productId': 'This session has not found such a product.' },
      });
      // What runs elsewhere is not even found for the campaign.
      expect(refused.body.error.message).toContain('has not found such a product');
      expect((await choose(discoveryId, 'banner')).status).toBe(200);
    });

    test('keeps a campaign from being made of the choice', async () => {
      const { discoveryId } = done(await discover({ storefrontIds: [ada.storefrontId] }));
      done(await choose(discoveryId, 'radio'));

      expectRefusal(await create({ ...onDisplay, discoveryId }), 422, {
        code: 'VALIDATION_ERROR',
        at: { 'constraints.channels': 'Product radio runs on radio; the campaign stays on display.' },
      });
      expect((await create({ discoveryId })).status).toBe(201);
    });

    test.each([
      [
        'constraints.channels',
        'Product radio runs on radio; the campaign stays on display.',
        { constraints: { channels: ['display'] }, changes: {} },
      ],
      [
        'constraints.geo_countries',
        'Product radio runs in US; the campaign stays in DE.',
        { constraints: { geo_countries: ['DE'] }, changes: { countries: ['US'] } },
      ],
    ])('is not placed: %s', async (field, words, { constraints, changes }) => {
      const { discoveryId } = done(await discover({ storefrontIds: [ada.storefrontId] }));
      done(await choose(discoveryId, 'radio'));
      const { campaign } = done(await create({ discoveryId }));
      await server.store.db
        .updateTable('campaigns')
        .set({ constraints: JSON.stringify(constraints) })
        .where('organization_id', '=', buyer.organizationId)
        .where('id', '=', campaign.campaignId)
        .execute();
      await changeChosen(discoveryId, changes);
      const sent = orders().length;

      expectRefusal(await execute(campaign.campaignId), 422, {
        code: 'VALIDATION_ERROR',
        at: { [field]: words },
      });
      expect(orders()).toHaveLength(sent);
    });

    /** What an older choice says of its product. */
    async function changeChosen(discoveryId: string, changes: object) {
      const chosen = server.store.db
        .selectFrom('discovery_selections')
        .select('product')
        .where('organization_id', '=', buyer.organizationId)
        .where('session_id', '=', discoveryId);
      const { product } = await chosen.executeTakeFirstOrThrow();
      await server.store.db
        .updateTable('discovery_selections')
        .set({ product: JSON.stringify({ ...JSON.parse(product), ...changes }) })
        .where('organization_id', '=', buyer.organizationId)
        .where('session_id', '=', discoveryId)
        .execute();
    }
  });

  test('of what another campaign bought from the same session wants to be meant', async () => {
    bea.agent.on('create_media_buy', ({ idempotency_key }) => ({
      media_buy_id: idempotency_key,
      status: 'active',
      packages: [],
    }));
    const first = await draft();
    const second = done(await create({ discoveryId: first.discoveryId })).campaign.campaignId;
    done(await execute(first.campaignId));
    const sent = orders().length;

    const refused = await execute(second);

    const words = `Another campaign has bought from the same session: Product bea-1 (by ${first.campaignId}).`;
    expectRefusal(refused, 409, { code: 'CONFLICT', at: { rebuy: words } });
    expect(orders()).toHaveLength(sent);
    expect(done(await execute(second, { rebuy: true }))).toMatchObject({
      success: true,
      mediaBuysExecuted: 1,
    });
    expect(orders()).toHaveLength(sent + 1);
  });

  describe('for a flight that cannot be', () => {
    const endDate = '2026-12-31T00:00:00Z';
    const over = 'The flight is over already.';
    const noMoment = 'Give a moment between the years 1970 and 9999, in UTC.';
    test.each<[string, Readonly<Record<string, string>>, object]>([
      [
        'is over',
        { 'flightDates.endDate': over },
        { startDate: '2026-01-01T00:00:00Z', endDate: '2026-02-01T00:00:00Z' },
      ],
      [
        'is over, in other words',
        { 'flightDates.end': over },
        { start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z' },
      ],
      [
        'ends this very moment or before',
        { 'flightDates.endDate': over },
        { startDate: '2026-01-01', endDate: '2026-11-30' },
      ],
      [
        'begins in the year 0',
        { 'flightDates.startDate': noMoment },
        { startDate: '0000-01-01T00:00:00Z', endDate },
      ],
      [
        'begins in the year 1',
        { 'flightDates.startDate': noMoment },
        { startDate: '0001-01-01T00:00:00Z', endDate },
      ],
      ['begins in the year 26', { 'flightDates.startDate': noMoment }, { startDate: '0026-12-01', endDate }],
      [
        'begins before anybody bought here',
        { 'flightDates.startDate': 'Give a year from 2000 on.' },
        { startDate: '1999-12-31T23:59:59Z', endDate },
      ],
    ])('since it %s makes neither a campaign nor a session', async (_what, at, flightDates) => {
      const sent = asked().length;

      expectRefusal(await create({ flightDates }), 400, { code: 'VALIDATION_ERROR', at });
      expectRefusal(await discover({ flightDates }), 400, { code: 'VALIDATION_ERROR', at });
      expect(asked()).toHaveLength(sent);
    });
  });

  test('with more a day than in all is not drafted', async () => {
    expectRefusal(await create({ budget: { total: 10, dailyCap: 10.01 } }), 400, {
      code: 'VALIDATION_ERROR',
      at: { 'budget.dailyCap': 'Must not be more than the total.' },
    });
    expect((await create({ budget: { total: 10, dailyCap: 10 } })).status).toBe(201);
  });

  describe('that was answered decides over its campaign', () => {
    const bought = (id: string) => () => ({ media_buy_id: id, status: 'active', packages: [] });
    const reports = ({ agent }: FarSeller, id: string, status: string) =>
      agent.on('get_media_buys', () => ({ media_buys: [{ media_buy_id: id, status, packages: [] }] }));
    const both = () => draft({ storefrontIds: [ada.storefrontId, bea.storefrontId] });

    test('which is COMPLETED once every media buy is, and not before', async () => {
      ada.agent.on('create_media_buy', bought('ada_c'));
      bea.agent.on('create_media_buy', bought('bea_c'));
      const { campaignId } = await both();
      done(await execute(campaignId));
      reports(ada, 'ada_c', 'completed');
      reports(bea, 'bea_c', 'active');

      expect(done(await statusOf(campaignId))).toMatchObject({ campaign_status: 'ACTIVE' });
      reports(bea, 'bea_c', 'completed');
      expect(done(await statusOf(campaignId))).toMatchObject({ campaign_status: 'COMPLETED' });
      expect(await campaignOf(campaignId)).toMatchObject({ status: 'COMPLETED' });
      expectRefusal(await execute(campaignId), 409, {
        code: 'CONFLICT',
        words: 'A campaign that is COMPLETED cannot be executed.',
      });
    });

    test('which stays a draft when every seller refused, and is ACTIVE when one did not', async () => {
      ada.agent.on('create_media_buy', () => REFUSES);
      bea.agent.on('create_media_buy', () => REFUSES);
      const { campaignId } = await both();

      expect(done(await execute(campaignId))).toMatchObject({ newStatus: 'DRAFT', mediaBuysExecuted: 0 });
      expect(await campaignOf(campaignId)).toMatchObject({ status: 'DRAFT' });
      bea.agent.on('create_media_buy', bought('bea_d'));
      expect(done(await execute(campaignId))).toMatchObject({ newStatus: 'ACTIVE', mediaBuysExecuted: 1 });
    });

    test('which was paused is COMPLETED all the same', async () => {
      bea.agent.on('create_media_buy', bought('bea_p'));
      const { campaignId } = await draft();
      done(await execute(campaignId));
      await putStatus(server, buyer, { campaignId, status: 'PAUSED' });
      reports(bea, 'bea_p', 'completed');

      expect(done(await statusOf(campaignId))).toMatchObject({ campaign_status: 'COMPLETED' });
    });
  });
});
