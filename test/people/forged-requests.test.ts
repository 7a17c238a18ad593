import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserClient, hiddenIn } from '../support/callers/browser-client.ts';
import { newAccount, newAddress, PASSWORD } from '../support/callers/signed-in.ts';
import { requestText, sendBytes } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const settings = { MAILS_PER_IP: '1000', SIGN_IN_FAILURES_PER_IP: '1000' };

describe('a request that no page of ours sent', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true, settings });
  });
  afterAll(() => server.stop());

  const PAGES = ['/sign-in', '/sign-up', '/forgotten', '/settings/profile', '/sign-out'];

  test.each(PAGES)('does nothing from a page of another origin, whatever it carries: %s', async (path) => {
    const ada = await newAccount(server);
    const { csrf = '' } = hiddenIn((await ada.get('/settings/sessions')).text);

    const answers = [
      await ada.post(path, { csrf, name: 'Eve' }, { origin: 'https://evil.example' }),
      await ada.post(path, { csrf, name: 'Eve' }, { origin: 'null' }),
      await ada.post(path, { csrf, name: 'Eve' }, { 'sec-fetch-site': 'cross-site' }),
      await ada.post(path, { csrf, name: 'Eve' }, { 'sec-fetch-site': 'same-site' }),
    ];

    for (const { status } of answers) expect(status).toBe(403);
    expect((await ada.get('/settings/profile')).text).toContain('value="Ada"');
  });

  test('does nothing from an origin that may call the API', async () => {
    const allowed = await startTestServer({
      settings: { ...settings, ALLOWED_ORIGINS: 'https://app.example' },
    });
    const ada = await newAccount(allowed);
    const { csrf = '' } = hiddenIn((await ada.get('/settings/profile')).text);

    const answer = await ada.post(
      '/settings/profile',
      { csrf, do: 'name', name: 'Eve' },
      { origin: 'https://app.example' },
    );
    await allowed.stop();

    expect(answer.status).toBe(403);
  });

  test('does nothing without the token, with an empty one, or with that of another session', async () => {
    const ada = await newAccount(server);
    const eve = await newAccount(server);
    const { csrf = '' } = hiddenIn((await eve.get('/settings/profile')).text);
    const form = { do: 'name', name: 'Eve' };

    for (const token of [{}, { csrf: '' }, { csrf }, { csrf: 'x'.repeat(43) }]) {
      expect((await ada.post('/settings/profile', { ...form, ...token })).status).toBe(403);
    }
    expect((await ada.get('/settings/profile')).text).toContain('value="Ada"');
  });

  test('signs nobody in with a token of another browser, or with one that it chose itself', async () => {
    const { email } = await newAccount(server);
    const [victim, attacker] = [browserClient(server.url), browserClient(server.url)];
    const { csrf = '' } = hiddenIn((await attacker.get('/sign-in')).text);
    await victim.get('/sign-in');

    const other = await victim.post('/sign-in', { csrf, email, password: PASSWORD });
    const bare = await browserClient(server.url).post('/sign-in', { csrf, email, password: PASSWORD });

    expect([other.status, bare.status]).toEqual([403, 403]);
    expect((await victim.get('/settings/profile')).status).toBe(303);
  });

  test('keeps no token of before: what the form held is worth nothing once somebody signed in', async () => {
    const { email } = await newAccount(server);
    const browser = browserClient(server.url);
    const { csrf = '' } = hiddenIn((await browser.get('/sign-in')).text);
    await browser.post('/sign-in', { csrf, email, password: PASSWORD });

    const answer = await browser.post('/settings/profile', { csrf, do: 'name', name: 'Eve' });

    expect(answer.status).toBe(403);
  });

  test('is refused as what it is: JSON, a file, too much, or twice the same cookie', async () => {
    const ada = await newAccount(server);
    const { csrf = '' } = hiddenIn((await ada.get('/settings/profile')).text);
    const fields = { csrf, do: 'name', name: 'Eve' };
    const [[name, value] = ['', '']] = [...ada.cookies].filter(([key]) => key.endsWith('_session'));

    const json = await ada.post('/settings/profile', fields, { 'content-type': 'application/json' });
    const text = await ada.post('/settings/profile', fields, { 'content-type': 'text/plain' });
    const large = await ada.post('/settings/profile', { ...fields, name: 'x'.repeat(70_000) });
    const twice = await fetch(`${server.url}/settings/profile`, {
      headers: { cookie: `${name}=${value}; ${name}=other` },
      redirect: 'manual',
    });

    expect([json.status, text.status, large.status, twice.status]).toEqual([400, 400, 400, 303]);
  });

  test('signs nobody out: a link, a picture and a foreign form end no session', async () => {
    const ada = await newAccount(server);

    const link = await ada.get('/sign-out');
    const form = await ada.post('/sign-out', {}, { origin: 'https://evil.example' });
    const own = await ada.post('/sign-out', {});

    expect([link.status, form.status, own.status]).toEqual([405, 403, 403]);
    expect((await ada.get('/settings/profile')).status).toBe(200);
  });
});

