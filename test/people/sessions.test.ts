import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveRole } from '../../tools/domain/organizations/people.ts';
import { browserClient, hiddenIn } from '../support/callers/browser-client.ts';
import { newPerson } from '../support/callers/people.ts';
import { newAccount, PASSWORD } from '../support/callers/signed-in.ts';
import { manualClock } from '../support/run/clock.ts';
import { newAdvertiser } from '../support/sellers/market.ts';
import { requestText, sendBytes } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const HOUR_MS = 3_600_000;

describe('a session of a browser', () => {
  const clock = manualClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      clock,
      settings: {
        SESSION_IDLE_MS: String(2 * HOUR_MS),
        SESSION_MS: String(5 * HOUR_MS),
        MAILS_PER_IP: '1000',
      },
    });
  });
  afterAll(() => server.stop());

  const isIn = async (browser: { get(path: string): Promise<{ status: number }> }) =>
    (await browser.get('/settings/profile')).status === 200;

  test('has a new value at every sign-in, and the one that the browser brought is over', async () => {
    const ada = await newAccount(server);
    const before = sessionOf(ada.cookies);
    const thief = browserClient(server.url);
    thief.cookies.set(before.name, before.value);
    expect(await isIn(thief)).toBe(true);

    // Who is signed in may sign in again: the form of any page carries what its session expects.
    await ada.submit('/settings/profile', { email: ada.email, password: PASSWORD }, '/sign-in');

    expect(sessionOf(ada.cookies).value).not.toBe(before.value);
    expect(await isIn(ada)).toBe(true);
    expect(await isIn(thief)).toBe(false);
  });

  test('is none that somebody else chose: a planted cookie becomes nobody’s', async () => {
    const { email, cookies } = await newAccount(server);
    const planted = 'p'.repeat(43);
    const victim = browserClient(server.url);
    victim.cookies.set(sessionOf(cookies).name, planted);

    await victim.submit('/sign-in', { email, password: PASSWORD });

    expect(sessionOf(victim.cookies).value).not.toBe(planted);
  });

  test('keeps its cookie from scripts, from other sites and, over https, from other hosts of the domain', async () => {
    const settings = {
      PUBLIC_URL: 'https://market.example',
      ALLOWED_HOSTS: '127.0.0.1',
      SESSION_MS: String(5 * HOUR_MS),
    };
    const secure = await startTestServer({ clock, settings });
    const [plain, safe] = await Promise.all(
      [server, secure].map(async (on) => cookieLine(on, (await newAccount(on)).email)),
    );
    await secure.stop();

    expect(plain).toMatch(/^rialto_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=18000$/);
    expect(safe).toMatch(
      /^__Host-rialto_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=18000; Secure$/,
    );
  });

  test('does not begin over plain http on a host that is not this machine', async () => {
    const open = await startTestServer({ clock, settings: { ALLOWED_HOSTS: 'market.example' } });

    const answer = await sendBytes(open.url, requestText('GET /sign-in', { Host: 'market.example' }));
    await open.stop();

    expect(answer.status).toBe(403);
    expect(answer.text).toContain('https');
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('ends when it was not used for long', async () => {
    const ada = await newAccount(server);
    clock.advance(1.9 * HOUR_MS);
    expect(await isIn(ada)).toBe(true);
    clock.advance(2 * HOUR_MS);

    expect(await isIn(ada)).toBe(false);
  });

  test('ends after its time, however much it is used', async () => {
    const ada = await newAccount(server);
    const hours = [1, 2, 3, 4];
    for (const _ of hours) {
      clock.advance(HOUR_MS);
      expect(await isIn(ada)).toBe(true);
    }

    clock.advance(HOUR_MS);

    expect(await isIn(ada)).toBe(false);
  });

  test('is over on the server when its person signs out: the cookie opens nothing any more', async () => {
    const ada = await newAccount(server);
    const kept = browserClient(server.url);
    for (const [name, value] of ada.cookies) kept.cookies.set(name, value);

    const answer = await ada.submit('/settings/profile', {}, '/sign-out');

    expect(answer).toMatchObject({ status: 303, location: '/sign-in' });
    expect(await isIn(kept)).toBe(false);
    expect([...ada.cookies.keys()].some((name) => name.endsWith('_session'))).toBe(false);
  });

  test('is listed with its browser and its address, and ended from another one', async () => {
    const ada = await newAccount(server);
    const phone = browserClient(server.url);
    const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/605.1';
    const { csrf = '' } = hiddenIn((await phone.get('/sign-in')).text);
    await phone.post('/sign-in', { csrf, email: ada.email, password: PASSWORD }, { 'user-agent': agent });

    const { text } = await ada.get('/settings/sessions');
    const id = /name="id" value="(ses_\w+)"/.exec(text)?.[1] ?? '';
    const ended = await ada.post('/settings/sessions', { ...hiddenIn(text), id });

    expect(text).toContain('Safari on iPhone');
    expect(text).toContain('127.0.0.1');
    expect(text).toContain('this browser');
    expect(ended).toMatchObject({ status: 303, location: '/settings/sessions?done=ended' });
    expect(await isIn(phone)).toBe(false);
    expect(await isIn(ada)).toBe(true);
  });

  test('ends nobody else’s: the id of a stranger’s session does nothing', async () => {
    const [ada, eve] = [await newAccount(server), await newAccount(server)];
    const rows = await server.store.db
      .selectFrom('web_sessions')
      .selectAll()
      .orderBy('signed_in_at', 'desc')
      .execute();
    const own = await server.store.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', ada.email)
      .executeTakeFirst();
    const theirs = rows.find(({ user_id, ended_at }) => user_id === own?.id && ended_at === null);
    const { csrf = '' } = hiddenIn((await eve.get('/settings/sessions')).text);

    await eve.post('/settings/sessions', { csrf, id: theirs?.id ?? '' });

    expect(theirs).toBeDefined();
    expect(await isIn(ada)).toBe(true);
  });

  test('works in the organization that was chosen, for pages and for the API alike', async () => {
    const [one, other] = [await newPerson(server), await newPerson(server)];
    const ada = await newAccount(server, { organizationId: one.organizationId, role: 'ADMIN' });
    const call = () => ada.get('/api/v2/buyer/advertisers');
    await newAdvertiser(other, { name: 'Other shoes' });
    await giveRole(server.operator, {
      email: ada.email,
      name: '',
      organizationId: other.organizationId,
      role: 'MEMBER',
    });
    const before = await call();

    const { text } = await ada.get('/settings/organizations');
    const { csrf = '' } = hiddenIn(text);
    const chosen = await ada.post('/settings/organizations', {
      csrf,
      organization: String(other.organizationId),
    });
    const after = await call();
    const strangers = await ada.post('/settings/organizations', { csrf, organization: '1000000' });

    expect(chosen.status).toBe(303);
    expect(before.text).not.toContain('Other shoes');
    expect(after.text).toContain('Other shoes');
    expect(strangers.status).toBe(422);
  });

  function sessionOf(cookies: ReadonlyMap<string, string>) {
    const [name = '', value = ''] = [...cookies].find(([key]) => key.endsWith('_session')) ?? [];
    return { name, value };
  }

  async function cookieLine(on: TestServer, email: string): Promise<string> {
    const { headers } = await browserClient(on.url).submit('/sign-in', { email, password: PASSWORD });
    return headers.getSetCookie().find((line) => line.includes('_session=')) ?? '';
  }
});
