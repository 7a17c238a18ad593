import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditOf } from '../../support/callers/answers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { decidesLater, takesChanges } from '../../support/sellers/changing-seller.ts';
import { discover, draftOf } from '../../support/sellers/discovery.ts';
import { connectAgent, done, executed, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const SOURCES = '/storefront/inventory-sources';
const NONE = { lastError: null, lastErrorCode: null, lastErrorAt: null, lastErrorTask: null };
const isMoment = expect.stringMatching(/^2026-12-01T/);

/** Each test has an agent of its own, which offers one product and takes what it is asked for unless told otherwise. */
describe('what the agent of a source failed or refused last', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let agent: SellerAgent;
  let seller: Person;
  let path: string;
  let storefrontId: string;
  let agentId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    agent = await startSellerAgent([adcpProduct('far-1')]);
  });
  afterAll(async () => {
    await server.stop();
    await agent.stop();
  });
  beforeEach(async () => {
    agent.on('get_products', () => ({ products: [adcpProduct('far-1')] }));
    takesChanges({ agent, name: 'Far' });
    seller = await newPerson(server);
    const connected = await connectAgent(seller, agent.url);
    path = `${SOURCES}/${connected.sourceId}`;
    ({ storefrontId, agentId } = connected);
  });

  const source = async () => done(await seller.get(path));
  const health = async () => (await source()).health;
  const refuses = (tool: string, code: string, message: string) =>
    agent.on(tool, () => ({ errors: [{ code, message }] }));
  const draft = () => draftOf(buyer, { advertiserId, storefrontId, agentId, productId: 'far-1' });

  test('is nothing while it answers', async () => {
    expect(await health()).toEqual(NONE);

    await executed(buyer, await draft());

    expect(await health()).toEqual(NONE);
  });

  test('is told of a search, and changes nothing of the source', async () => {
    const before = await source();
    refuses('get_products', 'SERVICE_UNAVAILABLE', 'Closed for today.');

    await discover(buyer, advertiserId, [storefrontId]);

    const after = await source();
    expect(after).toEqual({
      ...before,
      health: {
        lastError: 'Closed for today.',
        lastErrorCode: 'SERVICE_UNAVAILABLE',
        lastErrorAt: isMoment,
        lastErrorTask: 'get_products',
      },
    });
    expect(done(await seller.get(SOURCES))).toEqual([after]);
  });

  test('is told of an answer that says nothing', async () => {
    agent.on('get_products', () => ({ products: 'plenty' }));

    await discover(buyer, advertiserId, [storefrontId]);

    expect(await health()).toMatchObject({
      lastError: 'The answer holds no list of products.',
      lastErrorCode: 'invalid_response',
      lastErrorTask: 'get_products',
    });
  });

  test('is told of an order, and of one that it refuses later', async () => {
    refuses('create_media_buy', 'PRODUCT_UNAVAILABLE', 'Sold out.');
    await buyer.post(`/buyer/campaigns/${await draft()}/execute`);
    expect(await health()).toMatchObject({
      lastError: 'Sold out.',
      lastErrorCode: 'PRODUCT_UNAVAILABLE',
      lastErrorTask: 'create_media_buy',
    });

    const campaignId = await draft();
    agent.on('create_media_buy', () => ({ status: 'submitted', task_id: 'task_1' }));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    agent.on('get_task_status', () => ({ task_id: 'task_1', status: 'rejected', message: 'Not with us.' }));
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));

    expect(await health()).toMatchObject({
      lastError: 'Not with us.',
      lastErrorCode: 'rejected',
      lastErrorTask: 'create_media_buy',
    });
  });

  test('is told of a change, and of one that it refuses later', async () => {
    const campaignId = await draft();
    const mediaBuyId = await executed(buyer, campaignId);
    const { packages } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`));
    const raise = () =>
      buyer.patch(`/buyer/media-buys/${mediaBuyId}`, {
        packages: [{ packageId: packages[0].packageId, budget: 90 }],
      });
    refuses('update_media_buy', 'BUDGET_TOO_LOW', 'That is too little.');
    await raise();
    expect(await health()).toMatchObject({
      lastError: 'That is too little.',
      lastErrorCode: 'BUDGET_TOO_LOW',
      lastErrorTask: 'update_media_buy',
    });

    const { decides } = decidesLater({ agent });
    done(await raise());
    decides({ status: 'rejected', error: { code: 'POLICY_VIOLATION', message: 'Not this time.' } });
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));

    expect(await health()).toMatchObject({
      lastError: expect.stringContaining('Not this time.'),
      lastErrorTask: 'update_media_buy',
    });
  });

  test('names no buyer', async () => {
    refuses('create_media_buy', 'ACCOUNT_NOT_FOUND', 'Nobody knows Acme.Example here.');

    await buyer.post(`/buyer/campaigns/${await draft()}/execute`);

    expect(await health()).toMatchObject({ lastError: 'Nobody knows [buyer] here.' });
  });

  test('is not that of another agent, once the source has another address', async () => {
    refuses('get_products', 'SERVICE_UNAVAILABLE', 'Closed for today.');
    await discover(buyer, advertiserId, [storefrontId]);

    const moved = done(await seller.put(path, { endpointUrl: 'https://elsewhere.example/mcp' }));

    expect(moved.health).toEqual(NONE);
    const [entry] = await auditOf(server, seller, 'inventory_source_update');
    expect(Object.keys(JSON.parse(entry?.changes ?? '{}'))).toEqual(['endpointUrl']);
  });
});
