import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { impatientClock } from '../support/run/clock.ts';
import { discover, draftOf } from '../support/sellers/discovery.ts';
import { connectAgent, done, newAdvertiser } from '../support/sellers/market.ts';
import { type OlderSeller, startOlderSeller } from '../support/sellers/older-seller.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('a seller that refuses arguments it does not know', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  const opened: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    server = await startTestServer({
      clock: impatientClock(),
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' },
    });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterEach(() => Promise.all(opened.splice(0).map((stop) => stop())));
  afterAll(() => server.stop());

  async function sellerAndPlace() {
    const seller = await startOlderSeller();
    opened.push(seller.stop);
    const { storefrontId, agentId } = await connectAgent(await newPerson(server), seller.url);
    return { seller, storefrontId, agentId };
  }
  async function drafted() {
    const { seller, ...place } = await sellerAndPlace();
    const campaignId = await draftOf(buyer, { ...place, advertiserId, productId: 'far-1' });
    return { seller, campaignId };
  }
  const execute = async (campaignId: string) =>
    (await buyer.post(`/buyer/campaigns/${campaignId}/execute`)).body.data;
  const buyOf = (campaignId: string) =>
    server.store.db
      .selectFrom('media_buys')
      .select(['id', 'submission', 'status', 'attempt', 'adcp_media_buy_id', 'source_message', 'packages'])
      .where('organization_id', '=', buyer.organizationId)
      .where('campaign_id', '=', campaignId)
      .executeTakeFirstOrThrow();
  const statusOf = async (campaignId: string) =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`)).media_buys[0];
  const argsOf = ({ calls }: OlderSeller, tool: string) =>
    calls.filter((call) => call.tool === tool).map(({ args }) => args);
  const orders = (seller: OlderSeller) => argsOf(seller, 'create_media_buy');

  test('is found, bought from and reported with what it declares, its tools listed four times', async () => {
    const { seller, campaignId } = await drafted();

    const result = await execute(campaignId);
    const news = await statusOf(campaignId);

    expect(result).toMatchObject({ success: true, mediaBuysExecuted: 1 });
    expect(news).toMatchObject({ status_refresh_source: 'direct_agent', adcp_status: 'active' });
    expect(seller.refusals).toEqual([]);
    // For what it reads, for what it declares once it is chosen and once it is to be ordered from, and once more right
    // before the order, that goes out once.
    expect(seller.listings).toBe(4);
    const { id } = await buyOf(campaignId);
    expect(orders(seller)[0]).toEqual({
      buyer_ref: `${id}.attempt-1`,
      brand_manifest: { name: 'acme.example', url: 'https://acme.example' },
      start_time: expect.any(String),
      end_time: expect.any(String),
      packages: [expect.objectContaining({ product_id: 'far-1', buyer_ref: `${id}.attempt-1.1` })],
    });
    expect(Object.keys(argsOf(seller, 'get_products')[0] ?? {})).toEqual(['brand_manifest']);
  });

  test('is asked for its tools once more where a change wants to know all that it can do', async () => {
    const { seller, campaignId } = await drafted();
    await execute(campaignId);
    const before = seller.listings;

    const { id } = await buyOf(campaignId);
    const refused = await buyer.post(`/buyer/media-buys/${id}/pause`);

    const noWay = 'The seller has no way to change a media buy (update_media_buy).';
    expectRefusal(refused, 422, { code: 'CAPABILITY_NOT_SUPPORTED', at: { media_buy_id: noWay } });
    expect(seller.listings - before).toBe(1);
  });

  test.each([
    ['names no field', {}],
    ['names some and takes others as well', { properties: { brief: {} }, additionalProperties: true }],
    ['names some and takes others of a kind', { properties: { brief: {} }, additionalProperties: {} }],
  ])('is sent everything where it %s', async (_what, schema) => {
    const { seller, storefrontId } = await sellerAndPlace();
    seller.declares('get_products', schema);

    await discover(buyer, advertiserId, [storefrontId]);

    expect(argsOf(seller, 'get_products')[0]).toMatchObject({
      adcp_major_version: 3,
      buying_mode: expect.any(String),
      account: { brand: { domain: 'acme.example' } },
    });
  });

  test('is sent its key beside the reference where it declares both', async () => {
    const { seller, campaignId } = await drafted();
    seller.declares('create_media_buy', {
      properties: {
        idempotency_key: {},
        buyer_ref: {},
        packages: { items: { properties: { product_id: {} } } },
      },
      additionalProperties: false,
    });

    expect(await execute(campaignId)).toMatchObject({ success: true });

    const [order] = orders(seller);
    expect(Object.keys(order ?? {}).sort()).toEqual(['buyer_ref', 'idempotency_key', 'packages']);
    expect(order?.['buyer_ref']).toBe(order?.['idempotency_key']);
    expect(order?.['packages']).toEqual([expect.not.objectContaining({ buyer_ref: expect.anything() })]);
  });

  test('is asked for its tools again after it refused what it had declared', async () => {
    const { seller, storefrontId } = await sellerAndPlace();
    await discover(buyer, advertiserId, [storefrontId]);
    seller.declares('get_products', { properties: { brief: {} }, additionalProperties: false });

    const refused = await discover(buyer, advertiserId, [storefrontId]);
    const after = await discover(buyer, advertiserId, [storefrontId]);

    expect(refused.incompleteAgents).toHaveLength(1);
    expect(after.incompleteAgents).toEqual([]);
    expect(after.productGroups).toHaveLength(1);
  });

  test('bought nothing when it refuses the arguments of an order: the next one is another order', async () => {
    const { seller, campaignId } = await drafted();
    seller.on('create_media_buy', () => ({
      words: '1 validation error for call[create_media_buy]\npo_number\n  Missing required argument',
    }));
    await execute(campaignId);
    const between = await buyOf(campaignId);
    await execute(campaignId);

    expect(between).toMatchObject({ submission: 'answered', status: 'FAILED' });
    expect(between.source_message).toContain('Missing required argument');
    expect(await buyOf(campaignId)).toMatchObject({ submission: 'answered', attempt: 2 });
  });

  test('is understood where it prints its refusal as a tuple', async () => {
    const { seller, campaignId } = await drafted();
    seller.on('create_media_buy', () => ({
      words: `('PRODUCT_UNAVAILABLE', "Seller's shelf is empty", 'terminal')`,
    }));

    const { errors } = await execute(campaignId);

    expect(errors[0].message).toBe("PRODUCT_UNAVAILABLE: Seller's shelf is empty");
    expect(await buyOf(campaignId)).toMatchObject({ submission: 'answered', status: 'FAILED' });
  });

  describe('and keeps no keys of orders', () => {
    /** Takes the order, and the caller never hears of it. */
    const takeAndBreak = (seller: OlderSeller) =>
      seller.on('create_media_buy', (args, request) => {
        seller.take(args);
        request.socket.destroy();
        return new Promise(() => {});
      });

    test('is asked for the buy by its reference after a lost answer, and gets the order once', async () => {
      const { seller, campaignId } = await drafted();
      takeAndBreak(seller);

      const result = await execute(campaignId);

      expect(result).toMatchObject({ success: true, mediaBuysExecuted: 1 });
      expect(orders(seller)).toHaveLength(1);
      expect(seller.buys).toHaveLength(1);
      expect(await buyOf(campaignId)).toMatchObject({ status: 'ACTIVE', adcp_media_buy_id: 'old_buy_1' });
    });

    const unsaid = { code: 'SERVICE_UNAVAILABLE', message: 'No tenant context set' };
    test.each([
      ['words alone', { words: unsaid.message }],
      ['an error beside an empty list', { content: { media_buy_deliveries: [], errors: [unsaid] } }],
    ])('is asked for it at the next execute when it could not say then, by %s', async (_what, said) => {
      const { seller, campaignId } = await drafted();
      takeAndBreak(seller);
      seller.on('get_media_buy_delivery', () => said);
      await execute(campaignId);
      const first = await buyOf(campaignId);
      const again = await execute(campaignId);
      const second = await buyOf(campaignId);
      const { buyer_ref } = seller.buys[0] ?? {};
      seller.on('get_media_buy_delivery', () => ({
        content: { media_buy_deliveries: [{ media_buy_id: 'old_buy_1', buyer_ref, status: 'ready' }] },
      }));
      const last = await execute(campaignId);

      expect(first).toMatchObject({ submission: 'unknown', status: 'FAILED', attempt: 1 });
      expect(again).toMatchObject({ success: false });
      expect(second).toMatchObject({ submission: 'unknown', attempt: 1 });
      expect(second.source_message).toContain('No tenant context');
      expect(last).toMatchObject({ success: true, mediaBuysExecuted: 1 });
      expect(orders(seller)).toHaveLength(1);
      expect(await buyOf(campaignId)).toMatchObject({ status: 'ACTIVE', adcp_media_buy_id: 'old_buy_1' });
    });

    test.each([
      ['an empty list', { media_buy_deliveries: [] }],
      ['an error', { errors: [{ code: 'media_buy_not_found', message: 'No such buy.' }] }],
    ])(
      'is sent the order again, under the same reference, once it says by %s that it has none',
      async (_what, none) => {
        const { seller, campaignId } = await drafted();
        seller.on('get_media_buy_delivery', () => ({ content: none }));
        let broken = false;
        seller.on('create_media_buy', (args, request) => {
          if (broken) return seller.take(args);
          broken = true;
          request.socket.destroy();
          return new Promise(() => {});
        });

        const first = await execute(campaignId);
        const second = await execute(campaignId);

        expect(first).toMatchObject({ success: false });
        expect(second).toMatchObject({ success: true, mediaBuysExecuted: 1 });
        expect(orders(seller)).toHaveLength(2);
        expect(new Set(orders(seller).map(({ buyer_ref }) => buyer_ref)).size).toBe(1);
        expect(seller.buys).toHaveLength(1);
      },
    );

    test('is believed to hold the order when it refuses its reference as known', async () => {
      const { seller, campaignId } = await drafted();
      seller.on('create_media_buy', (args) => {
        seller.take(args);
        return seller.take(args);
      });

      expect(await execute(campaignId)).toMatchObject({ success: true, mediaBuysExecuted: 1 });
      expect(orders(seller)).toHaveLength(1);
      expect(await buyOf(campaignId)).toMatchObject({ adcp_media_buy_id: 'old_buy_1' });
    });

    test('and finds none by a reference, is never sent an order twice that it may have taken', async () => {
      const { seller, campaignId } = await drafted();
      seller.declares('get_media_buy_delivery', { properties: { media_buy_ids: {} } });
      takeAndBreak(seller);

      await execute(campaignId);
      const { errors } = await execute(campaignId);
      await execute(campaignId);

      expect(errors[0].message).toContain('Ask the seller.');
      expect(orders(seller)).toHaveLength(1);
      expect(await buyOf(campaignId)).toMatchObject({ submission: 'unknown', attempt: 1 });
    });

    test('is told apart from its other buys: one of another reference is not this order', async () => {
      const { seller, campaignId } = await drafted();
      let broken = false;
      seller.on('create_media_buy', (args, request) => {
        if (broken) return seller.take(args);
        broken = true;
        request.socket.destroy();
        return new Promise(() => {});
      });
      const other = { media_buy_id: 'of_another', buyer_ref: 'of another', status: 'active' };
      seller.on('get_media_buy_delivery', () => ({ content: { media_buy_deliveries: [other] } }));

      await execute(campaignId);
      await execute(campaignId);

      expect(await buyOf(campaignId)).toMatchObject({ adcp_media_buy_id: 'old_buy_1' });
    });
  });

  describe('and cannot list its media buys', () => {
    async function bought() {
      const made = await drafted();
      await execute(made.campaignId);
      return made;
    }

    test.each([
      ['fails over it', () => ({ words: 'No tenant context set' })],
      ['leaves the buy out', () => ({ content: { media_buys: [] } })],
      ['gives no status', () => ({ content: { media_buys: [{ media_buy_id: 'old_buy_1', status: null }] } })],
    ])('because it %s, tells where the buy stands by its delivery', async (_what, answer) => {
      const { seller, campaignId } = await bought();
      seller.declares('get_media_buys', { properties: { media_buy_ids: {} } });
      seller.on('get_media_buys', answer);

      const news = await statusOf(campaignId);

      expect(news).toMatchObject({ status_refresh_source: 'direct_agent', adcp_status: 'active' });
      const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${(await buyOf(campaignId)).id}`));
      expect(mediaBuy.performance).toMatchObject({ impressions: 1_000, spend: 5 });
    });

    test.each(['reporting_delayed', 'failed', 'whatever'])(
      'and whose delivery says %s, leaves the status as it was',
      async (status) => {
        const { seller, campaignId } = await bought();
        const entry = { media_buy_id: 'old_buy_1', status, totals: { impressions: 7 } };
        seller.on('get_media_buy_delivery', () => ({ content: { media_buy_deliveries: [entry] } }));

        const news = await statusOf(campaignId);

        expect(news).toMatchObject({ internal_status: 'ACTIVE' });
      },
    );
  });
});
