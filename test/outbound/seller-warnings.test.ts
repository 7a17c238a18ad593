import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { discover, draftOf, productIdsIn } from '../support/sellers/discovery.ts';
import { connectAgent, done, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const warning = { code: 'PARTIAL_RESULTS', message: 'One of our shelves is being stocked.' };

describe('errors in an answer of a seller', () => {
  let server: TestServer;
  let agent: SellerAgent;
  let buyer: Person;
  let advertiserId: string;
  let place: { storefrontId: string; agentId: string };
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    agent = await startSellerAgent();
    place = await connectAgent(await newPerson(server), agent.url);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  beforeEach(() => agent.on('get_products', () => ({ products: [adcpProduct('far-1')] })));
  afterAll(async () => {
    await server.stop();
    await agent.stop();
  });

  const ask = () => discover(buyer, advertiserId, [place.storefrontId]);

  test.each([
    ['small', ''],
    ['too large to be read at once', 'x'.repeat(70_000)],
  ])('are warnings beside products, which are kept, in an answer %s', async (_size, filler) => {
    agent.on('get_products', () => ({ products: [adcpProduct('far-1', { filler })], errors: [warning] }));

    const snapshot = await ask();

    expect(productIdsIn(snapshot)).toEqual(['far-1']);
    expect(snapshot.incompleteAgents).toEqual([]);
  });

  test.each([
    ['errors where there are no products', { errors: [warning] }],
    ['errors where the products are null', { products: null, errors: [warning] }],
    ['errors where the list of products is empty', { products: [], errors: [warning] }],
    ['adcp_error, also beside products', { products: [adcpProduct('far-1')], adcp_error: warning }],
  ])('are a refusal: %s', async (_where, answer) => {
    agent.on('get_products', () => answer);

    const snapshot = await ask();

    expect(productIdsIn(snapshot)).toEqual([]);
    expect(snapshot.incompleteAgents).toMatchObject([
      { reason: 'error', message: `${warning.code}: ${warning.message}` },
    ]);
  });

  describe('about a buy', () => {
    async function bought() {
      const campaignId = await draftOf(buyer, { ...place, advertiserId, productId: 'far-1' });
      const before = agent.buys.size;
      done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
      const buy = [...agent.buys.values()][before];
      const status = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
      return { buy, status };
    }

    test('are warnings beside the buys, which are read', async () => {
      const { buy, status } = await bought();
      agent.on('get_media_buys', () => ({ media_buys: [{ ...buy, status: 'paused' }], errors: [warning] }));

      const { media_buys, errors } = await status();

      expect(media_buys).toMatchObject([{ internal_status: 'PAUSED' }]);
      expect(errors).toEqual([]);
    });

    test.each([
      ['errors alone', () => ({ errors: [warning] })],
      ['errors beside an empty list', () => ({ media_buys: [], errors: [warning] })],
      [
        'adcp_error beside the buys',
        (buy: object = {}) => ({ media_buys: [{ ...buy, status: 'paused' }], adcp_error: warning }),
      ],
    ])('are a refusal, and what is stored stands: %s', async (_what, answer) => {
      const { buy, status } = await bought();
      agent.on('get_media_buys', () => answer(buy));

      const { media_buys, errors } = await status();

      expect(media_buys).toMatchObject([
        { internal_status: 'ACTIVE', status_refresh_source: 'refresh_failed' },
      ]);
      expect(errors).toMatchObject([{ error: `${warning.code}: ${warning.message}` }]);
    });
  });
});
