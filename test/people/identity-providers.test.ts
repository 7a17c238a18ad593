import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providerSet } from '../../adapters/cli/people-tasks.ts';
import { deleteDomains } from '../../store/domains.ts';
import { makeTenant } from '../../store/engine/scope.ts';
import { setProvider } from '../../store/organization-providers.ts';
import { findUserByEmail } from '../../store/unscoped/users.ts';
import { verifyDomain } from '../../tools/domain/organizations/domains.ts';
import { suspendOrganization } from '../../tools/domain/organizations/operator-decisions.ts';
import { giveRole } from '../../tools/domain/organizations/people.ts';
import { providerOwner } from '../../tools/domain/organizations/secret-owners.ts';
import { type Answer, type BrowserClient, browserClient } from '../support/callers/browser-client.ts';
import { clientFor } from '../support/callers/client.ts';
import {
  CLIENT,
  type IdentityProvider,
  type Lies,
  lyingProvider,
  realProvider,
  type Somebody,
} from '../support/callers/identity-provider.ts';
import { newPerson } from '../support/callers/people.ts';
import { newAccount, newAddress } from '../support/callers/signed-in.ts';
import { recordQueries } from '../support/database/recorded-queries.ts';
import { freePort } from '../support/run/free-port.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('a real identity provider', () => {
  let who: Somebody;
  let provider: IdentityProvider;
  let server: TestServer;
  beforeAll(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    provider = await realProvider(
      () => `${url}/sign-in/callback`,
      () => who,
    );
    server = await startTestServer({
      settings: { ...provider.settings, PORT: String(port), OIDC_NAME: 'Acme' },
    });
  });
  afterAll(async () => {
    await server.stop();
    await provider.stop();
  });

  /** Goes to the provider and back as a browser does; gives what the service says in the end. */
  const travel = async (browser: BrowserClient): Promise<Answer> => {
    const there = browserClient(provider.issuer);
    let to = (await browser.get('/sign-in/provider?return_to=%2Fsettings%2Fsessions')).location;
    while (to.startsWith(provider.issuer)) {
      const { location } = await there.get(to);
      to = new URL(location, provider.issuer).href;
    }
    return browser.get(to);
  };

  test('is offered on the sign-in page by its name, and asked with PKCE, state and nonce', async () => {
    const browser = browserClient(server.url);

    const page = await browser.get('/sign-in');
    const { location } = await browser.get('/sign-in/provider');
    const asked = new URL(location).searchParams;

    expect(page.text).toContain('Continue with Acme');
    expect(asked.get('code_challenge_method')).toBe('S256');
    for (const name of ['code_challenge', 'state', 'nonce'])
      expect(asked.get(name)?.length).toBeGreaterThan(20);
    expect(location).not.toContain(CLIENT.secret);
  });

  test('signs in whom the operator made known under an address that it verified, each time as the same person', async () => {
    const email = newAddress();
    const { organizationId } = await newPerson(server);
    const userId = await giveRole(server.operator, { email, name: 'Ada', organizationId, role: 'ADMIN' });
    who = { sub: `sub-${email}`, email: email.toUpperCase(), email_verified: true, name: 'Ada' };
    const browser = browserClient(server.url);

    const first = await travel(browser);
    const again = await travel(browserClient(server.url));
    const organizations = await browser.get('/settings/organizations');

    expect(first).toMatchObject({ status: 303, location: '/settings/sessions' });
    expect(again.status).toBe(303);
    expect(organizations.text).toContain('you work here now');
    const identities = await server.store.db
      .selectFrom('user_identities')
      .selectAll()
      .where('user_id', '=', userId)
      .execute();
    expect(identities).toHaveLength(1);
  });

  test('keeps somebody who changed their address there the same person here', async () => {
    const email = newAddress();
    who = { sub: `sub-${email}`, email, email_verified: true, name: 'Ada' };
    await travel(browserClient(server.url));
    who = { ...who, email: newAddress() };
    const browser = browserClient(server.url);

    await travel(browser);

    expect((await browser.get('/settings/profile')).text).toContain(email);
  });

  test('takes over no account by an address that it did not verify, or that nobody confirmed here', async () => {
    const ada = await newAccount(server);
    const email = newAddress();
    await giveRole(server.operator, {
      email,
      name: '',
      organizationId: (await newPerson(server)).organizationId,
      role: 'ADMIN',
    });
    await server.store.db
      .updateTable('users')
      .set({ password_hash: 'scrypt$14$8$1$x$x' })
      .where('email', '=', email)
      .execute();

    who = { sub: 'unverified', email: ada.email, email_verified: false };
    const unverified = await travel(browserClient(server.url));
    who = { sub: 'unsaid', email: ada.email };
    const unsaid = await travel(browserClient(server.url));
    who = { sub: 'squatter', email, email_verified: true };
    const unconfirmed = await travel(browserClient(server.url));

    expect([unverified.status, unsaid.status, unconfirmed.status]).toEqual([403, 403, 403]);
  });

  test('lets nobody in with a way back that was not begun in this browser, or twice', async () => {
    who = { sub: 'replay', email: newAddress(), email_verified: true };
    const browser = browserClient(server.url);
    const there = browserClient(provider.issuer);
    let to = (await browser.get('/sign-in/provider')).location;
    while (to.startsWith(provider.issuer)) to = new URL((await there.get(to)).location, provider.issuer).href;

    const elsewhere = await browserClient(server.url).get(to);
    const changed = browserClient(server.url);
    await changed.get('/sign-in/provider');
    const mixed = await changed.get(to);
    const right = await browser.get(to);
    const twice = await browser.get(to);

    expect([elsewhere.status, mixed.status, right.status, twice.status]).toEqual([403, 403, 303, 403]);
  });
});

