import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { gate } from '../support/run/gate.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { discover, draftOf, productIdsIn } from '../support/sellers/discovery.ts';
import { connectAgent, done, draftCampaign, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const SELLER_TIMEOUT_MS = 30_000;
const TOKEN = 'tok_4f1c9a7e5b3d';

describe('an order at a seller', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let buyer: Person;
  let advertiserId: string;
  const opened: SellerAgent[] = [];

  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterEach(() => Promise.all(opened.splice(0).map((agent) => agent.stop())));
  afterAll(() => server.stop());

  /** A seller with a storefront of its own, and a draft campaign that buys from it alone. */
  async function draftWith(fields: Readonly<Record<string, unknown>> = {}) {
    const agent = await startSellerAgent([adcpProduct('far-1')]);
    opened.push(agent);
    const seller = await newPerson(server);
    const { storefrontId, agentId, sourceId } = await connectAgent(seller, agent.url, fields);
    const wanted = { advertiserId, storefrontId, agentId, productId: 'far-1' };
    const campaignId = await draftOf(buyer, wanted);
    return { agent, seller, storefrontId, agentId, sourceId, campaignId };
  }

  const execute = (campaignId: string) => buyer.post(`/buyer/campaigns/${campaignId}/execute`);

  async function onlyBuyOf(campaignId: string) {
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    expect(campaign.mediaBuys).toHaveLength(1);
    return campaign.mediaBuys[0];
  }

  const keysOf = (agent: SellerAgent) =>
    agent.calls
      .filter(({ tool }) => tool === 'create_media_buy')
      .map(({ args }) => args['idempotency_key'] as string);

  describe('whose answer is lost', () => {
    test('is sent again to the letter under the same key, and there is one buy at the seller', async () => {
      const { agent, campaignId } = await draftWith();
      const made = { media_buy_id: 'far_77', status: 'pending_creatives', packages: [] };
      const buys = new Set<string>();
      let lose = true;
      agent.on('create_media_buy', (args, request) => {
        buys.add(String(args['idempotency_key']));
        if (!lose) return made;
        request.socket.destroy();
        return new Promise(() => {});
      });

      const first = await execute(campaignId);
      lose = false;
      const second = await execute(campaignId);

      expect(first.body.data).toMatchObject({ success: false, newStatus: 'ACTIVE', mediaBuysExecuted: 0 });
      expect(first.body.data.errors[0].message).toBe('The seller could not be reached.');
      expect(second.body.data).toMatchObject({ success: true, mediaBuysExecuted: 1 });
      expect(buys.size).toBe(1);
      const orders = agent.calls.filter(({ tool }) => tool === 'create_media_buy');
      expect(orders.length).toBeGreaterThanOrEqual(2);
      for (const { args } of orders) expect(args).toEqual(orders[0]?.args);
      expect((await onlyBuyOf(campaignId)).status).toBe('ACTIVE');
    });

    test('because the seller takes too long fails the buy, and the next execute finds it made', async () => {
      const { agent, campaignId } = await draftWith();
      const held = gate();
      agent.on('create_media_buy', async () => {
        await held.passed;
        return { media_buy_id: 'far_78', status: 'active', packages: [] };
      });
      const running = execute(campaignId);
      await agent.called('create_media_buy');
      clock.skip(SELLER_TIMEOUT_MS);

      const first = await running;
      held.open();
      const second = await execute(campaignId);

      expect(first.body.data.errors[0].message).toBe('The seller did not answer within 30 s.');
      expect(second.body.data).toMatchObject({ success: true, mediaBuysExecuted: 1 });
      expect(new Set(keysOf(agent)).size).toBe(1);
    });

    test('because it is nonsense is sent again under the same key', async () => {
      const { agent, campaignId } = await draftWith();
      agent.on('create_media_buy', () => ({ thanks: true }));

      const first = await execute(campaignId);
      await execute(campaignId);

      expect(first.body.data.errors[0].message).toBe('The answer to the order names no media buy.');
      expect(new Set(keysOf(agent)).size).toBe(1);
      expect(keysOf(agent)).toHaveLength(2);
    });
  });

  describe('executed twice at once', () => {
    test('makes no second buy, also while the seller holds its answer', async () => {
      const { agent, campaignId } = await draftWith();
      const held = gate();
      let made = 0;
      agent.on('create_media_buy', async () => {
        made += 1;
        await held.passed;
        return { media_buy_id: `far_${made}`, status: 'active', packages: [] };
      });
      const first = execute(campaignId);
      await agent.called('create_media_buy');

      const others = await Promise.all([execute(campaignId), execute(campaignId)]);
      held.open();

      expect((await first).body.data).toMatchObject({ success: true, mediaBuysExecuted: 1 });
      for (const other of others) {
        expect(other.body.data?.mediaBuysExecuted ?? 0).toBe(0);
      }
      expect(made).toBe(1);
      expect((await onlyBuyOf(campaignId)).status).toBe('ACTIVE');
    });

    test('retries a failed buy once, not twice', async () => {
      const { agent, campaignId } = await draftWith();
      agent.on('create_media_buy', () => ({ errors: [{ code: 'INVALID_REQUEST', message: 'No.' }] }));
      await execute(campaignId);
      let made = 0;
      agent.on('create_media_buy', () => {
        made += 1;
        return { media_buy_id: `far_${made}`, status: 'active', packages: [] };
      });

      const answers = await Promise.all([execute(campaignId), execute(campaignId), execute(campaignId)]);

      expect(answers.filter(({ body }) => body.data?.mediaBuysExecuted === 1)).toHaveLength(1);
      expect(made).toBe(1);
    });
  });

  describe('that the seller refuses', () => {
    const refusals = [
      ['PRODUCT_NOT_FOUND', 'product_no_longer_available'],
      ['PRODUCT_UNAVAILABLE', 'product_no_longer_available'],
      ['BUDGET_TOO_LOW', 'invalid_request'],
      ['INVALID_REQUEST', 'invalid_request'],
      ['POLICY_VIOLATION', 'source_rejected'],
    ] as const;
    test.each(refusals)('with %s is failed as %s, in the words of the seller', async (code, errorCode) => {
      const { agent, campaignId } = await draftWith();
      agent.on('create_media_buy', () => ({ errors: [{ code, message: 'Not like this.' }] }));

      const { body } = await execute(campaignId);

      expect(body.data.errors[0].message).toBe(`${code}: Not like this.`);
      expect(await onlyBuyOf(campaignId)).toMatchObject({
        status: 'FAILED',
        errorCode,
        sourceMessage: `${code}: Not like this.`,
      });
    });

    test('is sent under another key the next time, because it is another order', async () => {
      const { agent, campaignId } = await draftWith();
      agent.on('create_media_buy', () => ({ adcp_error: { code: 'INVALID_REQUEST', message: 'No.' } }));
      await execute(campaignId);

      await execute(campaignId);

      const [first = '', second = ''] = keysOf(agent);
      expect([first, second].map((key) => key.replace(/^mb_\w+/, 'mb'))).toEqual([
        'mb.attempt-1',
        'mb.attempt-2',
      ]);
    });

    test('for want of a credential says so', async () => {
      const { agent, campaignId } = await draftWith();
      agent.on('create_media_buy', () => ({ errors: [{ code: 'AUTH_REQUIRED', message: 'Who are you?' }] }));

      const { body } = await execute(campaignId);

      expect(body.data.errors[0].message).toBe('AUTH_REQUIRED: Who are you?');
    });
  });

  describe('that the seller takes for review', () => {
    test('waits as PENDING_APPROVAL, and becomes what the task came to', async () => {
      const { agent, campaignId } = await draftWith();
      agent.on('create_media_buy', () => ({ status: 'submitted', task_id: 'task_1' }));
      const { body } = await execute(campaignId);
      expect(body.data).toMatchObject({ success: true, mediaBuysExecuted: 1 });
      const { mediaBuyId, status } = await onlyBuyOf(campaignId);
      expect(status).toBe('PENDING_APPROVAL');
      agent.on('tasks_get', () => ({
        task_id: 'task_1',
        status: 'completed',
        result: { media_buy_id: 'far_9', status: 'active', packages: [] },
      }));

      done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));

      const record = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`));
      expect(record.mediaBuy).toMatchObject({
        status: 'ACTIVE',
        adcpMediaBuyId: 'far_9',
        adcpStatus: 'active',
      });
    });
  });

  describe('to a seller that wants a credential', () => {
    test.each([
      ['bearer', { authorization: `Bearer ${TOKEN}` }, 'x-api-key'],
      ['api_key', { 'x-api-key': TOKEN }, 'authorization'],
    ] as const)('carries it as %s, and nobody else ever sees it', async (type, headers, other) => {
      const auth = { authenticationType: 'API_KEY', auth: { type, token: TOKEN } };
      const { agent, seller, campaignId, sourceId } = await draftWith(auth);

      await execute(campaignId);

      expect(agent.calls.length).toBeGreaterThanOrEqual(2);
      for (const call of agent.calls) {
        expect(call.headers).toMatchObject(headers);
        expect(call.headers).not.toHaveProperty(other);
        expect(JSON.stringify(call.args)).not.toContain(TOKEN);
      }
      const shown = await seller.get(`/storefront/inventory-sources/${sourceId}`);
      expect(shown.body.data.authConfigured).toBe(true);
      const audit = await seller.get('/buyer/audit-logs?take=100');
      expect(shown.text + audit.text + JSON.stringify(server.log.lines)).not.toContain(TOKEN);
      const rows = await server.store.db
        .selectFrom('inventory_sources')
        .select('auth')
        .where('organization_id', '=', seller.organizationId)
        .execute();
      expect(rows[0]?.auth).toMatch(/^v1\./);
      expect(rows[0]?.auth).not.toContain(TOKEN);
    });

    test('is not sent to another seller with it', async () => {
      const auth = { authenticationType: 'API_KEY', auth: { type: 'bearer', token: TOKEN } };
      const guarded = await draftWith(auth);
      const open = await draftWith();

      await discover(buyer, advertiserId, [guarded.storefrontId, open.storefrontId]);

      for (const { headers } of open.agent.calls) {
        expect(headers).not.toHaveProperty('authorization');
        expect(headers).not.toHaveProperty('x-api-key');
      }
    });
  });

  describe('over a connection', () => {
    test('that is there already is used again', async () => {
      const agent = await startSellerAgent([adcpProduct('far-1')]);
      opened.push(agent);
      const ports = new Set<number | undefined>();
      agent.on('get_products', (_args, request) => {
        ports.add(request.socket.remotePort);
        return { products: [adcpProduct('far-1')] };
      });
      const { storefrontId } = await connectAgent(await newPerson(server), agent.url);

      for (let round = 0; round < 5; round += 1) await discover(buyer, advertiserId, [storefrontId]);

      expect(agent.calls).toHaveLength(5);
      expect(ports.size).toBeLessThan(5);
    });

    test('that has gone stale is made anew, and the call goes through', async () => {
      const agent = await startSellerAgent([adcpProduct('far-1')]);
      opened.push(agent);
      const { storefrontId } = await connectAgent(await newPerson(server), agent.url);
      await discover(buyer, advertiserId, [storefrontId]);
      let stale = true;
      agent.on('get_products', (_args, request) => {
        if (!stale) return { products: [adcpProduct('far-1')] };
        stale = false;
        request.socket.destroy();
        return new Promise(() => {});
      });

      const snapshot = await discover(buyer, advertiserId, [storefrontId]);

      expect(snapshot.incompleteAgents).toEqual([]);
      expect(productIdsIn(snapshot)).toEqual(['far-1']);
    });
  });

  test('goes to each seller at the same time: one that fails does not hold up the other', async () => {
    const good = await draftWith();
    const bad = await draftWith();
    bad.agent.on('create_media_buy', () => ({ errors: [{ code: 'SOLD_OUT', message: 'Gone.' }] }));
    const campaign = await draftCampaign(buyer, { advertiserId, budget: 10_000, each: 10 });

    const { body } = await execute(campaign.campaignId);

    expect(body.data).toMatchObject({ success: false, newStatus: 'ACTIVE' });
    expect(body.data.mediaBuysExecuted).toBeGreaterThanOrEqual(1);
    expect(body.data.errors.map(({ message }: { message: string }) => message)).toContain('SOLD_OUT: Gone.');
    expect(good.agent.buys.size).toBe(1);
  });
});
