import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managerOf } from '../../support/callers/managers.ts';
import { newNewcomer } from '../../support/callers/newcomers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { linkIn, recordingMail } from '../../support/server/mail.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const mail = recordingMail();

describe('invitation_delete', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ mail });
  });
  afterAll(() => server.stop());

  test('answers 200, and the mail leads nowhere any more', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const guest = await newNewcomer(server);
    const { id } = (await admin.post('/invitations', { email: guest.email })).body.data;
    const token = linkIn(await mail.next(guest.email)).replace(/^.*\//, '');

    const reply = await admin.delete(`/invitations/${id}`);

    expect(reply.status).toBe(200);
    expectRefusal(await guest.post('/signup/invitations', { token }), 409, {
      code: 'CONFLICT',
      words: 'This invitation was used, taken back, or has expired.',
    });
    expectRefusal(await admin.delete(`/invitations/${id}`), 404, {
      code: 'NOT_FOUND',
      words: 'No such invitation.',
    });
  });
});
