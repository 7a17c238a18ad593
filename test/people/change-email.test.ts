import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTenant } from '../../store/engine/scope.ts';
import { setProvider } from '../../store/organization-providers.ts';
import { keepIdentity } from '../../store/unscoped/user-identities.ts';
import { findUserByEmail } from '../../store/unscoped/users.ts';
import { verifyDomain } from '../../tools/domain/organizations/domains.ts';
import { browserClient } from '../support/callers/browser-client.ts';
import { newPerson } from '../support/callers/people.ts';
import { mailedPath, newAccount, newAddress, PASSWORD } from '../support/callers/signed-in.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const PROFILE = '/settings/profile';

describe('the e-mail address of an account', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      own: true,
      settings: { MAILS_PER_IP: '1000', SIGN_IN_FAILURES_PER_IP: '1000' },
    });
  });
  afterAll(() => server.stop());

  type Account = Awaited<ReturnType<typeof newAccount>>;
  const userAt = (email: string) => findUserByEmail(server.store.db, email);
  const askFor = (account: Account, email: string, password_now = PASSWORD) =>
    account.submit(PROFILE, { do: 'email', email, password_now });
  const signIn = async (email: string, password = PASSWORD) =>
    (await browserClient(server.url).submit('/sign-in', { email, password })).status;

  /** Somebody whose account moved, with the mail that the old address got. */
  async function moved(account: Account) {
    const email = newAddress();
    await askFor(account, email);
    const path = await mailedPath(server, email);
    const answer = await account.submit(path, {}, '/change-email');
    return { email, path, answer, back: await mailedPath(server, account.email) };
  }

  test('is another one once the link at the new mailbox is confirmed, and not before', async () => {
    const ada = await newAccount(server);
    const email = newAddress();

    const asked = await askFor(ada, email.toUpperCase());
    const path = await mailedPath(server, email);
    const opened = await ada.get(path);

    expect(asked).toMatchObject({ status: 303, location: `${PROFILE}?done=email` });
    expect([opened.status, opened.text.includes(email), opened.text.includes(ada.email)]).toEqual([
      ...[200, true, true],
    ]);
    expect([(await userAt(ada.email))?.email, await userAt(email)]).toEqual([ada.email, undefined]);

    const changed = await ada.submit(path, {}, '/change-email');

    expect(changed).toMatchObject({ status: 303, location: `${PROFILE}?done=moved` });
    expect(await userAt(ada.email)).toBeUndefined();
    expect((await userAt(email))?.email_verified_at).not.toBeNull();
    expect([await signIn(email), await signIn(ada.email)]).toEqual([303, 401]);
    expect((await ada.get(path)).status).toBe(410);
  });

  test('signs other browsers out when it changes, and leaves this one in', async () => {
    const ada = await newAccount(server);
    const other = browserClient(server.url);
    await other.submit('/sign-in', { email: ada.email, password: PASSWORD });

    await moved(ada);

    expect((await ada.get(PROFILE)).status).toBe(200);
    expect((await other.get(PROFILE)).location).toMatch(/^\/sign-in/);
  });

  test('is in the log with what it was and by whom it was changed', async () => {
    const { organizationId } = await newPerson(server);
    const ada = await newAccount(server, { organizationId });

    const { email } = await moved(ada);

    const entries = await server.store.db
      .selectFrom('audit_logs')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('tool', '=', 'email_change')
      .execute();
    expect(entries).toHaveLength(1);
    expect(JSON.stringify(entries[0])).toContain(ada.email);
    expect(JSON.stringify(entries[0])).toContain(email);
  });

  test.each([
    ['no password', { email: 'new@people.example', password_now: '' }, 'password_now'],
    ['a wrong password', { email: 'new@people.example', password_now: 'some other words' }, 'password_now'],
    ['what is no address', { email: 'new', password_now: PASSWORD }, 'email'],
  ])('is not changed with %s', async (_what, fields, field) => {
    const ada = await newAccount(server);
    const before = server.mail.sent.length;

    const answer = await ada.submit(PROFILE, { do: 'email', ...fields });

    expect(answer.status).toBe(422);
    expect(answer.text).toContain(`id="${field}-problem"`);
    expect(server.mail.sent).toHaveLength(before);
  });

  test('is not changed to itself', async () => {
    const ada = await newAccount(server);

    expect((await askFor(ada, ada.email)).text).toContain('your address already');
  });

  test('is answered for alike whether somebody has it or not: its mailbox alone is told', async () => {
    const [ada, bob] = [await newAccount(server), await newAccount(server)];

    const taken = await askFor(ada, bob.email);
    const free = await askFor(ada, newAddress());
    const { text } = await server.mail.next(bob.email);

    expect([taken.status, taken.location]).toEqual([free.status, free.location]);
    expect(text).toContain('nothing was changed');
    expect(text).not.toMatch(/https?:/);
  });

  test('goes to who has it first: of two who were sent a link one gets the address', async () => {
    const [ada, bob] = [await newAccount(server), await newAccount(server)];
    const email = newAddress();
    await askFor(ada, email);
    const first = await mailedPath(server, email);
    await askFor(bob, email);
    const second = await mailedPath(server, email);

    const answers = [
      await bob.submit(second, {}, '/change-email'),
      await ada.submit(first, {}, '/change-email'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([303, 410]);
    expect((await userAt(ada.email))?.email).toBe(ada.email);
  });

  test('is not put on an account by whoever opens the mail: the one signed in there has to', async () => {
    const [thief, victim] = [await newAccount(server), await newAccount(server)];
    const email = newAddress();
    await askFor(thief, email);
    const path = await mailedPath(server, email);

    const opened = await victim.get(path);
    const stranger = await browserClient(server.url).get(path);

    expect(opened.status).toBe(403);
    expect(opened.text).not.toContain(thief.email);
    expect(stranger.location).toBe(`/sign-in?${new URLSearchParams({ return_to: path })}`);
    expect(await userAt(email)).toBeUndefined();
  });

  test('is kept from mails of before: their links open nothing once it changed', async () => {
    const ada = await newAccount(server);
    await browserClient(server.url).submit('/forgotten', { email: ada.email });
    const reset = await mailedPath(server, ada.email);

    await moved(ada);

    expect((await browserClient(server.url).get(reset)).status).toBe(410);
  });

  test('is no longer changed by a link from before another password was chosen', async () => {
    const ada = await newAccount(server);
    const email = newAddress();
    await askFor(ada, email);
    const path = await mailedPath(server, email);

    await ada.submit(PROFILE, { do: 'password', current: PASSWORD, password: 'seven quiet owls in a row' });

    expect((await ada.get(path)).status).toBe(410);
  });

  test('comes back by the mail to the old one, and whoever changed it is out, however they came in', async () => {
    const ada = await newAccount(server);
    const thief = browserClient(server.url);
    await thief.submit('/sign-in', { email: ada.email, password: PASSWORD });
    const { email, back } = await moved({ ...thief, email: ada.email });
    const user = await userAt(email);
    if (user === undefined) throw new Error('The account did not move.');
    const later = { created_at: '2999-01-01T00:00:00.000Z', used_at: '2999-01-01T00:00:00.000Z' };
    await keepIdentity(server.store.db, {
      ...{ issuer: 'https://id.example', subject: 'thief' },
      ...{ user_id: user.id, ...later },
    });
    const again = await moved({ ...thief, email });

    const owner = browserClient(server.url);
    const restored = await owner.submit(back, {}, '/keep-email');
    const reset = await mailedPath(server, ada.email);

    expect([restored.status, restored.text.includes(ada.email)]).toEqual([200, true]);
    expect((await userAt(ada.email))?.id).toBe(user.id);
    expect((await thief.get(PROFILE)).location).toMatch(/^\/sign-in/);
    expect([await signIn(ada.email), await signIn(again.email)]).toEqual([401, 401]);
    expect((await browserClient(server.url).get(again.back)).status).toBe(410);
    const identities = await server.store.db
      .selectFrom('user_identities')
      .selectAll()
      .where('user_id', '=', user.id)
      .execute();
    expect(identities).toEqual([]);
    const chosen = await owner.submit(reset, { password: 'seven quiet owls in a row' }, '/reset');
    expect(chosen.status).toBe(303);
    expect((await owner.get(PROFILE)).text).toContain(ada.email);
  });

  test('comes back to its first owner also after whoever took it moved on and had it back themselves', async () => {
    const ada = await newAccount(server);
    const thief = browserClient(server.url);
    await thief.submit('/sign-in', { email: ada.email, password: PASSWORD });
    const { email, back } = await moved({ ...thief, email: ada.email });
    const user = await userAt(email);
    const again = await moved({ ...thief, email });
    const taken = await thief.submit(again.back, {}, '/keep-email');

    const owner = browserClient(server.url);
    const restored = await owner.submit(back, {}, '/keep-email');

    expect([taken.status, restored.status]).toEqual([200, 200]);
    expect((await userAt(ada.email))?.id).toBe(user?.id);
    expect(await userAt(email)).toBeUndefined();
  });

  test('belongs to the organization whose identity provider speaks for its domain', async () => {
    const { organizationId } = await newPerson(server);
    const domain = `kept-${organizationId}.example`;
    await verifyDomain(server.operator, { organizationId, domain });
    const ada = await newAccount(server, { email: `ada@${domain}` });
    const provider = { domain, issuer: 'https://id.example', client_id: 'rialto', created_at: '2026' };
    const secret_sealed = server.running.app.services.ports.secrets.seal(
      's',
      `organization_provider:${domain}`,
    );
    await setProvider(server.store.db, makeTenant(organizationId), { ...provider, secret_sealed });

    const page = await ada.get(PROFILE);
    const forced = await askFor(ada, newAddress());

    expect(page.text).not.toContain('New e-mail');
    expect(page.text).toContain(`addresses at ${domain}`);
    expect(forced.status).toBe(422);
  });
});
