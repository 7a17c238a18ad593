import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from '../../../tools/domain/organizations/organizations.ts';
import { managerOf } from '../../support/callers/managers.ts';
import { signInAs } from '../../support/callers/newcomers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { linkIn } from '../../support/server/mail.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('member_delete', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('is done with a key that holds buyer:admin, beside the lists, and with no lesser one', async () => {
    const acme = await newPerson(server, { permissions: ['buyer:admin'] });
    const writer = await newPerson(server, { permissions: ['buyer:write', 'account:admin'] });
    const member = await managerOf(server, acme.organizationId, 'MEMBER');
    const theirs = await managerOf(server, writer.organizationId, 'MEMBER');

    const listed = await acme.get('/members');
    const refused = await writer.delete(`/members/${theirs.userId}`);
    const reply = await acme.delete(`/members/${member.userId}`);

    expect(listed.status).toBe(200);
    expect(listed.text).toContain(member.email);
    expect(listed.text).not.toContain(theirs.email);
    expectRefusal(refused, 403, { code: 'FORBIDDEN', words: 'This call needs the permission buyer:admin.' });
    expect(reply.status).toBe(200);
    expectRefusal(await member.get('/buyer/advertisers'), 401, {
      code: 'UNAUTHORIZED',
      words: 'This call needs a credential.',
    });
    // Who gives a person something to hold is a person.
    const invited = await acme.post('/invitations', { email: 'guest@keys.example', role: 'MEMBER' });
    expectRefusal(invited, 403, {
      code: 'FORBIDDEN',
      words: 'This call needs an interactive session of a person; a key or token cannot make it.',
    });
  });

  test('is not for a key that is bound to one account, as nothing is that all accounts share, 403', async () => {
    const acme = await newPerson(server);
    const member = await managerOf(server, acme.organizationId, 'MEMBER');
    const { organizationId } = acme;
    const account = await createAccount(server.operator, { organizationId, role: 'BUYER', name: 'Second' });
    const bound = await acme.withKey(['buyer:admin'], account.id);

    const replies = [
      await bound.delete(`/members/${member.userId}`),
      await bound.post('/buyer/browser-origins', { origin: 'https://bound.example' }),
    ];

    for (const reply of replies)
      expectRefusal(reply, 403, {
        code: 'FORBIDDEN',
        words:
          'This credential is narrowed, by grants or to one account: it changes what is within that, nothing else.',
      });
    expect((await member.get('/buyer/advertisers')).status).toBe(200);
  });

  test('answers 200, and the person is out from the next call on, in every browser', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const member = await managerOf(server, organizationId, 'MEMBER');
    const elsewhere = await signInAs(server, member.userId, organizationId);

    const reply = await admin.delete(`/members/${member.userId}`);

    expect(reply.status).toBe(200);
    for (const browser of [member, elsewhere]) {
      expectRefusal(await browser.get('/buyer/advertisers'), 401, {
        code: 'UNAUTHORIZED',
        words: 'This call needs a credential.',
      });
    }
    expectRefusal(await admin.delete(`/members/${member.userId}`), 404, {
      code: 'NOT_FOUND',
      words: 'No such member.',
    });
  });

  test('takes back what the person was invited by and never used: it leads nobody back', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const { userId } = await managerOf(server, organizationId, 'MEMBER');
    const { members } = (await admin.get('/members')).body.data;
    const { email } = members.find((one: { userId: string }) => Number(one.userId) === userId);
    expect((await admin.post('/invitations', { email, role: 'ADMIN' })).status).toBe(201);
    const token = new URL(linkIn(await server.mail.next(email))).pathname.split('/').at(-1) ?? '';
    const person = await signInAs(server, userId);

    expect((await admin.delete(`/members/${userId}`)).status).toBe(200);

    expectRefusal(await person.post('/signup/invitations', { token }), 409, {
      code: 'CONFLICT',
      words: 'This invitation was used, taken back, or has expired.',
    });
    const { members: left } = (await admin.get('/members')).body.data;
    expect(left.map((one: { email: string }) => one.email)).not.toContain(email);
  });

  test('answers CONFLICT for the last SUPER_ADMIN', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);

    expectRefusal(await admin.delete(`/members/${admin.userId}`), 409, {
      code: 'CONFLICT',
      words: 'This is the last SUPER_ADMIN of the organization.',
    });
  });
});
