import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { callTool } from '../../support/mcp/mcp-call.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { connectAgent, done, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { adcpProduct, startSellerAgent } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('discover_products with debug', () => {
  let server: TestServer;
  let far: FarSeller;
  let nearId: string;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far Media', [adcpProduct('far-1')]);
    nearId = (await openStorefront(await newPerson(server), { name: 'Corner Media' })).storefrontId;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  /** A seller that takes a token. */
  const guardedSeller = async (token: string) => {
    const agent = await startSellerAgent();
    const auth = { type: 'bearer', token };
    const made = await connectAgent(await newPerson(server), agent.url, { name: 'Guarded Media', auth });
    return { ...made, agent };
  };
  const discover = async (storefrontId: string, fields: object = {}) =>
    done(
      await buyer.post('/buyer/discovery/discover-products', {
        advertiserId,
        waitSeconds: 30,
        brief: 'People who cook',
        storefrontIds: [storefrontId],
        debug: true,
        ...fields,
      }),
    );

  describe('200', () => {
    test('shows what a seller was asked, what it said beside its products and how long it took', async () => {
      far.agent.on('get_products', () => ({ products: [adcpProduct('far-1')], message: 'Here you are.' }));

      const { agentResults } = await discover(far.storefrontId);

      expect(agentResults).toMatchObject([
        {
          agentId: far.agentId,
          storefronts: [{ storefrontId: far.storefrontId, storefrontName: 'Far Media' }],
          success: true,
          timedOut: false,
          productCount: 1,
          responseTimeMs: expect.any(Number),
          debugLogs: [
            { type: 'request', request: { buying_mode: 'brief', brief: 'People who cook' } },
            { type: 'response', response: { products: 1, message: 'Here you are.' } },
          ],
        },
      ]);
    });

    test('shows what went wrong at a seller', async () => {
      far.agent.on('get_products', () => ({ adcp_error: { code: 'RATE_LIMITED', message: 'Not now.' } }));

      const { agentResults } = await discover(far.storefrontId);

      expect(agentResults).toMatchObject([
        {
          success: false,
          timedOut: false,
          error: 'RATE_LIMITED: Not now.',
          responseTimeMs: expect.any(Number),
          debugLogs: [
            { type: 'request' },
            { type: 'response', response: { products: 0 } },
            { type: 'error', message: 'RATE_LIMITED: Not now.' },
          ],
        },
      ]);
    });

    test('shows what a seller could not finish, without what is no such statement', async () => {
      far.agent.on('get_products', () => ({
        products: [adcpProduct('far-1')],
        incomplete: [
          { scope: 'pricing', description: 'Ask again.', estimated_wait: { interval: 2, unit: 'minutes' } },
          { scope: 'weather', description: 'Rain.' },
          'words',
        ],
      }));

      const { agentResults } = await discover(far.storefrontId);

      expect(agentResults[0].incomplete).toEqual([
        { scope: 'pricing', description: 'Ask again.', estimated_wait: { interval: 2, unit: 'minutes' } },
      ]);
    });

    test('keeps no long answer beside the products', async () => {
      far.agent.on('get_products', () => ({ products: [adcpProduct('far-1')], message: 'x'.repeat(5_000) }));

      const { agentResults } = await discover(far.storefrontId);

      expect(agentResults[0].debugLogs[1].response).toEqual({
        products: 1,
        leftOut: 'More than 4000 characters beside the products.',
      });
    });

    test('shows the same of the embedded seller', async () => {
      const { agentResults } = await discover(nearId);

      expect(agentResults).toMatchObject([
        {
          success: true,
          rawResponseData: { products: [{ pricing_options: [{ pricing_option_id: 'cpm_usd_1' }] }] },
          debugLogs: [{ type: 'request' }, { type: 'response', response: { products: 1 } }],
        },
      ]);
    });

    test('shows the last answer of a seller as it came', async () => {
      const answer = { products: [adcpProduct('far-1')], message: 'Here you are.', cache_scope: 'public' };
      far.agent.on('get_products', () => answer);

      const { agentResults } = await discover(far.storefrontId);

      expect(agentResults[0].rawResponseData).toEqual(answer);
    });

    test('cuts the last answer to 20 entries of a list and 16 KiB', async () => {
      const products = Array.from({ length: 30 }, (_, index) => adcpProduct(`far-${index}`));
      far.agent.on('get_products', () => ({ products }));
      const many = (await discover(far.storefrontId)).agentResults[0].rawResponseData;
      far.agent.on('get_products', () => ({ products: [], notes: Array(20).fill('x'.repeat(5_000)) }));
      const long = (await discover(far.storefrontId)).agentResults[0].rawResponseData;

      expect(many.products).toHaveLength(21);
      expect(many.products[20]).toBe('… 10 more');
      expect(JSON.stringify(long).length).toBeGreaterThan(10_000);
      expect(JSON.stringify(long).length).toBeLessThan(17_000);
    });

    test('shows the first products of an answer that is too large to be read at once', async () => {
      const products = Array.from({ length: 400 }, (_, index) => adcpProduct(`far-${index}`));
      far.agent.on('get_products', () => ({ products }));

      const { agentResults } = await discover(far.storefrontId);

      expect(agentResults[0].productCount).toBe(400);
      expect(agentResults[0].rawResponseData.products[0]).toMatchObject({ product_id: 'far-0' });
    });

    test('shows no secret of an answer, and never the credential of the storefront', async () => {
      const token = 'tok_9f3b2c-of-the-storefront';
      const guarded = await guardedSeller(token);
      guarded.agent.on('get_products', () => ({
        products: [adcpProduct('far-1')],
        message: `You came with ${token}.`,
        session: { access_token: 'other', apiKey: 'another', note: 'fine' },
      }));

      const data = await discover(guarded.storefrontId);

      expect(JSON.stringify(data)).not.toContain(token);
      expect(data.agentResults[0].rawResponseData).toMatchObject({
        message: 'You came with [secret].',
        session: { access_token: '[secret]', apiKey: '[secret]', note: 'fine' },
      });
      expect(data.agentResults[0].debugLogs[1].response.session.access_token).toBe('[secret]');
      await guarded.agent.stop();
    });

    test.each([
      {
        what: 'a number',
        token: '31415926',
        said: { views: 31415926, '31415926': 1 },
        shown: { views: 31415926, '[secret]': 1 },
      },
      {
        what: 'letters behind a line break',
        token: 'newsroom',
        said: { note: 'Good\newsroom' },
        shown: { note: 'Good ewsroom' },
      },
    ])('reads an answer in which a credential stands by chance: $what', async ({ token, said, shown }) => {
      const guarded = await guardedSeller(token);
      guarded.agent.on('get_products', () => ({ products: [adcpProduct('far-1')], ext: said }));

      const { agentResults } = await discover(guarded.storefrontId);

      expect(agentResults).toMatchObject([
        { success: true, productCount: 1, rawResponseData: { ext: shown } },
      ]);
      await guarded.agent.stop();
    });

    test('shows no credential of the storefront in the refusal of its seller either, with debug or without', async () => {
      const token = 'tok_77aa10-of-the-storefront';
      const guarded = await guardedSeller(token);
      guarded.agent.on('get_products', () => ({ adcp_error: { code: 'POLICY', message: `Not ${token}.` } }));

      const data = await discover(guarded.storefrontId, { debug: false });

      expect(data.incompleteAgents).toMatchObject([{ message: 'POLICY: Not [secret].' }]);
      expect(JSON.stringify(await discover(guarded.storefrontId))).not.toContain(token);
      await guarded.agent.stop();
    });

    test('says how long a refusal took, and nothing where no answer came', async () => {
      far.agent.on('get_products', () => ({ adcp_error: { code: 'POLICY', message: 'Not to you.' } }));
      const gone = await farSeller(server, 'Gone Media');
      await gone.agent.stop();

      const refused = await discover(far.storefrontId, { debug: false });
      const silent = await discover(gone.storefrontId);

      expect(refused.incompleteAgents).toMatchObject([
        { reason: 'error', responseTimeMs: expect.any(Number) },
      ]);
      expect(silent.agentResults).toMatchObject([{ success: false, productCount: 0 }]);
      expect(silent.agentResults[0]).not.toHaveProperty('responseTimeMs');
      expect(silent.agentResults[0]).not.toHaveProperty('rawResponseData');
    });

    test('names the sellers of a storefront that was not asked, and why', async () => {
      const owner = await newPerson(server);
      const shut = await openStorefront(owner, { name: 'Shut Media' });
      done(await owner.put('/storefront', { isPaused: true }));

      const { agentResults } = await discover(shut.storefrontId);

      expect(agentResults).toEqual([
        {
          agentId: shut.agentId,
          agentName: expect.any(String),
          storefronts: [{ storefrontId: shut.storefrontId, storefrontName: 'Shut Media' }],
          success: false,
          timedOut: false,
          productCount: 0,
          invalidProducts: 0,
          skipReason: 'The storefront is paused by its owner.',
        },
      ]);
    });

    test('names the trace of the call after the id of its request', async () => {
      const traced = async (requestId: string) => {
        const { body } = await buyer.send('/buyer/discovery/discover-products', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-request-id': requestId },
          body: JSON.stringify({ advertiserId, storefrontIds: [nearId], debug: true }),
        });
        return body.data.diagnostics.trace;
      };

      const uuid = await traced('0af76519-16cd-43dd-8448-eb211c80319c');
      expect(uuid.traceId).toBe('0af7651916cd43dd8448eb211c80319c');
      expect(uuid.traceparent).toBe(`00-${uuid.traceId}-${uuid.spanId}-01`);
      const named = await traced('nightly-7');
      expect(named.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(named.spanId).toMatch(/^[0-9a-f]{16}$/);
      expect(await traced('nightly-7')).toEqual(named);
    });

    test('says nothing of it without debug', async () => {
      const data = await discover(nearId, { debug: false });

      expect(data).not.toHaveProperty('agentResults');
      expect(data).not.toHaveProperty('diagnostics');
    });

    test('shows the same over MCP', async () => {
      far.agent.on('get_products', () => ({ products: [adcpProduct('far-1')] }));

      const { structuredContent } = await callTool(server, buyer, {
        name: 'discover_products',
        arguments: { advertiserId, waitSeconds: 30, storefrontIds: [far.storefrontId], debug: true },
      });

      expect(structuredContent).toMatchObject({
        agentResults: [{ success: true, rawResponseData: { products: [{ product_id: 'far-1' }] } }],
        diagnostics: { trace: { traceId: expect.stringMatching(/^[0-9a-f]{32}$/) } },
      });
    });

    test('takes no conversation down where a session is opened without it', async () => {
      const { discoveryId } = await discover(nearId, { debug: false });

      const { agentResults } = done(
        await buyer.get(`/buyer/discovery/${discoveryId}/browse-products?debug=true`),
      );

      expect(agentResults).toHaveLength(1);
      expect(agentResults[0]).not.toHaveProperty('debugLogs');
    });
  });
});
