import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signedInPerson } from '../support/callers/consenting.ts';
import { connect, program } from '../support/callers/programs.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('what a program is told at the addresses of OAuth', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const send = (path: string, init: RequestInit) => fetch(`${server.url}${path}`, init);
  const sendJson = (path: string, body: string) =>
    send(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

  test('tokens are given with both headers that keep them out of caches', async () => {
    const person = await signedInPerson(server);
    const { clientId, tokens } = await connect(server, person);
    const { status, headers } = await program(server).token({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: tokens.refresh_token,
    });

    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
  });

  test('a grant that is not known is named as that, to who has no client too', async () => {
    const { status, body } = await program(server).token({ grant_type: 'urn:example:claim' });

    expect(status).toBe(400);
    expect(body.error).toBe('unsupported_grant_type');
    expect(body.error_description).toContain('urn:ietf:params:oauth:grant-type:jwt-bearer');
  });

  test('JSON where a form belongs is answered with what to send, which is not JSON', async () => {
    for (const path of ['/auth/token', '/auth/revoke']) {
      const answer = await sendJson(path, JSON.stringify({ token: 'x', grant_type: 'refresh_token' }));
      const { error, error_description: text } = JSON.parse(await answer.text());

      expect(answer.status).toBe(400);
      expect(error).toBe('invalid_request');
      expect(text).toContain('application/x-www-form-urlencoded');
      expect(text).not.toContain('Content-Type: application/json');
    }
  });

  test('ending a token takes a token, known or not', async () => {
    const forgotten = await program(server).post('/auth/revoke', { refresh_token: 'x' });
    const unknown = await program(server).revoke('x');

    expect(forgotten).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(unknown.status).toBe(200);
  });

  test.each([
    ['GET', '/auth/token', 'POST'],
    ['GET', '/auth/register', 'POST'],
    ['PUT', '/auth/revoke', 'POST'],
    ['PUT', '/auth/userinfo', 'GET, HEAD, POST'],
    ['POST', '/authorize', 'GET, HEAD'],
    ['POST', '/.well-known/oauth-authorization-server', 'GET, HEAD'],
    ['DELETE', '/agent/claim/confirm', 'POST'],
  ])('%s %s is answered with the methods that it takes', async (method, path, allow) => {
    const answer = await send(path, { method });

    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
    expect(await answer.text()).toContain(`This address takes ${allow}.`);
  });
});

describe('the limit of those who are let in', () => {
  test('is the one that an answer tells of', async () => {
    const server = await startTestServer({
      settings: {
        NODE_ENV: 'production',
        SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
        RATE_LIMIT_AUTH: '2',
      },
    });
    try {
      const ask = () => program(server).revoke('x');
      const [first, , third] = [await ask(), await ask(), await ask()];

      expect(first.headers.get('ratelimit-remaining')).toBe('1');
      expect(third.status).toBe(429);
      expect(third.headers.get('ratelimit-policy')).toBe('2;w=900');
      expect(third.headers.get('ratelimit-remaining')).toBe('0');
      expect(third.headers.get('retry-after')).toBe(third.headers.get('ratelimit-reset'));
    } finally {
      await server.stop();
    }
  });
});
