import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FarSeller, farSeller } from '../../support/far-seller.ts';
import { done, newAdvertiser, openStorefront } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { adcpProduct } from '../../support/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

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
          error: 'RATE_LIMITED: Not now.',
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
        { success: true, debugLogs: [{ type: 'request' }, { type: 'response', response: { products: 1 } }] },
      ]);
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