describe('what surrounds the pages', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true, settings });
  });
  afterAll(() => server.stop());

  test.each(['/sign-in', '/sign-up', '/forgotten', '/settings/profile', '/reset?token=x'])(
    'keeps frames, scripts, caches and other sites out: %s',
    async (path) => {
      const ada = await newAccount(server);
      const { headers } = path.startsWith('/settings')
        ? await ada.get(path)
        : await browserClient(server.url).get(path);
      const policy = headers.get('content-security-policy') ?? '';

      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toMatch(/unsafe|script-src|\*/);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.has('access-control-allow-origin')).toBe(false);
    },
  );

  const ELSEWHERE = [
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/%09/evil.example/../..',
    '/\t/evil.example',
    '/.//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    ' //evil.example',
    '/settings\r\nSet-Cookie: a=b',
    'evil.example',
    `/${'x'.repeat(3_000)}`,
  ];

  test.each(ELSEWHERE)('leads to no other site after signing in: %j', async (to) => {
    const { email } = await newAccount(server);
    const browser = browserClient(server.url);
    const { text } = await browser.get(`/sign-in?${new URLSearchParams({ return_to: to })}`);
    const asked = hiddenIn(text);

    const answer = await browser.post('/sign-in', { ...asked, return_to: to, email, password: PASSWORD });

    expect(answer.status).toBe(303);
    expect(new URL(answer.location, server.url).origin).toBe(server.url);
    expect(new URL(answer.location, server.url).pathname).not.toMatch(/^\/\//);
    expect(answer.headers.getSetCookie().join()).not.toContain('a=b');
  });

  test('names no host that a request made up, in a page, a mail or a redirect', async () => {
    const email = newAddress();
    const browser = browserClient(server.url);
    const { csrf = '' } = hiddenIn((await browser.get('/sign-up')).text);

    const refused = await rawStatus(server, 'evil.example');
    await browser.post(
      '/sign-up',
      { csrf, email },
      { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
    );
    const mail = await server.mail.next(email);

    expect(refused).toBe(403);
    expect(mail.text).not.toContain('evil.example');
    expect(mail.text).toContain(`${server.url}/sign-up/finish?token=`);
  });

  test('gives what a link carries to nobody: no page that it opens asks another host for anything', async () => {
    const email = newAddress();
    const browser = browserClient(server.url);
    await browser.submit('/sign-up', { email });
    const link = new URL(/https?:\S+/.exec((await server.mail.next(email)).text)?.[0] ?? '');

    const { text, headers } = await browser.get(`${link.pathname}${link.search}`);
    const addresses = [...text.matchAll(/(?:href|src|action)="([^"]+)"/g)].map(([, to = '']) => to);

    expect(headers.get('referrer-policy')).toBe('same-origin');
    for (const to of addresses) expect(to).toMatch(/^(?:\/[^/]|\/$|data:,$)/);
    expect(
      server.log.lines.filter(({ fields }) => JSON.stringify(fields).includes(link.search.slice(7))),
    ).toEqual([]);
  });
});

/** The status of a page that is asked for under another Host: `fetch` does not let one be named. */
async function rawStatus(server: TestServer, host: string): Promise<number> {
  return (await sendBytes(server.url, requestText('GET /sign-in', { Host: host }))).status;
}