describe('an identity provider that lies', () => {
  let lies: Lies = {};
  let provider: IdentityProvider;
  let server: TestServer;
  beforeAll(async () => {
    provider = await lyingProvider(() => lies);
    server = await startTestServer({
      settings: { ...provider.settings, OIDC_ALLOWED_DOMAINS: 'people.example' },
    });
  });
  afterAll(async () => {
    await server.stop();
    await provider.stop();
  });

  const come = async (told: Lies, change: (back: URL) => void = () => {}) => {
    lies = told;
    const browser = browserClient(server.url);
    const { location, status } = await browser.get('/sign-in/provider');
    if (status !== 303) return status;
    const asked = new URL(location).searchParams;
    const back = new URL('/sign-in/callback', server.url);
    back.searchParams.set('code', asked.get('nonce') ?? '');
    back.searchParams.set('state', asked.get('state') ?? '');
    change(back);
    return (await browser.get(`${back.pathname}${back.search}`)).status;
  };
  const good = () => ({ sub: newAddress(), email: newAddress(), email_verified: true });

  test('is believed as long as it does not', async () => {
    expect(await come({ claims: good() })).toBe(303);
  });

  test.each<[string, Lies]>([
    ['of another issuer', { claims: { ...good(), iss: 'https://other.example' } }],
    ['for another client', { claims: { ...good(), aud: 'another' } }],
    ['of another journey', { claims: { ...good(), nonce: 'another' } }],
    ['that is over', { claims: { ...good(), exp: 1_700_000_000 } }],
    ['without a subject', { claims: { ...good(), sub: '' } }],
    ['signed with a key that is not its own', { claims: good(), foreignKey: true }],
    ['whose address it did not verify', { claims: { ...good(), email_verified: false } }],
    ['whose address is no text', { claims: { ...good(), email: ['x'] } }],
    ['of a domain for which it does not speak', { claims: { ...good(), email: 'ada@elsewhere.example' } }],
    ['of a domain that only looks like it', { claims: { ...good(), email: 'ada@реople.example' } }],
    ['of a domain that only ends like it', { claims: { ...good(), email: 'ada@evilpeople.example' } }],
  ])('gets nobody in with a token %s', async (_which, told) => {
    expect(await come(told)).toBe(403);
  });

  test('gets nobody in with a state that is not the one that was given', async () => {
    expect(await come({ claims: good() }, (back) => back.searchParams.set('state', 'other'))).toBe(403);
    expect(await come({ claims: good() }, (back) => back.searchParams.delete('state'))).toBe(403);
  });

  test('is told of by a page, and by no words of its own, when it refuses', async () => {
    const status = await come({}, (back) => {
      back.searchParams.delete('code');
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('error_description', '<script>alert(1)</script>');
    });

    expect(status).toBe(403);
  });

  test('passes for no other: what it says of itself has to be what it was called by', async () => {
    const own = await lyingProvider(() => ({ issuer: 'https://other.example' }));
    const other = await startTestServer({ settings: own.settings });

    const { status } = await browserClient(other.url).get('/sign-in/provider');
    await other.stop();
    await own.stop();

    expect(status).toBe(403);
  });

  test('has nothing fetched from an address that is not open to it', async () => {
    const closed = await startTestServer({ settings: { ...provider.settings, OIDC_ALLOWED_CIDRS: '' } });

    const { status } = await browserClient(closed.url).get('/sign-in/provider');
    await closed.stop();

    expect(status).toBe(403);
    expect(closed.log.lines.map(({ message }) => message)).toContain('an identity provider failed');
  });
});

