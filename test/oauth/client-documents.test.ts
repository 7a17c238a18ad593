import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, consentAt, locationOf, signedInPerson } from '../support/callers/consenting.ts';
import { CALLBACK } from '../support/callers/hosts.ts';
import { authorizeUrl, newPkce, program } from '../support/callers/programs.ts';
import { type Authority, newAuthority } from '../support/server/receiver.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** What stands at an address of a client, by its path. */
type Documents = Record<string, { status?: number; headers?: Record<string, string>; body: unknown }>;

describe('a client that is known by a document', () => {
  let authority: Authority;
  let server: TestServer;
  let person: Browser;
  let base: string;
  const asked: string[] = [];
  const documents: Documents = {};
  const pages = () =>
    createServer({ key: authority.key, cert: authority.certificate }, (req, res) => {
      asked.push(req.url ?? '');
      const { status = 200, headers = {}, body } = documents[req.url ?? ''] ?? { status: 404, body: {} };
      res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    });
  let site: ReturnType<typeof pages>;
  beforeAll(async () => {
    authority = await newAuthority();
    site = pages();
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    base = `https://127.0.0.1:${(site.address() as AddressInfo).port}`;
    server = await startTestServer({
      settings: { OUTBOUND_CA_FILE: authority.file, OIDC_ALLOWED_CIDRS: '127.0.0.0/8' },
    });
    person = await signedInPerson(server);
  });
  afterAll(async () => {
    site.closeAllConnections();
    site.close();
    await server.stop();
    authority.remove();
  });

  const put = (path: string, metadata: object) => {
    const id = `${base}${path}`;
    documents[path] = {
      body: { client_id: id, client_name: 'Known', redirect_uris: [CALLBACK], ...metadata },
    };
    return id;
  };
  const begin = (id: string, at = server) =>
    person.go(authorizeUrl(at.url, id, { code_challenge: newPkce().challenge }));

  test('is let in without registering, and shown with the host that it belongs to', async () => {
    const id = put('/client.json', { token_endpoint_auth_method: 'none' });
    const { verifier, challenge } = newPkce();
    const address = authorizeUrl(server.url, id, { code_challenge: challenge });
    const page = await (await person.go(locationOf(await person.go(address), address))).text();
    const back = await consentAt(person, address);
    const { status } = await program(server).token({
      grant_type: 'authorization_code',
      client_id: id,
      code: back.searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: CALLBACK,
    });

    expect(page).toContain('Known');
    expect(page).toContain(new URL(base).host);
    expect(status).toBe(200);
  });

  test('has a name of no more than a hundred letters and nothing hidden in it, on the page and in the log', async () => {
    const written = `Bank\u{e0148}\u202e\u034f ${'of a long name '.repeat(30)}`;
    const id = put('/named.json', { token_endpoint_auth_method: 'none', client_name: written });
    const address = authorizeUrl(server.url, id, { code_challenge: newPkce().challenge });
    const page = await (await person.go(locationOf(await person.go(address), address))).text();
    await consentAt(person, address);

    const { body } = await person.organization.get('/buyer/audit-logs?take=50&detail=full');
    const entry = body.data.logs.find(({ tool }: { tool: string }) => tool === 'oauth_consent');
    const kept = `Bank ${'of a long name '.repeat(30)}`.slice(0, 99);
    expect(page).toContain(`Connect <bdi>${kept}…</bdi>?`);
    expect(entry.resourceName).toBe(`${kept}…`);
    expect(await (await person.go(`${server.url}/settings/programs`)).text()).toContain(`${kept}…`);
  });

  test.each([
    ['is there for another id', { client_id: 'https://other.example/client.json' }],
    ['wants a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['holds a secret', { client_secret: 'x' }],
    ['leads to a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['leads elsewhere', { redirect_uris: ['https://elsewhere.example/'] }],
  ])('is refused when its document %s', async (what, metadata) => {
    const id = put(`/${what.replaceAll(' ', '-')}.json`, metadata);

    const response = await begin(id);

    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
  });

  test('is refused when its address leads on, and the other address is not called', async () => {
    put('/target.json', {});
    documents['/moved.json'] = { status: 302, headers: { location: `${base}/target.json` }, body: {} };

    expect((await begin(`${base}/moved.json`)).status).toBe(400);
    expect(asked).not.toContain('/target.json');
  });

  test('is not fetched from a private address', async () => {
    const strict = await startTestServer({ settings: { OUTBOUND_CA_FILE: authority.file } });
    const id = put('/private.json', {});

    expect((await begin(id, strict)).status).toBe(400);
    expect(asked).not.toContain('/private.json');
    await strict.stop();
  });

  test('is refused over plain http, and with a name and password', async () => {
    for (const id of [`http://127.0.0.1/c.json`, base.replace('https://', 'https://me:x@')]) {
      expect((await begin(id)).status).toBe(400);
    }
  });
});
