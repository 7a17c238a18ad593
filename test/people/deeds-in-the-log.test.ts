import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentRoutes } from '../../adapters/agents/routes.ts';
import { oauthRoutes } from '../../adapters/oauth/routes.ts';
import { routes, sections } from '../../adapters/pages/people.ts';
import { makeAdministratorLink } from '../../adapters/people/administrator-link.ts';
import { unscoped } from '../../store/engine/unscoped.ts';
import { openOrClose } from '../../tools/domain/admission/operating.ts';
import { verifyDomain } from '../../tools/domain/organizations/domains.ts';
import { giveRole } from '../../tools/domain/organizations/people.ts';
import {
  claimedAgent,
  codeOn,
  confirmAt,
  otherThan,
  personAtBrowser,
  stranger,
} from '../support/callers/agents.ts';
import { askForToken, newApplication } from '../support/callers/applications.ts';
import { browserClient } from '../support/callers/browser-client.ts';
import { type Browser, signedInPerson } from '../support/callers/consenting.ts';
import { type IdentityProvider, realProvider, type Somebody } from '../support/callers/identity-provider.ts';
import { managerOf } from '../support/callers/managers.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { connect, program } from '../support/callers/programs.ts';
import { mailedPath, newAccount, newAddress, PASSWORD } from '../support/callers/signed-in.ts';
import { freePort } from '../support/run/free-port.ts';
import { openStorefront } from '../support/sellers/market.ts';
import { linkIn } from '../support/server/mail.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { BY_CAPABILITIES, CHANGES_NOTHING, READ_BY_ITS_ORGANIZATION } from './deeds-told.ts';

/** A deed at an address, and what the log is to say of it. */
interface Deed {
  readonly at: string;
  readonly tool: string;
  /** Does it; gives the address of the person who did it, where the deed is told as a person's. */
  does(): Promise<string | undefined>;
}

