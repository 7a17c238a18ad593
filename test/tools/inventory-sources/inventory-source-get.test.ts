import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { newSeller } from '../../support/sellers/selling.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

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
          type: 'SALES',
          status: 'ACTIVE',
          agentId: expect.stringMatching(/^agt_/),
          endpointUrl: 'https://ads.example/mcp',
          protocol: 'MCP',
          authenticationType: 'API_KEY',
          authConfigured: true,
          description: null,
          health: { lastError: null, lastErrorCode: null, lastErrorAt: null, lastErrorTask: null },
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
          revision: 1,
        },
        error: null,
      });
      expect(text).not.toContain(TOKEN);
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR for a sourceId that no source can have', async () => {
      const reply = await seller.get(`${PATH}/Not%20a%20name`);

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: { sourceId: 'Give lowercase letters, digits, - and _.' },
      });
    });
  });

  describe('404', () => {
    test('NOT_FOUND for the id of the row, which is not its name', async () => {
      const { body } = await seller.get(`${PATH}/main`);

      expectRefusal(await seller.get(`${PATH}/${body.data.id}`), 404, {
        code: 'NOT_FOUND',
        words: 'No such inventory source.',
      });
    });
  });
});
