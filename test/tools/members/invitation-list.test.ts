import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managerOf } from '../../support/callers/managers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { linkIn, recordingMail } from '../../support/server/mail.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const mail = recordingMail();

describe('invitation_list', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ mail });
  });
  afterAll(() => server.stop());

  test('answers 200 with what can still be accepted, and no value', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const email = `guest-${admin.userId}@guest.example`;
    await admin.post('/invitations', { email });
    const value = linkIn(await mail.next(email)).replace(/^.*\//, '');

    const reply = await admin.get('/invitations');

    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ total: 1, invitations: [{ email, role: 'MEMBER' }] });
    expect(reply.text).not.toContain(value);
  });
});
