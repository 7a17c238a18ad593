import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserClient } from '../support/callers/browser-client.ts';
import { clientFor } from '../support/callers/client.ts';
import { managerOf } from '../support/callers/managers.ts';
import { newPerson } from '../support/callers/people.ts';
import { mailedPath, newAccount, newAddress, PASSWORD } from '../support/callers/signed-in.ts';
import { linkIn } from '../support/server/mail.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('somebody who makes an account on the way to something else', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true, settings: { MAILS_PER_IP: '1000' } });
  });
  afterAll(() => server.stop());

  const chosen = { name: 'Ada', password: PASSWORD };

  test('comes back to the invitation that they were sent, and accepts it', async () => {
    const { organizationId } = await newPerson(server);
    const email = newAddress();
    const admin = await managerOf(server, organizationId);
    expect((await admin.post('/invitations', { email, role: 'MEMBER' })).status).toBe(201);
    const { pathname: invitation } = new URL(linkIn(await server.mail.next(email)));
    const browser = browserClient(server.url);
    const page = await browser.get(invitation);
    const [, signUp = ''] = /href="([^"]*\/sign-up[^"]*)"/.exec(page.text) ?? [];

    await browser.submit(signUp, { email });
    const made = await browser.submit(await mailedPath(server, email), chosen, '/sign-up/finish');
    const accepted = await browser.submit(made.location, {});
    const organizations = await browser.get('/settings/organizations');

    expect(made.location).toBe(invitation);
    expect(accepted.location).toBe('/settings/organizations?done=chosen');
    expect(organizations.text).toContain('you work here now');
  });

  test('keeps the way through a form that was not taken, and through an account that was there', async () => {
    const email = newAddress();
    const browser = browserClient(server.url);
    const typo = await browser.submit('/sign-up?return_to=%2Fterms', { email: 'nobody' }, '/sign-up');
    expect(typo.text).toContain('name="return_to" value="/terms"');
    await browser.submit('/sign-up?return_to=%2Fterms', { email });
    const link = await mailedPath(server, email);
    const short = await browser.submit(link, { ...chosen, password: 'short' }, '/sign-up/finish');
    const { email: known } = await newAccount(server);

    await browserClient(server.url).submit('/sign-up?return_to=%2Fterms', { email: known });
    const told = await server.mail.next(known);

    expect(short.status).toBe(422);
    expect(short.text).toContain('name="return_to" value="/terms"');
    expect(told.text).toContain('/sign-in?return_to=%2Fterms');
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/.//evil.example',
  ])('is led to no other site by it: %j', async (to) => {
    const email = newAddress();
    const browser = browserClient(server.url);
    await browser.submit('/sign-up', { email, return_to: to });
    const mail = linkIn(await server.mail.next(email));
    const { pathname, search } = new URL(mail);

    const made = await browser.submit(
      `${pathname}${search}`,
      { ...chosen, return_to: to },
      '/sign-up/finish',
    );

    expect(mail).not.toContain('evil');
    expect([made.status, made.location]).toEqual([303, '/settings']);
  });

  test('is told where the mail is as long as no server sends any', async () => {
    const asked = await browserClient(server.url).submit('/forgotten', { email: newAddress() });
    const real = await startTestServer({
      own: true,
      settings: { MAIL_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Rialto <rialto@service.example>' },
    });
    const later = await browserClient(real.url).submit('/forgotten', { email: newAddress() });
    await real.stop();

    expect(asked.text).toContain('mail list');
    expect(later.status).toBe(200);
    expect(later.text).not.toContain('mail list');
  });

  test('is shown the way to an organization of their own where there is none yet', async () => {
    const ada = await newAccount(server);

    const page = await ada.get('/settings/organizations');

    expect(page.text).toContain('href="/start"');
    expect((await ada.get('/start')).text).toContain('/start/advertiser');
    expect((await clientFor(server.url).get('/buyer/advertisers')).status).toBe(401);
  });
});