describe('the audit log', () => {
  let server: TestServer;
  let provider: IdentityProvider;
  let who: Somebody;
  let owner: Person;
  let slug: string;
  beforeAll(async () => {
    const port = await freePort();
    provider = await realProvider(
      () => `http://127.0.0.1:${port}/sign-in/callback`,
      () => who,
    );
    server = await startTestServer({
      settings: {
        ...provider.settings,
        PORT: String(port),
        MAILS_PER_IP: '1000',
        SIGNUPS_PER_HOUR: '1000',
        AGENT_REQUESTS_IN_ALL: '100000',
      },
    });
    owner = await newPerson(server);
    const seller = await newPerson(server, { roles: ['SELLER'] });
    await openStorefront(seller);
    const link = await seller.post('/storefront/join-links', { approvalPolicy: 'auto_approve' });
    slug = link.body.data.slug;
    for (const name of ['buyers', 'storefront_accounts'] as const) {
      await openOrClose(server.operator, { name, isOpen: true });
    }
  });
  afterAll(async () => {
    await server.stop();
    await provider.stop();
  });

  const account = () => newAccount(server, { organizationId: owner.organizationId });
  const signIn = async (email: string, password = PASSWORD) => {
    const browser = browserClient(server.url);
    expect((await browser.submit('/sign-in', { email, password })).status).toBe(303);
    return browser;
  };

  /** Somebody in an organization whose address is another one now; where the old mailbox is led. */
  async function moved() {
    const ada = await account();
    const email = newAddress();
    await ada.submit('/settings/profile', { do: 'email', email, password_now: PASSWORD });
    expect((await ada.submit(await mailedPath(server, email), {}, '/change-email')).status).toBe(303);
    return { ada, email };
  }

  /** A program that somebody let in, and what it renews its access by. */
  async function renewable() {
    const person = await signedInPerson(server, { organization: owner });
    const { clientId, tokens } = await connect(server, person);
    const fields = { client_id: clientId, refresh_token: tokens.refresh_token };
    return { person, refresh: () => program(server).token({ grant_type: 'refresh_token', ...fields }) };
  }

  const agent = () => stranger(server);
  const claimer = () => personAtBrowser(server, { organizationIds: [owner.organizationId] });
  async function attempt(email: string) {
    const { body } = await agent().post('/agent/identity', { type: 'service_auth', login_hint: email });
    return { uri: String(body.claim.attempt.verification_uri), token: String(body.claim.token) };
  }
  const decideAt = (at: string, page: Browser) =>
    page.go(`${server.url}/settings/${at}`, {
      method: 'POST',
      body: new URLSearchParams({ csrf: 'c'.repeat(43) }),
      headers: { origin: server.url },
    });

  const deeds: readonly Deed[] = [
    {
      at: '/sign-in',
      tool: 'sign_in',
      does: async () => {
        const { email } = await account();
        await signIn(email);
        return email;
      },
    },
    {
      at: '/sign-out',
      tool: 'sign_out',
      does: async () => {
        const ada = await account();
        await ada.submit('/settings/profile', {}, '/sign-out');
        return ada.email;
      },
    },
    { at: '/sign-up/finish', tool: 'sign_up', does: async () => (await account()).email },
    {
      at: '/reset',
      tool: 'password_reset',
      does: async () => {
        const { email } = await account();
        const browser = browserClient(server.url);
        await browser.submit('/forgotten', { email });
        const path = await mailedPath(server, email);
        await browser.submit(path, { password: `${PASSWORD} again` }, '/reset');
        return email;
      },
    },
    {
      at: '/verify',
      tool: 'email_verify',
      does: async () => {
        const { email } = await account();
        await server.store.db
          .updateTable('users')
          .set({ email_verified_at: null })
          .where('email', '=', email)
          .execute();
        const browser = await signIn(email);
        await browser.submit('/settings/profile', { do: 'verify' });
        await browser.submit(await mailedPath(server, email), {}, '/verify');
        return email;
      },
    },
    { at: '/change-email', tool: 'email_change', does: async () => (await moved()).ada.email },
    {
      at: '/keep-email',
      tool: 'email_restore',
      does: async () => {
        const { ada, email } = await moved();
        await browserClient(server.url).submit(await mailedPath(server, ada.email), {}, '/keep-email');
        return email;
      },
    },
    {
      at: '/first-administrator',
      tool: 'first_administrator',
      does: async () => {
        const { organizationId } = await newPerson(server);
        const made = { organizationId, publicUrl: server.url };
        const { pathname, search } = new URL(await makeAdministratorLink(server.operator, made));
        const person = { email: newAddress(), name: 'Ada', password: PASSWORD };
        await browserClient(server.url).submit(`${pathname}${search}`, person);
        return person.email;
      },
    },
    {
      at: '/sign-in/callback',
      tool: 'identity_link',
      does: async () => {
        const email = newAddress();
        await giveRole(server.operator, { ...owner, email, name: 'Ada', role: 'MEMBER' });
        who = { sub: `sub-${email}`, email, email_verified: true, name: 'Ada' };
        const [browser, there] = [browserClient(server.url), browserClient(provider.issuer)];
        let to = (await browser.get('/sign-in/provider')).location;
        while (to.startsWith(provider.issuer)) {
          to = new URL((await there.get(to)).location, provider.issuer).href;
        }
        expect((await browser.get(to)).status).toBe(303);
        return email;
      },
    },
    {
      at: '/start/organization',
      tool: 'join_request_create',
      does: async () => {
        const { organizationId } = await newPerson(server);
        const domain = `asked-${organizationId}.example`;
        await verifyDomain(server.operator, { organizationId, domain });
        const admin = await managerOf(server, organizationId);
        await admin.patch(`/domains/${domain}`, { policy: 'request_approval' });
        const ada = await newAccount(server, { email: `ada@${domain}` });
        await ada.submit('/start/organization', {});
        return ada.email;
      },
    },
    {
      at: '/start/advertiser',
      tool: 'signup_buyer',
      does: async () => {
        const ada = await newAccount(server);
        expect((await ada.submit('/start/advertiser', { name: 'Engines' })).status).toBe(200);
        return ada.email;
      },
    },
    {
      at: '/start/storefront',
      tool: 'signup_storefront',
      does: async () => {
        const ada = await newAccount(server);
        await ada.submit('/start/storefront', { name: 'Looms', accept: 'yes' });
        return ada.email;
      },
    },
    {
      at: '/terms',
      tool: 'accept_tos',
      does: async () => {
        const { organizationId } = await newPerson(server, { terms: false });
        const ada = await newAccount(server, { organizationId, role: 'ADMIN' });
        await ada.submit('/terms', {});
        return ada.email;
      },
    },
    {
      at: '/invitations/:token',
      tool: 'invitation_accept',
      does: async () => {
        const admin = await managerOf(server, owner.organizationId);
        const ada = await newAccount(server);
        await admin.post('/invitations', { email: ada.email, role: 'MEMBER' });
        const { pathname } = new URL(linkIn(await server.mail.next(ada.email)));
        await ada.submit(pathname, {});
        return ada.email;
      },
    },
    {
      at: '/join/:slug',
      tool: 'signup_join',
      does: async () => {
        const ada = await newAccount(server);
        await ada.submit(`/join/${slug}`, { name: 'Engines' });
        return ada.email;
      },
    },
    {
      at: '/settings/profile',
      tool: 'profile_update',
      does: async () => {
        const ada = await account();
        await ada.submit('/settings/profile', { do: 'name', name: 'Ada L.' });
        return ada.email;
      },
    },
    {
      at: '/settings/profile',
      tool: 'password_change',
      does: async () => {
        const ada = await account();
        const password = `${PASSWORD} again`;
        await ada.submit('/settings/profile', { do: 'password', current: PASSWORD, password });
        return ada.email;
      },
    },
    {
      at: '/settings/sessions',
      tool: 'session_end',
      does: async () => {
        const ada = await account();
        await signIn(ada.email);
        await ada.submit('/settings/sessions', {}, '/settings/sessions');
        return ada.email;
      },
    },
    {
      at: '/settings/organizations',
      tool: 'account_switch',
      does: async () => {
        const ada = await account();
        const { organizationId } = await newPerson(server);
        await giveRole(server.operator, { email: ada.email, name: '', organizationId, role: 'MEMBER' });
        await ada.submit('/settings/organizations', { organization: String(organizationId) });
        return ada.email;
      },
    },
    {
      at: '/settings/programs',
      tool: 'oauth_grant_end',
      does: async () => {
        const person = await signedInPerson(server, { organization: owner });
        await connect(server, person);
        await decideAt('programs', person);
        return person.email;
      },
    },
    {
      at: '/settings/agents',
      tool: 'agent_revoke',
      does: async () => {
        const person = await claimer();
        const { id } = await claimedAgent(agent(), person);
        await person.submit(await person.get('/settings/agents'), '/settings/agents', { id });
        return person.email;
      },
    },
    {
      at: '/auth/interaction/:uid',
      tool: 'oauth_consent',
      does: async () => {
        const person = await signedInPerson(server, { organization: owner });
        await connect(server, person);
        return person.email;
      },
    },
    {
      at: '/auth/token',
      tool: 'oauth_grant_end',
      does: async () => {
        const { refresh } = await renewable();
        await refresh();
        expect((await refresh()).status).toBe(400);
        return undefined;
      },
    },
    {
      at: '/auth/token',
      tool: 'oauth_token_renew',
      does: async () => {
        const { person, refresh } = await renewable();
        expect((await refresh()).status).toBe(200);
        return person.email;
      },
    },
    {
      at: '/auth/token',
      tool: 'client_credentials',
      does: async () => {
        expect((await askForToken(server, await newApplication(server, owner))).status).toBe(200);
        return undefined;
      },
    },
    {
      at: '/auth/revoke',
      tool: 'oauth_grant_end',
      does: async () => {
        const person = await signedInPerson(server, { organization: owner });
        const { tokens } = await connect(server, person);
        await program(server).revoke(tokens.access_token);
        return person.email;
      },
    },
    {
      at: '/auth/revoke',
      tool: 'oauth_token_revoke',
      does: async () => {
        const { body } = await askForToken(server, await newApplication(server, owner));
        await program(server).revoke(body.access_token);
        return undefined;
      },
    },
    {
      at: '/agent/claim/confirm',
      tool: 'agent_claim_confirm',
      does: async () => {
        const person = await claimer();
        await confirmAt(person, (await attempt(person.email)).uri);
        return person.email;
      },
    },
    {
      at: '/agent/claim/confirm',
      tool: 'agent_claim_deny',
      does: async () => {
        const person = await claimer();
        const page = await person.get((await attempt(person.email)).uri);
        await person.submit(page, '/agent/claim/confirm', { decision: 'deny' });
        return person.email;
      },
    },
    {
      at: '/agent/identity/claim/complete',
      tool: 'agent_claim',
      does: async () => {
        const person = await claimer();
        await claimedAgent(agent(), person);
        return person.email;
      },
    },
    {
      at: '/agent/identity/claim/complete',
      tool: 'agent_claim_fail',
      does: async () => {
        const person = await claimer();
        const { uri, token } = await attempt(person.email);
        const user_code = otherThan(codeOn(await confirmAt(person, uri)));
        for (const _ of [1, 2, 3, 4, 5]) {
          await agent().post('/agent/identity/claim/complete', { claim_token: token, user_code });
        }
        return undefined;
      },
    },
  ];

  const newest = () => unscoped(server.store.db).selectFrom('audit_logs').orderBy('id', 'desc');
  const last = async () => (await newest().select('id').limit(1).executeTakeFirst())?.id ?? 0;
  const logged = (tool: string, after: number) =>
    newest()
      .select(['outcome', 'user_email', 'resource_id'])
      .where('tool', '=', tool)
      .where('id', '>', after)
      .execute();

  test.each(deeds)('has an entry of $tool, done at $at, that names the person who did it', async (deed) => {
    const before = await last();

    const email = await deed.does();

    const [entry] = await logged(deed.tool, before);
    expect(entry).toMatchObject({
      outcome: 'succeeded',
      user_email: email ?? null,
      resource_id: expect.any(String),
    });
  });

  test('tells the organization itself of its people, and of programs and agents that act for them', async () => {
    const { body } = await owner.get('/buyer/audit-logs?take=500');
    const told = body.data.logs.map(({ tool }: { tool: string }) => tool);

    expect(READ_BY_ITS_ORGANIZATION.filter((tool) => !told.includes(tool))).toEqual([]);
  });

  test('of somebody in no organization says nothing, for there is none whose log it would be', async () => {
    const before = await last();
    const ada = await newAccount(server);
    await ada.submit('/settings/profile', {}, '/sign-out');

    expect([...(await logged('sign_in', before)), ...(await logged('sign_out', before))]).toEqual([]);
  });

  test('is asked here of every address that takes a form of a person or speaks OAuth', () => {
    const { app } = server.running;
    const pages = routes.flatMap(({ path, post }) => (post === undefined ? [] : [path]));
    const others = [...oauthRoutes(app), ...agentRoutes(app)].flatMap(({ method, path }) =>
      method === 'get' ? [] : [path],
    );
    const addresses = [...pages, ...others].filter((path) => path !== '/settings/:section');
    const own = sections.map(({ name }) => name).filter((name) => !BY_CAPABILITIES.includes(name));
    const asked = new Set([...deeds.map(({ at }) => at), ...Object.keys(CHANGES_NOTHING)]);

    expect(
      [...addresses, ...own.map((name) => `/settings/${name}`)].filter((path) => !asked.has(path)),
    ).toEqual([]);
  });
});
