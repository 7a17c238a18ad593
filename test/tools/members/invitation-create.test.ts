import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managerOf } from '../../support/callers/managers.ts';
import { newNewcomer, signInAs } from '../../support/callers/newcomers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { linkIn, recordingMail } from '../../support/server/mail.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const mail = recordingMail();

describe('invitation_create', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ mail });
  });
  afterAll(() => server.stop());

  test('answers 201 and mails what is shown nowhere; an earlier one to the address is over', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const guest = await newNewcomer(server);
    const ask = () => admin.post('/invitations', { email: guest.email.toUpperCase(), role: 'READ_ONLY' });

    const reply = await ask();
    const first = linkIn(await mail.next(guest.email)).replace(/^.*\//, '');
    await ask();
    const second = linkIn(await mail.next(guest.email)).replace(/^.*\//, '');

    expect(reply.status).toBe(201);
    expect(reply.text).not.toContain(first);
    expectRefusal(await guest.post('/signup/invitations', { token: first }), 409, {
      code: 'CONFLICT',
      words: 'This invitation was used, taken back, or has expired.',
    });
    const accepted = await guest.post('/signup/invitations', { token: second });
    expect(accepted.body.data).toMatchObject({ role: 'READ_ONLY' });
  });

  test('answers SERVICE_UNAVAILABLE where no mail server takes the mail, and the next one counts', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const email = `late-${organizationId}@guest.example`;
    const { send } = mail;
    mail.send = () => Promise.reject(new Error('Connection refused'));
    const refused = await admin.post('/invitations', { email }).finally(() => {
      mail.send = send;
    });

    expectRefusal(refused, 503, {
      code: 'SERVICE_UNAVAILABLE',
      words: 'The invitation is made, but no mail server took the mail with its link.',
    });
    expect((await admin.post('/invitations', { email })).status).toBe(201);
    expect((await admin.get('/invitations')).body.data.total).toBe(1);
  });

  test('lets one in where two accept at once', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const guest = await newNewcomer(server);
    await admin.post('/invitations', { email: guest.email });
    const token = linkIn(await mail.next(guest.email)).replace(/^.*\//, '');
    const elsewhere = await signInAs(server, guest.userId);

    const replies = await Promise.all(
      [guest, elsewhere].map((browser) => browser.post('/signup/invitations', { token })),
    );

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('answers CONFLICT where nobody can be let in, and lets an ADMIN invite no SUPER_ADMIN', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId, 'ADMIN');
    const higher = { email: 'guest@guest.example', role: 'SUPER_ADMIN' };

    expectRefusal(await admin.post('/invitations', higher), 403, {
      code: 'FORBIDDEN',
      words: 'Only a SUPER_ADMIN of the organization decides who is one.',
    });
    await server.store.db
      .updateTable('organizations')
      .set({ admission: 'waitlisted' })
      .where('id', '=', organizationId)
      .execute();
    const reply = await admin.post('/invitations', { email: 'guest@guest.example' });
    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      words: 'This organization is not admitted to the marketplace: nobody can join it for now.',
    });
  });
});
