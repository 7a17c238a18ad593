import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type BrowsingPerson,
  claimedAgent,
  codeOn,
  confirmAt,
  hiddenFields,
  personAtBrowser,
  type Stranger,
  stranger,
} from '../support/callers/agents.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { linkIn } from '../support/server/mail.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const CONFIRM = '/agent/claim/confirm';

describe('the page on which a person claims an agent', () => {
  let server: TestServer;
  let agent: Stranger;
  let owner: Person;
  let person: BrowsingPerson;
  beforeAll(async () => {
    server = await startTestServer({ settings: { AGENT_REQUESTS_IN_ALL: '100000' } });
    agent = stranger(server, { userAgent: 'Scout/1.0 <script>alert(1)</script> \u00adevil' });
    owner = await newPerson(server);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    person = await personAtBrowser(server, { organizationIds: [owner.organizationId] });
  });

  const begin = async (email = person.email) => {
    const { body } = await agent.post('/agent/identity', { type: 'service_auth', login_hint: email });
    return { token: String(body.claim.token), uri: String(body.claim.attempt.verification_uri) };
  };
  const complete = (token: string, code: string) =>
    agent.post('/agent/identity/claim/complete', { claim_token: token, user_code: code });
  const attempts = () =>
    server.store.db.selectFrom('agent_claim_attempts').selectAll().orderBy('id').execute();

  test('leads who is not signed in to sign in, and back', async () => {
    const { uri } = await begin();
    const page = await fetch(uri, { redirect: 'manual' });
    const location = page.headers.get('location') ?? '';

    expect(page.status).toBe(303);
    expect(location).toMatch(/^\/sign-in\?return_to=/);
    const back = new URL(location, server.url).searchParams.get('return_to');
    expect(new URL(back ?? '', server.url).href).toBe(uri);
  });

  test('shows who asks, from where, when, for what, and where it could be placed, as text', async () => {
    const other = await newPerson(server);
    const both = await personAtBrowser(server, {
      organizationIds: [owner.organizationId, other.organizationId],
    });
    const { uri } = await begin(both.email);
    const page = await both.get(uri);

    expect(page.status).toBe(200);
    expect(page.text).toContain('Scout/1.0 &lt;script&gt;');
    expect(page.text).not.toContain('<script');
    expect(page.text).not.toContain('\u00ad');
    expect(page.text).toContain('127.0.0.1');
    expect(page.text).toContain('<code>buyer:read</code>');
    expect(page.text).toContain('<code>buyer:write</code>');
    expect(page.text).not.toContain('buyer:admin');
    for (const id of [owner.organizationId, other.organizationId])
      expect(page.text).toContain(`value="${id}"`);
    expect(page.text).not.toMatch(/\b\d{6}\b/);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe-inline');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
  });

  test('says so when no agent has worked for the organization before, and no more once one does', async () => {
    const fresh = await newPerson(server);
    const admin = await personAtBrowser(server, { organizationIds: [fresh.organizationId] });
    const before = await admin.get((await begin(admin.email)).uri);
    await claimedAgent(agent, admin);
    const after = await admin.get((await begin(admin.email)).uri);

    expect(before.text).toContain('No agent has worked for this organization before');
    expect(after.text).not.toContain('No agent has worked');
  });

  test('refuses who is signed in with another address, and tells them none', async () => {
    const { uri } = await begin('somebody-else@claims.example');
    const own = await begin();
    const before = await attempts();
    const page = await person.get(uri);
    const form = await person.get(own.uri);
    const posted = await person.submit(form, CONFIRM, {
      claim_attempt_token: uri.split('=').at(-1) ?? '',
      decision: 'confirm',
    });

    for (const refused of [page, posted]) {
      expect(refused.status).toBe(403);
      expect(refused.text).toContain('another account');
      expect(refused.text).not.toContain('somebody-else@claims.example');
      expect(refused.text).not.toMatch(/<code>\d{6}/);
    }
    expect(await attempts()).toEqual(before);
  });

  test('takes the address in any case', async () => {
    const { uri } = await begin(person.email.toUpperCase());

    expect((await person.get(uri)).status).toBe(200);
  });

  test('refuses who has not proven the address', async () => {
    const unproven = await personAtBrowser(server, {
      organizationIds: [owner.organizationId],
      verified: false,
    });
    const { uri } = await begin(unproven.email);
    const page = await unproven.get(uri);

    expect(page.status).toBe(403);
    expect(page.text).toContain('Confirm your e-mail address');
  });

  describe('leads who has to prove the address first', () => {
    const unproven = () =>
      personAtBrowser(server, { organizationIds: [owner.organizationId], verified: false });
    /** Asks for the link on the page of the claim, with this way back, and confirms by it. */
    const confirmed = async (visitor: BrowsingPerson, uri: string, back: object = {}) => {
      const page = await visitor.get(uri);
      const sent = await visitor.submit(page, '/settings/profile', { ...hiddenFields(page.text), ...back });
      expect(sent.status).toBe(303);
      const mailed = linkIn(await server.mail.next(visitor.email));
      return { mailed, form: await visitor.get(mailed) };
    };

    test('back to the claim by the link that they are sent from it', async () => {
      const visitor = await unproven();
      const { uri } = await begin(visitor.email);

      const { form } = await confirmed(visitor, uri);
      const done = await visitor.submit(form, '/verify', hiddenFields(form.text));

      expect(done.status).toBe(303);
      expect(new URL(done.headers.get('location') ?? '', server.url).href).toBe(uri);
      expect((await visitor.get(uri)).status).toBe(200);
    });

    test.each([
      'https://evil.example/claim',
      '//evil.example/claim',
      '/\\evil.example/claim',
      '/\t/evil.example/claim',
      'javascript:alert(1)',
    ])('nowhere else: not to %s, whether the link is asked for with it or the form sent', async (foreign) => {
      const visitor = await unproven();
      const { uri } = await begin(visitor.email);

      const { mailed, form } = await confirmed(visitor, uri, { return_to: foreign });
      expect(mailed).not.toContain('evil');
      expect(new URL(mailed).searchParams.get('return_to')).toBeNull();
      const put = await visitor.get(`${mailed}&return_to=${encodeURIComponent(foreign)}`);
      expect(hiddenFields(put.text)).toMatchObject({ return_to: '' });
      const done = await visitor.submit(form, '/verify', { ...hiddenFields(form.text), return_to: foreign });

      expect(done.status).toBe(200);
      expect(done.headers.get('location')).toBeNull();
      expect(done.text).toContain('Go on to your settings');
    });
  });

  test('sends who belongs to no organization to set one up, and the claim stays open', async () => {
    const homeless = await personAtBrowser(server, { organizationIds: [] });
    const { uri } = await begin(homeless.email);
    const page = await homeless.get(uri);
    await personAtBrowser(server, { organizationIds: [owner.organizationId], email: homeless.email });

    expect(page.status).toBe(409);
    expect(page.text).toContain('href="/start"');
    expect((await homeless.get(uri)).status).toBe(200);
  });

  test('shows the code only after the person confirmed, and another one when asked again', async () => {
    const { token, uri } = await begin();
    const shown = await person.get(uri);
    const first = codeOn(await confirmAt(person, uri));
    const again = await person.get(uri);
    const second = codeOn(await confirmAt(person, uri));

    expect(shown.text).not.toMatch(/<code>\d{6}/);
    expect(again.text).not.toMatch(/<code>\d{6}/);
    expect(again.text).toContain('confirmed already');
    if (first !== second) expect((await complete(token, first)).body.error).toBe('invalid_user_code');
    expect((await complete(token, second)).status).toBe(200);
  });

  test('turns the agent away when the person says so', async () => {
    const { token, uri } = await begin();
    const denied = await person.submit(await person.get(uri), CONFIRM, { decision: 'deny' });

    expect(denied.status).toBe(200);
    expect((await complete(token, '123456')).body.error).toBe('claim_not_confirmed');
    expect((await person.get(uri)).status).toBe(410);
  });

  test('places an agent in no organization but those of the person', async () => {
    const foreign = await newPerson(server);
    const { uri } = await begin();
    const before = await attempts();
    const posted = await confirmAt(person, uri, foreign.organizationId);

    expect(posted.status).toBe(403);
    expect(await attempts()).toEqual(before);
  });

  test.each([
    ['without what the form carries', (fields: Record<string, string>) => ({ ...fields, csrf: '' }), {}],
    [
      'with that of another session',
      (fields: Record<string, string>) => ({ ...fields, csrf: 'x'.repeat(43) }),
      {},
    ],
    [
      'from a page of another site',
      (fields: Record<string, string>) => fields,
      { 'sec-fetch-site': 'cross-site' },
    ],
    ['from another origin', (fields: Record<string, string>) => fields, { origin: 'https://evil.example' }],
  ])('takes no form %s', async (_how, change, headers) => {
    const { uri } = await begin();
    const page = await person.get(uri);
    const before = await attempts();
    const fields = { ...change(hiddenFields(page.text)), decision: 'confirm' };

    const posted = await fetch(`${server.url}${CONFIRM}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: person.cookie, origin: server.url, 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams(fields),
    });

    expect(posted.status).toBe(403);
    expect(await attempts()).toEqual(before);
  });

  test('says of a link that leads nowhere that it is over', async () => {
    for (const token of ['', 'att_unknown', '%00', '../..']) {
      const page = await person.get(`/agent/claim?claim_attempt_token=${token}`);
      expect(page.status).toBe(410);
      expect(page.text).toContain('This link is over');
    }
  });

  test('is never framed, whatever it says', async () => {
    const page = await person.get('/agent/claim?claim_attempt_token=att_unknown');

    expect(page.headers.get('x-frame-options')).toBe('DENY');
  });
});
