import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keysAllowed, keysRefused, strangers } from '../../support/access.ts';
import { pathsOf, refusalOf } from '../../support/answers.ts';
import { done } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { newShelf, newStorefront } from '../../support/selling.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

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
      expect(body).toEqual({
        data: {
          ...items[0],
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

    test('tells a buyer neither the address of an agent nor its credential', async () => {
      const { text } = await buyer.get(path);

      expect(text).not.toContain('private-address');
      expect(text).not.toMatch(/auth|v1\./);
      expect(text).not.toContain(TOKEN);
    });

    test.each(keysAllowed('buyer:read'))('takes a key with $key', async ({ held }) => {
      const key = await buyer.withKey(held);

      expect((await key.get(path)).status).toBe(200);
    });
  });

  describe('400', () => {
    test.each(['harbour', '0', '-1', '1.5', '9007199254740992'])(
      'VALIDATION_ERROR for the id %s',
      async (id) => {
        const reply = await buyer.get(`${STOREFRONTS}/${id}`);

        expect(refusalOf(reply)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
        expect(reply.body.error.field).toBe('storefrontId');
      },
    );

    test('VALIDATION_ERROR names every problem with its path', async () => {
      const reply = await buyer.get(`${STOREFRONTS}/harbour?colour=red`);

      expect(pathsOf(reply)).toEqual(['colour', 'storefrontId']);
    });
  });

  describe('401', () => {
    test.each(strangers)('UNAUTHORIZED for $who', async ({ of }) => {
      expect(refusalOf(await of(server).get(path))).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    });
  });

  describe('403', () => {
    test.each(keysRefused('buyer:read'))('FORBIDDEN for a key with $key', async ({ held }) => {
      const key = await buyer.withKey(held);

      expect(refusalOf(await key.get(path))).toEqual({ status: 403, code: 'FORBIDDEN' });
    });

    test('FORBIDDEN for an organization that does not buy, though the storefront is its own', async () => {
      const vendor = await newPerson(server, { roles: ['SELLER'] });
      const own = await newStorefront(vendor);

      expect(refusalOf(await vendor.get(`${STOREFRONTS}/${own}`))).toEqual({
        status: 403,
        code: 'FORBIDDEN',
      });
    });
  });

  describe('404', () => {
    test.each([999_999, Number.MAX_SAFE_INTEGER])('NOT_FOUND for the id %i, which nobody has', async (id) => {
      expect(refusalOf(await buyer.get(`${STOREFRONTS}/${id}`))).toEqual({ status: 404, code: 'NOT_FOUND' });
    });
  });
});
