import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { impatientClock } from '../support/run/clock.ts';
import { draftOf } from '../support/sellers/discovery.ts';
import { connectAgent, done, newAdvertiser } from '../support/sellers/market.ts';
import { startPlainSeller } from '../support/sellers/plain-seller.ts';
import { adcpProduct, listen, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const made = { media_buy_id: 'far_1', status: 'active', packages: [] };
const nonsense = { thanks: true };

describe('an order that its seller may have taken', () => {
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

  async function draftAt(url: string) {
    const seller = await newPerson(server);
    const { storefrontId, agentId } = await connectAgent(seller, url);
    const wanted = { advertiserId, storefrontId, agentId, productId: 'far-1' };
    return { seller, campaignId: await draftOf(buyer, wanted) };
  }

  async function farDraft() {
    const agent = await startSellerAgent([adcpProduct('far-1')]);
    opened.push(agent.stop);
    return { agent, ...(await draftAt(agent.url)) };
  }

  const execute = async (campaignId: string) =>
    (await buyer.post(`/buyer/campaigns/${campaignId}/execute`)).body.data;

  const keysOf = ({ calls }: SellerAgent) =>
    calls.filter(({ tool }) => tool === 'create_media_buy').map(({ args }) => args['idempotency_key']);

  async function buyOf(campaignId: string) {
    return server.store.db
      .selectFrom('media_buys')
      .select(['submission', 'status', 'attempt', 'error_code', 'source_message'])
      .where('organization_id', '=', buyer.organizationId)
      .where('campaign_id', '=', campaignId)
      .executeTakeFirstOrThrow();
  }

  /** The seller is at another address from now on, or nowhere at all. */
  async function moveTo(seller: Person, endpoint_url: string): Promise<void> {
    await server.store.db
      .updateTable('inventory_sources')
      .set({ endpoint_url })
      .where('organization_id', '=', seller.organizationId)
      .execute();
  }

  describe('and whose answer is words alone', () => {
    test.each([
      ['a confirmation', { text: 'Thank you, your campaign is booked.' }],
      ['nothing', { text: '' }],
      ['an error', { text: 'Traceback: something went wrong', isError: true }],
      ['JSON without a word of AdCP, marked as an error', { text: '{"oops":true}', isError: true }],
    ])('%s, is repeated under its key and bought once', async (_what, words) => {
      const booked = new Set<string>();
      const plain = await startPlainSeller((key) => {
        const replay = booked.has(key);
        booked.add(key);
        return replay ? { text: JSON.stringify(made) } : words;
      });
      opened.push(plain.stop);
      const { campaignId } = await draftAt(plain.url);

      const first = await execute(campaignId);
      const between = await buyOf(campaignId);
      const second = await execute(campaignId);

      expect(first).toMatchObject({ success: false, mediaBuysExecuted: 0 });
      expect(between).toMatchObject({ submission: 'unknown', status: 'FAILED' });
      expect(second).toMatchObject({ success: true, mediaBuysExecuted: 1 });
      expect(plain.keys).toHaveLength(2);
      expect(booked.size).toBe(1);
    });

    test('a refusal in AdCP, is another order the next time', async () => {
      const text = JSON.stringify({ errors: [{ code: 'INVALID_REQUEST', message: 'No.' }] });
      const plain = await startPlainSeller(() => ({ text, isError: true }));
      opened.push(plain.stop);
      const { campaignId } = await draftAt(plain.url);

      await execute(campaignId);
      await execute(campaignId);

      expect(plain.keys.map((key) => key.replace(/^mb_\w+/, 'mb'))).toEqual(['mb.attempt-1', 'mb.attempt-2']);
    });
  });

  describe('stays so, under its one key,', () => {
    test.each([
      ['IDEMPOTENCY_IN_FLIGHT', undefined],
      ['IDEMPOTENCY_EXPIRED', undefined],
      ['IDEMPOTENCY_CONFLICT', 'correctable'],
      ['RATE_LIMITED', undefined],
      ['RATE_LIMITED', 'correctable'],
      ['SERVICE_UNAVAILABLE', undefined],
      ['AUTH_REQUIRED', 'correctable'],
      ['PERMISSION_DENIED', undefined],
      ['ACCOUNT_SUSPENDED', 'terminal'],
      ['BUSY_TODAY', 'transient'],
    ])('when its repeat is refused with %s (%s)', async (code, recovery) => {
      const { agent, campaignId } = await farDraft();
      agent.on('create_media_buy', () => nonsense);
      await execute(campaignId);
      agent.on('create_media_buy', () => ({ errors: [{ code, message: 'Not now.', recovery }] }));

      const refused = await execute(campaignId);
      const between = await buyOf(campaignId);
      agent.on('create_media_buy', () => made);
      const last = await execute(campaignId);

      expect(refused.errors[0].message).toBe(`${code}: Not now.`);
      expect(between).toMatchObject({ submission: 'unknown', status: 'FAILED', attempt: 1 });
      expect(last).toMatchObject({ success: true, mediaBuysExecuted: 1 });
      expect(new Set(keysOf(agent)).size).toBe(1);
    });

    test.each([
      ['the seller wants another credential', 401],
      ['the seller forbids the call', 403],
    ])('when %s', async (_what, status) => {
      const { agent, seller, campaignId } = await farDraft();
      agent.on('create_media_buy', () => nonsense);
      await execute(campaignId);
      const shut = await listen((_req, res) => res.writeHead(status).end());
      opened.push(shut.stop);
      await moveTo(seller, `${shut.url}/mcp`);

      const refused = await execute(campaignId);
      const between = await buyOf(campaignId);
      await moveTo(seller, agent.url);
      agent.on('create_media_buy', () => made);
      await execute(campaignId);

      expect(refused.errors[0].message).toBe('The seller wants another credential.');
      expect(between).toMatchObject({ submission: 'unknown', attempt: 1 });
      expect(new Set(keysOf(agent)).size).toBe(1);
      expect(await buyOf(campaignId)).toMatchObject({ submission: 'answered', status: 'ACTIVE' });
    });

    test('when the seller’s address is one that may not be called', async () => {
      const { agent, seller, campaignId } = await farDraft();
      agent.on('create_media_buy', () => nonsense);
      await execute(campaignId);
      await moveTo(seller, 'https://10.1.2.3/mcp');

      await execute(campaignId);

      expect(await buyOf(campaignId)).toMatchObject({ submission: 'unknown', attempt: 1 });
    });

    test('when the seller has left', async () => {
      const { agent, seller, campaignId } = await farDraft();
      agent.on('create_media_buy', () => nonsense);
      await execute(campaignId);
      await server.store.db
        .deleteFrom('inventory_sources')
        .where('organization_id', '=', seller.organizationId)
        .execute();

      await execute(campaignId);

      expect(await buyOf(campaignId)).toMatchObject({
        submission: 'unknown',
        attempt: 1,
        source_message: 'The seller has left the marketplace.',
      });
    });

    test('when the connection broke under the first sending and the second is refused for a while', async () => {
      const { agent, campaignId } = await farDraft();
      let broken = false;
      agent.on('create_media_buy', (_args, request) => {
        if (broken) return { errors: [{ code: 'RATE_LIMITED', message: 'Slow down.' }] };
        broken = true;
        request.socket.destroy();
        return new Promise(() => {});
      });

      await execute(campaignId);

      expect(await buyOf(campaignId)).toMatchObject({
        submission: 'unknown',
        source_message: 'RATE_LIMITED: Slow down.',
      });
      expect(new Set(keysOf(agent)).size).toBe(1);
    });

    test('when a seller says of a first order that one under its key is under way', async () => {
      const { agent, campaignId } = await farDraft();
      agent.on('create_media_buy', () => ({ errors: [{ code: 'IDEMPOTENCY_IN_FLIGHT', message: 'Wait.' }] }));

      await execute(campaignId);

      expect(await buyOf(campaignId)).toMatchObject({ submission: 'unknown' });
    });
  });

  test('is over once its repeat is refused for good: the next one is another order', async () => {
    const { agent, campaignId } = await farDraft();
    agent.on('create_media_buy', () => nonsense);
    await execute(campaignId);
    agent.on('create_media_buy', () => ({ errors: [{ code: 'PRODUCT_UNAVAILABLE', message: 'Gone.' }] }));

    await execute(campaignId);
    const between = await buyOf(campaignId);
    await execute(campaignId);

    expect(between).toMatchObject({ submission: 'answered', error_code: 'product_no_longer_available' });
    expect(keysOf(agent).map((key) => String(key).replace(/^mb_\w+/, 'mb'))).toEqual([
      'mb.attempt-1',
      'mb.attempt-1',
      'mb.attempt-2',
    ]);
  });

  describe('and that was to be called off, and came to nothing while whoever heard of that died,', () => {
    async function calledOffAndRefused() {
      const { agent, campaignId } = await farDraft();
      agent.on('update_media_buy', () => ({ media_buy_id: 'far_1', status: 'canceled' }));
      agent.on('create_media_buy', () => nonsense);
      await execute(campaignId);
      const [{ mediaBuyId }] = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys;
      done(
        await buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys: [{ mediaBuyId, action: 'cancel' }] }),
      );
      agent.on('create_media_buy', () => ({ errors: [{ code: 'PRODUCT_UNAVAILABLE', message: 'Gone.' }] }));
      await execute(campaignId);
      await server.store.db
        .updateTable('media_buy_changes')
        .set({ state: 'held' })
        .where('organization_id', '=', buyer.organizationId)
        .where('media_buy_id', '=', mediaBuyId)
        .execute();
      return { agent, campaignId, mediaBuyId };
    }

    const read = async (mediaBuyId: string) =>
      done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`)).mediaBuy;
    const refresh = async (campaignId: string) =>
      done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));

    test('does not have the next order of it called off', async () => {
      const { agent, campaignId, mediaBuyId } = await calledOffAndRefused();
      agent.on('create_media_buy', () => made);
      agent.on('get_media_buys', () => ({ media_buys: [made] }));

      expect(await execute(campaignId)).toMatchObject({ success: true });
      await refresh(campaignId);

      expect(await read(mediaBuyId)).toMatchObject({ status: 'ACTIVE', changes: [{ state: 'superseded' }] });
      expect(agent.calls.filter(({ tool }) => tool === 'update_media_buy')).toEqual([]);
    });

    test('waits for nothing any more once somebody asks', async () => {
      const { campaignId, mediaBuyId } = await calledOffAndRefused();

      await refresh(campaignId);

      expect(await read(mediaBuyId)).toMatchObject({ status: 'FAILED', changes: [{ state: 'confirmed' }] });
    });
  });

  test('is taken, whatever warnings come with the buy', async () => {
    const { agent, campaignId } = await farDraft();
    const errors = [{ code: 'CREATIVE_DEADLINE', message: 'Hurry.' }];
    agent.on('create_media_buy', () => ({ ...made, errors }));

    const { success } = await execute(campaignId);

    expect(success).toBe(true);
    expect(await buyOf(campaignId)).toMatchObject({ submission: 'answered', status: 'ACTIVE' });
  });
});
