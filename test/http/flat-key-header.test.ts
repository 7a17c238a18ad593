import { beforeAll, describe, expect, test } from 'vitest';
import { clientFor } from '../support/callers/client.ts';
import { legacyValue, newLegacyKey } from '../support/callers/legacy-keys.ts';
import { newPerson } from '../support/callers/people.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('the header of the flat API', () => {
  let server: TestServer;
  let keys: Readonly<Record<string, string>>;
  beforeAll(async () => {
    server = await startTestServer();
    const person = await newPerson(server);
    const legacy = legacyValue();
    await newLegacyKey(server, person, { value: legacy });
    keys = { 'a key of today': person.key, 'a legacy key': legacy };
  });

  test.each(['a key of today', 'a legacy key'])('lets nobody in to REST or MCP by %s', async (which) => {
    const key = keys[which] ?? '';
    const stranger = clientFor(server.url);
    const shown = { 'x-rialto-api-key': key, 'content-type': 'application/json' };

    const asBearer = await clientFor(server.url, key).get('/buyer/campaigns');
    const read = await stranger.send('/buyer/campaigns', { headers: shown });
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const told = await stranger.send(`${server.url}/mcp/v2/buyer`, {
      method: 'POST',
      headers: { ...shown, accept: 'application/json, text/event-stream' },
      body: list,
    });

    expect(asBearer.status).toBe(200);
    for (const { status, headers } of [read, told]) {
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer .*resource_metadata="/);
    }
  });

  test.each(['brand-agents', 'campaigns', 'api/assets'])('finds no /legacy/%s', async (path) => {
    const shown = { 'x-rialto-api-key': keys['a legacy key'] ?? '' };

    const { status } = await clientFor(server.url).send(`${server.url}/legacy/${path}`, { headers: shown });

    expect(status).toBe(404);
  });
});
