import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAdministratorLink } from '../../adapters/people/administrator-link.ts';
import { keepIdentity } from '../../store/unscoped/user-identities.ts';
import { findUserByEmail } from '../../store/unscoped/users.ts';
import { giveRole } from '../../tools/domain/organizations/people.ts';
import { browserClient, submitAtOnce } from '../support/callers/browser-client.ts';
import { newPerson } from '../support/callers/people.ts';
import { mailedPath, newAccount, newAddress, PASSWORD } from '../support/callers/signed-in.ts';
import { manualClock } from '../support/run/clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const DAY_MS = 86_400_000;

describe('the link for the first administrator', () => {
  const clock = manualClock();
  let server: TestServer;
  let organizationId: number;
  beforeAll(async () => {
    server = await startTestServer({
      clock,
      settings: { MAILS_PER_IP: '1000', SESSION_MS: String(30 * DAY_MS) },
    });
    ({ organizationId } = await newPerson(server));
  });
  afterAll(() => server.stop());

  const link = async (toAdminister = organizationId) => {
    const made = { organizationId: toAdminister, publicUrl: server.url };
    const { pathname, search } = new URL(await makeAdministratorLink(server.operator, made));
    return `${pathname}${search}`;
  };
  const signsIn = async (email: string, password: string) =>
    (await browserClient(server.url).submit('/sign-in', { email, password })).status === 303;
  const fields = () => ({ email: newAddress(), name: 'Ada', password: PASSWORD });

  test('asks for an address, a name and a password, signs in, and makes an administrator, once', async () => {
    const path = await link();
    const [browser, person] = [browserClient(server.url), fields()];

    const done = await browser.submit(path, person);
    const again = await browserClient(server.url).get(path);
    const organizations = await browser.get('/settings/organizations');
    const called = await browser.get('/api/v2/buyer/advertisers');

    expect(done.status).toBe(303);
    expect(organizations.text).toContain('Super administrator');
    expect(called.status).toBe(200);
    expect(again.status).toBe(410);
    expect(again.text).toContain('npm run rialto -- admin link');
    const entries = await server.store.db
      .selectFrom('audit_logs')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('tool', '=', 'first_administrator')
      .execute();
    expect(entries).toMatchObject([
      { outcome: 'succeeded', resource_name: person.email, actor_origin: 'human' },
    ]);
    expect(JSON.stringify(entries)).not.toContain(PASSWORD);
  });

  test('is used up by one of two who open it at the same moment', async () => {
    const path = await link();
    const people = [fields(), fields()];

    const answers = await submitAtOnce(
      server.url,
      people.map((person) => ({ path, fields: person })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410]);
    const known = await Promise.all(people.map(({ email }) => findUserByEmail(server.store.db, email)));
    expect(known.filter((user) => user !== undefined)).toHaveLength(1);
  });

  test('stays good while what was given is not taken, and says all of it at once', async () => {
    const path = await link();
    const browser = browserClient(server.url);

    const wrong = await browser.submit(path, { email: 'ada', name: 'A\u202eda', password: 'short' });
    const right = await browser.submit(path, fields());

    expect(wrong.status).toBe(422);
    for (const field of ['email', 'name', 'password']) expect(wrong.text).toContain(`id="${field}-problem"`);
    expect(right.status).toBe(303);
  });

  test('is over after a day, and when another was made', async () => {
    const [first, second] = [await link(), await link()];

    expect((await browserClient(server.url).get(first)).status).toBe(410);
    expect((await browserClient(server.url).get(second)).status).toBe(200);
    clock.advance(DAY_MS);
    expect((await browserClient(server.url).get(second)).status).toBe(410);
  });

  test('gives nobody the account of somebody else: its owner signs in and says yes', async () => {
    const ada = await newAccount(server);
    const path = await link();

    const taken = await browserClient(server.url).submit(path, { ...fields(), email: ada.email });
    const yes = await ada.submit(path, {});

    expect(taken.status).toBe(422);
    expect(taken.text).toContain('Sign in with it first');
    expect(yes.status).toBe(303);
    expect((await ada.get('/settings/organizations')).text).toContain('you work here now');
    expect(
      (await browserClient(server.url).submit('/sign-in', { email: ada.email, password: PASSWORD })).status,
    ).toBe(303);
  });

  /** Somebody of another organization whom no password is known of. */
  const elsewhere = async () => {
    const { organizationId: theirs } = await newPerson(server);
    const email = newAddress();
    const asked = { email, name: 'Bob', organizationId: theirs, role: 'ADMIN' as const };
    const userId = await giveRole(server.operator, asked);
    return { email, userId };
  };
  const known = (email: string) => findUserByEmail(server.store.db, email);

  test.each<[string, () => Promise<{ readonly email: string }>]>([
    [
      'signs in at an identity provider',
      async () => {
        const person = await elsewhere();
        const { now } = server.operator;
        const identity = { issuer: 'https://login.acme.example', subject: person.email };
        const times = { created_at: now, used_at: now };
        await keepIdentity(server.store.db, { ...identity, user_id: person.userId, ...times });
        return person;
      },
    ],
    ['the operator made known and who has not come yet', elsewhere],
  ])('gives nobody the account of somebody who %s, and stays good', async (_who, make) => {
    const { email } = await make();
    const before = await known(email);
    const path = await link();
    const browser = browserClient(server.url);

    const taken = await browser.submit(path, { ...fields(), email });
    const settings = await browser.get('/settings/profile');
    const own = await browserClient(server.url).submit(path, fields());

    expect(taken.status).toBe(422);
    expect(taken.text).toContain('id="email-problem"');
    expect(taken.text).toContain('Sign in with it first');
    expect(settings.status).toBe(303);
    expect(await known(email)).toEqual(before);
    expect(own.status).toBe(303);
  });

  test('is good for somebody the operator made known once they came by their mail', async () => {
    const { email } = await elsewhere();
    const path = await link();
    const browser = browserClient(server.url);
    await browser.submit('/forgotten', { email });
    await browser.submit(await mailedPath(server, email), { password: PASSWORD });

    const yes = await browser.submit(path, {});

    expect(yes.status).toBe(303);
    expect((await browser.get('/settings/organizations')).text).toContain('you work here now');
  });

  test('makes one account of an address that two give at the same moment, with the password of one', async () => {
    const other = await newPerson(server);
    const paths = [await link(), await link(other.organizationId)];
    const email = newAddress();
    const passwords = [PASSWORD, 'nine slow trains at dawn'];

    const answers = await submitAtOnce(
      server.url,
      paths.map((path, at) => ({ path, fields: { email, name: 'Ada', password: passwords[at] ?? '' } })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    for (const [at, { status }] of answers.entries()) {
      expect(await signsIn(email, passwords[at] ?? '')).toBe(status === 303);
    }
    const refused = paths[answers.findIndex(({ status }) => status === 422)] ?? '';
    expect((await browserClient(server.url).get(refused)).status).toBe(200);
  });

  test('leaves an address unconfirmed until the link in its mail is opened', async () => {
    const [browser, person] = [browserClient(server.url), fields()];
    await browser.submit(await link(), person);
    const before = await findUserByEmail(server.store.db, person.email);
    const mail = await server.mail.next(person.email);
    const { pathname, search } = new URL(/https?:\S+/.exec(mail.text)?.[0] ?? '');

    await browser.get(`${pathname}${search}`);
    const opened = await findUserByEmail(server.store.db, person.email);
    const confirmed = await browser.submit(`${pathname}${search}`, {});
    const after = await findUserByEmail(server.store.db, person.email);

    expect([before?.email_verified_at, opened?.email_verified_at]).toEqual([null, null]);
    expect(confirmed.status).toBe(200);
    expect(after?.email_verified_at).not.toBeNull();
  });
});

describe('names and addresses with tricks in them', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true, settings: { MAILS_PER_IP: '1000' } });
  });
  afterAll(() => server.stop());

  test.each([
    'ada@аcme.example',
    'ａda@acme.example',
    'ada@acme.example\r\nBcc: all@acme.example',
    'ada@acme.example, eve@evil.example',
    '"ada eve"@acme.example',
    'Ada <ada@acme.example>',
    `${'a'.repeat(65)}@acme.example`,
    `a@${'b'.repeat(250)}.example`,
    'ada@[127.0.0.1]',
    'ada@localhost',
    'a..b@acme.example',
    '',
  ])('are no address: %j', async (email) => {
    const answer = await browserClient(server.url).submit('/sign-up', { email });

    expect(answer.status).toBe(422);
    expect(answer.text).toContain('id="email-problem"');
    expect(server.mail.sent).toEqual([]);
  });

  test.each(['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' autofocus onfocus='alert(1)"])(
    'are shown as they are, and never as markup: %s',
    async (name) => {
      const ada = await newAccount(server);
      const saved = await ada.submit('/settings/profile', { do: 'name', name });
      const { text } = await ada.get('/settings/profile');
      const wrong = await browserClient(server.url).submit('/sign-in', { email: name, password: '' });

      expect(saved.status).toBe(303);
      for (const page of [text, wrong.text]) {
        expect(page).not.toContain(name);
        expect(page).not.toMatch(/<(?:script|img)/);
      }
      server.mail.sent.length = 0;
    },
  );

  test.each(['A\u202eda', 'A\u0000da', 'A\u200bda', 'x'.repeat(101), '   '])(
    'are no name: %j',
    async (name) => {
      const ada = await newAccount(server);

      const answer = await ada.submit('/settings/profile', { do: 'name', name });

      expect([400, 422]).toContain(answer.status);
      expect((await ada.get('/settings/profile')).text).toContain('value="Ada"');
      server.mail.sent.length = 0;
    },
  );
});
