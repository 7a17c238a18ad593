import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findLiveGrant } from '../../store/unscoped/oauth.ts';
import { findUserByEmail } from '../../store/unscoped/users.ts';
import { giveAccess } from '../../tools/domain/organizations/programs.ts';
import { claimedAgent, codeOn, confirmAt, personAtBrowser, stranger } from '../support/callers/agents.ts';
import { browserClient, submitAtOnce } from '../support/callers/browser-client.ts';
import { newPerson } from '../support/callers/people.ts';
import { mailedPath, newAccount, newAddress, PASSWORD } from '../support/callers/signed-in.ts';
import { manualClock } from '../support/run/clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const OTHER = 'seven quiet owls in a row';

describe('an account', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      own: true,
      settings: { MAILS_PER_IP: '1000', SIGN_IN_FAILURES_PER_IP: '1000' },
    });
  });
  afterAll(() => server.stop());

  test('is made by whoever opens the link that was mailed, and is signed in then', async () => {
    const careful = await startTestServer({ settings: { PASSWORD_COST: '14' } });
    const ada = await newAccount(careful);

    const settings = await ada.get('/settings/profile');
    const user = await findUserByEmail(careful.store.db, ada.email);
    await careful.stop();

    expect(settings.status).toBe(200);
    expect(settings.text).toContain(ada.email);
    expect(user).toMatchObject({ name: 'Ada', suspended_at: null });
    expect(user?.email_verified_at).not.toBeNull();
    expect(user?.password_hash).toMatch(/^scrypt\$14\$8\$1\$/);
    expect(user?.password_hash).not.toContain(PASSWORD);
  });

  test('does not come to be by asking for it: only its mailbox makes it', async () => {
    const email = newAddress();
    const browser = browserClient(server.url);

    await browser.submit('/sign-up', { email });
    await server.mail.next(email);

    expect(await findUserByEmail(server.store.db, email)).toBeUndefined();
  });

  test('is made once by two who open the link at the same moment', async () => {
    const email = newAddress();
    await browserClient(server.url).submit('/sign-up', { email });
    const path = await mailedPath(server, email);
    const passwords = [PASSWORD, OTHER];

    const answers = await submitAtOnce(
      server.url,
      passwords.map((password) => ({ path, fields: { name: 'Ada', password }, to: '/sign-up/finish' })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410]);
    for (const [index, password] of passwords.entries()) {
      const { status } = await browserClient(server.url).submit('/sign-in', { email, password });
      expect(status).toBe(answers[index]?.status === 303 ? 303 : 401);
    }
  });

  test('has the address that its link was mailed to, whatever address the form names', async () => {
    const ada = await newAccount(server);
    const [own, strange] = [newAddress(), newAddress()];
    const browser = browserClient(server.url);
    const signsIn = async (email: string, password: string) =>
      (await browserClient(server.url).submit('/sign-in', { email, password })).status;

    for (const email of [ada.email, strange]) {
      const mailed = newAddress();
      await browserClient(server.url).submit('/sign-up', { email: mailed });
      const form = { name: 'Eve', password: OTHER, email, username: email };
      const made = await browserClient(server.url).submit(
        await mailedPath(server, mailed),
        form,
        '/sign-up/finish',
      );
      expect([made.status, await signsIn(mailed, OTHER)]).toEqual([303, 303]);
    }
    await newAccount(server, { email: own });
    await browser.submit('/forgotten', { email: own });
    const chosen = { password: OTHER, email: ada.email, username: ada.email };
    expect((await browser.submit(await mailedPath(server, own), chosen, '/reset')).status).toBe(303);

    expect(await signsIn(own, OTHER)).toBe(303);
    expect([await signsIn(ada.email, PASSWORD), await signsIn(ada.email, OTHER)]).toEqual([303, 401]);
    expect(await findUserByEmail(server.store.db, strange)).toBeUndefined();
  });

  test('is signed in to with its password, and led to where somebody wanted to go', async () => {
    const { email } = await newAccount(server);
    const browser = browserClient(server.url);
    await browser.get('/settings/sessions');

    const answer = await browser.submit('/sign-in?return_to=%2Fsettings%2Fsessions', {
      email: email.toUpperCase(),
      password: PASSWORD,
    });

    expect(answer).toMatchObject({ status: 303, location: '/settings/sessions' });
    expect((await browser.get('/settings/sessions')).status).toBe(200);
  });

  test('has its password in one form, however it is typed', async () => {
    const email = newAddress();
    const browser = browserClient(server.url);
    await browser.submit('/sign-up', { email });
    const link = await mailedPath(server, email);
    await browser.submit(link, { name: 'Zoë', password: 'cafe\u0301 beside the river' }, '/sign-up/finish');

    const answer = await browserClient(server.url).submit('/sign-in', {
      email,
      password: 'café beside the river',
    });

    expect(answer.status).toBe(303);
  });

  test('is told all that is wrong at once, each beside its field', async () => {
    const answer = await browserClient(server.url).submit('/sign-in', { email: 'nobody', password: '' });

    expect(answer.status).toBe(422);
    expect(answer.text).toMatch(/id="email"[^>]*aria-describedby="email-problem" aria-invalid="true"/);
    expect(answer.text).toMatch(/id="password"[^>]*aria-describedby="password-problem" aria-invalid="true"/);
    expect(answer.text).toContain('value="nobody"');
  });

  test('is closed when it is suspended: its sessions, its password and its links', async () => {
    const ada = await newAccount(server);
    await ada.submit('/forgotten', { email: ada.email });
    const reset = await mailedPath(server, ada.email);
    await server.store.db
      .updateTable('users')
      .set({ suspended_at: '2026-12-01T09:00:00.000Z' })
      .where('email', '=', ada.email)
      .execute();

    expect((await ada.get('/settings/profile')).location).toContain('/sign-in');
    expect(
      (await browserClient(server.url).submit('/sign-in', { email: ada.email, password: PASSWORD })).status,
    ).toBe(401);
    expect((await browserClient(server.url).get(reset)).status).toBe(410);
  });

  test('that the operator made known gets its password by a link, and its role is there', async () => {
    const { organizationId } = await newPerson(server);

    const ada = await newAccount(server, { organizationId, role: 'ADMIN' });
    const organizations = await ada.get('/settings/organizations');

    expect(organizations.text).toContain('Administrator');
    expect(organizations.text).toContain('you work here now');
  });

  test('changes its password where the present one is known, and stays signed in only there', async () => {
    const ada = await newAccount(server);
    const other = browserClient(server.url);
    await other.submit('/sign-in', { email: ada.email, password: PASSWORD });

    const wrong = await change(ada, { current: 'not the one that it is', password: OTHER });
    const done = await change(ada, { current: PASSWORD, password: OTHER });

    expect(wrong.status).toBe(422);
    expect(done).toMatchObject({ status: 303, location: '/settings/profile?done=password' });
    expect((await ada.get('/settings/profile')).status).toBe(200);
    expect((await other.get('/settings/profile')).status).toBe(303);
    expect(
      (await browserClient(server.url).submit('/sign-in', { email: ada.email, password: OTHER })).status,
    ).toBe(303);
    expect((await server.mail.next(ada.email)).subject).toContain('was changed');
  });

  test('changes its password once where two browsers change it at the same moment', async () => {
    const ada = await newAccount(server);
    const other = browserClient(server.url);
    await other.submit('/sign-in', { email: ada.email, password: PASSWORD });
    const wanted = [OTHER, 'nine loud geese in a field'];

    const answers = await Promise.all(
      [ada, other].map((at, index) => change(at, { current: PASSWORD, password: wanted[index] ?? '' })),
    );

    const isDone = answers.map(({ location }) => location === '/settings/profile?done=password');
    expect([...isDone].sort()).toEqual([false, true]);
    const opened = await Promise.all(
      wanted.map((password) => browserClient(server.url).submit('/sign-in', { email: ada.email, password })),
    );
    expect(opened.map(({ status }) => status === 303)).toEqual(isDone);
  });

  test('refuses a password that is short, huge, common or made of what is known of its owner', async () => {
    const ada = await newAccount(server);
    const bad = ['short', 'é'.repeat(501), 'P@ssw0rd1234', '123456789012', 'abcabcabcabcabc', `${ada.email}`];

    const answers = await Promise.all(bad.map((password) => change(ada, { current: PASSWORD, password })));

    for (const answer of answers) {
      expect(answer.status).toBe(422);
      expect(answer.text).toContain('id="password-problem"');
    }
  });

  function change(
    browser: { submit: Awaited<ReturnType<typeof newAccount>>['submit'] },
    fields: Record<string, string>,
  ) {
    return browser.submit('/settings/profile', { do: 'password', ...fields });
  }
});