describe('the identity provider of an organization', () => {
  const queries = recordQueries();
  let lies: Lies = {};
  let provider: IdentityProvider;
  let server: TestServer;
  beforeAll(async () => {
    provider = await lyingProvider(() => lies);
    server = await startTestServer({
      own: true,
      store: queries.options,
      settings: { OIDC_ALLOWED_CIDRS: '127.0.0.0/8' },
    });
    queries.watch(server.store);
    const { organizationId } = await newPerson(server);
    for (const domain of ['acme.example', 'other.example']) await bring(organizationId, domain);
  });

  /** Has an organization bring the provider for a domain that is verified as its own. */
  const bring = async (organizationId: number, domain: string) => {
    const { secrets } = server.running.app.services.ports;
    await verifyDomain(server.operator, { organizationId, domain });
    await setProvider(server.store.db, makeTenant(organizationId), {
      domain,
      issuer: provider.issuer,
      client_id: CLIENT.id,
      secret_sealed: secrets.seal(CLIENT.secret, providerOwner(domain)),
      created_at: '2026-12-01T09:00:00.000Z',
    });
  };
  afterAll(async () => {
    await server.stop();
    await provider.stop();
  });

  const come = async (
    email: string,
    { said = email, domain = 'acme.example', onTheWay = async (): Promise<unknown> => undefined } = {},
  ) => {
    lies = { claims: { sub: said, email: said, email_verified: true } };
    const browser = browserClient(server.url);
    const { location, status } = await browser.submit('/sign-in/organization', { email });
    if (status !== 303) return status;
    const asked = new URL(location).searchParams;
    const way = new URLSearchParams({ code: asked.get('nonce') ?? '', state: asked.get('state') ?? '' });
    await onTheWay();
    return (await browser.get(`/sign-in/callback/${domain}?${way}`)).status;
  };

  test('is found by the domain of an address, and believed for addresses of that domain', async () => {
    expect((await browserClient(server.url).get('/sign-in')).text).toContain(
      'Continue with your organization',
    );
    expect(await come('ada@acme.example')).toBe(303);
    expect(await findUserByEmail(server.store.db, 'ada@acme.example')).toMatchObject({ password_hash: null });
  });

  test('is believed for no other domain, and for nobody who is known under one', async () => {
    const bob = await newAccount(server);

    expect(await come('eve@acme.example', { said: bob.email })).toBe(403);
    expect(await come('eve@acme.example', { said: 'eve@sub.acme.example' })).toBe(403);
  });

  test('brings people back to its own address alone', async () => {
    expect(await come('ada@acme.example', { domain: 'other.example' })).toBe(403);
  });

  test('is not there for other domains, and the page says so beside the field', async () => {
    expect(await come('ada@nowhere.example')).toBe(422);
  });

  const rowsOf = (domain: string) =>
    server.store.db
      .withoutPlugins()
      .selectFrom('organization_providers')
      .select('organization_id')
      .where('domain', '=', domain)
      .execute();

  test('has its secret encrypted, for its own row', async () => {
    const rows = await server.store.db
      .withoutPlugins()
      .selectFrom('organization_providers')
      .selectAll()
      .execute();

    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(CLIENT.secret);
  });

  test('is not believed while the organization is suspended, also for who was on the way, and is again later', async () => {
    const { organizationId } = await newPerson(server);
    await bring(organizationId, 'paused.example');
    const suspend = (isSuspended: boolean) =>
      suspendOrganization(server.operator, { organizationId, isSuspended });
    const of = { domain: 'paused.example' };
    expect(await come('ada@paused.example', of)).toBe(303);

    await suspend(true);
    expect(await come('ada@paused.example', of)).toBe(422);
    await suspend(false);

    expect(await come('ada@paused.example', of)).toBe(303);
    expect(await come('ada@paused.example', { ...of, onTheWay: () => suspend(true) })).toBe(403);
  });

  test('is gone with the account that is closed, and stays so when the operator has that go on', async () => {
    const parent = await newPerson(server);
    const child = await newPerson(server, { parentId: parent.organizationId });
    const { organizationId } = child;
    await bring(organizationId, 'closed.example');
    const admin = clientFor(server.url, await parent.browser());

    expect((await admin.delete(`/buyer/accounts/${organizationId}`)).status).toBe(204);
    expect(await come('ada@closed.example', { domain: 'closed.example' })).toBe(422);
    expect(await rowsOf('closed.example')).toEqual([]);
    await suspendOrganization(server.operator, { organizationId, isSuspended: false });

    expect(await come('ada@closed.example', { domain: 'closed.example' })).toBe(422);
  });

  test('says of a domain whether it has one, and of nobody whether they are here', async () => {
    const known = await newAccount(server, { email: 'known@acme.example' });
    const elsewhere = await newAccount(server);
    const ask = async (email: string) => {
      const browser = browserClient(server.url);
      const { status, location, text } = await browser.submit('/sign-in/organization', { email });
      const [asked] = location.split('?');
      const said = text.replaceAll(email, '…').replaceAll(/value="[\w-]{43}"|nonce-\w+/g, '…');
      return { status, asked, said };
    };
    const before = queries.ran.length;

    const [somebody, nobody] = [await ask(known.email), await ask('nobody@acme.example')];
    const [stray, unknown] = [await ask(elsewhere.email), await ask('nobody@people.example')];

    expect(somebody.status).toBe(303);
    expect(nobody).toEqual(somebody);
    expect(stray.status).toBe(422);
    expect(unknown).toEqual(stray);
    const looked = queries.ran.slice(before).filter(({ sql }) => /from "users"/.test(sql));
    expect(looked).toEqual([]);
    expect(queries.ran.length).toBeGreaterThan(before);
  });

  test.each([
    ['/sign-in/organization', { email: 'ada@unknown.example' }, 422],
    ['/sign-in/callback', undefined, 403],
  ])('counts what leads nowhere at %s as a sign-in that failed', async (path, fields, refused) => {
    const counting = await startTestServer({ settings: { SIGN_IN_FAILURES_PER_IP: '2' } });
    const browser = browserClient(counting.url);
    const statuses: number[] = [];
    for (const _ of [1, 2, 3]) {
      const { status } = await (fields === undefined ? browser.get(path) : browser.submit(path, fields));
      statuses.push(status);
    }
    await counting.stop();

    expect(statuses).toEqual([refused, refused, 429]);
  });

  test('may be gone to as often as one likes from one address: what leads there is no failure', async () => {
    const statuses: number[] = [];
    for (let times = 0; times < 60; times += 1) {
      const browser = browserClient(server.url);
      statuses.push((await browser.submit('/sign-in/organization', { email: 'ada@acme.example' })).status);
    }

    expect(new Set(statuses)).toEqual(new Set([303]));
  });

  test('is not believed for a domain that is verified no more, or for another organization', async () => {
    const [one, two] = [await newPerson(server), await newPerson(server)];
    await bring(one.organizationId, 'moved.example');
    await deleteDomains(server.store.db, makeTenant(one.organizationId));
    expect(await come('ada@moved.example', { domain: 'moved.example' })).toBe(422);

    await verifyDomain(server.operator, { organizationId: two.organizationId, domain: 'moved.example' });

    expect(await come('ada@moved.example', { domain: 'moved.example' })).toBe(422);
  });

  test('is named by the operator, whose word verifies the domain, and takes the place of one that is over', async () => {
    const [one, two] = [await newPerson(server), await newPerson(server)];
    const set = ({ organizationId }: { readonly organizationId: number }) =>
      providerSet(server.operator, server.config, {
        organization: organizationId,
        domain: 'word.example',
        issuer: provider.issuer,
        clientId: CLIENT.id,
        clientSecret: CLIENT.secret,
      });

    expect(await set(one)).toContain(`word.example is of organization ${one.organizationId}`);
    expect(await set(one)).not.toContain('is of organization');
    await expect(set(two)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await come('ada@word.example', { domain: 'word.example' })).toBe(303);
    await deleteDomains(server.store.db, makeTenant(one.organizationId));
    await set(two);

    const told = await server.store.db
      .selectFrom('audit_logs')
      .select('changes')
      .where('organization_id', '=', one.organizationId)
      .where('resource_type', '=', 'ORGANIZATION')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(told?.changes).toContain('"identityProvider":{"from":"word.example","to":null}');
    expect(await rowsOf('word.example')).toEqual([{ organization_id: two.organizationId }]);
    expect(await come('ada@word.example', { domain: 'word.example' })).toBe(303);
  });
});
