import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOrganization } from '../../tools/domain/organizations/organizations.ts';
import { acceptTerms } from '../../tools/domain/organizations/terms.ts';
import { browserClient } from '../support/callers/browser-client.ts';
import { newBrowser } from '../support/callers/browsers.ts';
import { clientFor } from '../support/callers/client.ts';
import { managerOf } from '../support/callers/managers.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { newAccount, newAddress, PASSWORD } from '../support/callers/signed-in.ts';
import { manualClock } from '../support/run/clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const OF_A_DAY = 3;
const OF_AN_HOUR = 2;
const OF_ALL = 4;

describe('a mail', () => {
  const clock = manualClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      clock,
      settings: {
        INVITATIONS_PER_DAY: String(OF_A_DAY),
        MAILS_PER_EMAIL: String(OF_AN_HOUR),
        INVITATIONS_PER_EMAIL: String(OF_ALL),
        MAILS_PER_IP: '1000',
      },
    });
  });
  afterAll(() => server.stop());

  const sentTo = (email: string) => server.mail.sent.filter(({ to }) => to === email);
  const addresses = (count: number) => Array.from({ length: count }, newAddress);
  const openOf = (organizationId: number) =>
    server.store.db
      .selectFrom('invitations')
      .select('email')
      .where('organization_id', '=', organizationId)
      .where('revoked_at', 'is', null)
      .execute();

  test('of an invitation is refused beyond as many as an organization has in a day, and goes a day later', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    for (const email of addresses(OF_A_DAY)) {
      expect((await admin.post('/invitations', { email })).status).toBe(201);
      clock.advance(HOUR_MS);
    }
    const [late = ''] = addresses(1);

    const refused = await admin.post('/invitations', { email: late });

    expectRefusal(refused, 429, { code: 'RATE_LIMITED', words: /had 3 invitations mailed in 24 hours/ });
    expect(refused.headers.get('retry-after')).toBe(String(21 * 3_600));
    expect([sentTo(late).length, (await openOf(organizationId)).length]).toEqual([0, OF_A_DAY]);
    clock.advance(21 * HOUR_MS);
    expect((await admin.post('/invitations', { email: late })).status).toBe(201);
    expect((await admin.post('/invitations', { email: late })).status).toBe(429);
  });

  const accountBelow = async (parentId: number) => {
    const { organization } = await createOrganization(server.operator, {
      name: 'Below',
      parentId,
      roles: ['BUYER'],
    });
    return { id: organization.id, admin: await managerOf(server, organization.id, 'SUPER_ADMIN') };
  };
  const inviteInTurn = async (admins: readonly { post: Person['post'] }[]) => {
    const statuses = [];
    for (const admin of admins) {
      statuses.push((await admin.post('/invitations', { email: newAddress() })).status);
    }
    return statuses;
  };

  test('of an invitation counts for an organization and all below it, and for nobody else', async () => {
    const { organizationId } = await newPerson(server);
    const top = await managerOf(server, organizationId);
    const { admin: child } = await accountBelow(organizationId);
    const other = await managerOf(server, (await newPerson(server)).organizationId);

    expect(await inviteInTurn([child, child, top])).toEqual([201, 201, 201]);

    expect(await inviteInTurn([child, top, other])).toEqual([429, 429, 201]);
  });

  test('of an invitation leaves half of what there is to the others, of each account with all below it', async () => {
    const { organizationId } = await newPerson(server);
    const top = await managerOf(server, organizationId);
    const child = await accountBelow(organizationId);
    const { admin: grandchild } = await accountBelow(child.id);

    expect(await inviteInTurn([child.admin, grandchild, child.admin, grandchild])).toEqual([
      201, 201, 429, 429,
    ]);
    const refused = await grandchild.post('/invitations', { email: newAddress() });

    expectRefusal(refused, 429, {
      code: 'RATE_LIMITED',
      words: /had 2 invitations mailed in 24 hours: its share of the 3/,
    });
    expect(await inviteInTurn([top])).toEqual([201]);
  });

  test('of an invitation is refused beyond the limit to as many as come at once', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);

    const replies = await Promise.all(
      addresses(8).map((email) => admin.post('/invitations', { email }).then(({ status }) => status)),
    );

    expect(replies.filter((status) => status === 201)).toHaveLength(OF_A_DAY);
    expect(replies.filter((status) => status === 429)).toHaveLength(8 - OF_A_DAY);
  });

  test('of an invitation is refused beyond as many as one address has of an organization, and goes for others', async () => {
    const email = newAddress();
    const { organizationId } = await newPerson(server);
    const stranger = await managerOf(server, organizationId);
    const { admin: below } = await accountBelow(organizationId);
    const other = await managerOf(server, (await newPerson(server)).organizationId);
    const statuses = [];
    for (const admin of [stranger, stranger, stranger, below, other]) {
      statuses.push((await admin.post('/invitations', { email })).status);
    }

    const again = await stranger.post('/invitations', { email });

    expect(statuses).toEqual([201, 201, 429, 429, 201]);
    expectRefusal(again, 429, { code: 'RATE_LIMITED', words: /went to this address/ });
    expect(sentTo(email)).toHaveLength(OF_AN_HOUR + 1);
    // What was refused takes back nothing that was sent before.
    expect(await openOf(organizationId)).toEqual([{ email }]);
    clock.advance(HOUR_MS);
    expect((await stranger.post('/invitations', { email })).status).toBe(201);
  });

  test('of an invitation is refused beyond as many as one address has of all organizations in an hour', async () => {
    const email = newAddress();
    const statuses = [];
    for (const _ of Array.from({ length: OF_ALL + 1 })) {
      const admin = await managerOf(server, (await newPerson(server)).organizationId);
      statuses.push((await admin.post('/invitations', { email })).status);
    }

    expect(statuses).toEqual([201, 201, 201, 201, 429]);
    expect(sentTo(email)).toHaveLength(OF_ALL);
  });

  test('of an invitation is refused at the page with the time to wait, and with what was typed', async () => {
    const { organizationId } = await newPerson(server);
    const { credential } = await newBrowser(server, organizationId);
    const [, csrf = ''] = credential.slice('browser '.length).split(' ');
    const invite = (email: string) =>
      clientFor(server.url, credential).send(`${server.url}/settings/members`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
        body: new URLSearchParams({ csrf, do: 'invite', role: 'MEMBER', email }).toString(),
      });
    for (const email of addresses(OF_A_DAY)) expect((await invite(email)).status).toBe(303);
    const [email = ''] = addresses(1);

    const refused = await invite(email);

    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe(String(DAY_MS / 1_000));
    expect(refused.text).toContain('which is the most it may');
    expect(refused.text).toContain(`value="${email}"`);
  });

  test('that strangers ask for keeps no mail of another kind from its reader', async () => {
    const ada = await newAccount(server);
    for (const _ of [1, 2, 3, 4]) await browserClient(server.url).submit('/sign-up', { email: ada.email });
    const before = sentTo(ada.email).length;

    await browserClient(server.url).submit('/forgotten', { email: ada.email });
    const subjects = () => sentTo(ada.email).map(({ subject }) => subject);
    await server.mail.next(ada.email);
    await server.mail.next(ada.email);

    expect(before).toBeLessThanOrEqual(OF_AN_HOUR);
    expect(subjects().filter((subject) => subject.startsWith('A new password'))).toHaveLength(1);
  });

  test('of a notice goes as often as one address has in an hour, and no more', async () => {
    const ada = await newAccount(server);
    const passwords = [PASSWORD, 'five green boats at noon', 'six green boats at noon', 'ten boats at noon'];
    for (const [index, password] of passwords.slice(1).entries()) {
      const current = passwords[index] ?? '';
      const changed = await ada.submit('/settings/profile', { do: 'password', current, password });
      expect(changed.status).toBe(303);
    }
    await browserClient(server.url).submit('/forgotten', { email: ada.email });
    for (const _ of [1, 2, 3]) await server.mail.next(ada.email);

    const notices = sentTo(ada.email).filter(({ subject }) => subject.endsWith('was changed'));
    expect(notices).toHaveLength(OF_AN_HOUR);
  });

  test('that shows whose an address is, is refused in words to who is signed in and asks too often', async () => {
    const ada = await newAccount(server);
    const ask = () => ada.submit('/settings/profile', { do: 'verify' });
    for (const _ of [1, 2]) expect((await ask()).location).toBe('/settings/profile?done=mail');

    const refused = await ask();

    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.text).toContain('went to this address');
  });

  test('has nothing of a stranger in its subject, and nothing that becomes a link in the name it quotes', async () => {
    const { organization } = await createOrganization(server.operator, {
      name: `Prize” at https://evil.example/win?x=1 or www.evil.example, mail me@evil.example ${'a'.repeat(90)}`,
      roles: ['BUYER'],
    });
    await acceptTerms(server.operator, organization.id);
    const admin = await managerOf(server, organization.id);
    const email = newAddress();

    await admin.post('/invitations', { email });

    const { subject, text } = await server.mail.next(email);
    const [lead = '', way = ''] = text.split('\n\n');
    const [, name = ''] = /^“([^”]*)” invites you/.exec(lead) ?? [];
    expect(subject).toMatch(/^You are invited to an organization at [\w.:]+$/);
    expect(name).toMatch(/^Prize’ at https: \/ \/ evil\. example/);
    expect(name.length).toBeLessThan(90);
    expect(way).toContain(`${server.url}/invitations/`);
    expect(text).toContain('nobody here has looked at it');
  });
});
