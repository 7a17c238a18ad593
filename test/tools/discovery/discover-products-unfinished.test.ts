import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEvents } from '../../support/callers/event-reader.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('discover_products of a seller that', () => {
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far Media');
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const discover = async (answer: object) => {
    far.agent.on('get_products', () => answer);
    const fields = { advertiserId, waitSeconds: 30, storefrontIds: [far.storefrontId] };
    return done(await buyer.post('/buyer/discovery/discover-products', fields));
  };
  const unfinished = (estimated_wait: unknown) =>
    discover({
      products: [adcpProduct('far-1')],
      incomplete: [{ scope: 'forecast', description: 'Still counting.', estimated_wait }],
    });

  describe('answers without all', () => {
    test('names it as upstream_incomplete with what is missing, and shows what it brought', async () => {
      const data = await discover({
        products: [adcpProduct('far-1')],
        incomplete: [
          {
            scope: 'pricing',
            description: 'Prices follow.',
            estimated_wait: { interval: 2, unit: 'minutes' },
          },
          { scope: 'proposals', description: 'A person writes them.' },
        ],
      });

      expect(data.summary.totalProducts).toBe(1);
      expect(data.incompleteAgents).toEqual([
        {
          agentId: far.agentId,
          agentName: 'Agent',
          storefronts: [{ storefrontId: far.storefrontId, storefrontName: 'Far Media' }],
          reason: 'upstream_incomplete',
          responseTimeMs: expect.any(Number),
          waitSeconds: expect.any(Number),
          message: 'The seller answered without all it has: pricing, proposals.',
          incompleteScopes: [
            { scope: 'pricing', description: 'Prices follow.', estimatedWaitSeconds: 120 },
            { scope: 'proposals', description: 'A person writes them.' },
          ],
        },
      ]);
      const again = done(await buyer.get(`/buyer/discovery/${data.discoveryId}/browse-products`));
      expect(again.incompleteAgents).toEqual(data.incompleteAgents);
    });

    test.each([
      [{ interval: 3, unit: 'seconds' }, 3],
      [{ interval: 0.2, unit: 'seconds' }, 1],
      [{ interval: 2, unit: 'hours' }, 7_200],
      [{ interval: 1, unit: 'days' }, 86_400],
      [{ interval: 1, unit: 'campaign' }, undefined],
      [{ interval: -1, unit: 'hours' }, undefined],
      ['soon', undefined],
    ])('gives the wait %j in seconds, where it has such a length', async (wait, seconds) => {
      const [agent] = (await unfinished(wait)).incompleteAgents;

      expect(agent.incompleteScopes[0].estimatedWaitSeconds).toBe(seconds);
    });

    test('cuts what it says to 500 characters, and takes ten statements', async () => {
      const long = { scope: 'products', description: 'x'.repeat(900) };
      const data = await discover({ products: [], incomplete: Array(12).fill(long) });

      const [{ incompleteScopes }] = data.incompleteAgents;
      expect(incompleteScopes).toHaveLength(10);
      expect(incompleteScopes[0].description).toHaveLength(500);
    });

    test('is no seller without an answer to streams: its products are in the event', async () => {
      const { discoveryId } = await unfinished({ interval: 1, unit: 'hours' });

      const events = await readEvents(server, buyer, { discoveryId });
      const payloads = (await events.rest()).map(({ payload }) => payload);
      expect(payloads).toMatchObject([{ resultsComplete: true, incompleteAgents: [] }]);
      expect(payloads[0].productGroups).toHaveLength(1);
    });
  });

  describe('wants another credential', () => {
    test('names the connection to its storefront', async () => {
      const data = await discover({ adcp_error: { code: 'AUTH_REQUIRED', message: 'Who are you?' } });

      expect(data.connectionIssues).toEqual([
        { providerType: 'AGENT', storefrontId: far.storefrontId, storefrontName: 'Far Media' },
      ]);
    });

    test('names no connection where it answers, or fails in another way', async () => {
      expect(await discover({ products: [] })).not.toHaveProperty('connectionIssues');
      const failed = await discover({ adcp_error: { code: 'POLICY', message: 'No.' } });
      expect(failed).not.toHaveProperty('connectionIssues');
    });
  });
});
