import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../../tools/domain/organizations/keys.ts';
import { grantedOnly } from '../../support/buying/access.ts';
import { limitSpend } from '../../support/buying/spend-limits.ts';
import { type Client as Caller, clientFor } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import {
  done,
  flightDates,
  newAdvertiser,
  type OpenStorefront,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/buyer/media-buys/batch';
const ERAS = [
  ['in a session', 'legacy'],
  ['without one', { pin: '2026-07-28' }],
] as const;

describe('the gates of media_buy_create_batch', () => {
  let server: TestServer;
  let shop: OpenStorefront;
  let other: OpenStorefront;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer();
    shop = await openStorefront(await newPerson(server), {
      name: 'Corner Media',
      products: [
        productFields({ name: 'Display', channels: ['display'] }),
        productFields({ name: 'Video', channels: ['olv'] }),
      ],
    });
    other = await openStorefront(await newPerson(server), { name: 'Far Corner' });
  });
  beforeEach(async () => {
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer, { name: 'Acme' });
  });
  afterAll(() => server.stop());

  interface Query {
    readonly id: string;
    /** Ids of its products by their names. */
    readonly products: Readonly<Record<string, string>>;
  }

  const query = async (of = advertiserId, by: Caller = buyer): Promise<Query> => {
    const found = done(
      await by.post('/buyer/products/query', {
        buying_mode: 'wholesale',
        ext: {
          interchange: {
            advertiser_id: of,
            storefront_ids: [shop.storefrontId, other.storefrontId],
            wait_seconds: 30,
          },
        },
      }),
    );
    const named = found.products.map((one: { name: string; product_id: string }) => [
      one.name,
      one.product_id,
    ]);
    return { id: found.ext.interchange.execution_id, products: Object.fromEntries(named) };
  };
  const choice = (productId: string | undefined, budget = 100) => ({ kind: 'product', productId, budget });
  const batch = ({ id, products }: Query, fields: object = {}, of = advertiserId) => ({
    productQueryId: id,
    campaign: { create: { advertiserId: of, name: 'Together', budget: { total: 1_000 }, flightDates } },
    mode: 'execute',
    selections: [choice(products['Display'])],
    ...fields,
  });
  const campaigns = async (): Promise<number> => done(await buyer.get('/buyer/campaigns')).total;

  test('stages above the spend limit, and campaign_execute has another person asked', async () => {
    await limitSpend(server, buyer, 50);

    const made = done(await buyer.post(PATH, batch(await query())));

    expect(made).toMatchObject({
      mode: 'execute',
      campaignCreated: true,
      campaignStatus: 'DRAFT',
      mediaBuysStaged: 1,
      mediaBuysExecuted: 0,
      mediaBuyRefs: [],
      success: false,
      warnings: [expect.stringContaining('another person has to allow it'), expect.any(String)],
    });
    const held = done(await buyer.post(`/buyer/campaigns/${made.campaignId}/execute`));
    expect(held).toMatchObject({ reason: 'approval_needed', mediaBuysExecuted: 0 });
  });

  const repeat = (key: string, body: object) =>
    buyer.send(PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });

  test.each([
    ['execute', undefined],
    ['stage', undefined],
    ['execute', 50],
  ])(
    'gives the answer again to a repeat of the same key, and makes no second campaign: %s, limit %s',
    async (mode, limit) => {
      await limitSpend(server, buyer, limit);
      const body = batch(await query(), { mode });

      const first = await repeat('once', body);
      const again = await repeat('once', body);

      expect(done(again)).toEqual(done(first));
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await campaigns()).toBe(1);
      expectRefusal(await repeat('once', { ...body, replace: true }), 409, {
        code: 'CONFLICT',
        at: {
          'Idempotency-Key': 'This idempotency key was used for another input, and nothing was done now.',
        },
      });
    },
  );

  test('buys once for two at the same moment with the same key', async () => {
    const body = batch(await query());

    const replies = await Promise.all([repeat('twins', body), repeat('twins', body)]);

    expect(replies.some(({ status }) => status === 200)).toBe(true);
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(await campaigns()).toBe(1);
  });

  test('takes no advertiser that a key is not granted, nor a query or a draft of it', async () => {
    const own = await newAdvertiser(buyer);
    const narrow = await grantedOnly(server, buyer, own);
    const [mine, theirs] = [await query(own), await query()];
    const { campaign } = done(await buyer.post('/buyer/campaigns', batch(theirs).campaign.create));
    const draft = { campaign: { campaignId: campaign.campaignId } };

    const byQuery = await narrow.post(PATH, batch(theirs, {}, own));
    const byAdvertiser = await narrow.post(PATH, batch(mine));
    const byDraft = await narrow.post(PATH, batch(mine, draft));

    for (const reply of [byQuery, byAdvertiser, byDraft]) expect([403, 404]).toContain(reply.status);
    expect(await campaigns()).toBe(1);
    expect(done(await narrow.post(PATH, batch(mine, {}, own)))).toMatchObject({ success: true });
  });

  test('takes a sandbox advertiser alone from a test key, and nothing from a key that reads', async () => {
    const { organizationId } = buyer;
    const key = await createKey(server.operator, {
      organizationId,
      name: 'Trial',
      permissions: ['buyer:admin'],
      environment: 'test',
    });
    const trial = clientFor(server.url, key.value);
    const reader = await buyer.withKey(['buyer:read']);
    const sandbox = await newAdvertiser(buyer, { sandbox: true });
    const [live, trials] = [await query(), await query(sandbox, trial)];

    expectRefusal(await reader.post(PATH, batch(live)), 403, {
      code: 'FORBIDDEN',
      words: 'This call needs the permission buyer:write.',
    });
    expect([403, 404]).toContain((await trial.post(PATH, batch(live))).status);
    expect(await campaigns()).toBe(0);
    expect(done(await trial.post(PATH, batch(trials, {}, sandbox)))).toMatchObject({
      sandbox: true,
      mediaBuysExecuted: 1,
    });
  });

  test('buys nothing for an advertiser that is archived meanwhile', async () => {
    const found = await query();
    expect((await buyer.delete(`/buyer/advertisers/${advertiserId}`)).status).toBe(204);

    const reply = await buyer.post(PATH, batch(found));

    expect([404, 409]).toContain(reply.status);
    expect(await campaigns()).toBe(0);
  });

  test('lets what replace drops stand in the way of nothing', async () => {
    const found = await query();
    const { Display, Video } = found.products;
    done(await buyer.post(PATH, batch(found, { mode: 'stage', selections: [choice(Video)] })));
    const { create } = batch(found).campaign;
    const campaign = { create: { ...create, constraints: { channels: ['display'] } } };
    const selections = [choice(Display)];

    const joined = await buyer.post(PATH, batch(found, { campaign, selections }));
    const replaced = await buyer.post(PATH, batch(found, { campaign, selections, replace: true }));

    expectRefusal(joined, 422, {
      code: 'VALIDATION_ERROR',
      at: { 'campaign.create.constraints.channels': 'Video runs on olv; the campaign stays on display.' },
    });
    expect(done(replaced)).toMatchObject({ queryProductsSelected: 1, mediaBuysExecuted: 1 });
  });

  test('ties no draft to a query of which what was chosen before does not fit it', async () => {
    const found = await query();
    const { Display, Video } = found.products;
    done(await buyer.post(PATH, batch(found, { mode: 'stage', selections: [choice(Video)] })));
    const { create } = batch(found).campaign;
    const { campaign } = done(
      await buyer.post('/buyer/campaigns', { ...create, constraints: { channels: ['display'] } }),
    );
    const draft = { campaign: { campaignId: campaign.campaignId }, mode: 'stage' };

    const reply = await buyer.post(PATH, batch(found, { ...draft, selections: [choice(Display)] }));

    expectRefusal(reply, 422, {
      code: 'VALIDATION_ERROR',
      at: { 'campaign.campaignId': 'Video runs on olv; the campaign stays on display.' },
    });
    const stored = done(await buyer.get(`/buyer/campaigns/${campaign.campaignId}`)).campaign;
    expect(stored.discoveryId).toBeUndefined();
  });

  test('knows no product by the id of another storefront', async () => {
    const found = await query();
    const moved = found.products['Display']?.replace(
      `sf1:${shop.storefrontId}:`,
      `sf1:${other.storefrontId}:`,
    );

    const reply = await buyer.post(PATH, batch(found, { selections: [choice(moved)] }));

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: { 'selections.0.productId': `Storefront ${other.storefrontId} has no such product here.` },
    });
  });

  test.each([
    ['a NUL', '\0'],
    ['half a surrogate pair', '\ud800'],
  ])('takes what is in an id or a cursor for nothing that is there: %s', async (_what, text) => {
    const found = await query();
    const opaque = (parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const product = choice(`sf1:${shop.storefrontId}:${opaque([found.id, text, text])}`);
    const proposal = {
      kind: 'proposal',
      proposalId: `sfp1:${shop.storefrontId}:${opaque([found.id, text, text])}`,
    };
    const cursor = opaque([text, 0, 0, 0]);

    const bought = await buyer.post(PATH, batch(found, { selections: [product, proposal] }));
    const page = await buyer.post('/buyer/products/query', {
      buying_mode: 'wholesale',
      pagination: { cursor },
    });

    expectRefusal(bought, 400, {
      code: 'VALIDATION_ERROR',
      at: {
        'selections.0.productId': 'No query gave such an id of a product.',
        'selections.1.proposalId': 'No query gave such an id of a proposal.',
      },
    });
    expectRefusal(page, 400, {
      code: 'VALIDATION_ERROR',
      at: { 'pagination.cursor': 'No page of this query gave it. Leave it out for the first page.' },
    });
  });

  test('gives an empty page behind the farthest place that a cursor can name', async () => {
    const { id } = await query();
    const far = Number.MAX_SAFE_INTEGER;
    const cursor = Buffer.from(JSON.stringify([id, far, far, far])).toString('base64url');

    const page = await buyer.post('/buyer/products/query', {
      buying_mode: 'wholesale',
      pagination: { cursor },
    });

    expect(done(page).products).toEqual([]);
  });

  describe.each(ERAS)('a client that can ask its person, %s', (_, mode) => {
    /** What came of it, and what was asked. */
    const asking = async (confirm: boolean, body: object) => {
      const asked: string[] = [];
      const client = new Client(
        { name: 'test', version: '1' },
        { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
      );
      client.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push(params.message);
        return { action: 'accept' as const, content: { confirm } };
      });
      const requestInit = { headers: { authorization: `Bearer ${buyer.key}` } };
      const url = new URL(`${server.url}/mcp/v2/buyer?toolsets=campaigns`);
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      const result = await client.callTool({
        name: 'media_buy_create_batch',
        arguments: { ...body },
      });
      await client.close();
      return { result, asked };
    };

    test('asks once before it spends for a campaign that it makes, and goes on with a yes', async () => {
      const { result, asked } = await asking(true, batch(await query()));

      expect(result.isError).toBeFalsy();
      expect(asked).toEqual([
        expect.stringMatching(/^Spend 100\.00 USD for Acme\?.*Together.*Corner Media/s),
      ]);
      expect(done(await buyer.get('/buyer/campaigns')).campaigns).toMatchObject([{ status: 'ACTIVE' }]);
    });

    test('keeps nothing with a no, and asks nobody to stage', async () => {
      const found = await query();

      const refused = await asking(false, batch(found));
      const none = await campaigns();
      const staged = await asking(false, batch(found, { mode: 'stage' }));

      expect(refused.result.isError).toBe(true);
      expect([refused.asked.length, none]).toEqual([1, 0]);
      expect(staged.asked).toEqual([]);
      expect(await campaigns()).toBe(1);
    });
  });
});