describe('a password that was forgotten', () => {
  const clock = manualClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { MAILS_PER_IP: '1000' } });
  });
  afterAll(() => server.stop());

  const reset = async (email: string) => {
    const browser = browserClient(server.url);
    const asked = await browser.submit('/forgotten', { email });
    return { browser, asked, path: await mailedPath(server, email) };
  };

  test('is replaced by a link that works once, signs in, and ends every other session', async () => {
    const ada = await newAccount(server);
    const { browser, path } = await reset(ada.email);

    const done = await browser.submit(path, { password: OTHER });
    const again = await browserClient(server.url).get(path);

    expect(done.status).toBe(303);
    expect((await browser.get('/settings/profile')).status).toBe(200);
    expect((await ada.get('/settings/profile')).status).toBe(303);
    expect(again.status).toBe(410);
    expect(
      (await browserClient(server.url).submit('/sign-in', { email: ada.email, password: PASSWORD })).status,
    ).toBe(401);
  });

  test('that is replaced ends what programs were let do, and nobody else’s', async () => {
    const { operator, store } = server;
    const { organizationId } = await newPerson(server);
    const give = async (email: string) => {
      const user = await findUserByEmail(store.db, email);
      return giveAccess(operator, {
        userId: user?.id ?? 0,
        organizationId,
        clientId: 'oc_program',
        clientName: 'Program',
        readOnly: false,
        payload: { openid: { scope: 'openid' }, resources: {} },
        expiresAt: '2099-01-01T00:00:00.000Z',
      });
    };
    const [ada, bob] = [
      await newAccount(server, { organizationId }),
      await newAccount(server, { organizationId }),
    ];
    const [hers, his] = [await give(ada.email), await give(bob.email)];
    const { browser, path } = await reset(ada.email);

    await browser.submit(path, { password: OTHER });

    expect(await findLiveGrant(store.db, hers)).toBeUndefined();
    expect(await findLiveGrant(store.db, his)).toMatchObject({ ended_at: null });
  });

  test('that is replaced ends the agents that act for the person, and a claim whose code was shown', async () => {
    const { organizationId } = await newPerson(server);
    const [person, other] = [
      await personAtBrowser(server, { organizationIds: [organizationId] }),
      await personAtBrowser(server, { organizationIds: [organizationId] }),
    ];
    const agent = stranger(server);
    const [hers, his] = [await claimedAgent(agent, person), await claimedAgent(agent, other)];
    const { body } = await agent.post('/agent/identity', { type: 'service_auth', login_hint: person.email });
    const code = codeOn(await confirmAt(person, body.claim.attempt.verification_uri));
    const { browser, path } = await reset(person.email);

    await browser.submit(path, { password: OTHER });

    const brought = { claim_token: body.claim.token, user_code: code };
    expect((await agent.exchange(hers.assertion)).body.error).toBe('invalid_grant');
    expect((await agent.post('/agent/identity/claim/complete', brought)).status).toBe(410);
    expect((await agent.exchange(his.assertion)).status).toBe(200);
  });

  test('is replaced once by two who open the link at the same moment', async () => {
    const ada = await newAccount(server);
    const { path } = await reset(ada.email);
    const form = { path, fields: { password: OTHER } };

    const answers = await submitAtOnce(server.url, [form, form]);

    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410]);
  });

  test('keeps its link while the new password is not taken', async () => {
    const ada = await newAccount(server);
    const { browser, path } = await reset(ada.email);

    const short = await browser.submit(path, { password: 'short' });
    const done = await browser.submit(path, { password: OTHER });

    expect([short.status, done.status]).toEqual([422, 303]);
  });

  test('has to be asked for anew after half an hour, and after another link was used', async () => {
    const ada = await newAccount(server);
    const first = await reset(ada.email);
    const second = await reset(ada.email);
    await second.browser.submit(second.path, { password: OTHER });
    // Its owner is told of the change first.
    await server.mail.next(ada.email);
    const late = await reset(ada.email);

    expect((await first.browser.get(first.path)).status).toBe(410);
    clock.advance(30 * 60_000);
    expect((await browserClient(server.url).get(late.path)).status).toBe(410);
  });
});
