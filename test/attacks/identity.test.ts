import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTokens } from '../../adapters/auth/tokens.ts';
import { makeTenant } from '../../store/engine/scope.ts';
import { updateOrganization } from '../../store/organizations.ts';
import { openOrClose } from '../../tools/domain/admission/operating.ts';
import { personAtBrowser, stranger } from '../support/callers/agents.ts';
import { browserClient } from '../support/callers/browser-client.ts';
import { clientFor } from '../support/callers/client.ts';
import { locationOf, signedInPerson } from '../support/callers/consenting.ts';
import { CALLBACK } from '../support/callers/hosts.ts';
import { newPerson } from '../support/callers/people.ts';
import { authorizeUrl, claimsOf, connect, newPkce, program } from '../support/callers/programs.ts';
import { newAccount, newAddress } from '../support/callers/signed-in.ts';
import { recordingMail } from '../support/server/mail.ts';
import { requestText, sendBytes } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const PILED = `X${'\u0301'.repeat(40)}cme`;
const TURNED = 'Acme\u202e moc.live';
const HUGE = 'W'.repeat(100);

describe('somebody who attacks the ways in', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true, settings: { AGENT_REQUESTS_IN_ALL: '100000' } });
  });
  afterAll(() => server.stop());

  const consentPage = async (person: Awaited<ReturnType<typeof signedInPerson>>, name: string) => {
    const { body } = await program(server).register({ client_name: name, redirect_uris: [CALLBACK] });
    const address = authorizeUrl(server.url, body.client_id, { code_challenge: newPkce().challenge });
    const page = await person.go(locationOf(await person.go(address), address));
    return { headers: page.headers, text: await page.text() };
  };

  test('gains nothing by a token that our own key signed under another issuer', async () => {
    const person = await signedInPerson(server);
    const { tokens } = await connect(server, person);
    const { services } = server.running.app;
    const { store, ports } = services;
    const signedBy = (issuer: string) => {
      const news = { take: () => false };
      const { clock, secrets } = ports;
      const opensElsewhere = async () => false;
      const parts = { store, clock, secrets, news, log: server.log, opensElsewhere };
      return createTokens({ ...parts, publicUrl: () => issuer }).sign({
        ...{ type: 'at+jwt', audience: `${server.url}/mcp/v2/buyer`, subject: String(person.userId) },
        ...{ seconds: 60, claims: claimsOf(tokens.access_token) },
      });
    };
    const rest = async (token: string) => (await clientFor(server.url, token).get('/buyer/campaigns')).status;

    // The same claims under our own name are good: it is the issuer alone that is refused.
    expect(await rest(await signedBy(server.url))).toBe(200);
    for (const issuer of [
      'https://rialto.example',
      `${server.url}/`,
      server.url.replace('127.0.0.1', 'localhost'),
    ]) {
      expect(await rest(await signedBy(issuer)), issuer).toBe(401);
    }
  });

  test.each(['/sign-up', '/forgotten'])(
    'learns nothing from when an answer comes: no mail is waited for: %s',
    async (path) => {
      const { email } = await newAccount(server);
      const mail = recordingMail();
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const slow = { ...mail, send: () => held };
      const other = await startTestServer({ own: true, mail: slow });
      const known = (await signedInPerson(other)).email;

      // Nothing was sent to anybody yet, and both have their answer.
      for (const address of [known, newAddress(), email]) {
        const answer = await browserClient(other.url).submit(path, { email: address });
        expect(answer.status).toBe(200);
      }
      release();
      await other.stop();
    },
  );

  test('has no document, challenge or page name a host that a request made up', async () => {
    const made = { 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example;proto=https' };
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
      '/.well-known/oauth-protected-resource/mcp/v2/buyer',
      '/auth.md',
      '/api/v2/buyer/campaigns',
      '/sign-in',
      '/openapi.json',
    ]) {
      const forwarded = await fetch(`${server.url}${path}`, { headers: made });
      const answered = `${JSON.stringify([...forwarded.headers])}${await forwarded.text()}`;
      expect(answered, path).not.toContain('evil.example');
      const { text } = await sendBytes(server.url, requestText(`GET ${path}`, { Host: 'evil.example' }));
      expect(text, path).not.toContain('evil.example');
    }
  });

  test('frames no page on which something is allowed, chosen or made', async () => {
    await openOrClose(server.operator, { name: 'buyers', isOpen: true });
    const { organizationId } = await newPerson(server);
    const person = await personAtBrowser(server, { organizationIds: [organizationId] });
    const { body } = await stranger(server).post('/agent/identity', {
      ...{ type: 'service_auth', login_hint: person.email },
    });
    const pages = await Promise.all(
      [
        body.claim.attempt.verification_uri,
        ...['/settings/members', '/settings/keys', '/settings/organizations', '/terms', '/start/advertiser'],
      ].map((path) => person.get(path)),
    );
    const consent = await consentPage(await signedInPerson(server), 'Framer');

    for (const { headers } of [...pages, consent]) {
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });

  test.each([
    ['piled marks', PILED, 'X\u0301\u0301\u0301\u0301cme'],
    ['letters that turn the line around', TURNED, undefined],
    ['a name as long as is taken', HUGE, HUGE],
    ['markup', '<b>Acme</b>', '&lt;b&gt;Acme&lt;/b&gt;'],
  ])('deceives nobody on the page that asks with %s in a name', async (_what, name, shown) => {
    const person = await signedInPerson(server);
    const other = await newPerson(server, { parentId: person.organization.organizationId });
    const { db } = server.store;
    await updateOrganization(db, makeTenant(other.organizationId), { name });

    const { text } = await consentPage(person, name);
    const [, heading = ''] = /<h1>(.*?)<\/h1>/.exec(text) ?? [];
    const [option = ''] = text.match(/<option[^>]*>[^<]*(?:Acme|cme|W{9})[^<]*<\/option>/) ?? [];

    for (const place of [heading, option]) {
      expect(place).not.toBe('');
      expect(place).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      expect(place).not.toMatch(/\p{M}{5}/u);
      expect(place).not.toContain('<b>');
      if (shown !== undefined) expect(place).toContain(shown);
    }
    expect(heading).toContain('<bdi>');
  });

  test('cuts the name of an organization that is longer than a line', async () => {
    const person = await signedInPerson(server);
    const { organizationId } = person.organization;
    await updateOrganization(server.store.db, makeTenant(organizationId), { name: 'V'.repeat(5_000) });

    const { text } = await consentPage(person, 'App');

    expect(text).toContain(`<strong><bdi>${'V'.repeat(100)}…</bdi></strong>`);
    expect(text).not.toContain('V'.repeat(101));
  });
});
