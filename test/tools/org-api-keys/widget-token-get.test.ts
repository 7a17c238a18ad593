import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newBrowser } from '../../support/callers/browsers.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { everythingKept } from '../../support/server/everything-stored.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/org-api-keys/widget-token';

describe('widget_token_get', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('200 gives any member at a browser a token of ten minutes that nothing keeps', async () => {
    const { organizationId } = await newPerson(server);
    const reader = await newBrowser(server, organizationId, 'READ_ONLY');

    const { status, headers, body } = await clientFor(server.url, reader.credential).get(PATH);

    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    const { token, expiresAt } = body.data;
    const [head, claims] = token
      .split('.')
      .slice(0, 2)
      .map((part: string) => readPart(part));
    expect(head).toMatchObject({ typ: 'widget+jwt', alg: 'ES256' });
    expect(claims).toMatchObject({
      aud: 'rialto-widget',
      sub: String(reader.userId),
      org_id: organizationId,
      sid: reader.sessionId,
      scope: 'widgets:api-keys:manage',
    });
    expect(claims.exp - claims.iat).toBe(600);
    expect(Date.parse(expiresAt)).toBe(claims.exp * 1_000);
    expect(await everythingKept(server)).not.toContain(token);
  });

  test('is for nothing else: as a bearer it is 401 anywhere', async () => {
    const owner = await newPerson(server);
    const { token } = (await clientFor(server.url, await owner.browser()).get(PATH)).body.data;
    const bearer = clientFor(server.url, token);

    for (const path of ['/org-api-keys', PATH, '/buyer/campaigns']) {
      expect((await bearer.get(path)).status).toBe(401);
    }
    expect((await bearer.send(`${server.url}/mcp/v2/buyer`, { method: 'POST', body: '{}' })).status).toBe(
      401,
    );
  });

  test('403 FORBIDDEN for a key', async () => {
    const owner = await newPerson(server);
    const reply = await owner.get(PATH);
    expectRefusal(reply, 403, {
      code: 'FORBIDDEN',
      words: 'This call needs an interactive session of a person; a key or token cannot make it.',
    });
  });
});

function readPart(part: string) {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
}
