import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inAnotherAccount, keysAllowed, keysRefused, strangers } from '../../support/access.ts';
import { pathsOf, refusalOf } from '../../support/answers.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { newSeller } from '../../support/selling.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const PATH = '/storefront/inventory-sources';
const TOKEN = 'sk-very-private-0123456789';

describe('inventory_source_get', () => {
  let server: TestServer;
  let seller: Person;
  beforeAll(async () => {
    server = await startTestServer();
    seller = await newSeller(server);
    await seller.post(PATH, {
      name: 'Ad server',
      sourceId: 'main',
      endpointUrl: 'https://ads.example/mcp',
      authenticationType: 'API_KEY',
      auth: { type: 'bearer', token: TOKEN },
    });
  });
  afterAll(() => server.stop());

  describe('200', () => {
    test('gives the source, and of its credential only that there is one', async () => {
      const { status, body, text } = await seller.get(`${PATH}/main`);

      expect(status).toBe(200);
      expect(body).toEqual({
        data: {
          id: expect.stringMatching(/^src_/),
          sourceId: 'main',
          name: 'Ad server',
          executionType: 'AGENT',
          status: 'ACTIVE',
          agentId: expect.stringMatching(/^agt_/),
          endpointUrl: 'https://ads.example/mcp',
          protocol: 'MCP',
          authenticationType: 'API_KEY',
          authConfigured: true,
          description: null,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
        error: null,
      });
      expect(text).not.toContain(TOKEN);
    });

    test.each(keysAllowed('buyer:read'))('takes a key with $key', async ({ held }) => {
      const key = await seller.withKey(held);

      expect((await key.get(`${PATH}/main`)).status).toBe(200);
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR for a sourceId that no source can have', async () => {
      const reply = await seller.get(`${PATH}/Not%20a%20name`);

      expect(refusalOf(reply)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(pathsOf(reply)).toEqual(['sourceId']);
    });
  });

  describe('401', () => {
    test.each(strangers)('UNAUTHORIZED for $who', async ({ of }) => {
      expect(refusalOf(await of(server).get(`${PATH}/main`))).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    });
  });

  describe('403', () => {
    test.each(keysRefused('buyer:read'))('FORBIDDEN for a key with $key', async ({ held }) => {
      const key = await seller.withKey(held);

      expect(refusalOf(await key.get(`${PATH}/main`))).toEqual({ status: 403, code: 'FORBIDDEN' });
    });

    test('FORBIDDEN for an organization that does not sell', async () => {
      const buyer = await newPerson(server, { roles: ['BUYER'] });

      expect(refusalOf(await buyer.get(`${PATH}/main`))).toEqual({ status: 403, code: 'FORBIDDEN' });
    });
  });

  describe('404', () => {
    test('NOT_FOUND in the same words for the name of a stranger’s source and for a name nobody has', async () => {
      const others = [await newSeller(server), await inAnotherAccount(server, seller, 'SELLER')];

      for (const other of others) {
        const foreign = await other.get(`${PATH}/main`);
        const unknown = await other.get(`${PATH}/nobodys`);
        expect(refusalOf(foreign)).toEqual({ status: 404, code: 'NOT_FOUND' });
        expect(foreign.body).toEqual(unknown.body);
      }
    });

    test('NOT_FOUND for the id of the row, which is not its name', async () => {
      const { body } = await seller.get(`${PATH}/main`);

      expect(refusalOf(await seller.get(`${PATH}/${body.data.id}`))).toEqual({
        status: 404,
        code: 'NOT_FOUND',
      });
    });
  });
});
