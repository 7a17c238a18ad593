import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { done } from '../../support/sellers/market.ts';
import { newShelf, newStorefront } from '../../support/sellers/selling.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const STOREFRONTS = '/buyer/storefronts';
const TOKEN = 'sk-very-private-0123456789';

describe('storefront_get', () => {
  let server: TestServer;
  let seller: Person;
  let buyer: Person;
  let path: string;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    seller = await newPerson(server);
    path = `${STOREFRONTS}/${await newStorefront(seller, { name: 'Harbour', acceptsAllCountries: true })}`;
    await newShelf(seller);
    done(
      await seller.post('/storefront/inventory-sources', {
        name: 'Far agent',
        endpointUrl: 'https://private-address.example/mcp',
        authenticationType: 'API_KEY',
        auth: { type: 'bearer', token: TOKEN },
      }),
    );
    buyer = await newPerson(server, { roles: ['BUYER'] });
  });
  afterAll(() => server.stop());

  describe('200', () => {
    test('gives the storefront as storefront_list does, with the sources behind it', async () => {
      const { status, body } = await buyer.get(path);

      expect(status).toBe(200);
      const { items } = done(await buyer.get(STOREFRONTS));
      const { hasAdvertisingPolicies: _, advertisingPoliciesExcerpt: __, ...card } = items[0].discoveryCard;
      expect(body).toEqual({
        data: {
          ...items[0],
          discoveryCard: { ...card, advertisingPolicies: null },
          adcpCapabilities: null,
          connected: true,
          requiresCredentials: false,
          customerAccounts: [],
          sources: [
            {
              sourceId: 'shelf',
              name: 'shelf',
              agentId: expect.stringMatching(/^agt_/),
              executionType: 'MANAGED_SALES_AGENT',
              status: 'ACTIVE',
            },
            {
              sourceId: 'far-agent',
              name: 'Far agent',
              agentId: expect.stringMatching(/^agt_/),
              executionType: 'AGENT',
              status: 'ACTIVE',
            },
          ],
        },
        error: null,
      });
      expect(body.data).toMatchObject({
        name: 'Harbour',
        displayStatus: 'configuring',
        acceptsAllCountries: true,
      });
    });

    test('shows as null what no storefront says yet, and what holds of all of them', async () => {
      const { data } = (await buyer.get(path)).body;

      expect(data).toMatchObject({
        brandName: null,
        logoUrl: null,
        brandColors: null,
        adapterProviderType: null,
        adapterConnection: null,
        supportedRoutingTypes: ['DECISIONED'],
        supportedBilling: ['operator'],
        discoveryCard: { displayName: 'Harbour', description: null, website: null, logoUrl: null },
      });
    });

    test('tells a buyer neither the address of an agent nor its credential', async () => {
      const { text } = await buyer.get(path);

      expect(text).not.toContain('private-address');
      expect(text).not.toMatch(/auth|v1\./);
      expect(text).not.toContain(TOKEN);
    });
  });
});
