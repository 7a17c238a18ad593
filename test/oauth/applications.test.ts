import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFor } from '../support/callers/client.ts';
import { type Browser, signedInPerson } from '../support/callers/consenting.ts';
import { claimsOf, program } from '../support/callers/programs.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

interface Made {
  readonly application: { readonly id: string; readonly clientId: string };
  readonly clientSecret: string;
  readonly secretId: string;
  readonly tokenEndpoint: string;
  readonly resource: string;
}

describe('an application', () => {
  let server: TestServer;
  let person: Browser;
  beforeAll(async () => {
    server = await startTestServer();
    person = await signedInPerson(server);
  });
  afterAll(() => server.stop());

  /** Manages applications as the person at the browser does. */
  const manage = async (method: string, path: string, body?: object) => {
    const response = await person.go(`${server.url}/api/v2/m2m-applications${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-csrf-token': 'c'.repeat(43) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { data } = JSON.parse(await response.text());
    return { status: response.status, data };
  };
  const make = async (permissions = ['buyer:read', 'buyer:write']): Promise<Made> =>
    (await manage('POST', '', { name: 'Backend', permissions })).data;
  const ask = ({ application, clientSecret }: Made, fields = {}) =>
    program(server).token({
      grant_type: 'client_credentials',
      client_id: application.clientId,
      client_secret: clientSecret,
      ...fields,
    });
  const statusOf = async (token: string, path = '/buyer/campaigns') =>
    (await clientFor(server.url, token).get(path)).status;

  test('is told where to get tokens and for what to ask, and its secret once', async () => {
    const made = await make();
    const { data } = await manage('GET', `/${made.application.id}`);

    expect(made).toMatchObject({
      tokenEndpoint: `${server.url}/auth/token`,
      resource: `${server.url}/api/v2`,
      clientSecret: expect.any(String),
    });
    expect(JSON.stringify(data)).not.toContain(made.clientSecret);
    expect((await ask(made, { resource: made.resource })).status).toBe(200);
  });

  test('gets a token of fifteen minutes that acts for it', async () => {
    const made = await make();
    const { body, headers } = await ask(made);

    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'buyer:read buyer:write',
    });
    expect(claimsOf(body.access_token)).toMatchObject({
      sub: made.application.clientId,
      aud: `${server.url}/api/v2`,
      kind: 'm2m',
    });
    expect(await statusOf(body.access_token)).toBe(200);
    expect(await statusOf(body.access_token, '/storefront/products')).toBe(200);
  });

  test('shows its secret in the header as well, in the form of RFC 6749', async () => {
    const { application, clientSecret } = await make();
    const basic = Buffer.from(`${application.clientId}:${clientSecret}`).toString('base64');
    const headers = { authorization: `Basic ${basic}` };
    const fields = { grant_type: 'client_credentials' };

    expect((await program(server).token(fields, headers)).status).toBe(200);
    const both = await program(server).token({ ...fields, client_secret: clientSecret }, headers);
    expect([both.status, both.body.error]).toEqual([400, 'invalid_request']);
  });

  test.each([
    ['a wrong secret', { client_secret: 'wrong' }, '401 invalid_client'],
    ['no secret', { client_secret: '' }, '401 invalid_client'],
    ['another client', { client_id: 'client_other' }, '401 invalid_client'],
    ['an address that is not ours', { resource: 'https://elsewhere.example' }, '400 invalid_target'],
    ['a scope that it does not hold', { scope: 'buyer:read account:admin' }, '400 invalid_scope'],
  ])('gets no token with %s', async (_what, fields, expected) => {
    const refused = await ask(await make(), fields);

    expect(`${refused.status} ${refused.body.error}`).toBe(expected);
  });

  test('gets what it asks for and no more', async () => {
    const { body } = await ask(await make(), { scope: 'buyer:read' });
    const client = clientFor(server.url, body.access_token);

    expect(body.scope).toBe('buyer:read');
    expect((await client.get('/buyer/campaigns')).status).toBe(200);
    expect((await client.post('/buyer/advertisers', {})).status).toBe(403);
  });

  test('gets the lesser permission that it asks for, where it holds one that implies it', async () => {
    const { body } = await ask(await make(['buyer:admin']), { scope: 'buyer:write' });
    const client = clientFor(server.url, body.access_token);

    expect(body.scope).toBe('buyer:write');
    expect((await client.get('/buyer/campaigns')).status).toBe(200);
    expect((await client.post('/buyer/advertisers', {})).status).toBe(400);
    expect((await client.delete('/buyer/advertisers/1')).status).toBe(403);
  });

  test('works with two secrets at once, and with the new one alone after the old one is ended', async () => {
    const made = await make();
    const { data: second } = await manage('POST', `/${made.application.id}/secrets`, {});
    const renewed = { ...made, clientSecret: second.clientSecret };
    const [old, fresh] = [await ask(made), await ask(renewed)];
    expect([old.status, fresh.status]).toEqual([200, 200]);
    expect(await statusOf(fresh.body.access_token)).toBe(200);

    await expect
      .poll(async () => (await manage('DELETE', `/${made.application.id}/secrets/${made.secretId}`)).status)
      .toBe(200);

    expect((await ask(made)).status).toBe(401);
    expect(await statusOf(old.body.access_token)).toBe(401);
    expect(await statusOf(fresh.body.access_token)).toBe(200);
  });

  test('is refused with live tokens as soon as it is deleted', async () => {
    const made = await make();
    const { body } = await ask(made);
    expect(await statusOf(body.access_token)).toBe(200);

    expect((await manage('DELETE', `/${made.application.id}`)).status).toBe(200);

    expect(await statusOf(body.access_token)).toBe(401);
    expect((await ask(made)).body.error).toBe('invalid_client');
  });

  test('ends a single token by revoking it', async () => {
    const made = await make();
    const [one, other] = [await ask(made), await ask(made)];
    expect((await program(server).revoke(one.body.access_token)).status).toBe(200);

    expect(await statusOf(one.body.access_token)).toBe(401);
    expect(await statusOf(other.body.access_token)).toBe(200);
  });

  test('has each token that is revoked in the audit log of its organization, once', async () => {
    const made = await make();
    const [one, other] = [await ask(made), await ask(made)];
    for (const { body } of [one, one, other]) await program(server).revoke(body.access_token);

    const rows = await server.store.db
      .withoutPlugins()
      .selectFrom('audit_logs')
      .selectAll()
      .where('tool', '=', 'oauth_token_revoke')
      .where('credential_id', '=', `m2m:${made.application.id}`)
      .orderBy('id')
      .execute();

    expect(rows).toMatchObject(
      [one, other].map(({ body }) => ({
        organization_id: claimsOf(body.access_token)['org_id'],
        resource_type: 'ACCESS_TOKEN',
        resource_id: claimsOf(body.access_token)['jti'],
        credential_name: 'Backend',
        action: 'DELETE',
        ip: '127.0.0.1',
      })),
    );
    expect(JSON.stringify(rows)).not.toContain(one.body.access_token.split('.')[2]);
  });

  test('leaves an entry in the audit log with its name for each token, and no secret', async () => {
    const made = await make();
    await ask(made);
    const rows = await server.store.db
      .withoutPlugins()
      .selectFrom('audit_logs')
      .selectAll()
      .where('tool', '=', 'client_credentials')
      .where('resource_id', '=', made.application.id)
      .execute();

    expect(rows).toMatchObject([{ outcome: 'succeeded', credential_name: 'Backend' }]);
    expect(JSON.stringify(rows)).not.toContain(made.clientSecret);
  });

  test('cannot manage applications or keys with its token', async () => {
    const { body } = await ask(await make(['buyer:admin']));
    const client = clientFor(server.url, body.access_token);
    const statuses = [
      await client.get('/m2m-applications'),
      await client.post('/m2m-applications', { name: 'X', permissions: ['buyer:read'] }),
      await client.get('/org-api-keys'),
    ].map(({ status }) => status);

    expect(statuses).toEqual([403, 403, 403]);
  });
});
