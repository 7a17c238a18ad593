import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { marketId } from '../../../tools/domain/discovery/market-ids.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { writesBeforeStoring } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/**
 * What is decided on a draft, its choice or its advertiser, and somebody else who changes these before it is stored.
 */
describe('a choice that is stored while somebody else buys or changes it', () => {
  const between = writesBeforeStoring(
    'discovery_add_products',
    'campaign_auto_select_products',
    'campaign_create',
    'campaign_execute',
    'media_buy_create_batch',
  );
  let server: TestServer;
  let ada: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  let campaignId: string;
  let discoveryId: string;
  let from: number;
  beforeAll(async () => {
    const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' };
    server = await startTestServer({ families: between.families, settings });
    ada = await farSeller(server, 'Ada');
  });
  afterAll(async () => {
    await server.stop();
    await ada.agent.stop();
  });
  beforeEach(async () => {
    takesChanges(ada);
    from = ada.agent.calls.length;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    const draft = { advertiserId, budget: 300, storefrontIds: [ada.storefrontId] };
    ({ campaignId, discoveryId } = await draftCampaign(buyer, draft));
  });

  const execute = () => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  const archive = async () =>
    done(await buyer.put(`/buyer/advertisers/${advertiserId}`, { status: 'ARCHIVED' }));
  const choose = (budget: number, more: object = {}) => {
    const product = { productId: 'ada-1', salesAgentId: ada.agentId, budget };
    return buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: [product], ...more });
  };
  const chosen = async () => done(await buyer.get(`/buyer/discovery/${discoveryId}/products`)).products;
  const campaigns = async () => done(await buyer.get('/buyer/campaigns')).campaigns;
  const ordered = () =>
    ada.agent.calls
      .slice(from)
      .filter(({ tool }) => tool === 'create_media_buy')
      .flatMap(({ args }) => (args['packages'] as { budget: number }[]).map(({ budget }) => budget));
  const batch = (campaign: object) => {
    const { storefrontId, agentId } = ada;
    const found = { storefrontId, agentId, sessionId: discoveryId, sourceId: 'ada-1' };
    return buyer.post('/buyer/media-buys/batch', {
      productQueryId: discoveryId,
      campaign,
      mode: 'stage',
      selections: [{ kind: 'product', productId: marketId('product', found), budget: 50 }],
    });
  };

  describe('is refused, and stays as it was, of a draft that was executed', () => {
    test.each([
      ['products that are chosen for it', () => choose(200, { campaignId })],
      [
        'products that are selected for it',
        () => buyer.post(`/buyer/campaigns/${campaignId}/auto-select-products`),
      ],
      ['a batch that is staged in it', () => batch({ campaignId })],
    ])('%s', async (_, call) => {
      between.next(async () => done(await execute()));

      expect((await call()).status).toBe(409);

      expect(await chosen()).toMatchObject([{ budget: 100 }]);
      expect(ordered()).toEqual([100]);
    });
  });

  describe('is refused, and nothing is made, for an advertiser that was archived', () => {
    const created = () =>
      buyer.post('/buyer/campaigns', {
        advertiserId,
        name: 'Spring',
        flightDates,
        budget: { total: 300 },
        discoveryId,
        productIds: ['ada-1'],
      });
    const staged = () =>
      batch({ create: { advertiserId, name: 'Spring', flightDates, budget: { total: 300 } } });

    test.each([
      ['a campaign', created],
      ['a batch that makes one', staged],
      ['a batch that is staged in a draft', () => batch({ campaignId })],
    ])('%s', async (_, call) => {
      between.next(archive);

      expectRefusal(await call(), 409, { code: 'CONFLICT', words: 'The advertiser is archived.' });

      expect(await campaigns()).toHaveLength(1);
      expect(await chosen()).toMatchObject([{ budget: 100 }]);
    });
  });

  describe('makes another revision of its campaign, which executes no other choice', () => {
    const etag = async () => (await buyer.get(`/buyer/campaigns/${campaignId}`)).headers.get('etag') ?? '';
    const executeIf = (match: string) =>
      buyer.send(`/buyer/campaigns/${campaignId}/execute`, {
        method: 'POST',
        headers: { 'if-match': match },
      });

    test.each([
      ['another budget', () => choose(200)],
      [
        'no product',
        () => buyer.delete(`/buyer/discovery/${discoveryId}/products`, { productIds: ['ada-1'] }),
      ],
    ])('%s', async (_, change) => {
      const read = await etag();
      done(await change());

      expectRefusal(await executeIf(read), 409, { code: 'CONFLICT', at: { 'If-Match': /changed/ } });

      expect(ordered()).toEqual([]);
    });

    test('also where it is changed while it is executed', async () => {
      const read = await etag();
      between.next(async () => done(await choose(200)));

      expectRefusal(await executeIf(read), 409, { code: 'CONFLICT', at: { 'If-Match': /changed/ } });

      expect(ordered()).toEqual([]);
    });

    test('and none where it is the same', async () => {
      const read = await etag();
      done(await choose(100));

      expect((await executeIf(read)).status).toBe(200);
    });
  });

  /** A host whose person says yes to everything, and what they were asked. */
  async function agreeing() {
    const asked: string[] = [];
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'legacy' } },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { confirm: true } };
    });
    const requestInit = { headers: { authorization: `Bearer ${buyer.key}` } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/v2/buyer`), { requestInit }),
    );
    return { asked, client };
  }

  test('is not bought where a person said yes to another sum, however late it changed', async () => {
    const { asked, client } = await agreeing();
    between.next(async () => done(await choose(200)));

    const result = await client.callTool({ name: 'campaign_execute', arguments: { campaignId } });

    expect(result.structuredContent).toMatchObject({
      code: 'CONFLICT',
      message: 'What the person was asked about changed meanwhile, and nothing was done.',
      details: {
        confirmed: expect.stringMatching(/^Spend 100.00 USD/),
        now: expect.stringMatching(/^Spend 200.00 USD/),
      },
    });
    expect(asked).toHaveLength(1);
    expect(ordered()).toEqual([]);

    const again = await client.callTool({ name: 'campaign_execute', arguments: { campaignId } });

    expect(again.structuredContent).toMatchObject({ success: true });
    expect(asked).toHaveLength(2);
    expect(ordered()).toEqual([200]);
    await client.close();
  });
});
