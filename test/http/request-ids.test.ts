import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientFor } from '../support/callers/client.ts';
import { newPerson } from '../support/callers/people.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('X-Request-Id', () => {
  let server: TestServer;
  let anybody: Client;
  beforeAll(async () => {
    server = await startTestServer();
    anybody = clientFor(server.url);
  });
  afterAll(() => server.stop());

  const idOf = async (path: string, given?: string) => {
    const headers = given === undefined ? {} : { 'x-request-id': given };
    return (await anybody.send(`${server.url}${path}`, { headers })).headers.get('x-request-id');
  };

  test.each([
    '/health',
    '/api/v2/buyer/advertisers',
    '/api/v2/nothing',
    '/nothing',
    '/docs',
    '/mcp/v2/buyer',
  ])('comes back as it was given: %s', async (path) => {
    expect(await idOf(path, 'Trace-1_2.b')).toBe('Trace-1_2.b');
  });

  test.each(['/health', '/api/v2/buyer/advertisers', '/nothing', '/mcp/v2/buyer'])(
    'is made anew where none was given: %s',
    async (path) => {
      const [one, other] = [await idOf(path), await idOf(path)];

      expect(one).toMatch(UUID);
      expect(other).toMatch(UUID);
      expect(one).not.toBe(other);
    },
  );

  test.each(['', 'a b', 'a"b', 'a;b', '<b>', 'ä', 'x'.repeat(129)])(
    'is replaced when it is none that a log can hold: %j',
    async (given) => {
      expect(await idOf('/health', given)).toMatch(UUID);
    },
  );

  test('may be 128 characters long', async () => {
    expect(await idOf('/health', 'x'.repeat(128))).toBe('x'.repeat(128));
  });

  test('is in the line of the log and in the audit entry', async () => {
    const buyer = await newPerson(server);

    await buyer.send('/buyer/advertisers', {
      method: 'POST',
      headers: { 'x-request-id': 'find-me', 'content-type': 'application/json' },
      body: '{}',
    });

    const line = server.log.lines.find(
      ({ fields }) => 'requestId' in fields && fields.requestId === 'find-me',
    );
    expect(line).toMatchObject({
      level: 'info',
      message: 'request',
      fields: {
        method: 'POST',
        target: 'POST /api/v2/buyer/advertisers',
        status: 400,
        organizationId: buyer.organizationId,
        principal: `api_key:${buyer.keyId}`,
      },
    });
    const entries = await server.store.db
      .selectFrom('audit_logs')
      .select('request_id')
      .where('organization_id', '=', buyer.organizationId)
      .where('surface', '!=', 'operator')
      .execute();
    expect(entries).toEqual([{ request_id: 'find-me' }]);
  });
});
